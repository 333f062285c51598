//! Named pipes among the arguments: opening one waits for whoever opens its other end, which nobody would guess from silence.

use std::ffi::OsString;
use std::path::Path;

use super::console::tell;

/// Says of every argument that names a pipe that it is waited for. A pipe without a name (`<(command)`) has another end already.
pub(crate) fn tell_of_named_ones() {
    for path in named(std::env::args_os().skip(1)) {
        tell!("{path} is a pipe: waiting until its other end is opened; it is read until that is closed");
    }
}

/// The pipes that arguments name, also behind `--option=` and before `:array`.
fn named(arguments: impl Iterator<Item = OsString>) -> Vec<String> {
    let mut found = Vec::new();
    for argument in arguments {
        let text = argument.to_string_lossy();
        let value = text.split_once('=').map_or("", |(_, value)| value);
        let candidates = [&text, value].into_iter();
        let candidates = candidates.flat_map(|word| [word, word.rsplit_once(':').map_or("", |(file, _)| file)]);
        found.extend(candidates.filter(|word| is_named_pipe(Path::new(word))).map(str::to_owned));
    }
    found.dedup();
    found
}

#[cfg(unix)]
fn is_named_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_named_pipe(_: &Path) -> bool {
    false
}
