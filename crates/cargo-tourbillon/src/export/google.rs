//! The JSON of google/benchmark.

use serde_json::{Value, json};
use tourbillon_record::{FactValue, Header, ThroughputUnit};

use super::rows::{ExportedCase, Omitted, entries};

/// Why `cpu_time` is there: readers of the format fail without it.
const CPU_TIME: &str = "not measured; cpu_time repeats real_time";

/// The context, and an entry for each case. Members that the format does not know are its counters: the ends of the
/// interval, cycles, and what was counted.
pub(super) fn json(cases: &[ExportedCase<'_>], omitted: &mut Vec<Omitted>) -> Value {
    let context = cases
        .first()
        .map_or_else(|| json!({}), |case| context(&case.run.header));
    json!({ "context": context, "benchmarks": entries(cases, omitted, benchmark) })
}

fn context(header: &Header) -> Value {
    let mut context = json!({
        "date": header.started,
        "executable": header.command.first(),
        "caches": caches(header),
        "load_avg": [],
        "json_schema_version": 1,
        "tourbillon": header.tourbillon,
        "cpu_time": CPU_TIME,
    });
    if let Some(FactValue::Integer(cores)) = header.fact("cores_logical") {
        context["num_cpus"] = (*cores).into();
    }
    if let Some(FactValue::Flag(has_assertions)) = header.fact("debug_assertions") {
        let kind = if *has_assertions { "debug" } else { "release" };
        context["library_build_type"] = kind.into();
    }
    context
}

/// The caches, such as `L2 1280 KiB`, each as an object.
fn caches(header: &Header) -> Vec<Value> {
    let Some(FactValue::List(caches)) = header.fact("caches") else {
        return Vec::new();
    };
    caches
        .iter()
        .map(|cache| json!({ "type": cache }))
        .collect()
}

fn benchmark(case: &ExportedCase<'_>) -> Result<Value, Omitted> {
    let time = case.wall_time()?;
    let main = time.result;
    let mut launches = case.samples.iter();
    let threads = launches.find_map(|launch| Some(launch.team.as_ref()?.threads));
    let id = &case.case.id;
    let mut benchmark = json!({
        "name": id,
        "run_name": id,
        "run_type": "iteration",
        "repetitions": 1,
        "repetition_index": 0,
        "threads": threads.unwrap_or(1),
        "iterations": main.iterations,
        "real_time": time.value,
        "cpu_time": time.value,
        "time_unit": "ns",
        "launches": main.launches,
    });
    let confidence = main.confidence.map(|held| ("confidence", held));
    for (name, value) in time.ends().chain(confidence) {
        benchmark[name] = value.into();
    }
    for row in case.rows()?.iter().filter(|row| !row.is_time()) {
        let name = match row.rate {
            Some(ThroughputUnit::Bytes) => "bytes_per_second",
            Some(ThroughputUnit::Items) => "items_per_second",
            None => &row.metric,
        };
        benchmark[name] = row.value.into();
    }
    Ok(benchmark)
}

#[cfg(test)]
mod tests {
    use tourbillon_record::{Case, CaseResult, Metric, OwnMetric, Run};

    use super::*;

    #[test]
    fn a_number_of_a_body_takes_the_place_of_no_member() {
        let of = |metric, name: &str| CaseResult {
            metric,
            own: (metric == Metric::Own).then(|| OwnMetric {
                name: name.to_owned(),
                unit: String::new(),
                ..OwnMetric::default()
            }),
            estimate: Ok(if metric == Metric::Own { 7.0 } else { 10.0 }),
            ..CaseResult::default()
        };
        let time = of(Metric::Time, "");
        let (run, case) = (Run::default(), Case::default());
        let entry = |results| {
            benchmark(&ExportedCase {
                run: &run,
                case: &case,
                results,
                samples: Vec::new(),
                runs: None,
            })
        };
        let alone = entry(vec![&time]).expect("an entry");
        let members = alone.as_object().expect("an object");
        let own: Vec<_> = members.keys().map(|name| of(Metric::Own, name)).collect();
        let all = entry([&time].into_iter().chain(&own).collect()).expect("an entry");
        for (name, value) in members {
            assert_eq!(all[name], *value, "{name}");
            assert_eq!(all[format!("own-{name}")], 7.0, "{name}");
        }
    }
}
