//! Layouts of types: offsets, holes, padding, and the best that an order of the fields could do.

use std::num::NonZeroU32;

use tourbillon_mem::{Hole, layout, layout_of};

/// A module, to have paths.
mod orders {
    #[repr(C)]
    pub(super) struct Pair<A, B> {
        pub(super) first: A,
        pub(super) second: B,
    }
}

#[repr(C)]
struct Scattered {
    a: u8,
    b: u32,
    c: u8,
    d: [u16; 3],
    e: (),
}

#[test]
fn holes_are_between_and_after_fields() {
    let layout = layout!(Scattered { a, b, c, d, e });
    assert_eq!((layout.whole.size_bytes, layout.whole.align_bytes), (16, 4));
    let offsets: Vec<_> = layout
        .fields
        .iter()
        .map(|field| (field.name, field.offset_bytes))
        .collect();
    assert_eq!(
        offsets,
        [("a", 0), ("b", 4), ("c", 8), ("d", 10), ("e", 16)]
    );
    let hole = |offset_bytes, size_bytes| Hole {
        offset_bytes,
        size_bytes,
    };
    assert_eq!(layout.holes(), [hole(1, 3), hole(9, 1)]);
    assert_eq!((layout.packed_bytes(), layout.padding_bytes()), (12, 4));
    assert_eq!(layout.best_bytes(), 12);
    assert!(
        layout
            .to_string()
            .ends_with("4 bytes of padding (25 %), packed 12; 12 as b, d, a, c, e")
    );
}

#[test]
fn fields_may_be_named_in_any_order_and_types_have_paths_and_parameters() {
    let layout = layout!(orders::Pair<u8, NonZeroU32> { second, first });
    assert_eq!(layout.fields[0].name, "first");
    assert_eq!(layout.fields[1].type_name, "NonZero<u32>");
    assert!(layout.whole.has_niche);
    assert_eq!(layout.padding_bytes(), 3);
    assert_eq!(layout.best_bytes(), layout.whole.size_bytes);
    assert!(
        layout
            .to_string()
            .ends_with("3 bytes of padding (38 %), packed 5; no order of the fields is smaller")
    );
}

#[test]
fn the_compiler_orders_fields_itself_without_repr_c() {
    struct Free {
        a: u8,
        b: u32,
        c: u8,
    }
    let layout = layout!(Free { a, b, c });
    assert_eq!(layout.whole.size_bytes, 8);
    assert_eq!(layout.padding_bytes(), 2);
    let used = Free { a: 1, b: 2, c: 3 };
    assert_eq!(u32::from(used.a) + used.b + u32::from(used.c), 6);
}

#[test]
fn tuple_structs_have_numbered_fields_and_fields_may_own() {
    struct Tuple(String, u8);
    let layout = layout!(Tuple { 0, 1 });
    assert_eq!(layout.packed_bytes(), size_of::<String>() + 1);
    assert_eq!(layout.fields.len(), 2);
    let tuple = Tuple(String::new(), 1);
    assert_eq!(tuple.0.len() + usize::from(tuple.1), 1);
}

#[test]
fn a_struct_of_nothing_has_no_padding() {
    struct Empty {}
    let layout = layout!(Empty {});
    assert_eq!(
        layout.to_string(),
        "Empty: 0 bytes, aligned to 1, no niche\nno padding"
    );
    assert_eq!(layout.best_bytes(), 0);
}

#[test]
fn alignment_that_is_asked_for_counts() {
    #[repr(align(64))]
    struct Line {
        a: u8,
    }
    let layout = layout!(Line { a });
    assert_eq!((layout.padding_bytes(), layout.best_bytes()), (63, 64));
    assert_eq!(Line { a: 1 }.a, 1);
}

#[test]
fn niches_are_found() {
    assert!(layout_of::<&u8>().has_niche);
    assert!(layout_of::<bool>().has_niche);
    assert!(layout_of::<String>().has_niche);
    assert!(layout_of::<Option<Option<bool>>>().has_niche);
    assert!(!layout_of::<u64>().has_niche);
    assert!(layout_of::<Option<u32>>().has_niche);
    assert!(!layout_of::<[f32; 2]>().has_niche);
}

/// Pointers are half as large on 32-bit machines, and what is made of them follows.
#[test]
fn sizes_follow_the_width_of_pointers() {
    let word = size_of::<usize>();
    assert_eq!(layout_of::<String>().size_bytes, 3 * word);
    assert_eq!(layout_of::<&str>().size_bytes, 2 * word);
    let pair = layout!(orders::Pair<u8, *const u8> { first, second });
    assert_eq!(pair.padding_bytes(), word - 1);
}
