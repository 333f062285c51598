//! Where things lie in the site.

/// The front page.
pub(crate) const FRONT: &str = "index.html";
/// The figures of the papers.
pub(crate) const GALLERY: &str = "figures.html";
/// What the words of the pages mean, a file of the repository.
pub(crate) const WORDS: &str = "docs/words.md";
/// How everything looks.
pub(crate) const STYLE: &str = "style.css";
/// What makes the front page's text filter work.
pub(crate) const SCRIPT: &str = "filter.js";

/// The page of the site that shows a page or a file of the repository.
pub(crate) fn address(path: &str) -> String {
    format!("{}.html", path.strip_suffix(".md").unwrap_or(path))
}

/// The file that a relative link in another file means, as a path from the root; none where it leads out of the repository.
pub(crate) fn resolved(from: &str, link: &str) -> Option<String> {
    if link.contains(':') || link.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_addresses_and_links_do_not_leave_the_repository() {
        assert_eq!(address("verify/a/lemma-1.md"), "verify/a/lemma-1.html");
        assert_eq!(address("verify/a/lemma_1.rs"), "verify/a/lemma_1.rs.html");
        assert_eq!(resolved("docs/figures/a.md", "../../README.md").as_deref(), Some("README.md"));
        assert_eq!(resolved("docs/a.md", "./b.svg").as_deref(), Some("docs/b.svg"));
        for outside in ["https://example.org/", "/etc/passwd", "../../x", "javascript:alert(1)"] {
            assert_eq!(resolved("docs/a.md", outside), None, "{outside}");
        }
    }
}
