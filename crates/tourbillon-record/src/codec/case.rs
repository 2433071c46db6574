use super::{Fields, Writer};
use crate::{Argument, Case, Error};

pub(super) fn write(case: &Case) -> String {
    let mut writer = Writer::line("case");
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
    writer.finish(&case.unknown)
}

pub(super) fn read(mut fields: Fields<'_, '_>) -> Result<Case, Error> {
    Ok(Case {
        id: fields.text("id")?,
        group: fields.text("group")?,
        name: fields.text("name")?,
        arguments: read_arguments(&mut fields)?,
        reference: fields.flag("reference")?,
        tags: fields.texts("tags")?,
        ignored: fields.text_or_none("ignored")?,
        file: fields.text("file")?,
        line: fields.whole_as("line")?,
        unknown: fields.rest()?,
    })
}

fn read_arguments(fields: &mut Fields<'_, '_>) -> Result<Vec<Argument>, Error> {
    let mut arguments = Vec::new();
    for item in fields.required("arguments")?.list()? {
        let mut argument = Fields::of(item)?;
        arguments.push(Argument {
            axis: argument.text("axis")?,
            value: argument.text("value")?,
        });
    }
    Ok(arguments)
}
