//! Files that are written whole or not at all.
//!
//! A file is written beside its place under a name of its own, synced, and renamed over what was there. Whoever reads the
//! place, at any moment and after any fault, finds the old file or the new one; of two writers at once the later one wins,
//! whole. Nothing is ever written into an existing file, so a folder that lets nothing be made beside it is refused.
//!
//! Symbolic links are followed, and stay links; the permissions of a file that is replaced are kept. Devices and pipes cannot be
//! replaced and are written to directly.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};
use thiserror::Error;

/// A file could not be written; what stood in its place is unchanged.
#[derive(Debug, Error)]
#[error("cannot write {path}: {source}")]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    pub source: io::Error,
}

/// More symbolic links in a row than this are taken for a circle.
const LINKS: usize = 32;

static IN_PROGRESS: Mutex<()> = Mutex::new(());

/// Standard input, output and error that were closed when the program began, a bit each.
static CLOSED: AtomicU8 = AtomicU8::new(0);

/// Remembers which of standard input, output and error were closed when the program began. The runtime has opened `/dev/null` in their place, so that
/// what is written to `/dev/stdout` seems to arrive: from now on it is an error of the kind [`io::ErrorKind::NotConnected`].
pub fn remember_closed(streams: [bool; 3]) {
    let bits = (0..3).filter(|&n| streams[n]).fold(0, |bits, n| bits | 1 << n);
    CLOSED.store(bits, Ordering::Relaxed);
}

/// Whether a path is a name of standard input, output or error (`/dev/stdout`, `/dev/fd/1`, `/proc/self/fd/1`) that was closed when the program began.
fn is_closed(path: &Path) -> bool {
    let closed = CLOSED.load(Ordering::Relaxed);
    let number = path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok()).filter(|&n| n < 3);
    if number.is_none_or(|number| closed & 1 << number == 0) {
        return false;
    }
    // /dev/fd, /proc/self/fd, /proc/thread-self/fd and the like are all of this process.
    let folder = fs::canonicalize(folder_of(path)).unwrap_or_default();
    let own = format!("/proc/{}", std::process::id());
    folder.starts_with(own) && folder.ends_with("fd")
}

/// Waits for writes in progress, and lets none begin while the answer lives: for whoever is about to end the process.
pub fn held_off() -> MutexGuard<'static, ()> {
    IN_PROGRESS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes one file whole.
///
/// # Errors
/// The place cannot be written, or the disk is full. What was there before is unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    write_together(&[(path.to_owned(), bytes)])
}

/// Writes files that belong together: none is replaced before all of them are on the disk.
///
/// # Errors
/// As [`write()`], for the first file that cannot be written; unless renaming itself fails, every one of them is unchanged.
pub fn write_together<B: AsRef<[u8]>>(files: &[(PathBuf, B)]) -> Result<(), WriteError> {
    let failed = |path: &Path, source| WriteError { path: path.to_owned(), source };
    let held = held_off();
    let (mut staged, mut streams) = (Vec::new(), Vec::new());
    for (path, bytes) in files {
        match Destination::of(path).map_err(|e| failed(path, e))? {
            Destination::File { path: place, permissions } => {
                let file = stage(&place, permissions, bytes.as_ref()).map_err(|e| failed(path, e))?;
                staged.push((path, file, place));
            }
            Destination::Stream(place) => streams.push((path, place, bytes.as_ref())),
        }
    }
    for (path, file, place) in staged {
        settle(file, &place).map_err(|e| failed(path, e))?;
    }
    // A pipe may wait for its reader for ever, and may be given up at any moment.
    drop(held);
    for (path, place, bytes) in streams {
        pour(&place, bytes).map_err(|e| failed(path, e))?;
    }
    Ok(())
}

/// Whether a file could be written now, found out without touching it: for a run that would be wasted otherwise.
///
/// # Errors
/// The folder does not exist or lets nothing be made in it, or the file itself is a folder or not to be written to.
pub fn check(path: &Path) -> Result<(), WriteError> {
    let _held = held_off();
    let checked = Destination::of(path).and_then(|place| match place {
        Destination::File { path, .. } => beside(&path).map(drop),
        // Opening a pipe for writing would wait for its reader, or be its last.
        Destination::Stream(_) => Ok(()),
    });
    checked.map_err(|source| WriteError { path: path.to_owned(), source })
}

/// Where a path leads.
enum Destination {
    /// A file, or room for one; with the permissions that it has.
    File { path: PathBuf, permissions: Option<fs::Permissions> },
    /// A device or a pipe.
    Stream(PathBuf),
}

impl Destination {
    fn of(path: &Path) -> io::Result<Self> {
        let mut path = path.to_owned();
        for _ in 0..LINKS {
            let found = match fs::symlink_metadata(&path) {
                Ok(found) => found,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Ok(Destination::File { path, permissions: None });
                }
                Err(error) => return Err(error),
            };
            if found.is_symlink() {
                if is_closed(&path) {
                    return Err(io::Error::new(io::ErrorKind::NotConnected, "it is closed"));
                }
                let target = fs::read_link(&path)?;
                // The links of /proc/self/fd lead to what has no name; opening the link itself is the only way there.
                if !folder_of(&path).join(&target).exists() && path.exists() {
                    return Ok(Destination::Stream(path));
                }
                path = folder_of(&path).join(target);
            } else if found.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            } else if found.is_file() {
                // Renaming would get round the protection of a file that may only be read.
                OpenOptions::new().append(true).open(&path)?;
                let permissions = Some(found.permissions());
                return Ok(Destination::File { path, permissions });
            } else {
                return Ok(Destination::Stream(path));
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }
}

fn stage(path: &Path, permissions: Option<fs::Permissions>, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut file = beside(path)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file_mut().write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

fn settle(file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.persist(path).map_err(|e| e.error)?;
    // The new name is only safe with its folder; some systems cannot sync one, and the file is there all the same.
    if let Ok(folder) = File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn pour(stream: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut stream = OpenOptions::new().write(true).open(stream)?;
    stream.write_all(bytes)?;
    stream.flush()
}

/// A new file in the same folder, removed again unless it is renamed.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    // Long names leave no room for a longer one.
    let short: String = name.chars().take(40).collect();
    let prefix = format!(".{short}.");
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".part");
    #[cfg(unix)]
    {
        // As any new file: what the process's mask leaves of this.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let folder = folder_of(path);
    builder.tempfile_in(folder).map_err(|error| {
        // The name of a file that could not be made means nothing to anyone.
        let reason = io::Error::from(error.kind());
        io::Error::new(error.kind(), format!("no file can be created in {}: {reason}", folder.display()))
    })
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("a folder")
            .map(|e| e.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_made_and_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report");
        for text in ["first, and long", "second"] {
            check(&path).expect("it can be written");
            write(&path, text.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("there"), text);
        }
        assert_eq!(names(folder.path()), ["report"]);
    }

    #[test]
    fn what_cannot_be_written_is_found_before_and_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let missing = folder.path().join("no/such/folder/report");
        for path in [folder.path(), &missing] {
            assert!(check(path).is_err());
            let error = write(path, b"text").expect_err("no place");
            assert_eq!(error.path, path);
        }
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn files_that_belong_together_are_replaced_together() {
        let folder = tempfile::tempdir().expect("a folder");
        let (a, bad) = (folder.path().join("a"), folder.path().join("none/b"));
        fs::write(&a, "old").expect("written");
        assert!(write_together(&[(a.clone(), "new"), (bad, "new")]).is_err());
        assert_eq!(fs::read_to_string(&a).expect("there"), "old");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[test]
    fn two_writers_at_once_leave_the_whole_file_of_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("report");
        let texts = ["a".repeat(100_000), "b".repeat(50_000)];
        std::thread::scope(|scope| {
            for text in &texts {
                scope.spawn(|| (0..20).for_each(|_| write(&path, text.as_bytes()).expect("written")));
            }
            for _ in 0..200 {
                if let Ok(read) = fs::read_to_string(&path) {
                    assert!(texts.contains(&read), "{} bytes of neither", read.len());
                }
            }
        });
        assert!(texts.contains(&fs::read_to_string(&path).expect("there")));
        assert_eq!(names(folder.path()), ["report"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("elsewhere/report");
        fs::create_dir(folder.path().join("elsewhere")).expect("made");
        let (link, second) = (folder.path().join("link"), folder.path().join("second"));
        symlink("elsewhere/report", &link).expect("linked");
        symlink(&link, &second).expect("linked");
        write(&second, b"through a dangling link").expect("written");
        fs::set_permissions(&place, fs::Permissions::from_mode(0o640)).expect("changed");
        write(&link, b"again").expect("written");
        assert_eq!(fs::read_to_string(&place).expect("there"), "again");
        assert_eq!(fs::metadata(&place).expect("there").permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        symlink("round", folder.path().join("round")).expect("linked");
        assert!(write(&folder.path().join("round"), b"x").is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_to_and_a_full_one_is_an_error() {
        write(Path::new("/dev/null"), b"text").expect("it takes everything");
        let error = write(Path::new("/dev/full"), b"text").expect_err("it is full");
        assert_eq!(error.source.kind(), io::ErrorKind::StorageFull);
    }
}
