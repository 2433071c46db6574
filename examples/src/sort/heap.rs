/// Heapsort (Williams, "Algorithm 232", 1964; the heap is built bottom-up as Floyd did): the largest
/// of a heap goes to the end, again and again.
pub fn heap<T: Ord>(items: &mut [T]) {
    for parent in (0..items.len() / 2).rev() {
        sift_down(items, parent);
    }
    for end in (1..items.len()).rev() {
        items.swap(0, end);
        sift_down(&mut items[..end], 0);
    }
}

/// Swaps the item at `parent` with its larger child until no child is larger.
fn sift_down<T: Ord>(heap: &mut [T], mut parent: usize) {
    loop {
        let mut child = 2 * parent + 1;
        if child >= heap.len() {
            return;
        }
        if child + 1 < heap.len() && heap[child] < heap[child + 1] {
            child += 1;
        }
        if heap[parent] >= heap[child] {
            return;
        }
        heap.swap(parent, child);
        parent = child;
    }
}
