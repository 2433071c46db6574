//! What is in the files of a benchmark.

use tourbillon_stats::{Sample, quantile};

use super::json::{number, numbers, optional, text};
use crate::amount::Amount;
use crate::change::Change;
use crate::estimates::{Estimate, Estimates, standard_errors};
use crate::process::Named;

/// A batch: its iterations, and its time in nanoseconds or its amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Batch {
    pub(crate) iterations: f64,
    pub(crate) amount: f64,
}

/// `benchmark.json`: what the benchmark is. `id` has the number of a repeated name, so that no two are alike.
pub(crate) fn benchmark(
    named: &Named,
    id: &str,
    throughput: Option<&Amount>,
    directory: &str,
) -> String {
    format!(
        "{{\"group_id\":{},\"function_id\":{},\"value_str\":{},\"throughput\":{},\"full_id\":{},\
         \"directory_name\":{},\"title\":{}}}",
        text(&named.group),
        optional(named.function.as_deref()),
        optional(named.parameter.as_deref()),
        throughput.map_or_else(|| "null".to_owned(), throughput_json),
        text(id),
        text(directory),
        text(id),
    )
}

fn throughput_json(throughput: &Amount) -> String {
    let encoded = throughput.encode();
    let words: Vec<&str> = encoded.split(' ').collect();
    match words[..] {
        [variant, elements, bytes] => {
            format!(
                "{{{}:{{\"elements\":{elements},\"bytes\":{bytes}}}}}",
                text(variant)
            )
        }
        [variant, amount] => format!("{{{}:{amount}}}", text(variant)),
        _ => "null".to_owned(),
    }
}

/// `estimates.json`: the statistics, per iteration.
pub(crate) fn estimates(of: &Estimates) -> String {
    format!(
        "{{\"mean\":{},\"median\":{},\"median_abs_dev\":{},\"slope\":null,\"std_dev\":{}}}",
        estimate(&of.mean),
        estimate(&of.median),
        estimate(&of.median_abs_dev),
        estimate(&of.std_dev),
    )
}

/// `change/estimates.json`: new divided by old, minus one.
pub(crate) fn change(change: &Change) -> String {
    let confidence = 1.0 - change.error;
    let half_width = (change.upper - change.lower) / 2.0;
    let relative = estimate(&Estimate {
        point: change.estimate,
        lower: change.lower,
        upper: change.upper,
        confidence,
        standard_error: half_width / standard_errors(confidence).max(1.0),
    });
    format!("{{\"mean\":{relative},\"median\":{relative}}}")
}

fn estimate(of: &Estimate) -> String {
    format!(
        "{{\"confidence_interval\":{{\"confidence_level\":{},\"lower_bound\":{},\"upper_bound\":{}}},\
         \"point_estimate\":{},\"standard_error\":{}}}",
        number(of.confidence),
        number(of.lower),
        number(of.upper),
        number(of.point),
        number(of.standard_error),
    )
}

/// `sample.json`: the batches of all launches.
pub(crate) fn sample(batches: &[Batch]) -> String {
    format!(
        "{{\"sampling_mode\":\"Flat\",\"iters\":{},\"times\":{}}}",
        numbers(batches.iter().map(|batch| batch.iterations)),
        numbers(batches.iter().map(|batch| batch.amount)),
    )
}

/// `tukey.json`: the fences of outliers among the batches, per iteration; `None` where there are no batches.
pub(crate) fn tukey(batches: &[Batch]) -> Option<String> {
    let each = batches.iter().map(|batch| batch.amount / batch.iterations);
    let each = Sample::new(each.collect()).ok()?;
    let (first, third) = (quantile(&each, 0.25)?, quantile(&each, 0.75)?);
    let range = third - first;
    Some(numbers([
        first - 3.0 * range,
        first - 1.5 * range,
        third + 1.5 * range,
        third + 3.0 * range,
    ]))
}

/// `raw.csv`: a row for each batch.
pub(crate) fn raw_csv(
    named: &Named,
    throughput: Option<&Amount>,
    unit: &str,
    batches: &[Batch],
) -> String {
    let amount = throughput.map(|throughput| {
        let encoded = throughput.encode();
        let (variant, amount) = encoded.split_once(' ').unwrap_or_default();
        let kind = match variant {
            "Elements" => "elements",
            "ElementsAndBytes" => "elements/bytes",
            "Bits" => "bits",
            _ => "bytes",
        };
        (amount.replace(' ', "/"), kind)
    });
    let (amount, kind) = amount.unwrap_or_default();
    let names = [
        cell(&named.group),
        cell(named.function.as_deref().unwrap_or_default()),
        cell(named.parameter.as_deref().unwrap_or_default()),
        amount,
        kind.to_owned(),
    ];
    let names = names.join(",");
    let unit = cell(unit);
    let mut csv = String::from(
        "group,function,value,throughput_num,throughput_type,sample_measured_value,unit,iteration_count\n",
    );
    for batch in batches {
        csv += &format!("{names},{:?},{unit},{}\n", batch.amount, batch.iterations);
    }
    csv
}

/// A text as a cell of a CSV file (RFC 4180).
fn cell(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Verdict;

    fn named(function: Option<&str>, parameter: Option<&str>) -> Named {
        Named {
            group: "g, \"1\"".to_owned(),
            function: function.map(str::to_owned),
            parameter: parameter.map(str::to_owned),
        }
    }

    #[test]
    fn a_benchmark_is_described_as_by_criterion() {
        let named = named(Some("f"), Some("10"));
        let bytes = Amount::Bytes(1024);
        assert_eq!(
            benchmark(&named, "g, \"1\"/f/10 #2", Some(&bytes), "g, _1_/f/10_2"),
            r#"{"group_id":"g, \"1\"","function_id":"f","value_str":"10","throughput":{"Bytes":1024},"full_id":"g, \"1\"/f/10 #2","directory_name":"g, _1_/f/10_2","title":"g, \"1\"/f/10 #2"}"#
        );
        let alone = self::named(None, None);
        let json = benchmark(&alone, "g", None, "g");
        assert!(json.contains(r#""function_id":null,"value_str":null,"throughput":null"#));
    }

    #[test]
    fn elements_and_bytes_are_two_numbers() {
        let both = Amount::ElementsAndBytes {
            elements: 3,
            bytes: 24,
        };
        assert_eq!(
            throughput_json(&both),
            r#"{"ElementsAndBytes":{"elements":3,"bytes":24}}"#
        );
        let csv = raw_csv(&named(None, None), Some(&both), "ns", &[]);
        assert_eq!(csv.lines().count(), 1);
    }

    #[test]
    fn statistics_have_the_members_of_criterion() {
        let one = Estimate {
            point: 2.0,
            lower: 1.0,
            upper: 3.5,
            confidence: 0.99,
            standard_error: 0.25,
        };
        let e = r#"{"confidence_interval":{"confidence_level":0.99,"lower_bound":1.0,"upper_bound":3.5},"point_estimate":2.0,"standard_error":0.25}"#;
        let all = Estimates {
            mean: one,
            median: one,
            median_abs_dev: one,
            std_dev: one,
        };
        let expected = format!(
            r#"{{"mean":{e},"median":{e},"median_abs_dev":{e},"slope":null,"std_dev":{e}}}"#
        );
        assert_eq!(estimates(&all), expected);
        let changed = Change {
            lower: -0.5,
            estimate: 0.25,
            upper: 0.5,
            error: 0.5,
            verdict: Verdict::NotDetected,
            throughputs: None,
        };
        let e = r#"{"confidence_interval":{"confidence_level":0.5,"lower_bound":-0.5,"upper_bound":0.5},"point_estimate":0.25,"standard_error":0.5}"#;
        assert_eq!(change(&changed), format!(r#"{{"mean":{e},"median":{e}}}"#));
    }

    #[test]
    fn batches_are_the_sample() {
        let batches = [1.0, 2.0, 3.0, 4.0, 5.0].map(|time| Batch {
            iterations: 10.0,
            amount: 10.0 * time,
        });
        assert_eq!(
            sample(&batches[..2]),
            r#"{"sampling_mode":"Flat","iters":[10.0,10.0],"times":[10.0,20.0]}"#
        );
        assert_eq!(tukey(&batches).as_deref(), Some("[-4.0,-1.0,7.0,10.0]"));
        assert_eq!(tukey(&[]), None);
        let csv = raw_csv(
            &named(Some("f"), None),
            Some(&Amount::Elements(7)),
            "ns",
            &batches[..1],
        );
        let row = csv.lines().nth(1);
        assert_eq!(row, Some("\"g, \"\"1\"\"\",f,,7,elements,10.0,ns,10"));
    }
}
