//! Values that the bench programs and the subcommand read: shards, the file of defaults, colour.

mod counters;
mod fnv1a;
mod partition;
mod screen;
mod settings_file;
mod shard_variables;
mod toml;

pub use counters::counters;
pub(crate) use fnv1a::fnv1a;
pub use partition::{Partition, PartitionMethod, ShardFilter};
pub use screen::{ColorChoice, is_colored, shows_unicode};
pub use settings_file::{Setting, SettingScope, SettingsFile};
pub use toml::{TomlEntry, TomlError, TomlValue, toml};
