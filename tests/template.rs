//! The template that CONTRIBUTING.md gives to whoever writes a first claim: it compiles, comes out as expected, and keeps the rules of a
//! catalogue.

use std::fs;
use std::path::Path;

mod template {
    pub mod lemma_7;
}
use template::lemma_7;

contrapositive::catalogue! {
    lemma_7 in "template/lemma_7.rs",
}

#[test]
fn the_page_shows_this_file() {
    let read = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    let (page, file) = (read("CONTRIBUTING.md"), read("tests/template/lemma_7.rs"));
    let shown = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(shown, Some(file.as_str()), "CONTRIBUTING.md shows another text than tests/template/lemma_7.rs");
    assert!(claims()[0].prose.starts_with("//! Lemma 7"));
}
