//! What cargo-nextest does: it lists the tests of a program, and runs each of them in a process.

use crate::suite::{FORMS, PLAIN, run, with};

#[test]
fn every_benchmark_in_the_list_can_be_run_by_its_name() {
    for program in [PLAIN, FORMS] {
        let list = run(program, "--list --format terse").stdout;
        let ignored = run(program, "--list --format terse --ignored").stdout;
        assert_eq!(ignored, "");
        let names: Vec<&str> = list
            .lines()
            .map(|line| line.strip_suffix(": benchmark").expect(line))
            .collect();
        assert!(!names.is_empty());
        let is_long = |name: &&str| name.len() > 100;
        assert_eq!(names.iter().any(is_long), program == FORMS);
        for name in names {
            let ended = with(program, [name, "--exact", "--nocapture"], &[]);
            assert_eq!(ended.code, Some(0), "{ended:?}");
            let run = format!("Testing {name}\nSuccess\n\n");
            assert!(ended.stdout.contains(&run), "{ended:?}");
        }
    }
}
