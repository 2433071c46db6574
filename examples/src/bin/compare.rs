//! Two functions compared in one line.

fn main() {
    let words = ["one", "two", "three"];
    tourbillon::compare(("concat", || words.concat()), ("join", || words.join("")));
}
