//! Where the pages of a report lie in the repository.

use evidence::run::ClaimResult;

/// The first page.
pub(crate) const OVERVIEW: &str = "REPORT.md";

/// Its section that says what the words of all pages mean.
pub(crate) const MEANING: &str = "What a run means";

/// The folder of stored witnesses.
pub(crate) const WITNESSES: &str = "fixtures/witnesses";

/// The folder of the theorems and their record.
pub(crate) const PROOFS: &str = "proofs";

/// What is said of them all.
pub(crate) const ABOUT_PROOFS: &str = "proofs/README.md";

/// The name of a claim within its paper.
pub(crate) fn name(claim: &ClaimResult) -> &'static str {
    let rest = claim.id.strip_prefix(claim.paper).unwrap_or(claim.id);
    rest.strip_prefix('.').unwrap_or(rest)
}

/// The file of a claim, as a path from the root of its workspace; none where the compiler knew only where it lay on its own machine.
pub(crate) fn source(claim: &ClaimResult) -> Option<String> {
    let path = claim.file.replace('\\', "/");
    let inside = |part: &str| !matches!(part, "" | "." | "..") && !part.ends_with(':');
    (!path.is_empty() && path.split('/').all(inside)).then_some(path)
}

/// The folder of a claim's code; one of the paper's name where that is not known.
fn folder(claim: &ClaimResult) -> String {
    let file = source(claim);
    let folder = file.as_deref().and_then(|path| path.rsplit_once('/'));
    folder.map_or(claim.paper, |(folder, _)| folder).to_owned()
}

/// The page of a claim, beside its code, as a path from the root of the repository.
#[must_use]
pub fn page(claim: &ClaimResult) -> String {
    format!("{}/{}.md", folder(claim), name(claim))
}

/// The picture of one of its series, as a path from the root of the repository.
#[must_use]
pub fn picture(claim: &ClaimResult, series: &str) -> String {
    format!("{}/curves/{}-{series}.svg", folder(claim), name(claim))
}
