//! The command `attempt`: compares the working tree with what was kept so far, and keeps a ledger of all attempts.

mod answer;
mod campaign;
mod ledger;
mod page;
mod spending;
mod trial;

use std::env;
use std::path::Path;

use tourbillon_builds::{Cache, Maker, Subject, why_no_checkout};
use tourbillon_clock::Stopwatch;
use tourbillon_present::kind::ATTEMPT;
use tourbillon_present::{Document, Format};
use tourbillon_tool::exit::{Stop, print_document, say};

pub use self::answer::Answer;
pub use self::spending::{CAMPAIGN_ERROR, error_of, spent_by};

use self::campaign::Campaign;
use self::ledger::Ledger;
use self::trial::Trial;
use crate::options::Options;

/// What is tried, and how the answer is printed.
#[derive(Clone, Debug)]
pub struct AttemptRequest {
    /// The first reference of a campaign; `None`: `HEAD`.
    pub reference: Option<String>,
    /// Whether a campaign begins.
    pub begins: bool,
    /// Whether the ledger is shown, and nothing is tried.
    pub shows_log: bool,
    /// How the answer is printed.
    pub format: Format,
    /// How builds are made and compared. Gates and the confidence do not count.
    pub options: Options,
}

/// Compares the working tree with the reference of a campaign, prints the answer, and adds it to the ledger.
///
/// # Errors
///
/// What is wrong with the request or with this machine; the exit code of every answer but *keep*.
pub fn attempt(request: AttemptRequest) -> Result<(), Stop> {
    let stopwatch = Stopwatch::start();
    let mut options = request.options;
    options.complete()?;
    let options = Options {
        gate: None,
        direction: true,
        refuse_empty_bodies: true,
        ..options
    };
    let style = options.style();
    let print = |document: &Document| {
        print_document(document, request.format, &ATTEMPT, &style, String::new)
    };
    let cache = Cache::locate(say)?;
    let selection = options.selection.clone();
    let maker = Maker::new(cache.clone(), selection, options.has_placements())?;
    let Some((root, _)) = maker.checkout() else {
        return Err(no_checkout());
    };
    let checkout = root.to_string_lossy();
    let store = options.store.locate()?.store;
    // A new campaign needs no older one, which may not be readable.
    let known = if request.begins && !request.shows_log {
        None
    } else {
        Ledger::newest(store.path(), &checkout)?
    };
    if request.shows_log {
        let Some((ledger, campaign)) = known else {
            let what = "this checkout has no campaign; `cargo tourbillon attempt` begins one";
            return Err(Stop::Usage(what.to_owned()));
        };
        return print(&page::log(ledger.number, &campaign));
    }
    let named = request.reference.as_deref();
    let begins = known.is_none();
    let (ledger, campaign) = match known {
        Some((ledger, campaign)) => {
            if let Some(named) = named {
                check_reference(&maker, named, (ledger.number, &campaign))?;
            }
            if maker.commit(&campaign.reference).is_none() {
                let (number, gone) = (ledger.number, page::short(&campaign.reference));
                return Err(Stop::Usage(format!(
                    "campaign {number} compares with {gone}, which is no commit of this repository any more; begin another \
                     campaign with --new"
                )));
            }
            (ledger, campaign)
        }
        None => begun(&maker, named.unwrap_or("HEAD"), &checkout, store.path())?,
    };
    let trial = Trial {
        maker: &maker,
        root,
        ledger: &ledger,
        options,
        stopwatch,
    };
    let tried = trial.run(&campaign)?;
    cache.prune();
    let Some((attempt, document)) = tried else {
        if begins {
            return print(&page::begun(ledger.number, &campaign));
        }
        let what = "nothing differs from the reference; change something, and try again";
        return Err(Stop::Usage(what.to_owned()));
    };
    let campaign = ledger.campaign()?;
    let of = (ledger.number, &campaign);
    print(&page::answer(of, &attempt, document, request.format))?;
    match attempt.answer.map_or(0, Answer::code) {
        0 => Ok(()),
        code => Err(Stop::Code(code)),
    }
}

fn no_checkout() -> Stop {
    let folder = env::current_dir().unwrap_or_default();
    why_no_checkout(&folder).map_or_else(
        || {
            let what = "is in no git repository, and what is kept of attempts is a commit";
            Stop::Usage(format!("{folder:?} {what}"))
        },
        Stop::from,
    )
}

/// Begins a campaign.
fn begun(
    maker: &Maker,
    named: &str,
    checkout: &str,
    store: &Path,
) -> Result<(Ledger, Campaign), Stop> {
    let commit = commit(maker, named)?;
    let line = Campaign::first_line(checkout, named, &commit);
    let ledger = Ledger::begin(store, &line)?;
    let campaign = ledger.campaign()?;
    Ok((ledger, campaign))
}

fn commit(maker: &Maker, named: &str) -> Result<String, Stop> {
    maker.check(&Subject::Revision(named.to_owned()))?;
    let unknown = || Stop::Usage(format!("git knows no revision {named:?}"));
    maker.commit(named).ok_or_else(unknown)
}

/// Whether a revision is what a campaign began with, or what it compares with now.
fn check_reference(
    maker: &Maker,
    named: &str,
    (number, campaign): (u32, &Campaign),
) -> Result<(), Stop> {
    let commit = commit(maker, named)?;
    if [&campaign.begin.reference, &campaign.reference].contains(&&commit) {
        return Ok(());
    }
    let reference = page::short(&campaign.reference);
    Err(Stop::Usage(format!(
        "campaign {number} compares with {reference}, and {named} is another commit; leave it out, or begin \
         another campaign with --new"
    )))
}
