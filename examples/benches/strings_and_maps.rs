//! Small things that programs do all day: putting strings together, formatting, removing from a map.
//!
//! `remove_paused` is the one that the first of these utilities came with (SoftWx `Bench`, 2012): the
//! number of items is part of the problem, and filling the map is paused away. `remove_prepared` and
//! `remove_restored` find the same without a pause: the maps are there before the clock starts.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::process::ExitCode;

use examples::check::equal;
use tourbillon::{Bencher, Items, bench, hide};

fn main() -> ExitCode {
    tourbillon::main()
}

/// Items in a map.
const ITEMS: u64 = 1_000;

#[bench(group = "string")]
fn concat() -> String {
    hide("hello ").to_owned() + hide("world")
}

#[bench(group = "string")]
fn format() -> String {
    format!("{} {}", hide("hello"), hide("world"))
}

#[bench(group = "string")]
fn format_number() -> String {
    format!("{:.3}", hide(1_234.567_8))
}

/// What is removed from.
trait Map {
    fn full() -> Self;
    fn remove_all(&mut self) -> u64;
    fn refill(&mut self);
}

fn entries<K: From<u32>>() -> impl Iterator<Item = (K, u64)> {
    (0..ITEMS as u32).map(|key| (K::from(key), u64::from(key)))
}

impl<K: From<u32> + Eq + Hash> Map for HashMap<K, u64> {
    fn full() -> Self {
        entries().collect()
    }

    fn remove_all(&mut self) -> u64 {
        let keys = entries::<K>();
        keys.filter_map(|(key, _)| self.remove(&key)).sum()
    }

    fn refill(&mut self) {
        self.extend(entries());
    }
}

impl<K: From<u32> + Ord> Map for BTreeMap<K, u64> {
    fn full() -> Self {
        entries().collect()
    }

    fn remove_all(&mut self) -> u64 {
        let keys = entries::<K>();
        keys.filter_map(|(key, _)| self.remove(&key)).sum()
    }

    fn refill(&mut self) {
        self.extend(entries());
    }
}

/// Removing everything gives the sum of what was put in.
fn checked<M: Map>() -> Result<(), String> {
    equal("sum", M::full().remove_all(), ITEMS * (ITEMS - 1) / 2)
}

/// A count that is part of the problem, and a pause around what does not belong to it.
#[bench(types = [HashMap<u64, u64>, BTreeMap<u64, u64>], group = "remove")]
fn remove_paused<M: Map>(b: Bencher<'_>) -> Result<(), String> {
    checked::<M>()?;
    b.iter_controlled_fixed(ITEMS, |_, control| {
        control.pause();
        let mut map = M::full();
        control.resume();
        map.remove_all()
    });
    Ok(())
}

/// A map for every call, made before the clock starts; a call removes a thousand items.
#[bench(types = [HashMap<u64, u64>, BTreeMap<u64, u64>], group = "remove")]
fn remove_prepared<M: Map>(b: Bencher<'_>) -> Result<(), String> {
    checked::<M>()?;
    b.throughput(Items(ITEMS))
        .with_inputs(M::full)
        .iter_mut(|map| map.remove_all());
    Ok(())
}

/// One map, filled again before every call.
#[bench(types = [HashMap<u64, u64>, BTreeMap<u64, u64>], group = "remove")]
fn remove_restored<M: Map>(b: Bencher<'_>) -> Result<(), String> {
    checked::<M>()?;
    b.throughput(Items(ITEMS))
        .with_state(M::full)
        .reset(M::refill)
        .iter_mut(|map| map.remove_all());
    Ok(())
}
