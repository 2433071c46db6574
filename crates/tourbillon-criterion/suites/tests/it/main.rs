//! Suites of criterion, run as cargo runs them.
//!
//! What real suites rely on, and the test that holds it:
//!
//! | suites | test |
//! |---|---|
//! | compute names, open groups again, list files in no order | `modes::the_list_has_the_ids_of_criterion`, `traps::benchmarks_are_found_by_their_names_in_any_order` |
//! | have names that change from process to process | `failures::a_name_that_changes_is_a_fault` |
//! | have data that are not seeded | `traps::processes_measure_their_own_data_and_the_last_call_counts` |
//! | name a benchmark twice | `traps::a_suite_that_checks_what_ran_is_rehearsed`, `launches::cases_have_the_parts_of_their_ids`, `traps::repeated_names_have_results_of_their_own` |
//! | have names longer than titles and folders of criterion | `nextest::every_benchmark_in_the_list_can_be_run_by_its_name` |
//! | set a throughput too late; have a `Criterion` of their own in a target | `traps::settings_apply_to_what_follows_and_flags_to_every_criterion` |
//! | call no `iter`, or several | `failures::a_failure_costs_its_own_benchmark`, `traps::processes_measure_their_own_data_and_the_last_call_counts` |
//! | look at what a closure or a target did | `traps::a_suite_that_checks_what_ran_is_rehearsed` |
//! | borrow locals, pass the `Bencher` to functions and threads | `launches::terminals_are_measured_in_their_own_ways` |
//! | make inputs in the first iteration, drop outputs, have slow set-ups or large inputs | `traps::closures_are_measured_as_criterion_calls_them` |
//! | return times in `iter_custom` | `launches::what_a_call_costs_is_not_what_its_iterations_cost`, `traps::a_test_asks_for_one_iteration` |
//! | need a runtime in the set-up of futures | `launches::terminals_are_measured_in_their_own_ways` |
//! | measure something else | `launches::measurements_of_a_suite_are_amounts`, `patch::a_suite_runs_with_crates_that_implement_the_traits_of_criterion` |
//! | are listed and tested without measuring | `modes::the_list_calls_no_benchmark`, `modes::test_mode_runs_every_form_once` |
//! | panic, exit or abort in a body or in a target | `failures::a_failure_costs_its_own_benchmark`, `modes::a_test_that_fails_does_not_stop_the_others` |
//! | wait for ever in a body or in a target | `servers::what_waits_for_ever_costs_its_own_benchmark` |
//! | have a `main` of their own, or are no bench program | `traps::a_main_goes_on_after_its_summary`, `modes::a_program_that_is_no_bench_program_measures_at_once`, `traps::a_unit_test_measures_on_its_thread` |
//! | read their arguments, change the folder, leave threads running | `traps::processes_have_the_arguments_of_the_suite_whatever_their_folder` |
//! | start themselves | `traps::closures_are_measured_as_criterion_calls_them` |
//! | start servers on threads, or in processes that they end or leave behind | `servers::servers_of_a_target_end_with_its_processes` |
//! | take a port or a folder with a fixed name | `servers::a_place_is_taken_by_one_process_at_a_time` |
//! | print, or make temporary folders, in a target | `failures::a_worker_runs_the_prelude_of_its_target_and_leaves_by_its_destructors` |
//! | need what an earlier target did | `failures::a_target_that_needs_another_one_gets_it` |
//! | have a set-up of seconds | `shared_workers::one_worker_measures_all_benchmarks_of_a_heavy_target` |
//! | have a set-up longer than a hang | `shared_workers::a_set_up_longer_than_the_timeout_is_not_a_hang` |
//! | name a fork of criterion | `patch::suites_of_forks_take_one_line` |
//! | abort in place of unwinding | `patch::a_suite_runs_with_crates_that_implement_the_traits_of_criterion` |
//!
//! Bodies that cost more the more often they ran are measured at another size than by criterion; no test can hold that.

mod absent_figures;
mod failures;
mod files;
mod launches;
mod lines;
mod modes;
mod nextest;
mod patch;
mod servers;
mod shared_workers;
mod suite;
mod traps;
mod workers;
