//! Results of the `landmarks` benchmark compared with the known costs of its kernels.

mod prepared;
mod reading;
mod repeated;
mod table;

pub use repeated::Repeated;

use examples::landmarks::{Core, Truth};

/// What a run of the `landmarks` benchmark measured, and the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    /// What ran where, in a few words each.
    about: Vec<String>,
    core: Core,
    kernels: Vec<Measured>,
    /// The share of the time in which another program had the processor, of each kernel whose result has it.
    waited: Vec<f64>,
    /// Bodies that get something prepared.
    prepared: Vec<Measured>,
}

/// A kernel in a number of copies.
#[derive(Clone, Debug, PartialEq)]
struct Measured {
    /// Name of the kernel.
    kernel: String,
    /// Copies of it in one op; 1 where there is no such number.
    copies: u64,
    truth: Truth,
    /// Cycles per op.
    cycles: Option<Figure>,
    /// Nanoseconds per op.
    time: Option<Figure>,
}

/// An estimate and its interval.
#[derive(Clone, Debug, PartialEq)]
struct Figure {
    /// The estimate, or why there is none.
    estimate: Result<f64, String>,
    lower: Option<f64>,
    upper: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::Accuracy;

    pub(super) const HEADER: &str = r#"{"type":"header","schema":2,"tourbillon":"0.1.0","started":"2026-01-02","settings":{"launches":20},"clock":{"source":"tsc","cycles_from":"reference chain"},"facts":[{"name":"cpu_vendor","value":"AuthenticAMD"},{"name":"cpu_model","value":"AMD Example"},{"name":"cpu_family","value":"25"},{"name":"hypervisor","value":false}]}"#;

    pub(super) fn result(case: &str, metric: &str, [estimate, lower, upper]: [f64; 3]) -> String {
        format!(
            "{{\"type\":\"result\",\"case\":\"examples/landmarks::{case}\",\"metric\":\"{metric}\",\
             \"estimate\":{estimate},\"absent\":null,\"lower\":{lower},\"upper\":{upper}}}"
        )
    }

    fn printed(results: &[String]) -> String {
        let lines = format!("{HEADER}\n{}\n", results.join("\n"));
        Accuracy::read(&lines).expect("a run").to_string()
    }

    #[test]
    fn a_table_of_what_was_measured() {
        let below = r#"{"type":"result","case":"examples/landmarks::empty","metric":"cycles","estimate":null,"absent":"below_resolution","lower":null,"upper":0.13}"#;
        let printed = printed(&[
            below.to_owned(),
            result("thr[k=10]", "cycles", [10.1, 10.0, 10.2]),
            result("thr[k=10]", "time", [2.5, 2.4, 2.6]),
            result("lat[k=10]", "cycles", [30.009, 30.001, 30.02]),
            result("lat[k=10]", "time", [7.6, 7.5, 7.7]),
            result("add[k=10]", "time", [2.5, 2.4, 2.6]),
            result("load[k=10]", "cycles", [40.0, 39.9, 40.1]),
        ]);
        let expected = "\
AMD Example · family 25 · clock tsc · cycles from the reference chain · 20 launches · tourbillon 0.1.0 · 2026-01-02

| kernel | truth | estimate | interval | error | in cycles | truth inside |
|---|--:|--:|--:|--:|--:|---|
| empty | 0 | below resolution | up to 0.1300 | | | yes |
| thr_10 | 10 | 10.1000 | 10.0000 – 10.2000 | +1.000 % | +0.1000 | yes |
| lat_10 | 30 | 30.0090 | 30.0010 – 30.0200 | +0.030 % | +0.0090 | **no** |
| add_10 | 10 | no cycles on this machine | | | | |
| load_10 | (differs from core to core) | 40.0000 | 39.9000 – 40.1000 | | | |

2 of 3 intervals contain the truth.
1 of 2 estimates are within 0.1 % or 0.02 cycles of it; the largest error is 1.000 % (thr_10).

| ratio of times | truth | measured | error |
|---|--:|--:|--:|
| lat_10 / add_10 | 3 | 3.0400 | +1.333 % |
";
        assert_eq!(printed, expected);
    }

    #[test]
    fn what_was_lost_to_others_is_said_once_a_kernel() {
        let lost = |copies: u64, metric, fraction: f64| {
            let case = format!("add[k={copies}]");
            let cycles = copies as f64;
            let line = result(&case, metric, [cycles, 0.9 * cycles, 1.1 * cycles]);
            let note = format!(",\"notes\":[{{\"note\":\"waited\",\"fraction\":{fraction}}}]}}");
            line.strip_suffix('}').expect("an object").to_owned() + &note
        };
        let printed = printed(&[
            lost(1, "time", 0.31),
            lost(1, "cycles", 0.31),
            lost(3, "time", 0.2),
            result("add[k=10]", "time", [2.5, 2.4, 2.6]),
        ]);
        assert!(
            printed.contains(
                "\nAnother program had the processor for 20.0 to 31.0 % of the time, by 2 results.\n"
            ),
            "{printed}"
        );
    }

    #[test]
    fn bodies_with_something_prepared_are_held_against_the_plain_one_and_each_other() {
        let of =
            |name: &str, metric, figures| result(&format!("prepared::{name}"), metric, figures);
        let printed = printed(&[
            result("copies::mov[k=10]", "cycles", [10.01, 9.9, 10.1]),
            result("copies::mov[k=10]", "time", [2.5, 2.4, 2.6]),
            of("input_8_ref", "cycles", [10.5, 10.4, 10.6]),
            of("input_8_ref", "time", [2.6, 2.5, 2.7]),
            of("paused", "time", [4.6, 4.5, 4.7]),
            of("sort_with_inputs", "time", [9000.0, 8900.0, 9050.0]),
            of("sort_with_state", "time", [9100.0, 9040.0, 9150.0]),
            of("sort_controlled", "time", [9200.0, 9060.0, 9250.0]),
        ]);
        let expected = "
| next to mov_10 | cycles | more | ns | more |
|---|--:|--:|--:|--:|
| input_8_ref | 10.5000 | +0.4900 | 2.600 | +0.100 |
| paused | | | 4.600 | +2.100 |

| one sort, prepared in several ways | ns | interval | agrees with the others |
|---|--:|--:|---|
| sort_with_inputs | 9000.0 | 8900.0 – 9050.0 | **no** |
| sort_with_state | 9100.0 | 9040.0 – 9150.0 | yes |
| sort_controlled | 9200.0 | 9060.0 – 9250.0 | **no** |
";
        assert!(printed.ends_with(expected), "{printed}");
    }

    #[test]
    fn the_core_decides_what_is_true() {
        let lines = format!(
            "{HEADER}\n{}",
            result("thr[k=10]", "cycles", [3.4, 3.3, 3.5])
        );
        let zen5 = lines.replace("\"25\"", "\"26\"");
        let printed = Accuracy::read(&zen5).expect("a run").to_string();
        assert!(
            printed.contains("| thr_10 | 3.3333 | 3.4000 | 3.3000 – 3.5000 | +2.000 % | +0.0667 |")
        );
        let other = lines.replace("\"25\"", "\"21\"");
        let printed = Accuracy::read(&other).expect("a run").to_string();
        assert!(printed.contains("| thr_10 | (not known for this core) | 3.4000 |"));
        assert!(printed.contains("0 of 0 intervals"));
    }

    #[test]
    fn input_that_is_no_run_is_refused() {
        let result = result("thr[k=1]", "cycles", [1.0, 0.9, 1.1]);
        let torn = result.replace("\"estimate\":1", "\"estimate\":null");
        let other = result.replace("landmarks", "sort");
        for (lines, message) in [
            (String::new(), "there is no run in the input"),
            (HEADER.to_owned(), "no result of a reference kernel"),
            (
                format!("{HEADER}\n{other}"),
                "no result of a reference kernel",
            ),
            (result.clone(), "line 1: a result before the header"),
            (format!("{HEADER}\n{HEADER}"), "line 2: a second run begins"),
            (format!("{HEADER}\nthis"), "line 2: not JSON"),
            (format!("{HEADER}\n{{}}"), "line 2: has no field `type`"),
            (
                format!("{HEADER}\n{torn}"),
                "line 2: the result has neither",
            ),
        ] {
            let error = Accuracy::read(&lines).expect_err(message);
            assert!(error.contains(message), "{error}");
        }
    }
}
