//! What `pmset` of macOS prints about power.

/// What a machine is supplied with, and whether it saves power. `None`: the system does not report it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PowerSettings {
    /// Whether it runs on its battery.
    pub on_battery: Option<bool>,
    /// Whether the low-power mode is on.
    pub low_power: Option<bool>,
}

/// Reads the outputs of `pmset -g ps`, which names the source of power, and of `pmset -g custom`, which
/// lists the settings for each source.
pub(crate) fn power_settings(source: &str, settings: &str) -> PowerSettings {
    let first = source.lines().next().unwrap_or_default();
    let drawn = first
        .split_once("drawing from '")
        .and_then(|(_, rest)| rest.split_once('\''));
    let Some((source, _)) = drawn else {
        return PowerSettings::default();
    };
    PowerSettings {
        on_battery: Some(source != "AC Power"),
        low_power: low_power(source, settings),
    }
}

/// Whether the settings for a source have the low-power mode. Since macOS 12 the setting is
/// `lowpowermode`; machines with a mode of high power have `powermode`, where 1 is low.
fn low_power(source: &str, settings: &str) -> Option<bool> {
    let mut lines = settings.lines();
    lines.find(|line| line.trim_end().strip_suffix(':') == Some(source))?;
    let mut pairs = lines
        .take_while(|line| line.starts_with(' '))
        .filter_map(|line| line.trim().split_once(' '));
    let (_, value) = pairs.find(|(name, _)| matches!(*name, "lowpowermode" | "powermode"))?;
    Some(value.trim() == "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: &str = "Battery Power:\n Sleep On Power Button 1\n lowpowermode         1\n \
        displaysleep         2\nAC Power:\n Sleep On Power Button 1\n lowpowermode         0\n";

    #[test]
    fn the_settings_of_the_present_source_count() {
        let on_mains = "Now drawing from 'AC Power'\n -InternalBattery-0 (id=1)\t80%; charged;\n";
        let on_battery = "Now drawing from 'Battery Power'\n -InternalBattery-0 (id=1)\t80%;\n";
        for (source, settings, expected) in [
            (on_mains, SETTINGS, [Some(false), Some(false)]),
            (on_battery, SETTINGS, [Some(true), Some(true)]),
            (
                "Now drawing from 'AC Power'\n",
                "AC Power:\n powermode            2\n",
                [Some(false), Some(false)],
            ),
            (
                "Now drawing from 'AC Power'\n",
                "AC Power:\n powermode            1\n",
                [Some(false), Some(true)],
            ),
            (
                on_mains,
                "AC Power:\n displaysleep 10\n",
                [Some(false), None],
            ),
            ("", SETTINGS, [None, None]),
            ("No power sources\n", "", [None, None]),
        ] {
            let found = power_settings(source, settings);
            assert_eq!([found.on_battery, found.low_power], expected, "{source}");
        }
    }
}
