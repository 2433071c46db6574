//! Two bench targets of one package: one output, and names that select in both.

use std::fs;
use std::path::Path;

use crate::folder::Folder;
use crate::program::{Ran, command};
use crate::run::{package, stored, target_directory};

/// `ours` has a case for each of two sizes, with a throughput, `other` has one in a module.
fn two_targets(folder: &Path) {
    package(folder, 6);
    // Where its lines are read by programs, the first of them follows text without a line break.
    let main = "fn main() -> std::process::ExitCode {\n\
                if std::env::args().any(|word| word == \"jsonl\") { print!(\"loading data ... \"); }\n\
                tourbillon::main()\n\
                }\n";
    let ours = "use tourbillon::{Bencher, Items, bench, hide};\n\
                #[bench(args(n = [4, 16]))]\n\
                fn sort(b: Bencher<'_>, n: u64) {\n\
                b.throughput(Items(n)).iter(|| (0..hide(n)).fold(1, |a, b| hide(a ^ b)));\n\
                }\n";
    fs::write(folder.join("benches/ours.rs"), ours.to_owned() + main).expect("a bench");
    let other = "mod inner { mod deeper {\n\
                 #[tourbillon::bench] fn one() -> u64 { tourbillon::hide(1) }\n\
                 } }\n";
    fs::write(folder.join("benches/other.rs"), other.to_owned() + main).expect("a bench");
}

/// In sequence, because the build is shared.
#[test]
fn two_targets_of_a_package() {
    let folder = Folder::new("targets");
    two_targets(&folder);
    let runs = target_directory().join("tourbillon/shop");
    let _ = fs::remove_dir_all(&runs);
    csv_is_one_table(&folder);
    markdown_is_one_table(&folder);
    json_lines_are_one_stream(&folder);
    formats_of_other_programs_are_one_text(&folder);
    quiet_tables_name_their_targets(&folder);
    printed_names_select(&folder);
    filtered_runs_hide_no_results(&folder);
    shards_have_all_cases_of_all_targets(&folder);
    a_plan_names_the_shard_of_each_case(&folder);
    merged_shards_are_the_suite(&folder);
    let _ = fs::remove_dir_all(&runs);
}

fn measured(folder: &Path, arguments: &[&str]) -> Ran {
    let ran = stored(folder, arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran
}

const IDS: [&str; 3] = [
    "shop/other::inner::deeper::one",
    "shop/ours::sort[n=16]",
    "shop/ours::sort[n=4]",
];

/// The ids and the shards of the records on stdout, in pairs.
fn shards_of(ran: &Ran) -> (Vec<String>, Vec<String>) {
    let (mut ids, mut shards) = (Vec::new(), Vec::new());
    for line in ran.stdout.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        match line["type"].as_str() {
            Some("case") => ids.push(line["id"].as_str().expect("an id").to_owned()),
            Some("header") => shards.push(line["shard"].to_string()),
            _ => {}
        }
    }
    (ids, shards)
}

/// Of a slice, cases take turns across targets; a shard without cases has records, too.
fn shards_have_all_cases_of_all_targets(folder: &Path) {
    for (method, count) in [("hash", 2), ("slice", 2), ("slice", 4)] {
        let mut all = Vec::new();
        for shard in 1..=count {
            let partition = format!("--partition={method}:{shard}/{count}");
            let ran = measured(folder, &["--no-store", "--format", "jsonl", &partition]);
            let (ids, shards) = shards_of(&ran);
            assert_eq!(shards.len(), 2, "{ran:?}");
            let cases =
                |cases: u32| move |text: &&String| text.contains(&format!("\"cases\":{cases}"));
            assert_eq!(shards.iter().filter(cases(1)).count(), 1, "{shards:?}");
            assert_eq!(shards.iter().filter(cases(2)).count(), 1, "{shards:?}");
            if method == "slice" {
                assert_eq!(ids.len(), (3 + count - shard) / count, "{ids:?}");
            }
            all.extend(ids);
        }
        all.sort();
        assert_eq!(all, IDS, "{method} {count}");
    }
    let ran = stored(folder, &["--no-store", "--partition", "hash:3/2"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr
            .contains("--partition: \"3\" is too many; at most 2"),
        "{ran:?}"
    );
}

/// Of each order of three shards the same file; without one, no answer.
fn merged_shards_are_the_suite(folder: &Path) {
    let shards: Vec<String> = (1..=3)
        .map(|shard| {
            let partition = format!("--partition=slice:{shard}/3");
            let flags = ["--no-store", "--format", "jsonl", &partition];
            let name = format!("part-{shard}");
            fs::create_dir_all(folder.join(&name)).expect("a folder");
            let file = folder.join(&name).join("run.jsonl");
            fs::write(file, measured(folder, &flags).stdout).expect("a record");
            name
        })
        .collect();
    let merge = |parts: &[&str], output: &str| -> (Ran, String) {
        let mut merge = command(&["tourbillon", "merge", "-o", output]);
        let ran: Ran = merge
            .args(parts)
            .current_dir(folder)
            .output()
            .expect("it starts")
            .into();
        (
            ran,
            fs::read_to_string(folder.join(output)).unwrap_or_default(),
        )
    };
    let [one, two, three] = [0, 1, 2].map(|at| shards[at].as_str());
    let (ran, all) = merge(&[one, two, three], "all.jsonl");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // The revision is that of the repository in which this is tested, if there is one.
    let answers = ran.stdout.lines().map(|line| {
        let (name, answer) = line.split_once(": ").expect(line);
        (name.split(", revision").next().unwrap_or(name), answer)
    });
    assert_eq!(
        answers.collect::<Vec<_>>(),
        [
            ("shop/other", "1 case in 3 shards"),
            ("shop/ours", "2 cases in 3 shards")
        ]
    );
    // Nothing is lost, and the order does not matter.
    for shard in [one, two, three] {
        let part = fs::read_to_string(folder.join(shard).join("run.jsonl")).expect("a record");
        for line in part.lines() {
            assert!(all.contains(line), "{line}");
        }
    }
    assert_eq!(merge(&[three, one, two, one], "again.jsonl").1, all);
    let (ran, pair) = merge(&[two, three], "pair.jsonl");
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let missing = "undecided: missing or interrupted: shard 1 of 3";
    assert!(ran.stdout.contains(missing), "{}", ran.stdout);
    assert_ne!(pair, all);
    assert_eq!(merge(&["pair.jsonl", one], "both.jsonl").1, all);
    assert_eq!(merge(&["all.jsonl", "all.jsonl"], "twice.jsonl").1, all);
    let (ran, _) = merge(&["benches"], "none.jsonl");
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

fn a_plan_names_the_shard_of_each_case(folder: &Path) {
    let target = target_directory();
    let flags = ["--offline", "--profile", "dev", "--target-dir"];
    let plan = |format: &str| -> Ran {
        let words = [
            "tourbillon",
            "plan",
            "--shards=2",
            "--method=slice",
            "--format",
        ];
        let mut plan = command(&words);
        plan.arg(format)
            .args(flags)
            .arg(&target)
            .current_dir(folder);
        plan.output().expect("the program starts").into()
    };
    let ran = plan("jsonl");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut planned = 0;
    for (line, partition) in ran
        .stdout
        .lines()
        .zip(["slice:1/2", "slice:2/2", "slice:1/2"])
    {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(
            IDS.contains(&line["case"].as_str().expect("an id")),
            "{line}"
        );
        assert_eq!(line["partition"], partition);
        planned += 1;
    }
    assert_eq!(planned, IDS.len());
    assert_eq!(
        plan("text").stdout,
        "slice:1/2  2 cases\nslice:2/2  1 case\n"
    );
    let matrix = plan("github-matrix").stdout;
    assert_eq!(matrix, "{\"partition\":[\"slice:1/2\",\"slice:2/2\"]}\n");
}

fn csv_is_one_table(folder: &Path) {
    let ran = measured(folder, &["--no-store", "--format", "csv"]);
    let mut rows = ran.stdout.lines().map(|line| line.split(',').collect());
    let titles: Vec<&str> = rows.next().expect("titles");
    let rows: Vec<Vec<&str>> = rows.collect();
    let column = |title: &str| {
        let found = titles.iter().position(|other| *other == title);
        found.unwrap_or_else(|| panic!("{title} in {titles:?}"))
    };
    assert_eq!((column("target"), column("case")), (0, 1));
    let [metric, estimate, throughput, unit] =
        ["metric", "estimate", "throughput", "throughput_unit"].map(column);
    let times = rows.iter().filter(|row| row[metric] == "time");
    let mut ids: Vec<&str> = Vec::new();
    for row in times {
        assert_eq!(row.len(), titles.len(), "{row:?}");
        assert!(row[1].starts_with(&format!("{}::", row[0])), "{row:?}");
        // One short launch on a busy machine may be too scattered for a figure.
        let has_rate = row[0] == "shop/ours" && !row[estimate].is_empty();
        assert_eq!(!row[throughput].is_empty(), has_rate, "{row:?}");
        assert_eq!(row[unit] == "items/s", has_rate, "{row:?}");
        ids.push(row[1]);
    }
    ids.sort_unstable();
    assert_eq!(ids, IDS);
}

fn markdown_is_one_table(folder: &Path) {
    let ran = measured(folder, &["--no-store", "--format", "md"]);
    assert!(ran.stdout.starts_with("| case |"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("| case |").count(), 1, "{}", ran.stdout);
    for row in [
        "\n| `shop/ours/sort/4` |",
        "\n| `shop/ours/sort/16` |",
        "\n| `shop/other/inner::deeper/one` |",
    ] {
        assert_eq!(ran.stdout.matches(row).count(), 1, "{}", ran.stdout);
    }
}

fn formats_of_other_programs_are_one_text(folder: &Path) {
    let ran = measured(folder, &["--no-store", "--format", "bmf"]);
    let found: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let listed = |id: &&str| ran.stderr.contains(&format!("not in the export: {id}: "));
    for id in IDS {
        // A machine may be too busy for a figure.
        assert!(found.get(id).is_some() != listed(&id), "{id} in {ran:?}");
    }
    let ran = measured(folder, &["--no-store", "--format", "libtest"]);
    let mut names: Vec<&str> = ran
        .stdout
        .lines()
        .map(|line| {
            let name = line.strip_prefix("test ").expect(line);
            name.split(' ').next().unwrap_or_default()
        })
        .collect();
    names.sort_unstable();
    assert_eq!(names, IDS);
    let ran = stored(folder, &["--no-store", "--format", "criterion"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.stderr.contains("export --format criterion -o"),
        "{ran:?}"
    );
}

fn json_lines_are_one_stream(folder: &Path) {
    let ran = measured(folder, &["--no-store", "--format", "jsonl"]);
    for line in ran.stdout.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect(line);
    }
    let headers = ran.stdout.matches("{\"type\":\"header\"").count();
    assert_eq!(headers, 2, "{}", ran.stdout);
    fs::write(folder.join("all.jsonl"), &ran.stdout).expect("a record");
    assert_eq!(shown(folder, &["all.jsonl"]), IDS);
    let ran = measured(folder, &["--no-store", "--format", "json"]);
    let all: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        (&all["kind"], &all["version"]),
        (&"results".into(), &1.into())
    );
    let rows = all["rows"].as_array().expect("rows");
    let mut ids: Vec<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
    ids.sort_unstable();
    assert_eq!(ids, IDS);
    for row in rows {
        assert_eq!(
            (&row["metric"], &row["unit"]),
            (&"time".into(), &"ns".into())
        );
        // A machine may be too busy for a figure.
        assert!(row["time"].is_f64() || row["absent"].is_string(), "{row}");
    }
}

fn quiet_tables_name_their_targets(folder: &Path) {
    let ran = measured(folder, &["--no-store", "-q"]);
    let named = ["shop/ours", "shop/other"].map(|target| {
        let line = ran.stdout.lines().position(|line| line == target);
        line.unwrap_or_else(|| panic!("{target} in {}", ran.stdout))
    });
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let start = named[0].max(named[1]);
    let (first, second) = lines.split_at(start);
    let [ours, other] = if named[0] < named[1] {
        [first, second]
    } else {
        [second, first]
    };
    let has = |lines: &[&str], part: &str| lines.iter().any(|line| line.contains(part));
    assert!(has(ours, "sort") && !has(ours, "inner"), "{}", ran.stdout);
    assert!(has(other, "inner") && !has(other, "sort"), "{}", ran.stdout);
}

fn printed_names_select(folder: &Path) {
    for (typed, id) in [
        ("sort/4", "shop/ours::sort[n=4]"),
        ("sort[n=16]", "shop/ours::sort[n=16]"),
        ("inner::deeper/one", "shop/other::inner::deeper::one"),
        ("inner::deeper::one", "shop/other::inner::deeper::one"),
    ] {
        for exact in [&[][..], &["--exact"]] {
            let list = ["--list", "--format", "terse", typed];
            let ran = measured(folder, &[&list, exact].concat());
            assert_eq!(ran.stdout, format!("{id}: benchmark\n"), "{typed}");
        }
    }
}

/// The store is the one of the target directory, which other packages share.
fn filtered_runs_hide_no_results(folder: &Path) {
    measured(folder, &[]);
    measured(folder, &["sort/4"]);
    assert_eq!(shown(folder, &[]), IDS);
    for (typed, id) in [
        ("sort/16", "shop/ours::sort[n=16]"),
        ("sort/4", "shop/ours::sort[n=4]"),
        ("inner::deeper/one", "shop/other::inner::deeper::one"),
    ] {
        let ran = subcommand(folder, &["explain", typed]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let mut lines = ran.stdout.lines();
        assert_eq!(lines.next(), Some(typed));
        assert!(
            lines.next().is_some_and(|line| line.ends_with(id)),
            "{ran:?}"
        );
    }
}

/// `cargo tourbillon` with the target directory of the runs.
fn subcommand(folder: &Path, arguments: &[&str]) -> Ran {
    let mut command = command(&[&["tourbillon"], arguments].concat());
    command.env_remove("TOURBILLON_STORE");
    command.env("CARGO_TARGET_DIR", target_directory());
    command.current_dir(folder.join("src/deep"));
    command.output().expect("the program starts").into()
}

/// The ids that `show` prints of these records, in alphabetical order, each once.
fn shown(folder: &Path, records: &[&str]) -> Vec<String> {
    let paths: Vec<String> = records
        .iter()
        .map(|record| folder.join(record))
        .map(|path| path.to_string_lossy().into_owned())
        .collect();
    let mut arguments = vec!["show", "--format", "csv"];
    arguments.extend(paths.iter().map(String::as_str));
    let ran = subcommand(folder, &arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let rows = ran.stdout.lines().skip(1);
    let mut ids: Vec<String> = rows
        .filter_map(|row| row.split(',').next().map(str::to_owned))
        .collect();
    ids.sort();
    ids.dedup();
    ids
}
