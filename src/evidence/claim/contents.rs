//! A paper's table of contents: its claims in order, each with what its file says before the code.

/// The claims of these modules, in this order, as a `Vec<Claim>`: each module has a function `claim`, and its file begins with
/// the prose about the claim (`//!`), which its page of the report shows. A module that is a folder names its file.
///
/// ```text
/// pub fn claims() -> Vec<Claim> {
///     evidence::contents![lemma_1, lemma_2, theorem_1 in "theorem_1/mod.rs"]
/// }
/// ```
#[macro_export]
macro_rules! contents {
    (@file $module:ident) => { include_str!(concat!(stringify!($module), ".rs")) };
    (@file $module:ident $file:literal) => { include_str!($file) };
    ($($module:ident $(in $file:literal)?),* $(,)?) => {
        vec![$({
            const SOURCE: &str = $crate::contents!(@file $module $($file)?);
            // Only the prose becomes part of the program, not the code behind it.
            const PROSE: [u8; $crate::claim::prose_length(SOURCE)] = $crate::claim::prose(SOURCE);
            const TEXT: &str = match ::core::str::from_utf8(&PROSE) {
                Ok(text) => text,
                Err(_) => panic!("the prose ends inside a sign"),
            };
            $module::claim().prose(TEXT)
        }),*]
    };
}

/// The length in bytes of the lines at the top of a source file that begin with `//!`.
#[must_use]
pub const fn prose_length(source: &str) -> usize {
    let bytes = source.as_bytes();
    let mut end = 0;
    loop {
        let marked = end + 2 < bytes.len() && bytes[end] == b'/' && bytes[end + 1] == b'/' && bytes[end + 2] == b'!';
        if !marked {
            return end;
        }
        while end < bytes.len() && bytes[end] != b'\n' {
            end += 1;
        }
        if end < bytes.len() {
            end += 1;
        }
    }
}

/// The first `N` bytes of a source file.
#[must_use]
pub const fn prose<const N: usize>(source: &str) -> [u8; N] {
    let bytes = source.as_bytes();
    let mut found = [0; N];
    let mut at = 0;
    while at < N {
        found[at] = bytes[at];
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_ends_with_the_first_line_of_another_kind() {
        let source = "//! Lemma 1: ε.\n//!\n//! True.\n\nuse x;\n//! not this\n";
        const LENGTH: usize = prose_length("//! Lemma 1: ε.\n//!\n//! True.\n\nuse x;\n//! not this\n");
        let taken: [u8; LENGTH] = prose(source);
        assert_eq!(std::str::from_utf8(&taken), Ok("//! Lemma 1: ε.\n//!\n//! True.\n"));
        for (source, length) in [("", 0), ("use x;", 0), ("//", 0), ("//! all", 7), ("//!\n//", 4)] {
            assert_eq!(prose_length(source), length, "{source:?}");
        }
    }
}
