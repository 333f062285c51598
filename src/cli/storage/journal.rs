//! The journal: the results of finished claims. A run that was stopped goes on from it, and what a run has finished is not computed again
//! by the same program for another report.
//!
//! A folder for each plan holds one file for each finished claim. The folder's name is a digest of everything that a result
//! depends on: the program itself, byte for byte, and with it the catalogue; seed and budget; the data sets, or where a catalogue
//! declares none all files below its fixtures. The file's name adds the stored witnesses of its claim. So a result is only ever found
//! again by a run that would compute the same one, and two runs of one plan at once write the same bytes. Every file is written whole
//! and carries its checksum; where one does not agree with it, the claim runs again and the file is replaced.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use enclosures::stream;
use evidence::claim::{Claim, Fixtures};
use evidence::run::{ClaimResult, Plan, WitnessStore};
use evidence::writing;

use super::own_folders;
use super::sealed;
use crate::outcome::status::Trouble;
use crate::terminal::console::tell;

/// How a record begins; it ends with the checksum.
const HEADING: &[u8] = b"contrapositive journal 1\n";
/// How many journals stay: each build of the program, seed and budget has one, of a few megabytes for a catalogue of two hundred claims.
const JOURNALS: usize = 16;

/// Where a run keeps its finished claims.
#[derive(Clone, Debug)]
pub struct Journal {
    folder: PathBuf,
}

impl Journal {
    /// The journal of a plan, below the folder named or the user's own for state. None, with a remark, where the user's own cannot
    /// be used: a run without a journal is better than none.
    ///
    /// # Errors
    /// The folder named cannot be used.
    pub fn of(named: Option<&Path>, plan: Plan, fixtures: &Fixtures, data: &[&str]) -> Result<Option<Self>, Trouble> {
        let base = named.map(Path::to_owned).or_else(own_folders::state);
        let Some(base) = base else {
            tell!("note: finished claims are not stored, because there is no home folder; --journal sets a folder");
            return Ok(None);
        };
        let opened = key(plan, fixtures, data).and_then(|key| {
            let folder = base.join(key);
            // Whoever may write in the base cannot get past the owner of the folder in it.
            private(&folder)?;
            Ok(folder)
        });
        match opened {
            Ok(folder) => {
                tidy(&base, &folder);
                Ok(Some(Journal { folder }))
            }
            Err(source) if named.is_some() => {
                Err(Trouble::Io { action: "cannot store finished claims in", path: base, source })
            }
            Err(error) => {
                tell!("note: finished claims are not stored in {}: {error}", base.display());
                Ok(None)
            }
        }
    }

    /// The folder of this plan.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How many claims are in it.
    #[must_use]
    pub fn count(&self) -> usize {
        // What a writer that was killed left half done begins with a dot.
        let whole = |name: std::ffi::OsString| !name.to_string_lossy().starts_with('.');
        let entries = fs::read_dir(&self.folder).into_iter().flatten();
        entries.filter(|e| e.as_ref().is_ok_and(|e| whole(e.file_name()))).count()
    }

    /// The result of a claim, if an earlier run has kept one.
    #[must_use]
    pub fn recall(&self, claim: &Claim, witnesses: &WitnessStore) -> Option<ClaimResult> {
        let path = self.place(claim, witnesses);
        let bytes = fs::read(&path).ok()?;
        let result = sealed::open(HEADING, &bytes).map(|record| ClaimResult::from_record(claim, record));
        match result {
            Some(Ok(result)) => Some(result),
            Some(Err(error)) => {
                tell!("note: {} is not used, and its claim runs again: {error}", path.display());
                None
            }
            None => {
                tell!("note: {} is damaged, and its claim runs again", path.display());
                None
            }
        }
    }

    /// Keeps the result of a claim. One that a fault of the machine may have marked is not kept: another run may do better.
    pub fn keep(&self, claim: &Claim, witnesses: &WitnessStore, result: &ClaimResult) {
        if result.checks.iter().any(|c| c.counts.panicked > 0) {
            return;
        }
        let kept = result.to_record().map_err(|e| e.to_string()).and_then(|record| {
            let bytes = sealed::seal(HEADING, &record);
            writing::write(&self.place(claim, witnesses), &bytes).map_err(|e| e.to_string())
        });
        if let Err(error) = kept {
            tell!("note: the result of {} is not stored: {error}", claim.id);
        }
    }

    /// Removes what is kept of some claims.
    pub fn forget(&self, claims: &[&Claim], witnesses: &WitnessStore) {
        for claim in claims {
            let _ = fs::remove_file(self.place(claim, witnesses));
        }
    }

    fn place(&self, claim: &Claim, witnesses: &WitnessStore) -> PathBuf {
        let stored = witnesses.iter().filter(|w| w.claim == claim.id);
        let texts: Vec<String> = stored.map(|w| w.text().unwrap_or_default()).collect();
        let digest = stream::hash(texts.concat().as_bytes());
        self.folder.join(format!("{}.{}", claim.id, &digest[..16]))
    }
}

/// Everything that results depend on but the claim's own witnesses, as a name for a folder.
fn key(plan: Plan, fixtures: &Fixtures, data: &[&str]) -> io::Result<String> {
    let program = stream::file_hash(&std::env::current_exe()?)?;
    let mut parts = vec![program, plan.seed.to_string(), plan.budget.to_string()];
    for name in data {
        parts.push(stream::file_hash(&fixtures.path(name))?);
    }
    if data.is_empty() && fixtures.root().is_dir() {
        list(fixtures.root(), &mut parts)?;
    }
    Ok(stream::hash(parts.join("\n").as_bytes())[..32].to_owned())
}

/// Every file below a folder with its size and the time of its last change, in the order of names.
fn list(folder: &Path, files: &mut Vec<String>) -> io::Result<()> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        // A link to a folder is not followed: it may lead back.
        if fs::symlink_metadata(&path)?.is_dir() {
            list(&path, files)?;
        } else if let Ok(file) = fs::metadata(&path) {
            files.push(format!("{path:?} {} {:?}", file.len(), file.modified()?));
        }
    }
    Ok(())
}

/// Makes a folder that only its owner can read and write, or sees to it that one is: results are taken from it unseen.
fn private(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let found = fs::metadata(folder)?;
        if found.mode() & 0o022 != 0 {
            return Err(io::Error::other("other users can write to it"));
        }
        // A file made now has the owner that this program runs as.
        if tempfile::tempfile_in(folder)?.metadata()?.uid() != found.uid() {
            return Err(io::Error::other("it belongs to another user"));
        }
    }
    Ok(())
}

/// Removes journals but the last that were written, `mine` among those that stay.
fn tidy(base: &Path, mine: &Path) {
    let Ok(entries) = fs::read_dir(base) else { return };
    let mut others: Vec<(SystemTime, PathBuf)> = Vec::new();
    for path in entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| p != mine) {
        // What this program did not name is not this program's.
        let is_key = |name: &str| name.len() == 32 && name.bytes().all(|b| b.is_ascii_hexdigit());
        let is_journal = path.file_name().and_then(|n| n.to_str()).is_some_and(is_key);
        let folder = fs::symlink_metadata(&path).ok().filter(|m| is_journal && m.is_dir());
        if let Some(written) = folder.and_then(|m| m.modified().ok()) {
            others.push((written, path));
        }
    }
    others.sort();
    let surplus = (others.len() + 1).saturating_sub(JOURNALS);
    for (_, path) in &others[..surplus] {
        let _ = fs::remove_dir_all(path);
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;
    use crate::storage::sealed::damage::{cases, changed, changes};
    use enclosures::enclosure::exact;
    use evidence::budget::Budget;
    use evidence::claim::{Kind, Setting, at_most, edge, fails};
    use evidence::instance::Instance;
    use evidence::run::{Silent, run_claim};
    use proptest::prelude::*;

    #[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
    struct Number {
        x: f64,
    }

    impl Instance for Number {
        fn describe(&self) -> String {
            format!("x = {}", self.x)
        }
    }

    /// A claim that one is at most zero.
    fn claim() -> Claim {
        let setting = Setting::of().given("a double").family(edge("one", || vec![("one", Number { x: 1.0 })])).part(
            "printed",
            "x ≤ 0",
            fails("one is more"),
            |n: &Number, ()| at_most(exact(n.x), 0),
        );
        Claim::new("staged.claim", "staged", Kind::Inequality).setting(setting)
    }

    #[test]
    fn a_record_is_found_again_by_the_same_plan_only_and_a_damaged_one_by_none() {
        let (folder, data) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        let fixtures = Fixtures::at(data.path());
        let claim = &claim();
        let plan = |seed| Plan { seed, budget: Budget::Quick };
        let open = |seed| {
            let journal = Journal::of(Some(folder.path()), plan(seed), &fixtures, &[]);
            journal.expect("a private folder").expect("a journal")
        };
        let (none, journal) = (WitnessStore::default(), open(1));
        let result = run_claim(claim, plan(1), &fixtures, &none, &Silent);
        journal.keep(claim, &none, &result);
        let recalled = open(1).recall(claim, &none).expect("kept");
        assert_eq!(format!("{recalled:?}"), format!("{result:?}"));
        assert!(open(2).recall(claim, &none).is_none(), "another seed");
        let file = data.path().join("points/a.csv");
        fs::create_dir(data.path().join("points")).and_then(|()| fs::write(&file, "1\n")).expect("written");
        assert!(open(1).recall(claim, &none).is_none(), "another file");
        open(1).keep(claim, &none, &result);
        assert!(open(1).recall(claim, &none).is_some(), "the same files");
        fs::write(&file, "1\n2\n").expect("written");
        assert!(open(1).recall(claim, &none).is_none(), "a longer file");
        fs::remove_dir_all(data.path().join("points")).expect("removed");
        let mut stored = WitnessStore::default();
        stored.insert(result.checks[0].witness.clone().expect("it is refuted"));
        assert!(journal.recall(claim, &stored).is_none(), "other witnesses");

        let place = journal.place(claim, &none);
        let whole = fs::read(&place).expect("kept");
        for at in [0, HEADING.len() + 3, whole.len() / 2, whole.len() - 1] {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&place, bytes).expect("written");
            assert!(journal.recall(claim, &none).is_none(), "byte {at} changed");
        }
        for length in [0, 10, whole.len() - 1] {
            fs::write(&place, &whole[..length]).expect("written");
            assert!(journal.recall(claim, &none).is_none(), "cut to {length}");
        }
        journal.keep(claim, &none, &result);
        assert!(journal.recall(claim, &none).is_some());
        journal.forget(&[claim], &none);
        assert!(journal.recall(claim, &none).is_none());
    }

    proptest! {
        #![proptest_config(cases())]

        /// A checksum keeps accidents out, not whoever can compute one: what stands behind it is read or refused.
        #[test]
        fn what_is_damaged_behind_a_right_checksum_is_read_or_refused(changes in changes()) {
            let (claim, plan) = (claim(), Plan { seed: 1, budget: Budget::Quick });
            let result = run_claim(&claim, plan, &Fixtures::at("."), &WitnessStore::default(), &Silent);
            let record = result.to_record().expect("a record");
            if let Ok(read) = ClaimResult::from_record(&claim, &changed(&record, &changes)) {
                prop_assert_eq!(read.id, claim.id);
                prop_assert!(read.verdict() == read.headline().verdict);
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_in_which_others_may_write_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        private(folder.path()).expect("a private folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("changed");
        assert!(private(folder.path()).is_err());
    }

    #[test]
    fn the_oldest_journals_go_and_nothing_else() {
        let base = tempfile::tempdir().expect("a folder");
        let name = |number: usize| format!("{number:032x}");
        let hours_ago = |hours: usize| SystemTime::now() - Duration::from_secs(3600 * hours as u64);
        let made = |name: &str, hours: usize| {
            fs::create_dir(base.path().join(name)).expect("made");
            let folder = File::open(base.path().join(name)).expect("a folder");
            folder.set_modified(hours_ago(hours)).expect("aged");
        };
        made("notes", 1000);
        (0..JOURNALS + 2).for_each(|number| made(&name(number), number));
        // The oldest of all stays where it is that of the run.
        let mine = JOURNALS + 1;
        tidy(base.path(), &base.path().join(name(mine)));
        let stays = |name: &str| base.path().join(name).exists();
        assert!(stays("notes") && stays(&name(mine)));
        let others: Vec<bool> = (0..JOURNALS + 1).map(|number| stays(&name(number))).collect();
        assert_eq!(others.iter().filter(|stays| **stays).count(), JOURNALS - 1);
        assert!(others[..JOURNALS - 1].iter().all(|stays| *stays));
    }
}
