/// Selection sort: the smallest of what is left goes to the front. Comparisons grow with the
/// square of the length.
pub fn selection<T: Ord>(items: &mut [T]) {
    for start in 0..items.len() {
        let mut smallest = start;
        for candidate in start + 1..items.len() {
            if items[candidate] < items[smallest] {
                smallest = candidate;
            }
        }
        items.swap(start, smallest);
    }
}
