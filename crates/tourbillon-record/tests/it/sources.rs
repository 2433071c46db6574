//! What the sources of this crate state about a record: structs, their members in JSON, words, and types of lines.

use std::collections::{BTreeMap, HashMap};

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Fields, Ident, Item, Lit, LitStr, Token, Type};

#[derive(Default)]
pub(crate) struct Sources {
    pub(crate) structs: HashMap<String, Struct>,
    /// What `object!` lists.
    pub(crate) members: HashMap<String, Vec<Member>>,
    /// The value in structs around one.
    pub(crate) around: HashMap<String, Type>,
    /// Enumerations whose values are words.
    pub(crate) words: BTreeMap<String, Vec<Word>>,
    /// Types of lines.
    pub(crate) lines: Vec<Word>,
}

pub(crate) struct Struct {
    pub(crate) docs: String,
    pub(crate) fields: Vec<Field>,
}

/// A field of a struct, or a member that a word has beside it.
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) docs: String,
}

/// A member in the list of `object!`: a field, or a field of that, and its name in JSON.
pub(crate) struct Member {
    pub(crate) field: String,
    pub(crate) inner: Option<String>,
    pub(crate) name: String,
}

/// A value of an enumeration.
pub(crate) struct Word {
    pub(crate) variant: String,
    pub(crate) word: String,
    pub(crate) unit: Option<String>,
    pub(crate) docs: String,
    pub(crate) fields: Vec<Field>,
    /// Of a type of lines.
    pub(crate) payload: Option<Type>,
}

impl Sources {
    pub(crate) fn read() -> Sources {
        let mut sources = Sources::default();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src");
        for file in std::fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            if path.is_file() {
                let text = std::fs::read_to_string(&path).unwrap();
                for item in syn::parse_file(&text).unwrap().items {
                    match item {
                        Item::Struct(item) => sources.add_struct(item),
                        Item::Macro(item) => sources.add_call(&item.mac),
                        _ => {}
                    }
                }
            }
        }
        sources
    }

    fn add_struct(&mut self, item: syn::ItemStruct) {
        let name = item.ident.to_string();
        if let Fields::Unnamed(fields) = item.fields {
            let inside = fields.unnamed.into_iter().map(|field| field.ty);
            self.around.extend(inside.map(|ty| (name.clone(), ty)));
        } else {
            let (docs, fields) = (docs(&item.attrs), named(item.fields));
            self.structs.insert(name, Struct { docs, fields });
        }
    }

    fn add_call(&mut self, call: &syn::Macro) {
        let kind = call.path.get_ident().map(ToString::to_string);
        match kind.as_deref() {
            Some("object") => self.members.extend([call.parse_body_with(object).unwrap()]),
            Some("words" | "metrics" | "kinds" | "notes") => {
                self.words.extend([call.parse_body_with(words).unwrap()]);
            }
            Some("lines") => self.lines = call.parse_body_with(entries).unwrap(),
            _ => {}
        }
    }
}

/// The lines of a doc comment.
fn docs(attributes: &[Attribute]) -> String {
    let line = |attribute: &Attribute| {
        let doc = attribute.meta.require_name_value().ok()?;
        let text = text(&doc.value).filter(|_| doc.path.is_ident("doc"))?;
        Some(text.strip_prefix(' ').unwrap_or(&text).to_owned())
    };
    Vec::from_iter(attributes.iter().filter_map(line)).join("\n")
}

fn text(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    }
}

fn named(fields: Fields) -> Vec<Field> {
    let field = |field: syn::Field| {
        Some(Field {
            name: field.ident?.to_string(),
            ty: field.ty,
            docs: docs(&field.attrs),
        })
    };
    fields.into_iter().filter_map(field).collect()
}

/// The name of a type without those around it: of `Option<Box<Calls>>` it is `Calls`.
pub(crate) fn innermost(ty: &Type) -> String {
    let (name, inner) = parts(ty);
    match (&*name, inner) {
        ("Option" | "Box" | "Vec" | "Result", Some(inner)) => innermost(inner),
        _ => name,
    }
}

/// The name of a type, and the first type that it is applied to.
pub(crate) fn parts(ty: &Type) -> (String, Option<&Type>) {
    let Type::Path(path) = ty else {
        panic!("a type without a path")
    };
    let last = path.path.segments.last().unwrap();
    let inner = match &last.arguments {
        syn::PathArguments::AngleBracketed(all) => all.args.first().and_then(|one| match one {
            syn::GenericArgument::Type(ty) => Some(ty),
            _ => None,
        }),
        _ => None,
    };
    (last.ident.to_string(), inner)
}

fn entries<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let entries = Punctuated::<T, Token![,]>::parse_terminated(input)?;
    Ok(entries.into_iter().collect())
}

/// `Type { field, outer.inner, field as "name" }`, then columns and checks.
fn object(input: ParseStream<'_>) -> syn::Result<(String, Vec<Member>)> {
    let name = input.parse::<Ident>()?.to_string();
    let content;
    syn::braced!(content in input);
    input.parse::<proc_macro2::TokenStream>()?;
    Ok((name, entries(&content)?))
}

/// `pub enum Type: "what is wanted" { Word = "word", }`; only `words!` states what is wanted.
fn words(input: ParseStream<'_>) -> syn::Result<(String, Vec<Word>)> {
    input.call(Attribute::parse_outer)?;
    input.parse::<Token![pub]>()?;
    input.parse::<Token![enum]>()?;
    let name = input.parse::<Ident>()?.to_string();
    if input.parse::<Option<Token![:]>>()?.is_some() {
        input.parse::<LitStr>()?;
    }
    let content;
    syn::braced!(content in input);
    Ok((name, entries(&content)?))
}

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> syn::Result<Member> {
        let field = input.parse::<Ident>()?.to_string();
        let mut member = Member {
            name: field.clone(),
            inner: None,
            field,
        };
        if input.parse::<Option<Token![.]>>()?.is_some() {
            member.name = input.parse::<Ident>()?.to_string();
            member.inner = Some(member.name.clone());
        }
        if input.parse::<Option<Token![as]>>()?.is_some() {
            member.name = input.parse::<LitStr>()?.value();
        }
        Ok(member)
    }
}

/// `Variant(Payload, ..) = "word" in "unit" { member: Type, }`, of which all may be missing except the word.
impl Parse for Word {
    fn parse(input: ParseStream<'_>) -> syn::Result<Word> {
        let variant: syn::Variant = input.parse()?;
        let word = variant.discriminant.as_ref().and_then(|(_, it)| text(it));
        let mut parsed = Word {
            variant: variant.ident.to_string(),
            word: word.ok_or_else(|| input.error("no word"))?,
            unit: None,
            docs: docs(&variant.attrs),
            fields: Vec::new(),
            payload: variant.fields.into_iter().next().map(|field| field.ty),
        };
        if input.parse::<Option<Token![in]>>()?.is_some() {
            parsed.unit = Some(input.parse::<LitStr>()?.value());
        }
        if input.peek(syn::token::Brace) {
            parsed.fields = named(Fields::Named(input.parse()?));
        }
        Ok(parsed)
    }
}
