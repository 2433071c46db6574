//! What the file of defaults makes of a command line.

use std::collections::HashMap;
use std::fs;

use tourbillon_record::Metric;
use tourbillon_report::RowOrder;

use super::super::high::{Data, HighArgs};
use super::*;

/// A file, which is removed with the value.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> File {
        let name = format!("tourbillon-defaults-{}-{name}", std::process::id());
        let folder = env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("tourbillon.toml"), text).expect("a file");
        File(folder)
    }

    fn path(&self) -> PathBuf {
        self.0.join("tourbillon.toml")
    }

    /// What the target `shop/sort-it` makes of a command line.
    fn read(&self, line: &str, environment: &Environment) -> Result<HighArgs, String> {
        let mut arguments: Vec<OsString> = vec!["--config".into(), self.path().into()];
        arguments.extend(line.split_whitespace().map(OsString::from));
        HighArgs::read(&arguments, environment, "shop", "sort_it")
    }

    fn high(&self, line: &str) -> HighArgs {
        let high = self.read(line, &Environment::default());
        high.unwrap_or_else(|error| panic!("{line}: {error}"))
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn case(id: &str) -> Case {
    Case {
        id: format!("shop/sort_it::{id}"),
        name: id.to_owned(),
        ..Case::default()
    }
}

#[test]
fn the_narrowest_table_counts() {
    let file = File::new(
        "narrow",
        "[bench.targets.\"shop/sort-it\"]\nlaunches = 3\nquiet = false\n\
         [bench]\nlaunches = 1\nquiet = true\ncolumns = [\"mean\", \"rank\"]\nsort = \"time\"\n\
         [bench.packages.shop]\nlaunches = 2\nmax-time = \"1s\"\n\
         [bench.packages.other]\nlaunches = 9\nverbose = true\n",
    );
    let high = file.high("--bench");
    assert_eq!(high.defaults.options.launches, Some(3));
    assert_eq!(high.defaults.options.max_time_ns, Some(1_000_000_000));
    assert_eq!((high.quiet, high.verbose), (false, false));
    let columns = high.columns.iter().map(|column| column.name());
    assert_eq!(Vec::from_iter(columns), ["mean", "rank"]);
    assert_eq!(high.order, RowOrder::Time);
}

#[test]
fn command_line_before_environment_before_attribute_before_file() {
    let file = File::new(
        "order",
        "[bench]\nlaunches = 5\nmin-time = \"1s\"\nsort = \"time\"\nskip = [\"slow\", \"net\"]\n\
         store = \"records\"\nquiet = true\n",
    );
    let high = file.high("--bench --launches 7 --sort=name --skip x");
    assert_eq!(high.options.launches, Some(7));
    assert_eq!(high.order, RowOrder::Name);
    assert!(high.quiet);
    let selected = |high: &HighArgs, id| high.selection.matches(&case(id));
    assert!(selected(&high, "slow") && !selected(&high, "x"));
    assert!(!selected(&file.high("--bench"), "slow"));
    let own = CaseOptions {
        launches: Some(6),
        max_time_ns: Some(3),
        ..CaseOptions::default()
    };
    let options = file.high("--bench").defaults.options_of(&case("a"), &own);
    assert_eq!(options.launches, Some(6));
    // A limit moves the opposite limit below it.
    assert_eq!(
        (options.min_time_ns, options.max_time_ns),
        (Some(3), Some(3))
    );
    // A path is relative to the file.
    assert_eq!(high.store.flag, Some(file.0.join("records")));
    assert!(!file.high("--bench --no-store").store.keep);
    let environment = Environment {
        variable: |name| (name == "TOURBILLON_STORE").then(|| "else".into()),
        ..Environment::default()
    };
    let high = file.read("--bench", &environment).expect("flags");
    assert_eq!(
        (high.store.flag, high.store.environment),
        (None, Some("else".into()))
    );
}

#[test]
fn the_longest_pattern_of_a_case_counts() {
    let file = File::new(
        "cases",
        "[bench]\nlaunches = 1\nclock = \"cpu\"\n[bench.cases]\n\"sort/\" = { launches = 2 }\n\
         \"sort_it::sort[\" = { launches = 3, precision = \"1%\" }\n",
    );
    let defaults = file.high("--bench").defaults;
    let options = |id| defaults.options_of(&case(id), &CaseOptions::default());
    assert_eq!(options("map").launches, Some(1));
    let sort = options("sort[n=1]");
    assert_eq!((sort.launches, sort.precision), (Some(3), Some(0.01)));
    assert_eq!(sort.metric, Some(Metric::CpuTime));
    let mut chosen = Chosen {
        runs: vec![case("map"), case("sort[n=1]")],
        ..Chosen::default()
    };
    defaults.apply(&mut chosen);
    let expected = HashMap::from([(case("sort[n=1]").id, sort)]);
    assert_eq!(chosen.options, expected);
}

#[test]
fn formats_are_for_results() {
    let file = File::new("format", "[bench]\nformat = \"csv\"\n");
    assert!(matches!(file.high("--bench").data, Data::ReportFormat(_)));
    for line in ["", "--test", "--bench --list", "--bench --format text"] {
        assert_eq!(file.high(line).data, Data::None, "{line}");
    }
}

#[test]
fn mistakes_name_the_line_and_the_key() {
    for (text, expected) in [
        (
            "[bench]\nlaunchs = 3",
            "2: unknown key launchs; did you mean launches?",
        ),
        (
            "[bench]\neverything = 3",
            "2: unknown key everything; keys are the flags of `cargo bench -- --help` without dashes",
        ),
        (
            "[bench]\nlaunches = true",
            "2: launches needs a value: a text in quotes or a number",
        ),
        ("[bench]\nlaunches = [1, 2]", "2: launches takes one value"),
        ("[bench]\nlaunches = 0", "2: launches: "),
        ("[bench]\nmax-time = 1", "2: max-time: "),
        ("[bench]\nquiet = 1", "2: quiet is true or false"),
        (
            "[bench]\nlist = true",
            "2: list has no default; write --list on the command line",
        ),
        ("[bench]\nstore = \"\"", "2: store: the path is empty"),
        // Also in what is for other programs.
        (
            "[bench.packages.other]\nsort = \"size\"",
            "2: sort: \"size\" is not known",
        ),
        (
            "[bench.cases.x]\nquiet = true",
            "2: quiet is not for single cases; write it in [bench]",
        ),
        (
            "[bench.targets.x]\nstore = \"y\"",
            "2: store is for all programs; write it in [bench]",
        ),
    ] {
        let file = File::new("mistakes", text);
        let read = file.read("--bench", &Environment::default());
        let error = read.expect_err(text);
        let expected = format!("{}:{expected}", file.path().display());
        assert!(error.starts_with(&expected), "{error}");
    }
    // Help is there all the same.
    let file = File::new("help", "[bench]\nx = 1");
    assert!(file.read("--help", &Environment::default()).is_ok());
    assert!(file.read("--list", &Environment::default()).is_err());
}

#[test]
fn every_flag_has_a_default_or_is_typed_only() {
    for flag in all().filter(|flag| flag.name.starts_with("--")) {
        let key = &flag.name[2..];
        let value = match flag.value {
            "" => "true",
            "N" => "3",
            "P" => "\"1%\"",
            "T" => "\"1s\"",
            "CLOCK" => "\"cpu\"",
            "LIST" => "[0, 2]",
            "NAMES" => "\"mean,sd\"",
            "COUNTERS" => "\"instructions\"",
            "ORDER" => "\"time\"",
            "FORMAT" => "\"md\"",
            "WHEN" => "\"never\"",
            _ => "\"f\"",
        };
        let file = File::new("every", &format!("[bench]\n{key} = {value}\n"));
        let read = file.read("--bench", &Environment::default());
        assert_eq!(read.is_err(), flag.typed_only, "{key}: {read:?}");
    }
}

#[test]
fn the_page_is_read() {
    let page = include_str!("../../../../../docs/reference/settings.md");
    let (_, block) = page.split_once("```toml\n").expect("an example");
    let (text, _) = block.split_once("```").expect("its end");
    let file = File::new(
        "page",
        &text
            .replace("parser", "shop")
            .replace("/sort\"", "/sort-it\""),
    );
    let high = file.high("--bench");
    assert_eq!(high.defaults.options.launches, Some(40));
    assert_eq!(high.defaults.options.max_time_ns, Some(1_000_000_000));
    assert_eq!(high.defaults.options.metric, Some(Metric::CpuTime));
    assert_eq!(high.defaults.cases.len(), 2);
    for flag in all().filter(|flag| flag.typed_only && flag.name != "--config") {
        let key = flag.name.trim_start_matches('-');
        assert!(page.contains(&format!("`{key}`")), "{key}");
    }
}
