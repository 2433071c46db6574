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
    if let Some(limit) = &case.at_most {
        writer.text("at_most", limit);
    }
    writer.text("file", &case.file);
    writer.whole("line", case.line.into());
}

pub(super) use reading::read;

/// The other direction, for whole runs.
mod reading {
    use crate::codec::Fields;
    use crate::{Argument, Case};

    #[inline(never)]
    pub(crate) fn read(fields: &mut Fields<'_, '_>) -> Case {
        let mut case = Case::default();
        fields.text("id", &mut case.id);
        fields.text("group", &mut case.group);
        fields.text("name", &mut case.name);
        for item in fields.list("arguments") {
            fields.enter_item("arguments", item);
            let mut argument = Argument::default();
            fields.text("axis", &mut argument.axis);
            fields.text("value", &mut argument.value);
            case.arguments.push(argument);
            fields.leave();
        }
        case.reference = fields.flag("reference");
        fields.texts("tags", &mut case.tags);
        fields.text_or_none("ignored", &mut case.ignored);
        fields.text_or_none("at_most", &mut case.at_most);
        fields.text("file", &mut case.file);
        case.line = fields.whole_as("line");
        fields.rest(&mut case.unknown);
        case
    }
}
