//! The whole catalogue at the standard budget, run once for every test that reads what came out. What `cargo run` of the same program, data
//! and witnesses has finished is taken from its journal.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The repository.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The run, as its only shard: every form is made of it without computing anything again.
pub static WHOLE_RUN: LazyLock<WholeRun> = LazyLock::new(WholeRun::compute);

pub struct WholeRun {
    folder: PathBuf,
    shard: PathBuf,
}

impl WholeRun {
    fn compute() -> Self {
        // What is static is never dropped: a folder of the target's own, emptied by the next run, in place of one that stays behind.
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("whole-run");
        if folder.exists() {
            fs::remove_dir_all(&folder).expect("an old run can be removed");
        }
        fs::create_dir_all(&folder).expect("a folder");
        let shard = folder.join("whole.bin");
        ends_well(&["verify", "--shard", "1/1", "--output", text(&shard)]);
        Self { folder, shard }
    }

    /// The folder with REPORT.md and the pages of the claims.
    pub fn pages(&self) -> &Path {
        ends_well(&["merge", text(&self.shard), "--output", text(&self.folder)]);
        &self.folder
    }

    /// The report as JSON.
    pub fn json(&self) -> serde_json::Value {
        let report = ends_well(&["merge", text(&self.shard), "--format", "json", "--output", "-"]);
        serde_json::from_slice(&report).expect("JSON")
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain path")
}

/// What the program prints, and an end with status 0.
fn ends_well(words: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO_BIN_EXE_contrapositive"))
        .current_dir(ROOT)
        .args(words)
        .output()
        .expect("the program starts");
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: status {}\n{log}", output.status);
    output.stdout
}
