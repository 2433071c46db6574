/// Hands the list of pairs to a macro: in each group the reference, then what is compared with it; of each the name of
/// the case, the function in `plain.rs`, which has to be there as `plain`, and its input.
#[macro_export]
macro_rules! with_pairs {
    ($benches:ident) => {
        $benches! {
            "join 9": concat_9 concat(9), push_str_9 push_str(9);
            "join 90": concat_90 concat(90), push_str_90 push_str(90);
            "join 900": concat_900 concat(900), push_str_900 push_str(900);
            "grow to 16": with_capacity_16 with_capacity(16), doubling_16 doubling(16);
            "grow to 256": with_capacity_256 with_capacity(256), doubling_256 doubling(256);
            "grow to 4096": with_capacity_4096 with_capacity(4_096), doubling_4096 doubling(4_096);
            "look up in 16": hash_map_16 hash_map(16), tree_map_16 tree_map(16), sorted_slice_16 sorted_slice(16);
            "look up in 256": hash_map_256 hash_map(256), tree_map_256 tree_map(256), sorted_slice_256 sorted_slice(256);
            "look up in 4096":
                hash_map_4096 hash_map(4_096), tree_map_4096 tree_map(4_096), sorted_slice_4096 sorted_slice(4_096);
            "count 64": branch_64 branch(64), no_branch_64 no_branch(64);
            "count 1024": branch_1024 branch(1_024), no_branch_1024 no_branch(1_024);
            "count 16384": branch_16384 branch(16_384), no_branch_16384 no_branch(16_384);
            "chase": within_16_kib chase(16), within_256_kib chase(256), within_4_mib chase(4_096);
            "format a digit": write_digit write_number(7), digit_to_string to_string(7), digit_by_hand digits_of(7);
            "format nine digits":
                write_nine write_number(123_456_789), nine_to_string to_string(123_456_789), nine_by_hand digits_of(123_456_789);
            "tiny": add add(), multiply multiply(), divide divide(), square_root square_root(), sine sine();
            "allocate": boxed boxed(), counted counted(), shared shared(), page page();
            "parse a digit": digit_from_str from_str("7"), parse_digit_by_hand parse("7");
            "parse six digits": six_from_str from_str("123456"), parse_six_by_hand parse("123456");
            "find in 64": position_64 position(64), in_text_64 in_text(64);
            "find in 4096": position_4096 position(4_096), in_text_4096 in_text(4_096);
            "clone 4": strings_4 strings(4), shared_strings_4 shared_strings(4);
            "clone 64": strings_64 strings(64), shared_strings_64 shared_strings(64);
            "queue of 16": ring_16 ring(16), linked_16 linked(16);
            "queue of 256": ring_256 ring(256), linked_256 linked(256);
            "matrix of 32": by_rows_32 by_rows(32), by_columns_32 by_columns(32);
            "matrix of 256": by_rows_256 by_rows(256), by_columns_256 by_columns(256);
            "same arithmetic": one_arithmetic arithmetic(), other_arithmetic arithmetic();
            "same sort": one_sort sort(), other_sort sort();
            "same hash": one_hash hash_map(256), other_hash hash_map(256);
            "same clone": one_clone clone_numbers(), other_clone clone_numbers();
            "same format": one_format format_numbers(), other_format format_numbers();
        }
    };
}
