//! Divides flags between cargo and the bench binaries.

use std::path::{PathBuf, absolute};

use clap::ValueEnum;
use tourbillon_builds::{Flag, Runner};
use tourbillon_coordinator::args::foreign_flag;
use tourbillon_coordinator::values::Partition;
use tourbillon_tool::bench_flags::{has_value, partition};

use super::cargo_flags::{cargo_switch, cargo_value};
use crate::bench_flags::TableFlags;
use crate::config_file::ConfigPath;
use crate::elsewhere::runner;
use crate::exit::Stop;
use crate::export::ExportFormat;
use crate::records::StorePath;

/// A command line, divided.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Divided {
    /// The bundle whose programs run; `None` to build them.
    pub(super) bundle: Option<PathBuf>,
    /// The program that reaches the machine to measure on; `None` for this one.
    pub(super) runner: Option<Runner>,
    /// What another machine gets of the words: all but those of cargo, and where builds, records and defaults are.
    pub(super) passed: Vec<String>,
    /// Flags of `cargo bench`.
    pub(super) cargo: Vec<Flag>,
    /// Arguments of the bench binaries.
    pub(super) bench: Vec<String>,
    /// The format of results for other programs; `None` for text and for JSON lines, which need no common
    /// table.
    pub(super) format: Option<ExportFormat>,
    /// What the table shows on request.
    pub(super) table: TableFlags,
    /// The shard of the cases of all targets; `None` for all cases.
    pub(super) partition: Option<Partition>,
}

impl Divided {
    /// Whether nothing is measured.
    pub(super) fn asks(&self) -> bool {
        self.has(&["--help", "-h", "--version", "-V"]) || self.lists()
    }

    /// Whether every target answers.
    pub(super) fn lists(&self) -> bool {
        self.has(&["--list", "--show-config"])
    }

    /// Whether programs store their runs.
    pub(super) fn stores(&self) -> bool {
        !self.asks() && !self.has(&["--no-store"])
    }

    /// The first flag that only cargo has.
    pub(super) fn flag_of_cargo(&self) -> Option<&'static str> {
        let mut flags = self.cargo.iter().map(Flag::name);
        flags.find(|flag| *flag != "--color")
    }

    /// Refuses what only cargo has, because nothing is built.
    pub(super) fn refuse_flags_of_cargo(&self) -> Result<(), Stop> {
        match self.flag_of_cargo() {
            Some(flag) => Err(Stop::Usage(format!(
                "{flag} is for cargo, and --bundle builds nothing"
            ))),
            None => Ok(()),
        }
    }

    /// Whether the header is omitted, which names the target.
    pub(super) fn quiet(&self) -> bool {
        self.has(&["--quiet", "-q"])
    }

    /// The file of defaults that is named.
    pub(super) fn config(&self) -> ConfigPath {
        ConfigPath::new(self.value("--config"))
    }

    /// The store of the runs.
    pub(super) fn store(&self) -> StorePath {
        StorePath::new(self.value("--store"), self.config())
    }

    /// The last value of a flag, a path.
    pub(super) fn value(&self, flag: &str) -> Option<PathBuf> {
        let values = self.bench_flags().filter_map(|word| {
            let value = word.strip_prefix(flag)?.strip_prefix('=')?;
            Some(PathBuf::from(value))
        });
        values.last()
    }

    /// The arguments of the bench binaries without filters that follow a `--`.
    fn bench_flags(&self) -> impl Iterator<Item = &str> {
        let words = self.bench.iter().map(String::as_str);
        words.take_while(|word| *word != "--")
    }

    /// The arguments of the bench binaries: flags, and filters.
    pub(super) fn flags_and_filters(&self) -> (Vec<String>, Vec<String>) {
        let end = self.bench_flags().count();
        let (before, after) = self.bench.split_at(end);
        let (flags, mut filters): (Vec<String>, Vec<String>) = before
            .iter()
            .cloned()
            .partition(|word| word.starts_with('-'));
        filters.extend(after.iter().skip(1).cloned());
        (flags, filters)
    }

    /// The arguments of a bench binary after so many selected cases of others.
    pub(super) fn of_target(&self, position: u64) -> Vec<String> {
        let mut arguments = self.bench.clone();
        if let Some(partition) = self.partition {
            // A filter may follow a `--`.
            arguments.insert(1, format!("--partition={}", partition.after(position)));
        }
        arguments
    }

    fn has(&self, flags: &[&str]) -> bool {
        self.bench_flags().any(|word| flags.contains(&word))
    }
}

/// Divides the arguments. After `--` all are for the bench binaries, as with `cargo bench`; these also get
/// `--bench`, without which they would only be tested.
pub(super) fn split_args(typed: &[String]) -> Result<Divided, Stop> {
    let mut divided = Divided {
        bench: vec!["--bench".to_owned()],
        ..Divided::default()
    };
    let mut words = typed.iter();
    let mut only_bench = false;
    while let Some(word) = words.next() {
        if word == "--" && !only_bench {
            only_bench = true;
            divided.passed.push(word.clone());
            continue;
        }
        if let Some(hint) = foreign_flag(word) {
            return Err(Stop::Usage(hint));
        }
        let (name, mut value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word.as_str(), None),
        };
        // Cargo's `--config` has KEY=VALUE.
        let is_file = name == "--config" && !value.or_else(|| peek(&words)).is_some_and(is_setting);
        let cargo_value = cargo_value(name).filter(|_| !only_bench && !is_file);
        let cargo_switch = cargo_switch(word).filter(|_| !only_bench);
        let is_bundle = !only_bench && name == "--bundle";
        let is_runner = !only_bench && name == "--runner";
        let bench_value =
            name != "--config" && has_value(name) || is_file || is_bundle || is_runner;
        let mut taken = vec![word.clone()];
        if (cargo_value.is_some() || bench_value) && value.is_none() {
            let Some(next) = words.next() else {
                return Err(Stop::Usage(format!("{word} needs a value")));
            };
            value = Some(next);
            // In one word: a value may look like a flag, or like the end of the flags.
            let joint = if name.starts_with("--") { "=" } else { "" };
            taken = vec![format!("{name}{joint}{next}")];
        }
        let is_of_place = is_file || is_bundle || is_runner || !only_bench && name == "--store";
        if !is_of_place && (bench_value || cargo_value.is_none() && cargo_switch.is_none()) {
            divided.passed.extend_from_slice(&taken);
        }
        divided
            .table
            .set(name, value.unwrap_or_default())
            .map_err(Stop::Usage)?;
        if is_file && let Some(value) = value {
            // Programs run in the folders of their packages.
            let path = match value {
                "none" => value.into(),
                file => absolute(file).unwrap_or_else(|_| file.into()),
            };
            taken = vec![format!("--config={}", path.to_string_lossy())];
        }
        if name == "--format" {
            let of_others = value.and_then(|value| ExportFormat::from_str(value, false).ok());
            if of_others == Some(ExportFormat::Criterion) {
                let advice = "run without it, then export --format criterion -o target/criterion";
                let what = format!("--format criterion writes a folder; {advice}");
                return Err(Stop::Usage(what));
            }
            divided.format = of_others;
            // The bench binaries do not know it, and get another one where they measure.
            if of_others.is_some_and(|format| format.table().is_none()) {
                taken = Vec::new();
            }
        }
        if is_bundle {
            divided.bundle = value.map(PathBuf::from);
            taken = Vec::new();
        }
        if is_runner {
            let read = runner(value.unwrap_or_default())
                .map_err(|what| Stop::Usage(format!("--runner: {what}")))?;
            divided.runner = Some(read);
            taken = Vec::new();
        }
        if name == "--partition" {
            // Each bench binary gets its own: slices go on from one to the next.
            let read = partition(value.unwrap_or_default())
                .map_err(|what| Stop::Usage(format!("--partition: {what}")))?;
            divided.partition = Some(read);
            taken = Vec::new();
        }
        if bench_value || !(cargo_value.is_some() || cargo_switch.is_some()) {
            divided.bench.extend(taken);
        }
        if let Some(start) = cargo_value {
            divided
                .cargo
                .push(Flag::new(start, value.unwrap_or_default()));
        }
        divided.cargo.extend(cargo_switch.map(Flag::switch));
    }
    Ok(divided)
}

/// The word that follows.
fn peek<'w>(words: &std::slice::Iter<'w, String>) -> Option<&'w str> {
    words.as_slice().first().map(String::as_str)
}

/// Whether a value of `--config` is one of cargo's.
fn is_setting(value: &str) -> bool {
    value.contains('=')
}

#[cfg(test)]
mod tests {
    use tourbillon_report::{OptionalColumn, RowOrder};

    use super::*;

    fn divided(line: &str) -> [String; 2] {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let divided = split_args(&words).expect(line);
        let words = divided.cargo.iter().map(Flag::word);
        let cargo: Vec<String> = words
            .map(|word| word.into_string().expect("text"))
            .collect();
        [cargo, divided.bench].map(|words| words.join(" "))
    }

    #[test]
    fn filters_are_what_is_no_flag_and_all_after_the_second_separator() {
        let typed = ["a", "--skip=x", "--", "-q", "--", "b"].map(str::to_owned);
        let (flags, filters) = split_args(&typed).expect("words").flags_and_filters();
        assert_eq!(flags, ["--bench", "--skip=x", "-q"]);
        assert_eq!(filters, ["a", "b"]);
    }

    #[test]
    fn flags_go_where_they_belong_in_any_order() {
        let file = std::path::absolute("/a.toml").expect("a path");
        let config = format!("--bench --config={} --config=none x", file.display());
        for (line, cargo, bench) in [
            ("", "", "--bench"),
            ("sort", "", "--bench sort"),
            (
                "--launches 5 -p examples sort --features a,b --exact",
                "--package=examples --features=a,b",
                "--bench --launches=5 sort --exact",
            ),
            ("--bench math --seed=1", "--bench=math", "--bench --seed=1"),
            (
                "--profile=fast --skip x",
                "--profile=fast",
                "--bench --skip=x",
            ),
            ("--color always", "--color=always", "--bench --color=always"),
            ("-- --help", "", "--bench --help"),
            ("a -- -- b", "", "--bench a -- b"),
            ("--luanches 5", "", "--bench --luanches 5"),
            ("-v --offline", "-v --offline", "--bench"),
            (
                "--config build.jobs=1 --config /a.toml --config=none x",
                "--config=build.jobs=1",
                &config,
            ),
        ] {
            let expected = [cargo, bench].map(str::to_owned);
            assert_eq!(divided(line), expected, "{line}");
        }
    }

    #[test]
    fn no_value_is_a_flag() {
        for value in [
            "--config=build.rustc-wrapper=\"./x.sh\"",
            "--",
            "-p",
            "--list",
        ] {
            for (flag, cargo, bench) in [
                ("-p", "--package=", ""),
                ("--bench", "--bench=", ""),
                ("-F", "--features=", ""),
                ("--color", "--color=", "--color="),
                ("--skip", "", "--skip="),
                ("--save", "", "--save="),
                ("-Z", "", "-Z"),
            ] {
                let words = [flag, value].map(str::to_owned);
                let divided = split_args(&words).expect(value);
                let joined =
                    |start: &str| Some(format!("{start}{value}")).filter(|_| !start.is_empty());
                let of_cargo: Vec<String> = divided
                    .cargo
                    .iter()
                    .map(Flag::word)
                    .filter_map(|word| word.into_string().ok())
                    .collect();
                assert_eq!(of_cargo, Vec::from_iter(joined(cargo)), "{flag} {value}");
                assert_eq!(
                    divided.bench[1..],
                    Vec::from_iter(joined(bench)),
                    "{flag} {value}"
                );
                assert!(!divided.asks(), "{flag} {value}");
            }
        }
        // A filter.
        let words = ["--", "--", "--list"].map(str::to_owned);
        assert!(!split_args(&words).expect("a filter").asks());
    }

    #[test]
    fn formats_and_foreign_flags_are_recognised() {
        let of = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            split_args(&words)
        };
        let format = |line| of(line).expect(line).format;
        assert_eq!(format("--format csv"), Some(ExportFormat::Csv));
        assert_eq!(format("-- --format=md"), Some(ExportFormat::Md));
        assert_eq!(format("--format libtest"), Some(ExportFormat::Libtest));
        assert_eq!(format("--format bmf"), Some(ExportFormat::Bmf));
        assert_eq!(divided("--format bmf sort")[1], "--bench sort");
        assert_eq!(format("--format csv --format text"), None);
        assert_eq!(format("--format json"), Some(ExportFormat::Json));
        let Err(Stop::Usage(text)) = of("sort --sample-size=10") else {
            panic!("it is criterion's");
        };
        assert!(text.starts_with("--sample-size is criterion's"), "{text}");
    }

    #[test]
    fn columns_and_order_are_read_and_go_to_the_bench_binaries() {
        let of = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            split_args(&words)
        };
        let both = of("--columns mean,rank sort --sort=time").expect("both");
        let columns = both.table.columns.iter().map(|column| column.name());
        assert_eq!(Vec::from_iter(columns), ["mean", "rank"]);
        assert_eq!(both.table.sort, RowOrder::Time);
        assert_eq!(
            both.bench,
            ["--bench", "--columns=mean,rank", "sort", "--sort=time"]
        );
        let known = OptionalColumn::WORDS.map(|(name, _)| name).join(", ");
        let unknown = format!("--columns: \"average\" is not known; known are {known}");
        for (line, expected) in [
            ("--columns mean,average", unknown.as_str()),
            (
                "--columns max,max",
                "--columns: \"max\" is there twice; write it once",
            ),
            (
                "-- --sort size",
                "--sort: \"size\" is not known; known are source, time, name",
            ),
        ] {
            let Err(Stop::Usage(text)) = of(line) else {
                panic!("{line} is a mistake");
            };
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn a_partition_is_for_all_targets_together() {
        let words = ["--partition=slice:2/3", "sort"].map(str::to_owned);
        let divided = split_args(&words).expect("a shard");
        assert_eq!(divided.bench, ["--bench", "sort"]);
        assert_eq!(
            divided.of_target(4),
            ["--bench", "--partition=slice:1/3", "sort"]
        );
        let Err(Stop::Usage(text)) = split_args(&["--partition".into(), "4".into()]) else {
            panic!("it is no shard");
        };
        assert!(
            text.starts_with("--partition: \"4\" is not a partition"),
            "{text}"
        );
    }

    #[test]
    fn a_bundle_is_not_built() {
        let of = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            split_args(&words).expect(line)
        };
        for line in ["sort --bundle a.tar.gz", "--bundle=a.tar.gz sort"] {
            let divided = of(line);
            assert_eq!(divided.bundle, Some(PathBuf::from("a.tar.gz")));
            assert_eq!(divided.bench, ["--bench", "sort"]);
            assert_eq!(divided.flag_of_cargo(), None);
        }
        assert_eq!(of("-- --bundle").bundle, None);
        let flags = "--bundle a --color always -p shop --offline";
        assert_eq!(of(flags).flag_of_cargo(), Some("--package"));
        assert!(of("sort").stores() && !of("--no-store").stores() && !of("--list").stores());
    }

    #[test]
    fn another_machine_gets_what_is_for_the_benchmarks() {
        let words = [
            "--runner",
            "ssh 'a pi'",
            "sort",
            "-p",
            "shop",
            "--offline",
            "--config=build.jobs=1",
            "--config=/a.toml",
            "--store",
            "results",
            "--launches",
            "5",
            "--partition=hash:1/2",
            "--format",
            "bmf",
            "--color=never",
            "--",
            "--runner",
        ];
        let divided = split_args(&words.map(str::to_owned)).expect("a runner");
        let runner = divided.runner.expect("a runner");
        assert_eq!(runner.name(), "ssh a pi");
        let passed = divided.passed.join(" ");
        let expected =
            "sort --launches=5 --partition=hash:1/2 --format=bmf --color=never -- --runner";
        assert_eq!(passed, expected);
        assert!(split_args(&["--runner=".to_owned()]).is_err());
    }

    #[test]
    fn a_value_may_be_missing() {
        let words = ["--launches".to_owned()];
        assert!(matches!(split_args(&words), Err(Stop::Usage(_))));
    }

    #[test]
    fn questions_are_told_from_measurements() {
        for (line, asks) in [
            ("", false),
            ("--list", true),
            ("-- -h", true),
            ("--test", false),
        ] {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(split_args(&words).expect(line).asks(), asks, "{line}");
        }
    }
}
