//! The format of a text.

use crate::exit::{Stop, print_data, print_page};

/// The format of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextOrJson {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

impl TextOrJson {
    /// Prints what is in this format.
    ///
    /// # Errors
    ///
    /// When stdout cannot be written.
    pub fn print(self, output: &str) -> Result<(), Stop> {
        match self {
            TextOrJson::Text => print_page(output),
            TextOrJson::Json => print_data(output),
        }
    }
}
