//! Texts as values.

use std::net::Ipv4Addr;

use tourbillon::{bench, hide};

use crate::plain;

#[bench]
fn whole() -> Option<u64> {
    hide("1234567").parse().ok()
}

#[bench]
fn negative() -> Option<i32> {
    hide("-2026").parse().ok()
}

#[bench]
fn float() -> Option<f64> {
    plain::float(hide("1234.5678"))
}

/// More digits than a double has.
#[bench]
fn long_float() -> Option<f64> {
    plain::float(hide("0.30000000000000004440892098500626"))
}

#[bench]
fn address() -> Option<Ipv4Addr> {
    hide("192.168.17.254").parse().ok()
}

/// The numbers of `[1, -2, 3]`, with blanks anywhere; `None` where it is no such list.
fn list(text: &str) -> Option<Vec<i64>> {
    let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut numbers = Vec::new();
    let mut number: Option<i64> = None;
    let mut negative = false;
    for byte in inside.bytes().chain([b',']) {
        match byte {
            b'0'..=b'9' => {
                let digit = i64::from(byte - b'0');
                number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(digit)?);
            }
            b'-' if number.is_none() && !negative => negative = true,
            b',' => {
                let number = number.take()?;
                numbers.push(if negative { -number } else { number });
                negative = false;
            }
            b' ' => {}
            _ => return None,
        }
    }
    Some(numbers)
}

#[bench]
fn number_list() -> Option<Vec<i64>> {
    list(hide("[3, 14, -15, 92, 653, 5, -89, 79, 32384]"))
}
