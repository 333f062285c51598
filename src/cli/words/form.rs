//! The form of a report and the place it goes to: told by an option, by the name of the file, or by both if they agree.

use std::path::{Path, PathBuf};

use crate::outcome::format::Format;
use crate::outcome::status::Trouble;

/// A place that stands for standard output.
pub const STANDARD_OUTPUT: &str = "-";

/// Forms that files of a known ending have; what stands first is meant where nothing else is said.
const ENDINGS: [(&str, &[Format]); 5] = [
    ("md", &[Format::Markdown, Format::Summary]),
    ("markdown", &[Format::Markdown, Format::Summary]),
    ("json", &[Format::Json]),
    ("xml", &[Format::Junit]),
    ("tex", &[Format::Latex]),
];

/// Whether a path means a folder: one that exists, or a name that ends like one.
#[must_use]
pub fn is_folder(path: &Path) -> bool {
    let text = path.as_os_str().to_string_lossy();
    path.is_dir() || text.ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// The form of a report that goes to a file: the one asked for, which the file's ending must not contradict, or the one of its ending.
///
/// # Errors
/// Form and ending contradict one another, neither says what the form is, or the program was built without it.
pub fn form(asked: Option<Format>, path: &Path) -> Result<Format, Trouble> {
    match told(asked, path)? {
        Format::Junit if !cfg!(feature = "junit") => Err(Trouble::without("JUnit's XML", "junit")),
        form => Ok(form),
    }
}

fn told(asked: Option<Format>, path: &Path) -> Result<Format, Trouble> {
    if is_folder(path) {
        // Only pages come as a set; a dot in the name of a folder is no ending.
        return match asked {
            None | Some(Format::Markdown) => Ok(Format::Markdown),
            Some(asked) => Err(Trouble::Form { asked, path: path.into() }),
        };
    }
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let known = ENDINGS.iter().find(|(name, _)| ending.as_deref() == Some(name));
    match (asked, known) {
        (None, Some((_, forms))) => Ok(forms[0]),
        (Some(asked), Some((_, forms))) if !forms.contains(&asked) => Err(Trouble::Form { asked, path: path.into() }),
        (Some(asked), _) => Ok(asked),
        // Devices and pipes have names without an ending.
        (None, None) if ending.is_none() => Ok(Format::Markdown),
        (None, None) => Err(Trouble::NoForm(path.into())),
    }
}

/// Where a report goes and in which form; nowhere if nothing asks for one. What is asked for without a place goes to standard output, but
/// for Markdown of the whole catalogue, which has a page of its own.
///
/// # Errors
/// As [`form`].
pub fn destination(
    asked: Option<Format>,
    output: Option<&Path>,
    own_page: impl FnOnce() -> Option<PathBuf>,
) -> Result<Option<(Format, PathBuf)>, Trouble> {
    let path = match (output, asked) {
        (Some(path), _) => path.to_owned(),
        (None, None) => match own_page() {
            Some(path) => path,
            None => return Ok(None),
        },
        (None, Some(Format::Markdown)) => own_page().unwrap_or_else(|| STANDARD_OUTPUT.into()),
        (None, Some(_)) => STANDARD_OUTPUT.into(),
    };
    Ok(Some((form(asked, &path)?, path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_tells_the_form_and_must_not_contradict_it() {
        let of = |asked, path: &str| form(asked, Path::new(path)).ok();
        assert_eq!(of(None, "run.json"), Some(Format::Json));
        // What the program was built without is refused, wherever it is told.
        let junit = cfg!(feature = "junit").then_some(Format::Junit);
        assert_eq!(of(None, "run.XML"), junit);
        assert_eq!(of(None, "out/REPORT.md"), Some(Format::Markdown));
        assert_eq!(of(Some(Format::Summary), "step.md"), Some(Format::Summary));
        assert_eq!(of(Some(Format::Json), "run.dat"), Some(Format::Json));
        assert_eq!(of(None, "/dev/stdout"), Some(Format::Markdown));
        assert_eq!(of(None, "report.d/"), Some(Format::Markdown));
        assert_eq!(of(Some(Format::Junit), "-"), junit);
        for (asked, path) in [
            (Some(Format::Json), "run.md"),
            (Some(Format::Markdown), "run.json"),
            (Some(Format::Json), "run.xml"),
            (Some(Format::Json), "out/"),
            (None, "run.txt"),
        ] {
            assert_eq!(of(asked, path), None, "{asked:?} {path}");
        }
    }

    #[test]
    fn what_is_asked_for_without_a_place_goes_to_standard_output() {
        let page = || Some(PathBuf::from("REPORT.md"));
        let place = |asked, page: &dyn Fn() -> Option<PathBuf>| destination(asked, None, page).expect("a place");
        assert_eq!(place(Some(Format::Json), &page), Some((Format::Json, STANDARD_OUTPUT.into())));
        assert_eq!(place(None, &page), Some((Format::Markdown, "REPORT.md".into())));
        assert_eq!(place(Some(Format::Markdown), &|| None), Some((Format::Markdown, STANDARD_OUTPUT.into())));
        assert_eq!(place(None, &|| None), None);
    }
}
