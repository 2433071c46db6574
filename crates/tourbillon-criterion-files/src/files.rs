//! What the files hold.

use tourbillon_record::codec::json;
use tourbillon_stats::{Sample, quantile};

use super::{Amount, Batch, BenchmarkName, Estimate, Estimates};

/// What the files of a benchmark hold.
#[derive(Clone, Copy, Debug)]
pub struct Files<'f> {
    /// The parts of its name.
    pub named: &'f BenchmarkName,
    /// Its id, with the number of a repeated name, so that no two are alike.
    pub id: &'f str,
    /// What an iteration processes.
    pub throughput: Option<Amount>,
    /// Its folder below that of all benchmarks, with slashes.
    pub directory: &'f str,
    /// Its statistics; `None` where it has no figure.
    pub estimates: Option<&'f Estimates>,
    /// The batches of all launches.
    pub batches: &'f [Batch],
}

impl Files<'_> {
    /// The names of the files with their contents; a file without content is to be removed. Criterion writes
    /// `benchmark.json` last, too.
    pub fn contents(&self) -> [(&'static str, Option<String>); 4] {
        let has_figure = |text: String| self.estimates.is_some().then_some(text);
        [
            ("sample.json", has_figure(sample(self.batches))),
            ("tukey.json", tukey(self.batches).and_then(has_figure)),
            ("estimates.json", self.estimates.map(estimates)),
            ("benchmark.json", has_figure(self.benchmark())),
        ]
    }

    /// What the benchmark is.
    fn benchmark(&self) -> String {
        let id = json(&self.id.to_owned());
        format!(
            "{{\"group_id\":{},\"function_id\":{},\"value_str\":{},\"throughput\":{},\"full_id\":{id},\
             \"directory_name\":{},\"title\":{id}}}",
            json(&self.named.group),
            json(&self.named.function),
            json(&self.named.parameter),
            json(&self.throughput),
            json(&self.directory.to_owned()),
        )
    }
}

/// The statistics, per iteration.
fn estimates(of: &Estimates) -> String {
    format!(
        "{{\"mean\":{},\"median\":{},\"median_abs_dev\":{},\"slope\":null,\"std_dev\":{}}}",
        estimate_json(&of.mean),
        estimate_json(&of.median),
        estimate_json(&of.median_abs_dev),
        estimate_json(&of.std_dev),
    )
}

/// A statistic with its interval as JSON.
pub fn estimate_json(of: &Estimate) -> String {
    format!(
        "{{\"confidence_interval\":{{\"confidence_level\":{},\"lower_bound\":{},\"upper_bound\":{}}},\
         \"point_estimate\":{},\"standard_error\":{}}}",
        json(&of.confidence),
        json(&of.lower),
        json(&of.upper),
        json(&of.point),
        json(&of.standard_error),
    )
}

/// The batches of all launches.
fn sample(batches: &[Batch]) -> String {
    let column = |of: fn(&Batch) -> f64| json(&batches.iter().map(of).collect::<Vec<f64>>());
    format!(
        "{{\"sampling_mode\":\"Flat\",\"iters\":{},\"times\":{}}}",
        column(|batch| batch.iterations),
        column(|batch| batch.amount),
    )
}

/// The fences of outliers among the batches, per iteration; `None` where there are no batches.
fn tukey(batches: &[Batch]) -> Option<String> {
    let each = batches.iter().map(|batch| batch.amount / batch.iterations);
    let each = Sample::new(each.collect()).ok()?;
    let (first, third) = (quantile(&each, 0.25)?, quantile(&each, 0.75)?);
    let range = third - first;
    Some(json(&vec![
        first - 3.0 * range,
        first - 1.5 * range,
        third + 1.5 * range,
        third + 3.0 * range,
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Estimate = Estimate {
        point: 2.0,
        lower: 1.0,
        upper: 3.5,
        confidence: 0.99,
        standard_error: 0.25,
    };
    const ALL: Estimates = Estimates {
        mean: ONE,
        median: ONE,
        median_abs_dev: ONE,
        std_dev: ONE,
    };

    fn named(function: Option<&str>, parameter: Option<&str>) -> BenchmarkName {
        BenchmarkName {
            group: "g, \"1\"".to_owned(),
            function: function.map(str::to_owned),
            parameter: parameter.map(str::to_owned),
        }
    }

    fn files(named: &BenchmarkName, throughput: Option<Amount>) -> Files<'_> {
        Files {
            named,
            id: "g, \"1\"/f/10 #2",
            throughput,
            directory: "g, _1_/f/10_2",
            estimates: Some(&ALL),
            batches: &[],
        }
    }

    #[test]
    fn a_benchmark_is_described_as_by_criterion() {
        let named = named(Some("f"), Some("10"));
        assert_eq!(
            files(&named, Some(Amount::Bytes(1024))).benchmark(),
            r#"{"group_id":"g, \"1\"","function_id":"f","value_str":"10","throughput":{"Bytes":1024},"full_id":"g, \"1\"/f/10 #2","directory_name":"g, _1_/f/10_2","title":"g, \"1\"/f/10 #2"}"#
        );
        let alone = self::named(None, None);
        let json = files(&alone, None).benchmark();
        assert!(json.contains(r#""function_id":null,"value_str":null,"throughput":null"#));
    }

    #[test]
    fn statistics_have_the_members_of_criterion() {
        let e = r#"{"confidence_interval":{"confidence_level":0.99,"lower_bound":1.0,"upper_bound":3.5},"point_estimate":2.0,"standard_error":0.25}"#;
        let expected = format!(
            r#"{{"mean":{e},"median":{e},"median_abs_dev":{e},"slope":null,"std_dev":{e}}}"#
        );
        assert_eq!(estimates(&ALL), expected);
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
    }

    #[test]
    fn a_benchmark_without_figure_has_no_files() {
        let named = named(None, None);
        let without = Files {
            estimates: None,
            ..files(&named, None)
        };
        assert!(without.contents().iter().all(|(_, text)| text.is_none()));
    }
}
