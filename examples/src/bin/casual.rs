//! One thing timed in one line, in a program like any other.

fn main() {
    let name = tourbillon::hide("world");
    tourbillon::time("concat", || "hello ".to_owned() + name);
}
