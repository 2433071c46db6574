//! Names of benchmarks.

use tourbillon_record::{Argument, Case, object};

/// The axis of the parameter in a record.
const AXIS: &str = "parameter";

/// The parts of a benchmark's id in criterion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BenchmarkName {
    /// The group, or the name of a benchmark outside of groups.
    pub group: String,
    /// The function in it.
    pub function: Option<String>,
    /// The parameter.
    pub parameter: Option<String>,
}

object! {
    BenchmarkName { group, function, parameter }
}

impl BenchmarkName {
    /// Criterion's id: the parts with slashes between them.
    pub fn id(&self) -> String {
        let parts = [
            Some(&self.group),
            self.function.as_ref(),
            self.parameter.as_ref(),
        ];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        parts.join("/")
    }

    /// The parts of the id of a case: those that the suite gave it, or, of a case of the attribute, path, function
    /// and values.
    pub fn of(case: &Case) -> BenchmarkName {
        let values: Vec<&str> = case.arguments.iter().map(|one| &*one.value).collect();
        let parameter = (!values.is_empty()).then(|| values.join("/"));
        let (id, number) = without_number(&case.id);
        let name = case.name.strip_suffix(number).unwrap_or(&case.name);
        let group = match case.group.as_str() {
            "" => name,
            group => group,
        };
        for function in [None, Some(name)] {
            let named = BenchmarkName {
                group: group.to_owned(),
                function: function.map(str::to_owned),
                parameter: parameter.clone(),
            };
            if named.id() == id {
                return named;
            }
        }
        // Arguments in brackets may contain `::`.
        let end = case.id.find('[').unwrap_or(case.id.len());
        let path = case.id[..end].rsplit_once("::");
        let (group, function) = path.unzip();
        BenchmarkName {
            group: group.unwrap_or(&case.id[..end]).to_owned(),
            function: function.map(str::to_owned),
            parameter,
        }
    }

    /// The benchmark in a record, under an id that may have a number at its end, at a line of a file.
    pub fn case(&self, id: &str, file: &str, line: u32) -> Case {
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

/// An id, and the number of a repeated name at its end with the blank before it.
fn without_number(id: &str) -> (&str, &str) {
    let number = id.rfind(" #").filter(|at| {
        let digits = &id[at + 2..];
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    id.split_at(number.unwrap_or(id.len()))
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
            let named = BenchmarkName {
                group: group.to_owned(),
                function: function.map(str::to_owned),
                parameter: parameter.map(str::to_owned),
            };
            assert_eq!(named.id(), id);
            let case = named.case(&format!("{id} #2"), "x.rs", 7);
            assert_eq!(case.id, format!("{id} #2"));
            assert!(case.name.ends_with(" #2"), "{case:?}");
            assert_eq!(case.arguments.len(), usize::from(parameter.is_some()));
            assert_eq!(BenchmarkName::of(&case), named);
            assert_eq!(BenchmarkName::of(&named.case(id, "x.rs", 7)), named);
        }
    }
    #[test]
    fn a_case_of_the_attribute_has_path_function_and_values() {
        let argument = |axis: &str, value: &str| Argument {
            axis: axis.to_owned(),
            value: value.to_owned(),
        };
        for (id, arguments, group, function, parameter) in [
            ("p/t::sort", vec![], "p/t", "sort", None),
            (
                "p/t::a::heap[n=1::2,kind=up]",
                vec![argument("n", "1::2"), argument("kind", "up")],
                "p/t::a",
                "heap",
                Some("1::2/up"),
            ),
        ] {
            let case = Case {
                id: id.to_owned(),
                group: "sorting".to_owned(),
                name: "of words".to_owned(),
                arguments,
                ..Case::default()
            };
            let expected = BenchmarkName {
                group: group.to_owned(),
                function: Some(function.to_owned()),
                parameter: parameter.map(str::to_owned),
            };
            assert_eq!(BenchmarkName::of(&case), expected);
        }
        assert_eq!(
            BenchmarkName::of(&Case::default()),
            BenchmarkName::default()
        );
    }
}
