//! Names of benchmarks in an editor.

/// Prefix of the module that the attribute adds to a benchmark for an editor.
const MODULE: &str = "__tourbillon_";

/// The name of the module that stands for a benchmark in an editor.
pub fn editor_module(function: &str) -> String {
    format!("{MODULE}{function}")
}

/// The path of a benchmark in its target, given the path that an editor has for it; `None` for other paths.
///
/// # Examples
///
/// ```
/// use tourbillon_values::editor_path;
/// let path = editor_path("words::__tourbillon_count::count");
/// assert_eq!(path.as_deref(), Some("words::count"));
/// ```
pub fn editor_path(typed: &str) -> Option<String> {
    let (module, function) = typed.rsplit_once("::")?;
    let (above, module) = match module.rsplit_once("::") {
        Some((above, module)) => (Some(above), module),
        None => (None, module),
    };
    let is_it = module.strip_prefix(MODULE) == Some(function);
    is_it.then(|| match above {
        Some(above) => format!("{above}::{function}"),
        None => function.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_an_editor_is_that_of_its_benchmark() {
        for (module, function) in [("", "sort"), ("a::", "sort"), ("a::b::", "__tourbillon_c")] {
            let typed = format!("{module}{}::{function}", editor_module(function));
            assert_eq!(editor_path(&typed), Some(format!("{module}{function}")));
        }
        for other in [
            "sort",
            "a::sort",
            "__tourbillon_sort",
            "__tourbillon_sort::heap",
            "__tourbillon_sort::sort::heap",
            "p/t::sort[x=__tourbillon_a::a]",
        ] {
            assert_eq!(editor_path(other), None, "{other}");
        }
    }
}
