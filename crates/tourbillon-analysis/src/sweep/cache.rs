//! The caches of the machine, as the header of a run lists them, and the bytes of a size.

use tourbillon_record::{FactValue, Header, Throughput, ThroughputUnit};

use super::curve::Kink;
use super::limits::NEAR;

/// A cache of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    /// Its level, such as `L2`.
    pub level: String,
    /// What it holds.
    pub bytes: u64,
}

impl Cache {
    /// The size of an axis at which it is full, `per_size` being the bytes that one unit of the axis stands for.
    pub fn size(&self, per_size: f64) -> f64 {
        self.bytes as f64 / per_size
    }

    /// Whether a kink lies next to its size, `per_size` being the bytes that one unit of the axis stands for: within a
    /// factor of 2 of the sizes on either side.
    pub fn is_next_to(&self, kink: &Kink, per_size: f64) -> bool {
        let size = self.size(per_size);
        kink.from / NEAR <= size && size <= kink.to * NEAR
    }
}

/// The bytes that one unit of an axis stands for: one of an axis called `bytes`, otherwise what a case of this size
/// declares to process, if it is in bytes.
pub fn bytes_per_size(axis: &str, size: f64, throughput: Option<Throughput>) -> Option<f64> {
    if axis == "bytes" {
        return Some(1.0);
    }
    let throughput = throughput.filter(|per_op| per_op.unit == ThroughputUnit::Bytes)?;
    (throughput.per_op > 0).then(|| throughput.per_op as f64 / size)
}

/// The caches for data that a header lists, as in `L1 data 48 KiB` and `L3 32 MiB (shared by 0-7)`.
pub fn caches(header: &Header) -> Vec<Cache> {
    match header.fact("caches") {
        Some(FactValue::List(list)) => list.iter().filter_map(|text| cache(text)).collect(),
        _ => Vec::new(),
    }
}

fn cache(text: &str) -> Option<Cache> {
    let mut words = text.split(' ');
    let level = words.next().filter(|word| word.starts_with('L'))?;
    let number = match words.next()? {
        "instruction" => return None,
        "data" => words.next()?,
        number => number,
    };
    let unit = match words.next()? {
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        _ => return None,
    };
    Some(Cache {
        level: level.to_owned(),
        bytes: number.parse::<u64>().ok()?.checked_mul(unit)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::curve::Kink;
    use super::{Cache, Throughput, ThroughputUnit, bytes_per_size, cache};

    #[test]
    fn caches_of_headers_are_read() {
        let read = |text| cache(text).map(|cache| (cache.level, cache.bytes));
        assert_eq!(read("L1 data 48 KiB"), Some(("L1".to_owned(), 48 << 10)));
        assert_eq!(read("L2 1280 KiB"), Some(("L2".to_owned(), 1280 << 10)));
        let shared = read("L3 32 MiB (shared by 0-7)");
        assert_eq!(shared, Some(("L3".to_owned(), 32 << 20)));
        for other in ["L1 instruction 32 KiB", "L2 big", "L2", "", "RAM 1 MiB"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn units_of_an_axis_are_bytes_where_that_is_known() {
        let of = |unit, per_op| Some(Throughput { unit, per_op });
        let (bytes, items) = (ThroughputUnit::Bytes, ThroughputUnit::Items);
        assert_eq!(bytes_per_size("bytes", 10.0, None), Some(1.0));
        assert_eq!(bytes_per_size("n", 10.0, of(bytes, 80)), Some(8.0));
        assert_eq!(bytes_per_size("n", 10.0, of(items, 80)), None);
        assert_eq!(bytes_per_size("n", 10.0, of(bytes, 0)), None);
        assert_eq!(bytes_per_size("n", 10.0, None), None);
        let (level, bytes) = ("L1".to_owned(), 32 << 10);
        assert_eq!(Cache { level, bytes }.size(8.0), 4096.0);
    }

    #[test]
    fn a_cache_is_next_to_a_kink_within_a_factor_of_two() {
        let kink = Kink {
            from: 8192.0,
            to: 16_384.0,
            factor: 1.9,
        };
        let next = |kibibytes: u64, per_size| {
            let cache = Cache {
                level: "L1".to_owned(),
                bytes: kibibytes << 10,
            };
            cache.is_next_to(&kink, per_size)
        };
        assert!(next(4, 1.0) && next(32, 1.0) && next(32, 4.0));
        assert!(!next(3, 1.0) && !next(33, 1.0) && !next(1024, 4.0));
    }
}
