//! `compare` and `save`: repositories, revisions, variations, executables, verdicts.

#[cfg(unix)]
mod attempts;
#[cfg(target_os = "linux")]
mod bundles;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod causes;
#[cfg(unix)]
mod compilations;
mod conditions;
#[cfg(unix)]
mod edits;
mod equal_programs;
#[cfg(unix)]
mod fates;
mod files;
mod homes;
mod leftovers;
#[cfg(target_os = "linux")]
mod linkers;
mod mistakes;
mod program_variables;
mod programs;
mod revisions;
mod saved_builds;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod shared_libraries;
mod shop;
#[cfg(target_os = "linux")]
mod starts;
#[cfg(unix)]
mod turns;
mod twins;
mod variables;
mod variations;
#[cfg(unix)]
mod verdicts;

pub(crate) use self::shop::Shop;
#[cfg(all(unix, feature = "sqlite"))]
pub(crate) use self::turns::Stopping;
#[cfg(any(target_os = "linux", all(unix, feature = "sqlite")))]
pub(crate) use self::turns::interrupt;
#[cfg(all(target_os = "linux", feature = "sqlite"))]
pub(crate) use self::twins::twins;

/// In sequence, because slow builds are shared.
#[test]
#[ignore = "builds for minutes; scripts/side-by-side.sh runs it"]
fn builds_side_by_side() {
    let shop = Shop::new("compare");
    shop.lend_facade();
    shop.lend_facade_to_the_tree();
    revisions::a_revision_and_the_working_tree(&shop);
    revisions::cached_builds_are_reused(&shop);
    revisions::the_lock_file_of_the_checkout_stays_as_it_is(&shop);
    revisions::damaged_builds_are_made_again(&shop);
    revisions::two_revisions_and_filters(&shop);
    revisions::shards_of_the_cases(&shop);
    revisions::a_gate(&shop);
    crate::settings::what_holds_is_printed_for_every_target(&shop);
    revisions::revisions_that_cannot_be_compared(&shop);
    files::executables(&shop);
    saved_builds::builds_are_saved(&shop);
    #[cfg(target_os = "linux")]
    bundles::a_machine_without_a_toolchain_compares(&shop);
    variations::of_the_working_tree(&shop);
    #[cfg(unix)]
    {
        turns::one_waits_for_the_other(&shop);
        turns::interrupted_while_building(&shop);
        verdicts::two_revisions_take_turns(&shop);
        verdicts::an_empty_shard_has_a_record(&shop);
        verdicts::a_build_is_compared_with_itself(&shop);
        verdicts::cases_of_two_names_and_assertions(&shop);
        verdicts::a_gate_closes_on_what_is_slower(&shop);
        verdicts::a_side_that_fails_is_named(&shop);
        verdicts::numbers_follow_their_direction(&shop);
    }
    crate::ci::a_pull_request_is_compared_with_its_base(&shop);
    crate::ci::the_first_benchmarks_are_new(&shop);
    crate::ci::without_a_base_nothing_is_compared(&shop);
    crate::ci::a_shallow_clone_names_the_remedy(&shop);
    crate::ci::a_slower_head_fails_the_gate(&shop);
    #[cfg(unix)]
    attempts::a_campaign_keeps_what_is_faster(&shop);
    #[cfg(target_os = "linux")]
    linkers::flags_of_a_build_script(&shop);
}

/// The campaign alone, with its own builds.
#[test]
#[cfg(unix)]
#[ignore = "builds and measures for a minute; builds_side_by_side does it, too"]
fn a_campaign() {
    let shop = Shop::new("campaign");
    shop.lend_facade();
    shop.lend_facade_to_the_tree();
    attempts::a_campaign_keeps_what_is_faster(&shop);
}

/// Real measurements, which are made again where a busy machine refuses them.
#[test]
#[cfg(all(unix, feature = "sqlite"))]
#[ignore = "builds and measures for minutes; scripts/side-by-side.sh runs it"]
fn history_of_builds() {
    let shop = Shop::new("history-of-builds");
    shop.lend_facade();
    crate::history::commits_are_measured(&shop);
}
