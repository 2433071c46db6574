//! Fields of lines.

use smallvec::SmallVec;

type Fields<'l> = SmallVec<[&'l str; 16]>;

pub fn lines() -> Vec<String> {
    (0..10).map(|n| format!("{n};a clock;gold;19.50;2;paid;sent")).collect()
}

pub fn lengths(lines: &[String]) -> usize {
    let mut sum = 0;
    for line in lines {
        let fields: Fields<'_> = line.split(';').collect();
        sum += fields[1].len() + fields[5].len();
    }
    sum
}
