//! Files of the repository that pages lead to: code, witnesses, checks, documentation.

use maud::html;

use crate::blocks::Writer;
use crate::frame::Frame;
use crate::place::address;
use crate::prose::title_of;
use crate::shelf::{Shelf, is_prose};

/// A page for each file: CommonMark as HTML, everything else letter by letter.
pub(crate) fn documents(frame: &Frame, shelf: &Shelf) -> Vec<(String, String)> {
    let shown = |(path, text): (&String, &String)| {
        let here = address(path);
        let writer = Writer::new(&here, path, shelf);
        let title = is_prose(path).then(|| title_of(text)).flatten();
        let content = if is_prose(path) {
            html! { article { (writer.prose(text)) } }
        } else {
            html! {
                h1.path { (path) }
                pre.file tabindex="0" { code { (text) } }
            }
        };
        let page = frame.page(&here, title.as_ref().unwrap_or(path), &content);
        (here, page)
    };
    shelf.files().iter().map(shown).collect()
}
