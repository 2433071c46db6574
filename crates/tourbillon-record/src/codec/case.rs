use super::start;
use crate::Case;
use crate::json::Writer;

#[inline(never)]
pub(super) fn write(writer: &mut Writer, case: &Case) {
    start(writer, "case");
    writer.text("id", &case.id);
    writer.text("group", &case.group);
    writer.text("name", &case.name);
    writer.open_list("arguments");
    for argument in &case.arguments {
        writer.open_item();
        writer.text("axis", &argument.axis);
        writer.text("value", &argument.value);
        writer.close();
    }
    writer.close_list();
    writer.flag("reference", case.reference);
    writer.texts("tags", &case.tags);
    writer.text_or_null("ignored", case.ignored.as_deref());
    writer.text("file", &case.file);
    writer.whole("line", case.line.into());
}

#[cfg(feature = "whole")]
pub(super) use reading::read;

/// The other direction, for whole runs.
#[cfg(feature = "whole")]
mod reading {
    use crate::codec::Fields;
    use crate::{Argument, Case};

    #[inline(never)]
    pub(crate) fn read(fields: &mut Fields<'_, '_>) -> Case {
        Case {
            id: fields.text("id"),
            group: fields.text("group"),
            name: fields.text("name"),
            arguments: read_arguments(fields),
            reference: fields.flag("reference"),
            tags: fields.texts("tags"),
            ignored: fields.text_or_none("ignored"),
            file: fields.text("file"),
            line: fields.whole_as("line"),
            unknown: fields.rest(),
        }
    }

    fn read_arguments(fields: &mut Fields<'_, '_>) -> Vec<Argument> {
        let mut arguments = Vec::new();
        for item in fields.list("arguments") {
            let mut argument = fields.inside("arguments", item);
            arguments.push(Argument {
                axis: argument.text("axis"),
                value: argument.text("value"),
            });
        }
        arguments
    }
}
