//! CommonMark that somebody wrote, as HTML. No tag in it is obeyed, and a link leads only where the site has something.

use maud::{Markup, PreEscaped};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, TextMergeStream, html};

use crate::mathml;

/// What becomes of the addresses in a text: none takes the link or the picture away and leaves its words.
pub(crate) struct Addresses<'a> {
    /// Of links.
    pub link: &'a dyn Fn(&str) -> Option<String>,
    /// Of pictures.
    pub picture: &'a dyn Fn(&str) -> Option<String>,
}

/// The text as HTML.
pub(crate) fn html_of(text: &str, addresses: &Addresses<'_>) -> Markup {
    let events: Vec<Event<'_>> = TextMergeStream::new(Parser::new_ext(text, Options::ENABLE_TABLES)).collect();
    let mut kept = Vec::with_capacity(events.len());
    // Whether each link and picture that is open was kept.
    let mut open = Vec::new();
    // The words of a block of code and those that stand for a picture are not set.
    let mut plain = false;
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => kept.push(Event::Text(text.clone())),
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
            Event::Start(Tag::Heading { level, .. }) => kept.push(Event::Start(Tag::Heading {
                level: *level,
                id: Some(CowStr::from(pages::anchor(&words_of(&events[at + 1..])))),
                classes: Vec::new(),
                attrs: Vec::new(),
            })),
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                let address = (addresses.link)(dest_url);
                open.push(address.is_some());
                kept.extend(address.map(|address| {
                    Event::Start(Tag::Link {
                        link_type: *link_type,
                        dest_url: address.into(),
                        title: CowStr::from(""),
                        id: CowStr::from(""),
                    })
                }));
            }
            Event::Start(Tag::Image { link_type, dest_url, .. }) => {
                let address = (addresses.picture)(dest_url);
                open.push(address.is_some());
                plain = address.is_some();
                kept.extend(address.map(|address| {
                    Event::Start(Tag::Image {
                        link_type: *link_type,
                        dest_url: address.into(),
                        title: CowStr::from(""),
                        id: CowStr::from(""),
                    })
                }));
            }
            Event::End(end @ (TagEnd::Link | TagEnd::Image)) => {
                plain &= *end != TagEnd::Image;
                if open.pop() == Some(true) {
                    kept.push(event.clone());
                }
            }
            Event::Text(words) if !plain => {
                kept.push(Event::InlineHtml(mathml::text(words).into_string().into()));
            }
            other => {
                plain = match other {
                    Event::Start(Tag::CodeBlock(_)) => true,
                    Event::End(TagEnd::CodeBlock) => false,
                    _ => plain,
                };
                kept.push(other.clone());
            }
        }
    }
    let mut out = String::new();
    html::push_html(&mut out, kept.into_iter());
    // A wide table scrolls by itself.
    let out = out.replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>");
    PreEscaped(out.replace("</table>", "</table></div>"))
}

/// The words of the heading that has just begun.
fn words_of(events: &[Event<'_>]) -> String {
    let inside = events.iter().take_while(|e| !matches!(e, Event::End(TagEnd::Heading(_))));
    let words = inside.filter_map(|e| match e {
        Event::Text(text) | Event::Code(text) => Some(&**text),
        Event::SoftBreak => Some(" "),
        _ => None,
    });
    words.collect()
}

/// The title of a text: its first heading.
pub(crate) fn title_of(text: &str) -> Option<String> {
    let events: Vec<Event<'_>> = Parser::new(text).collect();
    let heading = events.iter().position(|e| matches!(e, Event::Start(Tag::Heading { .. })))?;
    Some(words_of(&events[heading + 1..]))
}

/// The addresses of the pictures in a text.
pub(crate) fn pictures_of(text: &str) -> Vec<String> {
    let address = |event: Event<'_>| match event {
        Event::Start(Tag::Image { dest_url, .. }) => Some(dest_url.to_string()),
        _ => None,
    };
    Parser::new(text).filter_map(address).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_tag_is_obeyed_and_no_link_leads_out() {
        let addresses =
            Addresses { link: &|to| (to == "lemma-1.md").then(|| "lemma-1.html".to_owned()), picture: &|_| None };
        let text = "# A *b*\n\na < b <script>x()</script> & [in](lemma-1.md) [out](javascript:x) ![p](x.svg)\n\n<div \
                    onclick=\"x\">\n";
        let PreEscaped(html) = html_of(text, &addresses);
        assert!(html.contains("<h1 id=\"a-b\">"), "{html}");
        assert!(html.contains("<a href=\"lemma-1.html\">in</a> out p"), "{html}");
        assert!(!html.contains("<script") && !html.contains("<div onclick") && !html.contains("javascript"), "{html}");
        assert_eq!(title_of(text).as_deref(), Some("A b"));
        assert_eq!(pictures_of(text), ["x.svg"]);
    }
}
