//! The table of contents of a catalogue: its claims in order, each with what its file says before the code, and a test for each.

/// The table of contents of a catalogue: `claims()`, every claim in the order given, and a test for each under its name, which asserts what
/// [`assert_claim!`](crate::assert_claim) does.
///
/// An entry is a module with a function `claim`, whose file begins with the prose about the claim (`//!`), which its page of the report
/// shows; a module that is a folder names its file, from here. Another function stands behind a colon, and has prose if a file is named.
///
/// ```text
/// catalogue! {
///     lemma_1,
///     lemma_2,
///     theorem_1 in "theorem_1/mod.rs",
///     lemma_2_misquoted: lemma_2::misquoted,
/// }
/// ```
///
/// A catalogue that begins with `tested elsewhere;` has no tests of its own: those of a large one are better run as a whole.
///
/// ```
/// mod squares {
/// #   use contrapositive_evidence::prelude::*;
/// #   use serde::{Deserialize, Serialize};
/// #   #[derive(Clone, Debug, Serialize, Deserialize)]
/// #   struct Point { x: f64 }
/// #   impl Instance for Point { fn describe(&self) -> String { format!("x = {}", self.x) } }
///     pub fn claim() -> contrapositive_evidence::claim::Claim {
///         // ...
/// #       Claim::new("mine.square", "squares", Kind::Inequality).setting(
/// #           Setting::of().given("x real").family(edge("some", || vec![("one", Point { x: 1.0 })]))
/// #               .part("printed", "0 ≤ x²", holds(), |p: &Point, ()| at_most(0, exact(p.x).square())))
///     }
/// }
///
/// contrapositive_evidence::catalogue! {
///     squares: squares::claim,
/// }
///
/// assert_eq!(claims().len(), 1);
/// ```
#[macro_export]
macro_rules! catalogue {
    (@claim $name:ident) => { $name::claim() };
    (@claim $name:ident $claim:path) => { $claim() };
    (@told $name:ident) => {
        $crate::catalogue!(@with include_str!(concat!(stringify!($name), ".rs")), $name::claim())
    };
    (@told $name:ident in $file:literal) => { $crate::catalogue!(@with include_str!($file), $name::claim()) };
    (@told $name:ident in $file:literal $claim:path) => { $crate::catalogue!(@with include_str!($file), $claim()) };
    (@told $name:ident $claim:path) => { $claim() };
    (@with $source:expr, $claim:expr) => {{
        const SOURCE: &str = $source;
        // Only the prose becomes part of the program, not the code behind it.
        const PROSE: [u8; $crate::claim::prose_length(SOURCE)] = $crate::claim::prose(SOURCE);
        const TEXT: &str = match ::core::str::from_utf8(&PROSE) {
            Ok(text) => text,
            Err(_) => panic!("the prose ends inside a sign"),
        };
        $claim.prose(TEXT)
    }};
    (tested elsewhere; $($name:ident $(in $file:literal)? $(: $claim:path)?),+ $(,)?) => {
        /// Every claim of this catalogue, in order.
        #[must_use]
        pub fn claims() -> ::std::vec::Vec<$crate::claim::Claim> {
            ::std::vec![$($crate::catalogue!(@told $name $(in $file)? $($claim)?)),+]
        }
    };
    ($($name:ident $(in $file:literal)? $(: $claim:path)?),+ $(,)?) => {
        $crate::catalogue!(tested elsewhere; $($name $(in $file)? $(: $claim)?),+);

        #[cfg(test)]
        mod catalogue_tests {
            // The paths above are those of the module around this one.
            #[allow(unused_imports)]
            use super::*;

            $(
                #[test]
                fn $name() {
                    $crate::assert_claim!($crate::catalogue!(@claim $name $($claim)?));
                }
            )+
        }
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
        for (source, length) in [("", 0), ("use x;", 0), ("//", 0), ("//! all", 7), ("//!\n//", 4), ("/a! b", 0)] {
            assert_eq!(prose_length(source), length, "{source:?}");
        }
    }
}
