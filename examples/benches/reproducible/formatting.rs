//! Values as text.

use tourbillon::{bench, hide};

use crate::plain;

#[bench]
fn three_decimals() -> String {
    plain::three_decimals(hide(1_234.567_8))
}

#[bench]
fn whole() -> String {
    hide(1_234_567_u64).to_string()
}

#[bench]
fn columns() -> String {
    format!("{:<12}|{:>8}", hide("name"), hide(42))
}

#[bench]
fn debug() -> String {
    format!("{:?}", hide((7_u8, Some("text"), [1.5, 2.0])))
}

#[bench]
fn hexadecimal() -> String {
    format!("{:#010x}", hide(48_879_u32))
}
