use crate::json::push;

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
    /// The fastest growth with its size that the benchmark may have, such as `n log n`.
    pub at_most: Option<String>,
    /// Source file.
    pub file: String,
    /// Line in it, from 1.
    pub line: u32,
    /// Fields of newer writers, kept as they came: members of a JSON object with commas between them.
    pub unknown: String,
}

// By hand: a derived one is built again in every crate that clones a case.
impl Clone for Case {
    fn clone(&self) -> Case {
        let mut copy = Case {
            id: String::new(),
            group: String::new(),
            name: String::new(),
            arguments: Vec::new(),
            reference: self.reference,
            tags: Vec::new(),
            ignored: None,
            at_most: None,
            file: String::new(),
            line: self.line,
            unknown: String::new(),
        };
        copy.fill(self);
        copy
    }
}

impl Case {
    /// Copies what owns memory into its place: see the codec's `Fields`.
    #[inline(never)]
    fn fill(&mut self, other: &Case) {
        push(&mut self.id, &other.id);
        push(&mut self.group, &other.group);
        push(&mut self.name, &other.name);
        for argument in &other.arguments {
            self.arguments.push(argument.clone());
        }
        for tag in &other.tags {
            self.tags.push(tag.clone());
        }
        if let Some(why) = &other.ignored {
            self.ignored = Some(why.clone());
        }
        self.at_most = other.at_most.clone();
        push(&mut self.file, &other.file);
        push(&mut self.unknown, &other.unknown);
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
