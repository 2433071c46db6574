//! What is in the files that depend on the suite.

use tourbillon_criterion_files::{Batch, Estimate, estimate_json, standard_errors};
use tourbillon_report::CsvForm;

use crate::amount::Amount;
use crate::change::Change;
use crate::process::BenchmarkName;

/// `change/estimates.json`: new divided by old, minus one.
pub(crate) fn change(change: &Change) -> String {
    let confidence = 1.0 - change.error;
    let half_width = (change.upper - change.lower) / 2.0;
    let relative = estimate_json(&Estimate {
        point: change.estimate,
        lower: change.lower,
        upper: change.upper,
        confidence,
        standard_error: half_width / standard_errors(confidence).max(1.0),
    });
    format!("{{\"mean\":{relative},\"median\":{relative}}}")
}

/// `raw.csv`: a row for each batch.
pub(crate) fn raw_csv(
    named: &BenchmarkName,
    throughput: Option<Amount>,
    unit: &str,
    batches: &[Batch],
) -> String {
    let (amount, kind) = match throughput {
        Some(Amount::Bits(count)) => (count.to_string(), "bits"),
        Some(Amount::Bytes(count) | Amount::BytesDecimal(count)) => (count.to_string(), "bytes"),
        Some(Amount::Elements(count)) => (count.to_string(), "elements"),
        Some(Amount::ElementsAndBytes { elements, bytes }) => {
            (format!("{elements}/{bytes}"), "elements/bytes")
        }
        None => Default::default(),
    };
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

/// A name as a cell. One that is a number is no formula, whatever its sign.
fn cell(name: &str) -> String {
    if name.parse::<f64>().is_ok() {
        name.to_owned()
    } else {
        CsvForm::DOCUMENT.text(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Verdict;

    const TEN: Batch = Batch {
        iterations: 10.0,
        amount: 10.0,
    };

    fn named(function: Option<&str>, parameter: Option<&str>) -> BenchmarkName {
        BenchmarkName {
            group: "g, \"1\"".to_owned(),
            function: function.map(str::to_owned),
            parameter: parameter.map(str::to_owned),
        }
    }

    #[test]
    fn elements_and_bytes_are_two_numbers_of_a_row() {
        let both = Amount::ElementsAndBytes {
            elements: 3,
            bytes: 24,
        };
        let csv = raw_csv(&named(None, None), Some(both), "ns", &[TEN]);
        let row = csv.lines().nth(1).expect("a row");
        assert!(row.contains(",3/24,elements/bytes,"), "{row}");
    }

    #[test]
    fn names_are_no_formulas_of_a_spreadsheet() {
        let csv = raw_csv(&named(Some("=1+1\x1b"), Some("-5")), None, "ns", &[TEN]);
        let row = csv.lines().nth(1);
        let cells = "\"g, \"\"1\"\"\",'=1+1\\u{1b},-5,,,10.0,ns,10";
        assert_eq!(row, Some(cells));
    }

    #[test]
    fn a_change_is_a_statistic() {
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
    fn a_batch_is_a_row() {
        let csv = raw_csv(
            &named(Some("f"), None),
            Some(Amount::Elements(7)),
            "ns",
            &[TEN],
        );
        let row = csv.lines().nth(1);
        assert_eq!(row, Some("\"g, \"\"1\"\"\",f,,7,elements,10.0,ns,10"));
    }
}
