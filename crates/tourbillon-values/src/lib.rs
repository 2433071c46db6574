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
mod foreign;
pub mod inputs;
pub mod limits;
pub mod named_file;
mod number;
mod partition;
pub mod regular_file;
mod screen;
mod settings_file;
mod shard_variables;
mod toml;
mod word;

pub use assertion::{Assertion, assertion};
pub use editor::{editor_module, editor_path};
pub use foreign::foreign_flag;
pub use number::{DURATION_FORM, count, duration, nanoseconds, processors, seed, share};
pub use partition::{Partition, PartitionMethod, ShardFilter};
pub use screen::{ColorChoice, is_colored, shows_unicode};
pub use settings_file::{Scope, Setting, SettingsFile};
pub use toml::{TomlEntry, TomlError, TomlValue, toml};
pub use word::{choice, choices, nearest, nearest_name};
