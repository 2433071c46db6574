//! Nothing that a benchmark uses.

/// Doubles.
pub fn doubled(n: u64) -> u64 {
    n * 2
}

#[cfg(test)]
mod tests {
    #[test]
    fn doubles() {
        assert_eq!(super::doubled(2), 4);
    }
}
