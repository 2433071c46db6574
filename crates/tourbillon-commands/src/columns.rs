//! Which figures people see beside the time of a command; programs get all of them.

/// A figure by the name that is typed, that of hyperfine if it has one, and the key of its column.
const FIGURES: [(&str, &str, &str); 12] = [
    ("cpu", "time_cpu", "cpu_ns"),
    ("user", "time_user", "user_ns"),
    ("system", "time_system", "system_ns"),
    ("peak", "memory_peak_resident", "peak_bytes"),
    ("runs", "", "runs"),
    ("faults", "", "page_faults"),
    ("switches", "", "switches"),
    ("", "cpu_cycles", "cpu_cycles"),
    ("", "instructions", "instructions"),
    ("", "cache_references", "cache_references"),
    ("", "cache_misses", "cache_misses"),
    ("", "branch_misses", "branch_misses"),
];

/// Of these, the first that a counter of the processor gives; all that follow it are such.
const FIRST_COUNTER: usize = 7;

/// The metric of hyperfine that is judged here.
const TIME: &str = "time_wall_clock";

/// Columns of figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns(Vec<&'static str>);

impl Default for Columns {
    fn default() -> Columns {
        Columns(vec!["user_ns", "system_ns", "peak_bytes"])
    }
}

impl Columns {
    /// Reads names with commas between them, as of `--columns`.
    ///
    /// # Errors
    ///
    /// When a figure is not known; the text lists them.
    pub fn parse(text: &str) -> Result<Columns, String> {
        let key = |name: &str| {
            let mut own = FIGURES[..FIRST_COUNTER].iter();
            let known = own.find(|(own, ..)| *own == name.trim());
            known.map(|(.., key)| *key).ok_or_else(|| {
                let names: Vec<&str> = FIGURES.iter().map(|(own, ..)| *own).collect();
                let names = names[..FIRST_COUNTER].join(", ");
                format!("{name:?} is no column; write {names}")
            })
        };
        text.split(',')
            .map(key)
            .collect::<Result<_, _>>()
            .map(Columns)
    }

    /// Reads names of counters with commas between them, as of `--counters`.
    ///
    /// # Errors
    ///
    /// When a counter is not known; the text lists them.
    pub fn of_counters(text: &str) -> Result<Columns, String> {
        let names = Columns::counter_names();
        let known = |name: &str| {
            let known = names.iter().find(|own| **own == name.trim());
            known.copied().ok_or_else(|| {
                let names = names.join(", ");
                format!("{name:?} is no counter; write {names}")
            })
        };
        text.split(',')
            .map(known)
            .collect::<Result<_, _>>()
            .map(Columns)
    }

    /// The names of all counters.
    pub fn counter_names() -> [&'static str; 5] {
        std::array::from_fn(|at| FIGURES[FIRST_COUNTER + at].2)
    }

    /// Those that counters of the processor give, as their places among [`Columns::counter_names`].
    pub fn counters(&self) -> Vec<u8> {
        let all = (0..).zip(Columns::counter_names());
        let some = all.filter(|(_, name)| self.0.contains(name));
        some.map(|(place, _)| place).collect()
    }

    /// Reads the value of hyperfine's `--metrics`.
    ///
    /// # Errors
    ///
    /// What it has that is not shown here, with the value to write.
    pub fn of_metrics(text: &str) -> Result<Columns, String> {
        match text {
            "default" => return Columns::parse("peak"),
            "time" => return Columns::parse("cpu,user,system"),
            "all" => return Columns::parse("cpu,user,system,peak"),
            _ => {}
        }
        let names = || {
            text.split(',')
                .map(|name| name.split(':').next().unwrap_or(name))
        };
        let key = |name: &str| {
            let known = FIGURES
                .iter()
                .find(|(_, other, _)| *other == name && !name.is_empty());
            known.map(|(.., key)| *key)
        };
        let mut keys = Vec::new();
        for name in names().filter(|name| *name != TIME) {
            match key(name) {
                Some(key) if keys.contains(&key) => return Err(format!("{name} is there twice")),
                Some(key) => keys.push(key),
                None => {
                    let all: Vec<&str> = FIGURES.iter().map(|(_, other, _)| *other).collect();
                    let all = all[..4].join(", ");
                    return Err(format!("{name:?} is no metric; write {TIME}, {all}"));
                }
            }
        }
        let shown = names().filter(|name| *name != TIME);
        let plain: Vec<&str> = [TIME].into_iter().chain(shown).collect();
        let why = if text.contains(':') {
            "the unit fits the size"
        } else if names().next() != Some(TIME) {
            "the time is what is compared here"
        } else {
            return Ok(Columns(keys));
        };
        Err(format!("{why}; write --metrics {}", plain.join(",")))
    }

    /// These and others.
    #[must_use]
    pub fn and(mut self, others: Columns) -> Columns {
        self.0.extend(others.0);
        self
    }

    /// Whether the column with this key was requested: it gives way after others.
    pub(crate) fn is_requested(&self, key: &str) -> bool {
        self.0.contains(&key) && !Columns::default().0.contains(&key)
    }

    /// Whether people see the column with this key: one that no name stands for, or that is selected.
    pub(crate) fn has(&self, key: &str) -> bool {
        let is_optional = FIGURES.iter().any(|(.., optional)| *optional == key);
        !is_optional || self.0.contains(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named() {
        let some = Columns::default().and(Columns::parse("runs, cpu").expect("two names"));
        let shown = ["runs", "cpu_ns", "user_ns", "peak_bytes", "time_ns"];
        assert!(shown.iter().all(|key| some.has(key)));
        assert!(!some.has("switches") && !Columns::default().has("runs"));
        assert!(Columns::parse("cycles").is_err_and(|why| why.contains("cpu, user")));
    }

    #[test]
    fn metrics_of_hyperfine_are_columns_or_rewritten() {
        let of = Columns::of_metrics;
        let both = of("time_wall_clock,time_cpu,memory_peak_resident").expect("all are measured");
        assert!(both.has("cpu_ns") && both.has("peak_bytes") && !both.has("user_ns"));
        assert_eq!(of("time_wall_clock"), Ok(Columns(Vec::new())));
        for (text, expected) in [
            (
                "time_wall_clock:ms",
                "the unit fits the size; write --metrics time_wall_clock",
            ),
            (
                "instructions,time_user",
                "the time is what is compared here; write --metrics time_wall_clock,instructions,time_user",
            ),
            (
                "memory_peak_resident",
                "the time is what is compared here; write --metrics time_wall_clock,memory_peak_resident",
            ),
            (
                "time_wall_clock,memory_peak_resident:MiB",
                "the unit fits the size; write --metrics time_wall_clock,memory_peak_resident",
            ),
            ("time_user,time_user", "time_user is there twice"),
        ] {
            assert_eq!(of(text), Err(expected.to_owned()));
        }
        let counted = of("time_wall_clock,branch_misses,instructions").expect("two counters");
        assert_eq!(counted.counters(), [1, 4]);
        assert_eq!(
            Columns::of_counters("instructions, branch_misses").map(|one| one.counters()),
            Ok(vec![1, 4])
        );
        assert!(Columns::of_counters("faults").is_err_and(|why| why.contains("write cpu_cycles,")));
        assert!(Columns::parse("").is_err() && counted.has("instructions"));
        assert_eq!(of("time"), Columns::parse("cpu,user,system"));
        for text in ["", "times", "time_wall_clock,"] {
            assert!(
                of(text).is_err_and(|why| why.contains("is no metric")),
                "{text}"
            );
        }
    }
}
