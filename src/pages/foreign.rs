//! Text that came from outside (names of files, what stands in them), made fit for the places where it is shown.

use std::borrow::Cow;

/// The text with characters that a terminal would obey, that turn the direction of writing round or begin a line of their own, in the notation
/// of JSON: a report in JSON stays what it is. Every writer passes its text through here.
pub fn tame(text: &str) -> Cow<'_, str> {
    let is_wild = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_wild) {
        return text.into();
    }
    let mut tamed = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_wild(c) {
            tamed.push_str(&format!("\\u{:04x}", u32::from(c)));
        } else {
            tamed.push(c);
        }
    }
    tamed.into()
}

/// The text as words of one paragraph of Markdown, and so of HTML: no tag, link, emphasis or heading comes of it. The bars of a table
/// are the caller's concern.
pub fn in_markdown(text: &str) -> String {
    let mut words = String::with_capacity(text.len());
    for c in tame(text).chars() {
        match c {
            '\n' | '\t' => words.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '#' | '~' => words.extend(['\\', c]),
            _ => words.push(c),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown_and_not_obeyed() {
        assert_eq!(tame("x ≤ ½\tand\n"), "x ≤ ½\tand\n");
        assert_eq!(tame("a\u{1b}[31mb\r\u{7f}\u{9b}c\u{202e}d"), r"a\u001b[31mb\u000d\u007f\u009bc\u202ed");
    }

    #[test]
    fn markdown_shows_words_and_nothing_else() {
        assert_eq!(in_markdown("six atoms, N = 3"), "six atoms, N = 3");
        assert_eq!(in_markdown("<img src=x>\n# [a](b) *c*\u{1b}"), r"\<img src=x\> \# \[a\](b) \*c\*\\u001b");
    }
}
