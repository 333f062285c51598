//! What claims cost: processor time for each, measured, kept in a table beside the fixtures, and used to cut a run into equal shards.

use std::collections::BTreeMap;
use std::path::Path;

use evidence::budget::Budget;
use evidence::{reading, writing};
use serde::{Deserialize, Serialize};

use crate::outcome::status::Trouble;
use crate::terminal::console::tell;

/// The committed table, below the fixtures.
pub const TABLE: &str = "costs.json";

/// The largest size of a table in bytes; one line for a claim.
const LONGEST: u64 = 4 << 20;

/// Version of the table's form.
const SCHEMA: u32 = 1;

/// Seconds of processor time by claim.
pub type Seconds = BTreeMap<String, f64>;

/// Measured costs by budget.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Costs {
    schema: u32,
    seconds: BTreeMap<Budget, Seconds>,
}

impl Costs {
    /// Reads a table; an empty one if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read, or is no table of costs.
    pub fn load(path: &Path) -> Result<Self, Trouble> {
        match reading::text(path, LONGEST) {
            Ok(text) => Costs::parse(&text).map_err(|reason| Trouble::Costs { path: path.into(), reason }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Costs::default()),
            Err(source) => Err(Trouble::Io { action: "cannot read", path: path.into(), source }),
        }
    }

    /// Reads a table from its text.
    ///
    /// # Errors
    /// What is wrong with it, in a lower-case fragment.
    pub fn parse(text: &str) -> Result<Self, String> {
        let costs: Costs = serde_json::from_str(text).map_err(|e| e.to_string())?;
        if costs.schema != SCHEMA {
            return Err(format!("it has schema {}; this program reads schema {SCHEMA}", costs.schema));
        }
        let all = costs.seconds.values().flatten();
        match all.into_iter().find(|(_, s)| !(s.is_finite() && **s >= 0.0)) {
            Some((claim, seconds)) => Err(format!("{claim} costs {seconds} seconds")),
            None => Ok(costs),
        }
    }

    /// What claims cost at a budget; at the closest one that was measured, if this one was not.
    #[must_use]
    pub fn at(&self, budget: Budget) -> Option<&Seconds> {
        let closest = match budget {
            Budget::Quick => [Budget::Quick, Budget::Standard, Budget::Deep],
            Budget::Standard => [Budget::Standard, Budget::Quick, Budget::Deep],
            Budget::Deep => [Budget::Deep, Budget::Standard, Budget::Quick],
        };
        closest.iter().find_map(|b| self.seconds.get(b))
    }

    /// What was measured at a budget and at no other.
    #[must_use]
    pub fn measured_at(&self, budget: Budget) -> Option<&Seconds> {
        self.seconds.get(&budget)
    }

    /// Takes up what was measured, over what was known of the same claims, and writes the table.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn renew(mut self, budget: Budget, measured: Seconds, path: &Path) -> Result<(), Trouble> {
        let total: f64 = measured.values().sum();
        let rounded = measured.into_iter().map(|(claim, s)| (claim, (100.0 * s).round() / 100.0));
        self.schema = SCHEMA;
        self.seconds.entry(budget).or_default().extend(rounded);
        let text = serde_json::to_string_pretty(&self)
            .map_err(|e| Trouble::Costs { path: path.into(), reason: e.to_string() })?;
        writing::write(path, (text + "\n").as_bytes())?;
        tell!("wrote {}: {total:.1} s of processor time", path.display());
        Ok(())
    }
}

/// Processor time of this thread, in seconds from some beginning; where the system does not tell it, time on the wall.
#[must_use]
pub fn thread_seconds() -> f64 {
    #[cfg(unix)]
    {
        let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
    }
    #[cfg(not(unix))]
    {
        use std::sync::LazyLock;
        use std::time::Instant;
        static BEGINNING: LazyLock<Instant> = LazyLock::new(Instant::now);
        BEGINNING.elapsed().as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(pairs: &[(&str, f64)]) -> Seconds {
        pairs.iter().map(|(claim, s)| ((*claim).to_owned(), *s)).collect()
    }

    #[test]
    fn a_table_takes_up_what_is_measured_and_keeps_the_rest() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(TABLE);
        let none = Costs::load(&path).expect("no file is an empty table");
        assert_eq!(none.at(Budget::Quick), None);
        let first = seconds(&[("a", 1.234_56), ("b", 2.0)]);
        none.renew(Budget::Standard, first, &path).expect("written");
        let again = Costs::load(&path).expect("read");
        again.renew(Budget::Standard, seconds(&[("b", 3.0)]), &path).expect("written");
        let table = Costs::load(&path).expect("read");
        assert_eq!(table.measured_at(Budget::Standard), Some(&seconds(&[("a", 1.23), ("b", 3.0)])));
        assert_eq!(table.measured_at(Budget::Deep), None);
        assert_eq!(table.at(Budget::Deep), table.at(Budget::Standard));
    }

    #[test]
    fn what_is_no_table_is_refused() {
        for text in [
            "",
            "[]",
            r#"{"schema": 9, "seconds": {}}"#,
            r#"{"schema": 1, "seconds": {"endless": {}}}"#,
            r#"{"schema": 1, "seconds": {"quick": {"a": -1.0}}}"#,
        ] {
            assert!(Costs::parse(text).is_err(), "{text}");
        }
    }
}
