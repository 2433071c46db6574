//! Tables in terminals of different widths, byte for byte.

use tourbillon_report::{Style, display_width};

use crate::made::{case, cycles, time};
use crate::same::same;
use crate::table::{Run, everything};

#[test]
fn everything_at_80_columns() {
    same(
        &everything().at(80),
        "
                       time/op  99 % CI ±   cycles  throughput  last run
empty               < 0.049 ns
search
├─ same/100           4.410 ns      0.2 %  15.80
├─ stream/100         17.30 ns      0.4 %   62.1     46.2 GB/s
╰─ stream/6553600       321 ns      1.9 %   1150     2.49 GB/s         ≈
sort
├─ selection/10000     38.1 ms      0.3 %  136.9 M
├─ heap/10000           829 µs      1.1 %   2.98 M
├─ broken           failed: panicked: index out of bounds: the len is 3 but the…
├─ slow             ignored: takes minutes
╰─ late             no result

<  an upper bound: not distinguishable from an empty loop
last run  change of the cycles since the last run; not measured together, so not
          a verdict
! empty: not distinguishable from an empty body; the compiler may have removed
  the work: pass inputs through hide(), return the result, and see what is left
  (guide: Reading the assembly)
",
    );
}

#[test]
fn columns_go_and_names_are_cut_as_it_gets_narrow() {
    same(
        &everything().at(60),
        "
                       time/op  99 % CI ±  throughput
empty               < 0.049 ns
search
├─ same/100           4.410 ns      0.2 %
├─ stream/100         17.30 ns      0.4 %   46.2 GB/s
╰─ stream/6553600       321 ns      1.9 %   2.49 GB/s
sort
├─ selection/10000     38.1 ms      0.3 %
├─ heap/10000           829 µs      1.1 %
├─ broken           failed: panicked: index out of bounds: …
├─ slow             ignored: takes minutes
╰─ late             no result

<  an upper bound: not distinguishable from an empty loop
no room for: cycles, last run
! empty: not distinguishable from an empty body; the
  compiler may have removed the work: pass inputs through
  hide(), return the result, and see what is left (guide:
  Reading the assembly)
",
    );
    let ascii = Style {
        width: 40,
        unicode: false,
        color: false,
        wide_tables: false,
    };
    same(
        &everything().drawn(ascii),
        "
                     time/op  99 % CI +-
empty             < 0.049 ns
search
|- same/100         4.410 ns       0.2 %
|- stream/100       17.30 ns       0.4 %
`- stream..53600      321 ns       1.9 %
sort
|- select..10000     38.1 ms       0.3 %
|- heap/10000         829 us       1.1 %
|- broken         failed: panicked: in..
|- slow           ignored: takes minutes
`- late           no result

<  an upper bound: not distinguishable
   from an empty loop
no room for: cycles, throughput, last
run
! empty: not distinguishable from an
  empty body; the compiler may have
  removed the work: pass inputs through
  hide(), return the result, and see
  what is left (guide: Reading the
  assembly)
",
    );
    let narrow = everything().at(24);
    same(
        &narrow[..narrow.find("\n\n").unwrap() + 1],
        "
                 time/op
empty         < 0.049 ns
search
├─ same/100     4.410 ns
├─ stre…/100    17.30 ns
╰─ stre…3600      321 ns
sort
├─ sele…0000     38.1 ms
├─ heap…0000      829 µs
├─ broken     failed: p…
├─ slow       ignored: …
╰─ late       no result
",
    );
}

#[test]
fn a_column_stays_while_it_fits() {
    let only = case("group", "function", &[]);
    let results = vec![time(&only, 10.0, 0.01), cycles(&only, 36.0, 0.01)];
    let run = Run::of(vec![only], results);
    let fitting = display_width(run.at(80).lines().next().unwrap());
    assert!(!run.at(fitting).contains("no room"));
    assert!(run.at(fitting - 1).contains("no room for: cycles\n"));
}

#[test]
fn wide_terminals_show_all_of_a_reason() {
    let text = everything().at(120);
    assert!(text.contains("broken           failed: panicked: index out of bounds: the len is 3 but the index is 3\n"), "{text}");
}
