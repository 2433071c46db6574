//! Checks of what a body computes, made once before it is measured.

use std::fmt::Debug;

/// Largest relative difference between a known value and what the functions of a platform's
/// mathematical library make of it: a thousand times the spacing of `f64`.
const TOLERANCE: f64 = 1_000.0 * f64::EPSILON;

/// Whether `found` is the known value `expected`, except for rounding.
///
/// # Errors
///
/// Says both values when it is not.
pub fn close(found: f64, expected: f64) -> Result<(), String> {
    // Written so that a NaN is an error, too.
    if (found - expected).abs() <= TOLERANCE * expected.abs() {
        Ok(())
    } else {
        Err(format!(
            "wrong result: {found:?} where {expected:?} is right"
        ))
    }
}

/// Whether `found` is `expected`.
///
/// # Errors
///
/// Both values, and what they are, when it is not.
pub fn equal<T: PartialEq + Debug>(what: &str, found: T, expected: T) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!(
            "wrong {what}: {found:?} where {expected:?} is right"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{close, equal};

    #[test]
    fn rounding_is_close() {
        assert_eq!(close(1.0 + f64::EPSILON, 1.0), Ok(()));
        assert_eq!(close(-2.0, -2.0), Ok(()));
    }

    #[test]
    fn anything_else_is_an_error_that_names_both() {
        let message = close(1.5, 1.0).expect_err("half as much again");
        assert_eq!(message, "wrong result: 1.5 where 1.0 is right");
        assert!(close(f64::NAN, 1.0).is_err());
        assert!(close(1.0, f64::NAN).is_err());
        assert!(close(f64::INFINITY, 1.0).is_err());
    }

    #[test]
    fn equality_names_what_differs() {
        assert_eq!(equal("count", 3, 3), Ok(()));
        let message = equal("count", 2, 3).expect_err("one is missing");
        assert_eq!(message, "wrong count: 2 where 3 is right");
    }
}
