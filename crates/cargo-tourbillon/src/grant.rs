//! `history grant` and `queue grant`: the SQL that gives a role rights.

use clap::{Args, ValueEnum};
use tourbillon_index::Rights;

use crate::exit::{Stop, print_data};

/// Which of the rights `R` a role gets.
#[derive(Debug, Args)]
pub(crate) struct Arguments<R: Named> {
    #[arg(value_name = "RIGHTS", help = names::<R>())]
    rights: R,
    /// The role, which exists
    #[arg(value_name = "ROLE")]
    role: String,
}

/// Rights by the names that a command line has for them.
pub(crate) trait Named: ValueEnum + Into<Rights> + Copy + Send + Sync + 'static {}

impl<R: ValueEnum + Into<Rights> + Copy + Send + Sync + 'static> Named for R {}

pub(crate) fn run<R: Named>(arguments: &Arguments<R>) -> Result<(), Stop> {
    let rights: Rights = arguments.rights.into();
    print_data(&rights.grant(&arguments.role))
}

/// The names of all rights.
fn names<R: Named>() -> String {
    let values = R::value_variants().iter();
    let values = values.filter_map(ValueEnum::to_possible_value);
    let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
    names.join(" or ")
}

/// Rights on an index.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OfIndex {
    Read,
    Append,
}

/// Rights on a queue.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OfQueue {
    Request,
    Work,
}

impl From<OfIndex> for Rights {
    fn from(named: OfIndex) -> Rights {
        match named {
            OfIndex::Read => Rights::Read,
            OfIndex::Append => Rights::Append,
        }
    }
}

impl From<OfQueue> for Rights {
    fn from(named: OfQueue) -> Rights {
        match named {
            OfQueue::Request => Rights::Request,
            OfQueue::Work => Rights::Work,
        }
    }
}
