//! The theorems of `proofs/` are about the quantities that this library computes.
//!
//! Each file of `proofs/conformance/` has small instances and, for each, the bounds that the library computes: Coq proves that the number of its
//! own definition lies between them. The files are written here, from the functions that the claims use. A test compares them with what stands
//! there; `RENEW_CONFORMANCE=1 cargo test --test conformance` writes them anew. Coq reads them in `proofs/build` and is not asked here.

mod conformance {
    pub mod esser2024;
    pub mod merad2020;
    pub mod ren2023;
    pub mod sheet;
    pub mod wen2020;
}

use std::fs;
use std::path::Path;

use conformance::{esser2024, merad2020, ren2023, wen2020};

#[test]
fn the_instances_in_coq_have_the_bounds_that_the_library_computes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs/conformance");
    let (mut stale, mut values, mut controls) = (Vec::new(), 0, 0);
    for sheet in [merad2020::sheet(), esser2024::sheet(), esser2024::matrices(), wen2020::sheet(), ren2023::sheet()] {
        let (path, text) = (folder.join(format!("{}.v", sheet.name())), sheet.text());
        if std::env::var_os("RENEW_CONFORMANCE").is_some() {
            fs::write(&path, &text).expect("the file can be written");
        }
        if fs::read_to_string(&path).unwrap_or_default() != text {
            stale.push(sheet.name());
        }
        (values, controls) = (values + sheet.values(), controls + sheet.controls());
    }
    assert!(
        stale.is_empty(),
        "proofs/conformance: {stale:?} are not what the library computes; `RENEW_CONFORMANCE=1 cargo test --test conformance` writes them, and \
         proofs/build checks them"
    );
    let told = format!("There are {values} bounds and {controls} controls:");
    let readme = fs::read_to_string(folder.with_file_name("README.md")).expect("the page of the proofs");
    assert!(readme.contains(&told), "proofs/README.md does not say: {told}");
}
