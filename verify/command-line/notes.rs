//! What is written by hand about the four papers.

use pages::{Dependences, Errata, Notes, PaperNotes};

use crate::restatements::restated;

/// Errata and dependences of every paper.
///
/// # Panics
/// Never: the files are part of the program, and a test reads them.
#[must_use]
pub fn notes() -> Notes {
    let papers = [
        ("merad2020", merad2020::ERRATA, merad2020::DEPENDENCES),
        ("esser2024", esser2024::ERRATA, esser2024::DEPENDENCES),
        ("wen2020", wen2020::ERRATA, wen2020::DEPENDENCES),
        ("ren2023", ren2023::ERRATA, ren2023::DEPENDENCES),
    ];
    let read = |(paper, errata, dependences): (&str, &str, &str)| PaperNotes {
        paper: paper.to_owned(),
        folder: format!("verify/{paper}"),
        errata: Errata::from_toml(errata).expect("the committed errata are readable"),
        dependences: Dependences::from_toml(dependences).expect("the committed dependences are readable"),
    };
    Notes { restated, papers: papers.into_iter().map(read).collect(), ..Notes::default() }
}
