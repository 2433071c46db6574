//! The results in Markdown.

use peers::CASES;

use super::number::{cycles, percent, time, truth};
use super::row::Row;
use super::{Group, Table};

impl Table {
    /// One table with a row for each harness, two where it shows cycles, without the cases below a cycle.
    pub(crate) fn short(&self) -> String {
        let groups: Vec<&Group> = self.groups.iter().filter(|g| g.range.0 >= 0.999).collect();
        let mut text = format!("{}\n\n| harness | time a case |", self.about.join(" · "));
        for (index, group) in groups.iter().enumerate() {
            let before = if index == 0 { "error at " } else { "" };
            text += &format!(" {before}{} |", group.label());
        }
        text += " truth in its interval |\n|---|--:|";
        text += &"--:|".repeat(groups.len() + 1);
        text += "\n";
        for row in &self.rows {
            text += &format!("| {} | {} |", row.label(), time(row.seconds));
            for group in &groups {
                text += &format!(" {} |", in_percent(row, group));
            }
            text += &format!(" {} |\n", row.coverage());
        }
        text
    }

    /// Errors in percent and in cycles, and what was shown for each case.
    pub(crate) fn full(&self) -> String {
        let labels: String = self
            .groups
            .iter()
            .map(|g| format!(" {} |", g.label()))
            .collect();
        let lines = "--:|".repeat(self.groups.len());
        let mut text = format!("{}\n", self.about.join(" · "));
        text += &format!(
            "\nMedian (and largest) error in percent of the truth:\n\n\
             | harness | time a case |{labels} truth in its interval |\n|---|--:|{lines}--:|\n"
        );
        for row in &self.rows {
            text += &row.start();
            for group in &self.groups {
                text += &format!(" {} |", in_percent(row, group));
            }
            text += &format!(" {} |\n", row.coverage());
        }
        text += &format!(
            "\nMedian (and largest) error in cycles:\n\n\
             | harness | time a case |{labels}\n|---|--:|{lines}\n"
        );
        for row in &self.rows {
            text += &row.start();
            for group in &self.groups {
                text += &format!(" {} |", in_cycles(row, group));
            }
            text += "\n";
        }
        text + &self.kernels()
    }

    /// What was shown for each case.
    fn kernels(&self) -> String {
        let mut text = "\nCycles, the medians of the rounds:\n\n| kernel | truth |".to_owned();
        for row in &self.rows {
            text += &format!(" {} |", row.label());
        }
        text += &format!("\n|---|--:|{}\n", "--:|".repeat(self.rows.len()));
        for case in CASES {
            let truths = self.rows.iter().find_map(|row| row.truth(case.name));
            let Some(known) = truths else {
                continue;
            };
            text += &format!("| {} | {} |", case.name, truth(known));
            for row in &self.rows {
                let shown = row.shown(case.name);
                let shown = shown.map(|it| it.map_or("unseen".to_owned(), cycles));
                text += &format!(" {} |", shown.unwrap_or_default());
            }
            text += "\n";
        }
        text
    }
}

impl Group {
    fn label(&self) -> String {
        let (least, largest) = self.range;
        format!("{} – {} cycles", truth(least), truth(largest))
    }
}

impl Row {
    fn label(&self) -> String {
        let of = if self.own_cycles { ", its cycles" } else { "" };
        format!("{}{of}", self.name)
    }

    /// The first cells.
    fn start(&self) -> String {
        let of = if self.own_cycles { ", its cycles" } else { "" };
        format!(
            "| {} {}{of} | {} |",
            self.name,
            self.version,
            time(self.seconds)
        )
    }

    fn coverage(&self) -> String {
        match (self.interval, self.inside()) {
            (Some(interval), (inside, of)) => format!("{inside} of {of} ({interval})"),
            (None, _) => "none shown".to_owned(),
        }
    }
}

fn in_percent(row: &Row, group: &Group) -> String {
    row.fractions(group)
        .map_or(String::new(), |(median, worst)| {
            format!("{} ({}) %", percent(median), percent(worst))
        })
}

fn in_cycles(row: &Row, group: &Group) -> String {
    row.cycles(group).map_or(String::new(), |(median, worst)| {
        format!("{} ({})", cycles(median), cycles(worst))
    })
}
