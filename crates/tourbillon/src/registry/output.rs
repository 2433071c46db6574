//! Whether what a benchmark or its body returned says that it failed.
//!
//! The choice by trait is that of the labels: `(&&&&Output(&value)).checked()` takes the first trait
//! whose bound holds.

use std::fmt::{Debug, Display};

/// What was returned.
#[derive(Clone, Copy, Debug)]
pub struct Output<'a, T>(pub &'a T);

/// A result whose error is shown by `Display`.
pub trait ErrorByDisplay {
    /// The error, if it is one.
    ///
    /// # Errors
    ///
    /// The text of the error that was returned.
    fn checked(&self) -> Result<(), String>;
}

/// A result whose error is shown by `Debug`.
pub trait ErrorByDebug {
    /// The error, if it is one.
    ///
    /// # Errors
    ///
    /// The text of the error that was returned.
    fn checked(&self) -> Result<(), String>;
}

/// A result whose error cannot be shown.
pub trait ErrorUnshown {
    /// That there was an error, if there was one.
    ///
    /// # Errors
    ///
    /// The type of the error that was returned.
    fn checked(&self) -> Result<(), String>;
}

/// Anything else.
pub trait NoError {
    /// Fine.
    ///
    /// # Errors
    ///
    /// None.
    fn checked(&self) -> Result<(), String>;
}

impl<T, E: Display> ErrorByDisplay for &&&Output<'_, Result<T, E>> {
    fn checked(&self) -> Result<(), String> {
        // The alternate form has the causes with it, where an error type has one.
        self.0
            .as_ref()
            .map(drop)
            .map_err(|error| format!("{error:#}"))
    }
}

impl<T, E: Debug> ErrorByDebug for &&Output<'_, Result<T, E>> {
    fn checked(&self) -> Result<(), String> {
        self.0
            .as_ref()
            .map(drop)
            .map_err(|error| format!("{error:?}"))
    }
}

impl<T, E> ErrorUnshown for &Output<'_, Result<T, E>> {
    fn checked(&self) -> Result<(), String> {
        self.0.as_ref().map(drop).map_err(|_| {
            format!(
                "an error of type {}, which cannot be shown",
                std::any::type_name::<E>()
            )
        })
    }
}

impl<T> NoError for Output<'_, T> {
    fn checked(&self) -> Result<(), String> {
        Ok(())
    }
}

/// What a benchmark with a `Bencher` may return: its body's output went to the `Bencher`.
#[diagnostic::on_unimplemented(
    message = "a benchmark with a `Bencher` returns nothing or a `Result<(), E>`, not `{Self}`",
    label = "returns `{Self}`",
    note = "what the body computes is returned by the closure that the `Bencher` gets"
)]
pub trait BenchmarkEnd {}

impl BenchmarkEnd for () {}

impl<E> BenchmarkEnd for Result<(), E> {}

/// What a benchmark with a `Bencher` returned.
pub fn ended<R: BenchmarkEnd>(returned: R) -> R {
    returned
}

#[cfg(test)]
#[expect(
    clippy::needless_borrow,
    reason = "generated code has them for whatever the type"
)]
mod tests {
    use super::{ErrorByDebug as _, ErrorByDisplay as _, ErrorUnshown as _, NoError as _, Output};

    #[derive(Debug)]
    struct Debugged;

    struct Mute;

    fn err<E>(error: E) -> Result<u8, E> {
        Err(error)
    }

    #[test]
    fn an_error_is_found_and_shown_as_well_as_it_can_be() {
        assert_eq!((&&&&Output(&err("text"))).checked(), Err("text".to_owned()));
        assert_eq!(
            (&&&&Output(&err(Debugged))).checked(),
            Err("Debugged".to_owned())
        );
        let mute = (&&&&Output(&err(Mute))).checked();
        assert!(mute.is_err_and(|text| text.contains("Mute, which cannot be shown")));
    }

    #[test]
    fn everything_else_is_fine() {
        assert_eq!((&&&&Output(&Ok::<u8, &str>(1))).checked(), Ok(()));
        assert_eq!((&&&&Output(&())).checked(), Ok(()));
        assert_eq!((&&&&Output(&None::<u8>)).checked(), Ok(()));
        assert_eq!((&&&&Output(&Mute)).checked(), Ok(()));
    }
}
