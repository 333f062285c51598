//! The catalogue: every statement of four papers on the theory of contrastive learning, as an executable claim.
//!
//! One folder per paper, one file per claim, in the paper's own order. A claim's file holds the whole of that claim and can
//! be read beside the paper; it uses only the public API of `contrapositive`, as a catalogue of your own would.

/// Declares the files of a paper's folder and, in the same order, its list of claims. Adding a claim is one file and one
/// line here.
macro_rules! claims {
    ($($file:ident),* $(,)?) => {
        $(mod $file;)*

        /// The paper's claims, in its own order.
        #[must_use]
        pub fn claims() -> Vec<contrapositive::claim::Claim> {
            vec![$($file::claim()),*]
        }
    };
}

pub mod catalogue;
pub mod command_line;
pub mod digits;
pub mod esser2024;
pub mod merad2020;
pub mod quality;
pub mod ren2023;
pub mod wen2020;
