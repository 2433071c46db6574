//! Numbers for names.

/// A number for a name: FNV-1a of 64 bits (Fowler, Noll and Vo; draft-eastlake-fnv). Its lowest bits depend on the lowest
/// ones of the bytes only.
pub(crate) fn fnv1a(name: &str) -> u64 {
    let hash = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    name.bytes().fold(0xCBF2_9CE4_8422_2325, hash)
}

#[cfg(test)]
mod tests {
    use super::fnv1a;

    #[test]
    fn names_become_the_published_numbers() {
        // Exact: test vectors of the draft, appendix C.
        assert_eq!(fnv1a(""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a("a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(fnv1a("foobar"), 0x8594_4171_F739_67E8);
    }
}
