//! Numbers as text.

pub fn joined(numbers: &[u32], text: &mut String) {
    text.clear();
    let mut buffer = itoa::Buffer::new();
    for number in numbers {
        text.push_str(buffer.format(*number));
        text.push(',');
    }
}
