//! The cases of one function, on their way to a visitor.

use std::mem::take;
use std::ops::ControlFlow;

use tourbillon_engine::Visitor;
use tourbillon_record::{Argument, Case};

use super::Entry;
use crate::bencher::Bencher;
use crate::text::{append, owned};

/// Whether to go on with the next case.
pub type Flow = ControlFlow<()>;

/// Takes the values of a function's axes and hands its cases on.
pub struct Cases<'a> {
    entry: &'static Entry,
    path: String,
    visitor: &'a mut dyn Visitor,
    labels: Vec<String>,
    empty: Option<&'static str>,
}

impl<'a> Cases<'a> {
    /// Offers all cases of `entry` to `visitor`; `Continue` holds the axis that has no values, if
    /// there is one.
    #[inline(never)]
    pub(super) fn of(
        entry: &'static Entry,
        visitor: &'a mut dyn Visitor,
    ) -> ControlFlow<(), Option<&'static str>> {
        let mut cases = Self {
            entry,
            path: entry.path(),
            visitor,
            labels: Vec::new(),
            empty: None,
        };
        (entry.cases)(&mut cases)?;
        ControlFlow::Continue(cases.empty)
    }

    /// All values of the axis with this index.
    // One copy for each type of values: inlined, it would be one for each axis of each function.
    #[inline(never)]
    pub fn values<I: IntoIterator>(&mut self, axis: usize, items: I) -> Vec<I::Item> {
        let values = Vec::from_iter(items);
        if values.is_empty() && self.empty.is_none() {
            self.empty = self.entry.axes.get(axis).copied();
        }
        values
    }

    /// The label of the next case's value on the next axis.
    pub fn label(&mut self, value: String) {
        self.labels.push(value);
    }

    /// Offers one case, with the labels that were given since the one before.
    pub fn offer(&mut self, run: &mut dyn FnMut(Bencher<'_>) -> Result<(), String>) -> Flow {
        let Some(case) = self.wanted() else {
            return Flow::Continue(());
        };
        let options = &self.entry.settings.options;
        self.visitor.case(&case, options, &mut |driver| {
            run(Bencher::new(driver).measured_in(options.metric))
        })
    }

    /// The case with the labels that were given, if it is wanted.
    #[inline(never)]
    fn wanted(&mut self) -> Option<Case> {
        let labels = take(&mut self.labels);
        let mut id = owned(&self.path);
        let mut before = "[";
        for (axis, value) in self.entry.axes.iter().zip(&labels) {
            append(&mut id, before);
            append(&mut id, axis);
            append(&mut id, "=");
            append(&mut id, value);
            before = ",";
        }
        if before == "," {
            append(&mut id, "]");
        }
        self.visitor.wants(&id).then(|| self.case(id, &labels))
    }

    fn case(&self, id: String, labels: &[String]) -> Case {
        let Entry {
            origin,
            settings,
            axes,
            ..
        } = self.entry;
        let mut case = Case {
            id,
            group: owned(settings.group.unwrap_or(origin.inner_module())),
            name: owned(settings.name.unwrap_or(origin.function)),
            reference: settings.reference.is_some(),
            ignored: settings.ignored.map(owned),
            at_most: settings.at_most.map(owned),
            file: owned(origin.file),
            line: origin.line,
            ..Case::default()
        };
        for (axis, value) in axes.iter().zip(labels) {
            case.arguments.push(Argument {
                axis: owned(axis),
                value: owned(value),
            });
        }
        for tag in settings.tags {
            case.tags.push(owned(tag));
        }
        case
    }
}

impl std::fmt::Debug for Cases<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cases")
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
