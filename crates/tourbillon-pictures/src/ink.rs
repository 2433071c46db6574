//! Texts and inks of documents on a page.

use tourbillon_present::{Ink, escape};

use crate::text::printable;

/// Text without control characters.
pub(crate) fn shown(text: &str) -> String {
    printable(&escape(text, true)).into_owned()
}

/// The class of an ink.
pub(crate) fn class(ink: Ink) -> &'static str {
    match ink {
        Ink::Plain => "",
        Ink::Heading => "strong",
        Ink::Dim => "quiet",
        Ink::Good => "good",
        Ink::Note => "open",
        Ink::Failure => "bad",
    }
}
