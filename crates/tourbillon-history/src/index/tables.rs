//! The tables, in the words that SQLite and PostgreSQL share.

/// Runs with their figures.
pub(crate) const RUNS: &str = "
CREATE TABLE runs (
    run BIGINT PRIMARY KEY,
    record TEXT NOT NULL UNIQUE,
    commit_id TEXT,
    started BIGINT NOT NULL,
    package TEXT NOT NULL,
    target TEXT NOT NULL,
    machine TEXT NOT NULL,
    machine_name TEXT NOT NULL
);
CREATE TABLE series (
    series BIGINT PRIMARY KEY,
    case_id TEXT NOT NULL,
    metric TEXT NOT NULL,
    unit TEXT NOT NULL,
    machine TEXT NOT NULL,
    engine TEXT NOT NULL,
    method TEXT NOT NULL,
    UNIQUE (case_id, metric, unit, machine, engine, method)
);
CREATE TABLE points (
    series BIGINT NOT NULL,
    run BIGINT NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    lower_end DOUBLE PRECISION,
    upper_end DOUBLE PRECISION,
    PRIMARY KEY (series, run)
);
";

/// How the programs of runs were compiled, which of their results are better with more, and what verdicts are about.
pub(crate) const CONDITIONS: &str = "
ALTER TABLE runs ADD COLUMN compilation TEXT;
ALTER TABLE runs ADD COLUMN more_is_better TEXT;
ALTER TABLE verdicts ADD COLUMN why TEXT;
ALTER TABLE verdicts ADD COLUMN number TEXT;
ALTER TABLE verdicts ADD COLUMN number_unit TEXT;
";

/// Which machine of its kind measured.
pub(crate) const HOSTS: &str = "
ALTER TABLE runs ADD COLUMN host TEXT;
";

/// Comparisons of commits with their verdicts, and commits that cannot be measured.
pub(crate) const COMPARISONS: &str = "
CREATE TABLE comparisons (
    record TEXT NOT NULL PRIMARY KEY,
    reference TEXT NOT NULL,
    candidate TEXT NOT NULL,
    started BIGINT NOT NULL,
    machine TEXT NOT NULL,
    machine_name TEXT NOT NULL
);
CREATE TABLE verdicts (
    record TEXT NOT NULL,
    place BIGINT NOT NULL,
    case_id TEXT NOT NULL,
    finding TEXT NOT NULL CHECK (finding IN ('faster', 'slower', 'same', 'undecided')),
    ratio DOUBLE PRECISION,
    lower_end DOUBLE PRECISION,
    upper_end DOUBLE PRECISION,
    ratio_limit DOUBLE PRECISION,
    margin DOUBLE PRECISION NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (record, place)
);
CREATE TABLE failures (
    failure TEXT NOT NULL PRIMARY KEY,
    commit_id TEXT NOT NULL,
    machine TEXT NOT NULL,
    why TEXT NOT NULL,
    noted BIGINT NOT NULL
);
";
