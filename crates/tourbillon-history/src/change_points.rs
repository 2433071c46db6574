//! Changes in a series of values: ranges that each contain one, together at one level.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use tourbillon_stats::{Sample, median};

use crate::machine_groups::MachineGroups;
use crate::turning_points::shrinkage;

/// Numbers of values before and after a possible place of a change. Their ratio is about the square root of 2:
/// between two of them there is little to gain.
const SIZES: [usize; 10] = [4, 5, 6, 8, 11, 16, 22, 32, 45, 64];

/// For each pair of sizes, [`lower_tail`]: the same for series of any length.
static TAILS: LazyLock<Vec<Tail>> = LazyLock::new(|| {
    let pairs = SIZES.iter().flat_map(|&m| SIZES.map(|n| (m, n)));
    let tail = |(m, n)| Tail {
        values: m + n,
        sums: lower_tail(m, n),
    };
    pairs.map(tail).collect()
});

/// The lower tail of the rank-sum statistic of two sizes.
struct Tail {
    /// Both sizes together.
    values: usize,
    sums: Vec<f64>,
}

/// Finds changes in series of values.
///
/// For each place in the series, values before it are compared with values after it by the rank-sum test of
/// Mann and Whitney, with several numbers of values on both sides. Bonferroni's inequality over all these
/// triplets of begin, place and end gives one level for the whole series (the triplets are those of Jang and
/// Walther, arXiv 2410.14866; rank sums need no distribution). Of the triplets that reject, the shortest are kept,
/// as far as they do not overlap: with probability 1 - `error`, each of their ranges contains a change.
///
/// This holds for finite series of exchangeable values of any distribution. Where successive values are
/// alike, deviations are shrunk by the factor that an autoregression of order 1 with the same correlation
/// gives; the level then holds approximately.
///
/// Where several machines measured, values are exchangeable within a machine, and the first ones of all machines:
/// [`ChangeDetector::changes_on`] compares only these with each other.
///
/// # Examples
///
/// ```
/// use tourbillon_history::ChangeDetector;
///
/// let scatter = |at: u64| (at * 8 % 19) as f64 / 1_000.0;
/// let before = (0..60).map(|at| 1.0 + scatter(at));
/// let after = (60..70).map(|at| 1.1 + scatter(at));
/// let series: Vec<f64> = before.chain(after).collect();
///
/// let changes = ChangeDetector::new(200, 0.05).changes(&series);
/// assert_eq!(changes.len(), 1);
/// assert_eq!(changes[0].place, 60);
/// assert!(changes[0].first < 60 && changes[0].last >= 60);
/// ```
#[derive(Clone, Debug)]
pub struct ChangeDetector {
    /// For each pair of sizes, the largest rank-sum statistic that rejects; `None` where none does.
    critical: [[Option<u32>; SIZES.len()]; SIZES.len()],
}

/// A range of values that contains a change; [`ChangeDetector`] has an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangePoint {
    /// Index of the first value of the range.
    pub first: usize,
    /// Index of its last value. The change is after `first` and not after `last`.
    pub last: usize,
    /// Index of the first value after the most likely place of the change.
    pub place: usize,
}

impl ChangeDetector {
    /// The fewest values on a side of a change.
    pub(crate) const FEWEST: usize = SIZES[0];

    /// The fewest values in which a change can be found with this error; values that depend on each other take more.
    pub(crate) fn fewest(error: f64) -> usize {
        let finds = |longest: &usize| {
            let detector = ChangeDetector::new(*longest, error);
            let rows = SIZES.iter().zip(&detector.critical);
            let mut pairs = rows.flat_map(|(m, row)| {
                SIZES
                    .iter()
                    .zip(row)
                    .map(move |(n, critical)| (m + n, critical))
            });
            pairs.any(|(size, critical)| size <= *longest && critical.is_some())
        };
        (2 * SIZES[0]..2 * SIZES[9])
            .find(finds)
            .unwrap_or(usize::MAX)
    }

    /// A detector for series of at most `longest` values. `error` is the probability that a series without a
    /// change gets one, between 0 and 1.
    ///
    /// Both directions count, so that each triplet gets half of its share.
    pub fn new(longest: usize, error: f64) -> ChangeDetector {
        let places = |tail: &Tail| (longest + 1).saturating_sub(tail.values);
        let tails = TAILS.iter().map(|tail| (places(tail), &tail.sums));
        let pairs: Vec<(usize, &Vec<f64>)> = tails.collect();
        let level = |tests: usize| error / 2.0 / tests as f64;
        // Pairs that can never reject cost nothing; fewer tests leave more to each, so that others can. The fewest
        // tests that pay for all pairs that can reject: more of them never let more pairs reject.
        let pays = |tests: usize| {
            let rejecting = pairs
                .iter()
                .filter(|(_, tail)| critical(tail, level(tests)).is_some());
            rejecting.map(|(places, _)| places).sum::<usize>() <= tests
        };
        let mut tests = 1..=pairs.iter().map(|(places, _)| places).sum::<usize>().max(1);
        while tests.start() < tests.end() {
            let middle = tests.start() + (tests.end() - tests.start()) / 2;
            tests = if pays(middle) {
                *tests.start()..=middle
            } else {
                middle + 1..=*tests.end()
            };
        }
        let level = level(*tests.end());
        let mut detector = ChangeDetector {
            critical: [[None; SIZES.len()]; SIZES.len()],
        };
        let cells = detector.critical.iter_mut().flatten();
        for (cell, (_, tail)) in cells.zip(&pairs) {
            *cell = critical(tail, level);
        }
        detector
    }

    /// The ranges that contain a change, in the order of the series. Values must be finite.
    pub fn changes(&self, values: &[f64]) -> Vec<ChangePoint> {
        self.changes_on(values, &vec![0; values.len()])
    }

    /// The same for values of several machines, of which `machines` has a number for each value: that another one
    /// measures is no change.
    pub fn changes_on(&self, values: &[f64], machines: &[usize]) -> Vec<ChangePoint> {
        self.changes_in(&MachineGroups::new(values, machines))
    }

    pub(crate) fn changes_in(&self, groups: &MachineGroups) -> Vec<ChangePoint> {
        let scores = groups.by_group();
        let shrunk = shrinkage(&scores);
        let mut found = Vec::new();
        for place in 1..scores.len() {
            let [before, after] = groups.around(place, SIZES[SIZES.len() - 1]);
            let [old, new] = [&before, &after].map(|side| groups.scores(side));
            let sizes = self.sizes(&old, &new, shrunk).into_iter();
            found.extend(sizes.map(|[m, n]| (before[m - 1], after[n - 1] + 1, place)));
        }
        // The shortest first; of equal ones the earliest.
        found.sort_by_key(|&(first, end, _)| (end - first, first));
        // By their first value: of ranges that do not overlap, the last one that begins before an end reaches farthest.
        let mut kept: BTreeMap<usize, ChangePoint> = BTreeMap::new();
        for (first, end, place) in found {
            let nearest = kept.range(..end).next_back();
            if nearest.is_none_or(|(_, other)| other.last < first) {
                let change = ChangePoint {
                    first,
                    last: end - 1,
                    place: likeliest(groups, first..end, place),
                };
                kept.insert(first, change);
            }
        }
        kept.into_values().collect()
    }

    /// How many values before a place and after it show a change together, the nearest first.
    fn sizes(&self, before: &[f64], after: &[f64], shrunk: f64) -> Vec<[usize; 2]> {
        // How many pairs have the later value not above the earlier one, and not below it, for each number of
        // later values.
        let mut counts = [[0_u32; 2]; SIZES.len()];
        let mut row = 0;
        let mut found = Vec::new();
        for (size, value) in (1..).zip(before) {
            let (mut at_most, mut at_least, mut begin) = (0, 0, 0);
            for (column, &end) in SIZES.iter().enumerate() {
                let Some(later) = after.get(begin..end) else {
                    break;
                };
                for other in later {
                    at_most += u32::from(other <= value);
                    at_least += u32::from(other >= value);
                }
                counts[column][0] += at_most;
                counts[column][1] += at_least;
                begin = end;
            }
            if size != SIZES[row] {
                continue;
            }
            for (column, &later) in SIZES.iter().enumerate() {
                if later > after.len() {
                    break;
                }
                let Some(critical) = self.critical[row][column] else {
                    continue;
                };
                let mean = (size * later) as f64 / 2.0;
                let limit = mean - (mean - f64::from(critical)) * shrunk;
                let [falls, rises] = counts[column].map(f64::from);
                if falls <= limit || rises <= limit {
                    found.push([size, later]);
                    // Longer ranges around this place contain this one.
                    break;
                }
            }
            row += 1;
        }
        found
    }
}

/// The first place after the most likely one of a change in a range around a place.
fn likeliest(groups: &MachineGroups, range: Range<usize>, place: usize) -> usize {
    let places = groups.around_within(place, range);
    places[split(&groups.scores(&places))]
}

/// The largest u with P(U <= u) at most `level`; `None` where there is none. Ties count against a rejection.
fn critical(tail: &[f64], level: f64) -> Option<u32> {
    // The rounding errors of the sums are far below a part in 1e9.
    let below = tail.partition_point(|sum| *sum <= level * (1.0 - 1e-9));
    below.checked_sub(1).map(|u| u as u32)
}

/// P(U <= u) for each u up to the middle, where U is the number of pairs in which a value of `m` is above one of `n`
/// exchangeable values.
///
/// The number of arrangements with each u is a coefficient of the Gaussian binomial of m + n over m (Mann and
/// Whitney, "On a test of whether one of two random variables is stochastically larger than the other", The
/// Annals of Mathematical Statistics 18 (1947), p. 50).
fn lower_tail(m: usize, n: usize) -> Vec<f64> {
    let middle = m * n / 2;
    let mut ways = vec![0.0; middle + 1];
    ways[0] = 1.0;
    let mut all = 1.0;
    for part in 1..=m {
        // Times (1 - q^(n + part)) / (1 - q^part).
        for sum in part..=middle {
            ways[sum] += ways[sum - part];
        }
        for sum in (n + part..=middle).rev() {
            ways[sum] -= ways[sum - n - part];
        }
        all *= (n + part) as f64 / part as f64;
    }
    let mut sum = 0.0;
    for ways in &mut ways {
        sum += *ways;
        *ways = sum / all;
    }
    ways
}

/// The index of the first value after the change, for two medians with the smallest sum of distances.
fn split(values: &[f64]) -> usize {
    let distances = |part: &[f64]| {
        let centre = median(&Sample::sort(part.to_vec()));
        part.iter().map(|value| (value - centre).abs()).sum::<f64>()
    };
    let sum = |place: usize| distances(&values[..place]) + distances(&values[place..]);
    let places = (1..values.len()).map(|place| (place, sum(place)));
    let best = places.min_by(|one, other| one.1.total_cmp(&other.1));
    best.map_or(0, |(place, _)| place)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use tourbillon_stats::Rng;

    /// About normal: the sum of twelve uniform numbers.
    pub(crate) fn normal(rng: &mut Rng) -> f64 {
        let uniform = |rng: &mut Rng| (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        (0..12).map(|_| uniform(rng)).sum::<f64>() - 6.0
    }

    #[test]
    fn critical_values_are_those_of_all_arrangements() {
        for (m, n) in [(1, 3), (2, 5), (3, 4), (4, 4), (5, 3)] {
            // U of every choice of m places out of m + n.
            let choices = (0_u32..1 << (m + n)).filter(|choice| choice.count_ones() as usize == m);
            let u = |choice: u32| {
                let pairs = (0..m + n).flat_map(|one| (0..one).map(move |other| (one, other)));
                let is_above = |&(one, other): &(usize, usize)| {
                    choice >> one & 1 == 1 && choice >> other & 1 == 0
                };
                pairs.filter(is_above).count()
            };
            let all: Vec<usize> = choices.map(u).collect();
            for level in [0.012, 0.053, 0.21, 0.41] {
                let below = |limit: usize| all.iter().filter(|u| **u <= limit).count() as f64;
                let share = |limit: usize| below(limit) / all.len() as f64;
                let expected = (0..=m * n / 2).rev().find(|&limit| share(limit) <= level);
                assert_eq!(
                    critical(&lower_tail(m, n), level),
                    expected.map(|u| u as u32),
                    "{m} {n} {level}"
                );
            }
        }
    }

    #[test]
    fn critical_values_of_many_are_near_the_normal_ones() {
        // The tail beyond 4 standard deviations has the probability 3.17e-5.
        for size in [32_usize, 64] {
            let (mean, variance) = (size * size / 2, size * size * (2 * size + 1) / 12);
            let u = critical(&lower_tail(size, size), 3.167e-5).expect("a value");
            let z = (mean as f64 - f64::from(u)) / (variance as f64).sqrt();
            assert!((3.8..4.05).contains(&z), "{z}");
        }
    }

    #[test]
    fn all_tests_together_keep_the_error() {
        let tails = SIZES.map(|m| SIZES.map(|n| lower_tail(m, n)));
        let mut rejecting = 0;
        for longest in (0..130).chain([200, 1_000, 10_000]) {
            for error in [0.2, 0.05, 0.01] {
                let detector = ChangeDetector::new(longest, error);
                let mut sum = 0.0;
                for (row, m) in SIZES.iter().enumerate() {
                    for (column, n) in SIZES.iter().enumerate() {
                        if let Some(u) = detector.critical[row][column] {
                            let places = (longest + 1).saturating_sub(m + n);
                            sum += 2.0 * tails[row][column][u as usize] * places as f64;
                        }
                    }
                }
                assert!(sum <= error, "{longest} {error}: {sum}");
                rejecting += usize::from(sum > error / 4.0);
            }
        }
        // No error is wasted where pairs are long enough.
        assert!(rejecting > 300, "{rejecting}");
    }

    #[test]
    fn a_step_is_found_soon_and_at_its_place() {
        let detector = ChangeDetector::new(200, 0.05);
        let (mut found, mut placed) = (0, 0);
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            // 2 % in a noise of 0.5 %.
            let level = |at| if at < 100 { 1.0 } else { 1.02 };
            let value = |at: usize| level(at) + 0.005 * normal(&mut rng);
            let series: Vec<f64> = (0..108).map(value).collect();
            let changes = detector.changes(&series);
            let is_it = |change: &&ChangePoint| change.first < 100 && change.last >= 100;
            let change = changes.iter().find(is_it);
            found += usize::from(change.is_some());
            placed += usize::from(change.is_some_and(|change| change.place.abs_diff(100) <= 1));
        }
        assert!(found >= 180 && placed >= 180, "{found} {placed}");
    }

    #[test]
    fn stable_series_have_no_changes() {
        let detector = ChangeDetector::new(200, 0.05);
        let mut rng = Rng::new(7);
        let mut series = || -> Vec<f64> { (0..200).map(|_| normal(&mut rng)).collect() };
        let flagged = (0..100)
            .filter(|_| !detector.changes(&series()).is_empty())
            .count();
        // The level, and three standard errors.
        assert!(flagged <= 11, "{flagged}");
    }

    #[test]
    fn outliers_and_ties_are_no_changes() {
        let detector = ChangeDetector::new(200, 0.05);
        let mut series = vec![3.0; 120];
        assert_eq!(detector.changes(&series), []);
        for at in [20, 21, 60, 100] {
            series[at] = 1e9;
        }
        assert_eq!(detector.changes(&series), []);
        assert_eq!(detector.changes(&[]), []);
        assert_eq!(detector.changes(&[1.0, 2.0]), []);
        // Counts that step are one.
        series = (0..40).map(|at| if at < 20 { 7.0 } else { 8.0 }).collect();
        assert_eq!(detector.changes(&series)[0].place, 20);
        // In one direction twice.
        series.extend([9.0; 20]);
        let places = detector.changes(&series).into_iter();
        assert_eq!(
            places.map(|change| change.place).collect::<Vec<_>>(),
            [20, 40]
        );
    }

    #[test]
    fn a_step_in_a_clean_short_series_with_ties_is_found() {
        let before = [
            591.0, 595.0, 596.0, 602.0, 597.0, 599.0, 597.0, 597.0, 595.0, 597.0,
        ];
        let after = [904.0, 905.0, 905.0, 904.0, 905.0, 905.0, 905.0, 905.0];
        let series = [&before[..], &after[..]].concat();
        let places = |longest| {
            let changes = ChangeDetector::new(longest, 0.05).changes(&series);
            changes
                .iter()
                .map(|change| change.place)
                .collect::<Vec<_>>()
        };
        assert_eq!(places(series.len()), [10]);
        // A detector for a longer series shares its error over places that this one does not have.
        assert!(places(36).is_empty());
    }

    #[test]
    fn fewer_values_than_it_takes_have_no_change() {
        let is_found = |count: usize| {
            let level = |at: usize| if at < count / 2 { 1.0 } else { 2.0 };
            let scatter = |at: usize| (at * 8 % 19) as f64 / 1_000.0;
            let series: Vec<f64> = (0..count).map(|at| level(at) + scatter(at)).collect();
            !ChangeDetector::new(count, 0.05).changes(&series).is_empty()
        };
        let fewest = ChangeDetector::fewest(0.05);
        assert!((2..fewest).all(|count| !is_found(count)), "{fewest}");
        assert!(is_found(2 * fewest), "{fewest}");
        assert!(ChangeDetector::fewest(0.001) > fewest);
    }

    #[test]
    fn two_changes_have_a_range_each() {
        let detector = ChangeDetector::new(200, 0.05);
        let mut rng = Rng::new(3);
        let level = |at| if (60..120).contains(&at) { 1.1 } else { 1.0 };
        let value = |at: usize| level(at) + 0.01 * normal(&mut rng);
        let series: Vec<f64> = (0..180).map(value).collect();
        let changes = detector.changes(&series);
        assert_eq!(changes.len(), 2);
        for (change, place) in changes.iter().zip([60, 120]) {
            assert!(change.first < place && change.last >= place, "{change:?}");
        }
        assert!(changes[0].last < changes[1].first);
    }

    #[test]
    fn another_machine_is_no_change_and_a_step_on_all_is_one() {
        let detector = ChangeDetector::new(120, 0.05);
        let level = |machine: usize| [1.0, 1.03, 0.98][machine];
        let changes = |machine: fn(usize) -> usize, step: f64| {
            let mut rng = Rng::new(5);
            let machines: Vec<usize> = (0..120).map(machine).collect();
            let value = |(at, machine): (usize, &usize)| {
                let step = if at < 90 { 1.0 } else { step };
                level(*machine) * step + 0.002 * normal(&mut rng)
            };
            let values: Vec<f64> = machines.iter().enumerate().map(value).collect();
            let places = |found: Vec<ChangePoint>| found.iter().map(|one| one.place).collect();
            let ignored: Vec<usize> = places(detector.changes(&values));
            (places(detector.changes_on(&values, &machines)), ignored)
        };
        // One machine takes the place of another.
        let (found, ignored) = changes(|at| at / 60, 1.0);
        assert_eq!((found, ignored), (vec![], vec![60]));
        // Machines in turn.
        let (found, _): (Vec<usize>, _) = changes(|at| at % 3, 1.01);
        assert_eq!(found, [90]);
        // The step is on the later machine.
        let (found, _): (Vec<usize>, _) = changes(|at| at / 60, 1.01);
        assert_eq!(found, [90]);
    }

    #[test]
    fn short_histories_with_an_outlier_have_their_step() {
        let detector = ChangeDetector::new(36, 0.05);
        let found = (0..100)
            .filter(|&seed| {
                let mut rng = Rng::new(seed);
                let level = |at| if at < 22 { 1.0 } else { 1.02 };
                let value = |at| level(at) + 1e-4 * normal(&mut rng);
                let mut series: Vec<f64> = (0..36).map(value).collect();
                series[13] = 1.0226;
                let changes = detector.changes(&series);
                changes.iter().any(|change| change.place == 22)
            })
            .count();
        assert!(found >= 85, "{found}");
    }
}
