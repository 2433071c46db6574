//! Values that users type, read in one way wherever they are typed: in the `bench` attribute, on the
//! command line of a bench program, on that of `cargo tourbillon`, and in `tourbillon.toml`.
//!
//! Every parser returns the value or a message that names what was typed and what to write instead.
//!
//! # Examples
//!
//! ```
//! assert_eq!(tourbillon_values::duration("1m 30s"), Ok(90_000_000_000));
//! assert_eq!(tourbillon_values::share("1 %"), Ok(0.01));
//! assert_eq!(tourbillon_values::seed("9f3c21"), Ok(0x9f_3c21));
//! ```

#![forbid(unsafe_code)]

mod assertion;
mod decimal;
mod editor;
pub mod inputs;
pub mod limits;
pub mod named_file;
mod number;
pub mod own_folder;
pub mod regular_file;
mod size;
mod word;

pub use assertion::{Assertion, assertion};
pub use decimal::is_decimal;
pub use editor::{editor_module, editor_path};
pub use number::{DURATION_FORM, count, duration, nanoseconds, processors, seed, share};
pub use size::size;
pub use word::{choice, choices, nearest, nearest_name};
