//! A map of words.

use std::collections::HashMap;

type State = foldhash::fast::FixedState;

pub fn words() -> Vec<String> {
    (0..12).map(|n| format!("the word with the number {n}")).collect()
}

pub fn map(words: &[String]) -> HashMap<String, u32, State> {
    words.iter().cloned().zip(0..).collect()
}

pub fn found(map: &HashMap<String, u32, State>, words: &[String]) -> u32 {
    words.iter().map(|word| map[word]).sum()
}
