//! Iterators, which cost nothing once they are optimised.

pub fn weighed(prices: &[u32], amounts: &[u32]) -> u64 {
    let pairs = prices.iter().zip(amounts);
    pairs
        .filter(|(price, _)| **price > 10)
        .map(|(price, amount)| u64::from(*price) * u64::from(*amount))
        .sum()
}
