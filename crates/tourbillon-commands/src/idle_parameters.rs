//! Parameters that are nowhere.

use crate::options::Options;

/// The parameters that no command, name or flag contains: their values change nothing.
pub(crate) fn unused_parameters(options: &Options) -> Vec<&str> {
    let scans = options.parameter_scan.iter().step_by(3);
    let lists = options.parameter_list.iter().step_by(2);
    let texts = [
        &options.commands,
        &options.command_name,
        &options.setup,
        &options.prepare,
        &options.conclude,
        &options.cleanup,
        &options.folder,
        &options.input,
        &options.output,
        &options.env,
    ];
    let is_used = |name: &&String| {
        let braced = format!("{{{name}}}");
        let others = options.reference.iter().chain(&options.reference_name);
        let mut all = texts.into_iter().flatten().chain(others);
        all.any(|text| text.contains(&braced))
    };
    let unused = scans.chain(lists).filter(|name| !is_used(name));
    unused.map(String::as_str).collect()
}
