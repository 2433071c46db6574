//! Cases whose builds cannot take turns: processor time and isolated calls.

use super::package::Fates;
use super::prints;

pub(super) fn what_takes_no_turns_is_compared(fates: &Fates) {
    let cases = ["computed", "cold"];
    let brief = fates.compare("env=OTHER=1", &[], &cases);
    assert_eq!(brief.code, Some(0), "{brief:?}");
    let arguments = ["--time", "20s", "--gate", "50%"];
    // Where another program has most of the core, few launches are left of a processor time.
    let mut tries = (0..5).map(|_| fates.compare("env=FATE=on", &arguments, &cases));
    let closed = tries.find(|closed| {
        assert_eq!(closed.code, Some(2), "{closed:?}");
        prints(closed, "gate: cold is slower by more than 50 %");
        let is_open = closed.stdout.contains("? computed");
        assert!(!closed.stdout.contains("not comparable"), "{closed:?}");
        !is_open
    });
    // Where the core is shared all the time it stays open: how busy the machine is decides no test.
    if let Some(closed) = closed {
        prints(&closed, "gate: computed is worse by more than 50 %");
    }
    let run = fates.record();
    let mut pairs = run.rounds.iter();
    assert!(pairs.any(|rounds| rounds.cases[0].ends_with("cold") && rounds.ticks.len() == 2));
}

pub(super) fn what_one_build_isolates_is_not_comparable(fates: &Fates) {
    let ran = fates.compare("env=FATE=on", &["--gate", "5%"], &["seldom"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    prints(&ran, "2 not comparable");
    prints(&ran, "both builds have to measure the same");
}
