/// Hands the list of pairs to a macro: in each group the reference, then what is compared with it. `plain.rs` has to be
/// there as `plain`, and as `hide` what hides a value from the optimiser.
#[macro_export]
macro_rules! with_pairs {
    ($benches:ident) => {
        $benches! {
            "join 9": concat_9 = plain::concat(9), push_str_9 = plain::push_str(9);
            "join 90": concat_90 = plain::concat(90), push_str_90 = plain::push_str(90);
            "join 900": concat_900 = plain::concat(900), push_str_900 = plain::push_str(900);
            "grow to 16": with_capacity_16 = plain::with_capacity(16), doubling_16 = plain::doubling(16);
            "grow to 256": with_capacity_256 = plain::with_capacity(256), doubling_256 = plain::doubling(256);
            "grow to 4096": with_capacity_4096 = plain::with_capacity(4_096), doubling_4096 = plain::doubling(4_096);
            "look up in 16":
                hash_map_16 = plain::hash_map(16), tree_map_16 = plain::tree_map(16),
                sorted_slice_16 = plain::sorted_slice(16);
            "look up in 256":
                hash_map_256 = plain::hash_map(256), tree_map_256 = plain::tree_map(256),
                sorted_slice_256 = plain::sorted_slice(256);
            "look up in 4096":
                hash_map_4096 = plain::hash_map(4_096), tree_map_4096 = plain::tree_map(4_096),
                sorted_slice_4096 = plain::sorted_slice(4_096);
            "count 64": branch_64 = plain::branch(64), no_branch_64 = plain::no_branch(64);
            "count 1024": branch_1024 = plain::branch(1_024), no_branch_1024 = plain::no_branch(1_024);
            "count 16384": branch_16384 = plain::branch(16_384), no_branch_16384 = plain::no_branch(16_384);
            "chase":
                within_16_kib = plain::chase(16), within_256_kib = plain::chase(256),
                within_4_mib = plain::chase(4_096);
            "format a digit":
                write_digit = plain::write_number(7), digit_to_string = plain::to_string(7),
                digit_by_hand = plain::digits_of(7);
            "format nine digits":
                write_nine = plain::write_number(123_456_789), nine_to_string = plain::to_string(123_456_789),
                nine_by_hand = plain::digits_of(123_456_789);
            "tiny":
                add = || hide(3_u64) + 5, multiply = || hide(3_u64).wrapping_mul(hide(5)),
                divide = || hide(3_000_000_000_000_u64) / hide(7), square_root = || hide(3.0_f64).sqrt(),
                sine = || hide(3.0_f64).sin();
            "allocate":
                boxed = || Box::new(hide(1_u64)), counted = || std::rc::Rc::new(hide(1_u64)),
                shared = || std::sync::Arc::new(hide(1_u64)), page = || vec![hide(1_u8); 4_096];
            "parse a digit": digit_from_str = plain::from_str("7"), parse_digit_by_hand = plain::parse("7");
            "parse six digits": six_from_str = plain::from_str("123456"), parse_six_by_hand = plain::parse("123456");
            "find in 64": position_64 = plain::position(64), in_text_64 = plain::in_text(64);
            "find in 4096": position_4096 = plain::position(4_096), in_text_4096 = plain::in_text(4_096);
            "clone 4": strings_4 = plain::strings(4), shared_strings_4 = plain::shared_strings(4);
            "clone 64": strings_64 = plain::strings(64), shared_strings_64 = plain::shared_strings(64);
            "queue of 16": ring_16 = plain::ring(16), linked_16 = plain::linked(16);
            "queue of 256": ring_256 = plain::ring(256), linked_256 = plain::linked(256);
            "matrix of 32": by_rows_32 = plain::by_rows(32), by_columns_32 = plain::by_columns(32);
            "matrix of 256": by_rows_256 = plain::by_rows(256), by_columns_256 = plain::by_columns(256);
            "same arithmetic": one_arithmetic = plain::arithmetic(), other_arithmetic = plain::arithmetic();
            "same sort": one_sort = plain::sort(), other_sort = plain::sort();
            "same hash": one_hash = plain::hash_map(256), other_hash = plain::hash_map(256);
            "same clone": one_clone = plain::clone_numbers(), other_clone = plain::clone_numbers();
            "same format": one_format = plain::format_numbers(), other_format = plain::format_numbers();
        }
    };
}
