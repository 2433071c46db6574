/// Quicksort with the middle item as its pivot (Hoare, "Quicksort", 1962).
///
/// The shorter part is sorted by recursion and the longer one by the loop, so the stack holds at
/// most one frame for each doubling of the length.
pub fn quick<T: Ord>(mut items: &mut [T]) {
    while items.len() > 1 {
        let pivot = partition(items);
        let (left, rest) = items.split_at_mut(pivot);
        let right = &mut rest[1..];
        let (shorter, longer) = if left.len() < right.len() {
            (left, right)
        } else {
            (right, left)
        };
        quick(shorter);
        items = longer;
    }
}

/// Moves what is not above the pivot to its left and what is not below to its right, and returns
/// where the pivot is then. Items equal to the pivot are swapped as well: it keeps the parts even
/// when many are equal.
fn partition<T: Ord>(items: &mut [T]) -> usize {
    items.swap(0, items.len() / 2);
    let (pivot, rest) = items.split_at_mut(1);
    let (mut low, mut high) = (0, rest.len());
    loop {
        while low < high && rest[low] < pivot[0] {
            low += 1;
        }
        while low < high && rest[high - 1] > pivot[0] {
            high -= 1;
        }
        if low >= high {
            break;
        }
        high -= 1;
        rest.swap(low, high);
        low += 1;
    }
    items.swap(0, low);
    low
}
