//! What was measured held against the truth.

mod number;
mod print;
mod row;

use peers::CASES;

use crate::harness::HARNESSES;
use crate::piece::Piece;
use crate::truth::Machine;
use row::Row;

/// The results of all rounds.
#[derive(Debug)]
pub(crate) struct Table {
    /// Where and how it was measured, a few words each.
    about: Vec<String>,
    rows: Vec<Row>,
    groups: Vec<Group>,
}

/// Cases of similar cost.
#[derive(Debug)]
struct Group {
    /// The least and the largest truth.
    range: (f64, f64),
}

/// Upper ends of the groups, in cycles.
const ENDS: [f64; 4] = [0.999, 3.0, 99.0, f64::INFINITY];

impl Group {
    fn holds(&self, truth: f64) -> bool {
        self.range.0 <= truth && truth <= self.range.1
    }
}

/// Puts the results together.
///
/// # Errors
///
/// Says that there are none.
pub(crate) fn of(machine: &Machine, pieces: &[Piece]) -> Result<Table, String> {
    if pieces.is_empty() {
        return Err("nothing is measured yet".to_owned());
    }
    let mut truths: Vec<f64> = CASES
        .iter()
        .filter_map(|case| machine.cycles(case))
        .collect();
    truths.sort_by(f64::total_cmp);
    let mut below = 0.0;
    let groups = ENDS.iter().filter_map(|&end| {
        let inside = |&&truth: &&f64| below < truth && truth <= end;
        let least = truths.iter().find(inside);
        let largest = truths.iter().rfind(inside);
        let range = (*least?, *largest?);
        below = end;
        Some(Group { range })
    });
    let groups = groups.collect();
    let rows = HARNESSES
        .iter()
        .flat_map(|harness| Row::of(harness, machine, pieces))
        .collect();
    Ok(Table {
        about: about(machine, pieces),
        rows,
        groups,
    })
}

/// The machine, and how steady its core was.
fn about(machine: &Machine, pieces: &[Piece]) -> Vec<String> {
    let cycles = || {
        let cases = pieces.iter().flat_map(|piece| &piece.cases);
        cases.map(|measured| measured.cycle)
    };
    let fastest = cycles()
        .map(|cycle| cycle.range.0)
        .fold(f64::INFINITY, f64::min);
    let slowest = cycles().map(|cycle| cycle.range.1).fold(0.0, f64::max);
    let mut moved: Vec<f64> = cycles()
        .map(|cycle| cycle.range.1 / cycle.range.0 - 1.0)
        .collect();
    moved.sort_by(f64::total_cmp);
    let rounds = pieces.iter().map(|piece| piece.round).max().unwrap_or(0);
    vec![
        machine.about.clone(),
        format!("core {:.2} – {:.2} GHz", 1.0 / slowest, 1.0 / fastest),
        format!(
            "its cycle changed by {:.1} % while a case was measured (median)",
            100.0 * moved[moved.len() / 2]
        ),
        match rounds {
            1 => "1 round".to_owned(),
            rounds => format!("{rounds} rounds"),
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::piece::Measured;
    use crate::readings::Cycle;
    use crate::shown::{Figure, Shown};

    /// A harness that says of every case so many cycles too many, at half a nanosecond a cycle.
    fn piece(machine: &Machine, harness: &str, round: u32, more: f64) -> Piece {
        let cases = CASES.iter().map(|case| {
            let cycles = machine.cycles(case).unwrap() + more;
            let figure = |unit: f64| Figure {
                estimate: Some(cycles * unit),
                interval: (harness != "divan")
                    .then_some(((cycles - 0.5) * unit, (cycles + 0.5) * unit)),
            };
            Measured {
                shown: Shown {
                    case: case.name.to_owned(),
                    nanos: figure(0.5),
                    cycles: (harness == "tourbillon").then(|| figure(1.0)),
                },
                cycle: Cycle {
                    nanos: 0.5,
                    range: (0.5, 0.505),
                },
            }
        });
        Piece {
            round,
            harness: harness.to_owned(),
            part: 0,
            version: "1.2.3".to_owned(),
            seconds: 0.25,
            cases: cases.collect(),
        }
    }

    fn table() -> Table {
        let machine =
            Machine::read("vendor_id: GenuineIntel\ncpu family: 6\nmodel name: Example\n").unwrap();
        let pieces = [
            piece(&machine, "divan", 1, -1.0),
            piece(&machine, "tourbillon", 1, 0.0),
            piece(&machine, "tourbillon", 2, 0.8),
            piece(&machine, "divan", 2, -1.0),
        ];
        of(&machine, &pieces).unwrap()
    }

    #[test]
    fn the_short_form_has_a_row_for_each_harness() {
        let short = "\
Example · GenuineIntel · family 6 · core 1.98 – 2.00 GHz · its cycle changed by 1.0 % while a case was measured (median) · 2 rounds

| harness | time a case | error at 1 – 3 cycles | 5 – 33 cycles | 100 – 3000 cycles | truth in its interval |
|---|--:|--:|--:|--:|--:|
| tourbillon, its cycles | 250 ms | 13 (80) % | 1.2 (16) % | 0.01 (0.8) % | 25 of 50 (99 %) |
| tourbillon | 250 ms | 13 (80) % | 1.2 (16) % | 0.01 (0.8) % | 25 of 50 (99 %) |
| divan | 250 ms | 50 (100) % | 10 (20) % | 0.3 (1.0) % | none shown |
";
        assert_eq!(table().short(), short);
    }

    #[test]
    fn the_full_form_has_every_kernel_in_cycles() {
        let full = table().full();
        for line in [
            "| tourbillon 1.2.3, its cycles | 250 ms | 0.400 (0.800) | 0.400 (0.800) | 0.400 (0.800) |",
            "| divan 1.2.3 | 250 ms | 1.000 (1.000) | 1.000 (1.000) | 1.000 (1.000) |",
            "| lat_1 | 3 | 3.400 | 3.400 | 2.000 |",
            "| empty | 0 | 0.400 | 0.400 | -1.000 |",
        ] {
            assert!(full.contains(line), "{line}\n{full}");
        }
    }

    #[test]
    fn what_was_not_told_from_nothing_has_no_figure() {
        let machine =
            Machine::read("vendor_id: GenuineIntel\ncpu family: 6\nmodel name: Example\n").unwrap();
        let mut unseen = piece(&machine, "tourbillon", 1, 0.0);
        for measured in &mut unseen.cases {
            if measured.shown.case == "empty" {
                measured.shown.nanos.estimate = None;
                measured.shown.cycles = Some(measured.shown.nanos);
            }
        }
        let table = of(&machine, &[unseen]).unwrap();
        let full = table.full();
        assert!(full.contains("| empty | 0 | unseen | unseen |"), "{full}");
    }

    #[test]
    fn nothing_measured_is_said() {
        let machine =
            Machine::read("vendor_id: GenuineIntel\ncpu family: 6\nmodel name: Example\n").unwrap();
        assert_eq!(of(&machine, &[]).unwrap_err(), "nothing is measured yet");
    }
}
