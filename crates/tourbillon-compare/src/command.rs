//! The command `compare`.

use tourbillon_builds::{Build, Cache};
use tourbillon_present::Format;
use tourbillon_present::kind::{ASSERTIONS, COMPARISON};
use tourbillon_tool::exit::{INTERRUPTED, Stop, print_document, print_json, print_page, say};
use tourbillon_tool::machine_lock::machine_lock;

use crate::judgement::Compared;
use crate::options::Options;
use crate::pairing::Comparison;
use crate::pairing::builds::{all_listed, check_unchanged, find_unchanged, paired};
use crate::pairing::files_read::UnreadFiles;
use crate::pairing::listing::Listed;
use crate::results::build_list;
use crate::results::document::{EXPLAIN, document, what_next};
use crate::results::json_lines::{json_lines, why_line};
use crate::results::rows::{rows, show_placements};
use crate::subjects::Subjects;
use crate::verify::verify;

/// What is compared, and how results are printed.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is compared.
    pub subjects: Subjects,
    /// Whether executables and placements are prepared and listed, and nothing is measured.
    pub only_built: bool,
    /// How results are printed.
    pub format: Format,
    /// How builds are made and compared.
    pub options: Options,
}

/// Compares, prints the result and stores it.
///
/// # Errors
///
/// What is wrong with the request or with this machine; the exit code where a case or the gate failed.
pub fn run(mut request: Request) -> Result<(), Stop> {
    if request.only_built && !matches!(request.format, Format::Text | Format::Jsonl) {
        let format = request.format.name();
        let what = format!("--format {format} is for verdicts, and --build-only has none");
        return Err(Stop::Usage(format!("{what}; use text or jsonl")));
    }
    request.options.complete()?;
    let (options, format) = (&request.options, request.format);
    let cache = Cache::locate(say)?;
    let subjects = &request.subjects;
    let builds = subjects.builds(&cache, options, request.only_built)?;
    let lists = all_listed(&builds, options)?;
    let mut comparisons = paired(&builds, &lists, options, subjects.cases()?)?;
    if request.only_built {
        for line in comparisons.iter().flat_map(Comparison::remarks) {
            say(&format!("{line}\n"));
        }
        let text = build_list::text(&builds, &comparisons, options, format);
        cache.prune();
        return match format {
            Format::Jsonl => print_json(text),
            _ => print_page(&text),
        };
    }
    let lock = machine_lock("cargo tourbillon compare", options.no_wait)?;
    let files = Build::hold_files(&builds, say)?;
    for comparison in &mut comparisons {
        find_unchanged(comparison, options, &UnreadFiles::default());
        if options.gate.is_some() {
            check_unchanged(comparison, options)?;
        }
    }
    let mut code = compare_all(&comparisons, options, format)?;
    if code != INTERRUPTED {
        code = code.max(verify_all(&builds, &lists, options, format)?);
    }
    drop((files, lock));
    cache.prune();
    match code {
        0 => Ok(()),
        code => Err(Stop::Code(code)),
    }
}

/// Measures each comparison and prints the result; gives the exit code.
fn compare_all(comparisons: &[Comparison], options: &Options, format: Format) -> Result<u8, Stop> {
    let mut worst = 0;
    let style = options.style();
    for comparison in comparisons {
        let compared = Compared::measure(comparison, options)?;
        let mut rows = rows(&compared, None);
        if options.shows_placement && !show_placements(&mut rows, &compared) {
            say("what placement does is not known: no case was measured in eight placements\n");
        }
        let mut document = document(&compared, &rows, &style, options.list_all, EXPLAIN);
        // The answer is the last line.
        let stored = compared.keep(options)?;
        let mut why = compared.explained(options.explain, &style);
        let lines = json_lines(&compared) + &why_line(&why);
        if options.explain.is_none() && !compared.interrupted() {
            why.extend(what_next(&rows, &style));
        }
        document.insert_before_notes(why);
        print_document(&document, format, &COMPARISON, &style, || lines)?;
        // An interrupt outranks a missing record, which outranks a failed case and the gate, as in the order of the
        // codes.
        worst = worst.max(compared.code()).max(stored);
        if compared.interrupted() {
            break;
        }
    }
    Ok(worst)
}

/// Verifies the assertions of all builds but the reference, until one is interrupted; gives the exit code.
fn verify_all(
    builds: &[Build],
    lists: &[Listed],
    options: &Options,
    format: Format,
) -> Result<u8, Stop> {
    let mut worst = 0;
    let style = options.style();
    for (build, list) in builds.iter().zip(lists).skip(1) {
        let asserted = verify(build, &list.cases, options)?;
        if !asserted.verdicts.is_empty() {
            let document = asserted.document(&style);
            let lines = || asserted.json_lines();
            print_document(&document, format, &ASSERTIONS, &style, lines)?;
        }
        worst = worst.max(asserted.code);
        if worst == INTERRUPTED {
            break;
        }
    }
    Ok(worst)
}
