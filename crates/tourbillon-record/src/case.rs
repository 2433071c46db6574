/// A benchmark with one set of arguments.
#[derive(Debug, Default, PartialEq)]
pub struct Case {
    /// Identity: `package/target::module::function[axis=value,..]`; compared as a string.
    pub id: String,
    /// Heading under which the case is shown: the group, else the module path below the target;
    /// empty for neither.
    pub group: String,
    /// Name below the heading, without arguments: the function's name or the one it was given.
    pub name: String,
    /// Arguments in the order of the axes.
    pub arguments: Vec<Argument>,
    /// Whether the others of the group are compared with this one.
    pub reference: bool,
    /// Tags, for selection.
    pub tags: Vec<String>,
    /// Why the case is ignored unless asked for; `None` when it is not.
    pub ignored: Option<String>,
    /// Source file.
    pub file: String,
    /// Line in it, from 1.
    pub line: u32,
    /// Fields of newer writers, kept as they came: name and JSON text.
    pub unknown: Vec<(String, String)>,
}

// By hand: a derived one is built again in every crate that clones a case.
impl Clone for Case {
    fn clone(&self) -> Case {
        Case {
            id: self.id.clone(),
            group: self.group.clone(),
            name: self.name.clone(),
            arguments: self.arguments.clone(),
            reference: self.reference,
            tags: self.tags.clone(),
            ignored: self.ignored.clone(),
            file: self.file.clone(),
            line: self.line,
            unknown: self.unknown.clone(),
        }
    }
}

/// The value of a case on one axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Argument {
    /// Name of the axis: that of the function's parameter.
    pub axis: String,
    /// The value as shown.
    pub value: String,
}
