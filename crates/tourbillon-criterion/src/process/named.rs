//! Names of benchmarks.

use tourbillon_record::{Argument, Case};

/// The axis of the parameter in a record.
const AXIS: &str = "parameter";

/// The parts of an id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Named {
    /// The group, or the name of a benchmark outside of groups.
    pub(crate) group: String,
    /// The function in it.
    pub(crate) function: Option<String>,
    /// The parameter.
    pub(crate) parameter: Option<String>,
}

impl Named {
    /// Criterion's id: the parts with slashes between them.
    pub(crate) fn id(&self) -> String {
        let parts = [
            Some(&self.group),
            self.function.as_ref(),
            self.parameter.as_ref(),
        ];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        parts.join("/")
    }

    /// The benchmark in a record, under an id that may have a number at its end, at a line of a file.
    pub(crate) fn case(&self, id: &str, file: &str, line: u32) -> Case {
        let base = self.id();
        let number = id.strip_prefix(&base).unwrap_or_default();
        let name = self.function.as_ref().unwrap_or(&self.group);
        let is_alone = self.function.is_none() && self.parameter.is_none();
        let parameter = self.parameter.iter().map(|value| Argument {
            axis: AXIS.to_owned(),
            value: value.clone(),
        });
        Case {
            id: id.to_owned(),
            group: if is_alone {
                String::new()
            } else {
                self.group.clone()
            },
            name: format!("{name}{number}"),
            arguments: parameter.collect(),
            file: file.to_owned(),
            line,
            ..Case::default()
        }
    }
}

/// The id of the `nth` benchmark with a name.
pub(super) fn numbered(base: &str, nth: u32) -> String {
    if nth > 1 {
        format!("{base} #{nth}")
    } else {
        base.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_criterion() {
        for (group, function, parameter, id) in [
            ("a/b", None, None, "a/b"),
            ("g", Some("f"), None, "g/f"),
            ("g", Some("f"), Some("10"), "g/f/10"),
            ("g", None, Some("10"), "g/10"),
            ("g", Some("f"), Some(""), "g/f/"),
        ] {
            let named = Named {
                group: group.to_owned(),
                function: function.map(str::to_owned),
                parameter: parameter.map(str::to_owned),
            };
            assert_eq!(named.id(), id);
            let case = named.case(&format!("{id} #2"), "x.rs", 7);
            assert_eq!(case.id, format!("{id} #2"));
            assert!(case.name.ends_with(" #2"), "{case:?}");
            assert_eq!(case.arguments.len(), usize::from(parameter.is_some()));
        }
    }
}
