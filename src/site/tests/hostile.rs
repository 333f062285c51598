//! Texts of a catalogue that are markup, end attributes and steer terminals: a site has the same tags as with plain ones.

use contrapositive_site::{Contents, site};
use enclosures::enclosure::exact;
use evidence::budget::Budget;
use evidence::claim::{Claim, Fixtures, Hypothesis, Kind, Setting, at_least, at_most, edge, fails, holds};
use evidence::instance::Instance;
use evidence::report::{Facts, Paper, Register, RegisteredStatement};
use evidence::run::{Plan, Silent, WitnessStore, run};
use serde::{Deserialize, Serialize};

const HOSTILE: &str =
    "a\u{1b}[31m\u{0}\u{9b}\u{202e}<script>x()</script><img src=x onerror=y()>\"'--><b>]]>&lt;<!-- </title></style>";
const PLAIN: &str = "a plain text";

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Number {
    x: f64,
    words: String,
}

impl Instance for Number {
    fn describe(&self) -> String {
        format!("x = {}, called {}", self.x, self.words)
    }
}

/// A site of which every text is this one.
fn of(text: &'static str) -> Vec<(String, String)> {
    let number = move |x| Number { x, words: text.to_owned() };
    let setting = Setting::of()
        .given(text)
        .assume(Hypothesis::capturing(text, |n: &Number| n.x >= 0.0))
        .family(edge("named", move || vec![(text, number(0.0)), ("unit", number(1.0))]))
        .without_search()
        .part("printed", text, fails(text), |n, ()| at_least(exact(n.x), 2))
        .sides(text, text)
        .amendment("corrected", text, holds(), |n, ()| at_most(exact(n.x), 2))
        .control("a", text, |n, ()| at_most(exact(n.x), -1));
    let claim = Claim::new("staged.hostile", text, Kind::Inequality)
        .statement(text)
        .source(text, &[text])
        .symbol(text, text)
        .setting(setting);
    let plan = Plan { seed: 7, budget: Budget::Quick };
    let run = run(&[&claim], plan, &Fixtures::at("fixtures"), &WitnessStore::default(), &Silent);
    let entry = |id: &str| RegisteredStatement { id: id.into(), title: text.into() };
    let entries = ["staged.hostile", "staged.missing"].map(entry).to_vec();
    let register = Register { papers: vec![Paper { id: "staged".into(), citation: text.into(), entries }] };
    let facts: Facts = vec![(text.to_owned(), text.to_owned())];
    site(&Contents {
        run: &run,
        register: &register,
        facts: &facts,
        notes: &pages::Notes::default(),
        figures: &[],
        studies: &[],
        file: &|_| Some(format!("# {text}\n\n{text}\n")),
    })
}

/// The tags of a page, without what their attributes say: what a browser would obey.
fn tags(html: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let (mut tag, mut quote) = (String::new(), None);
        let mut end = rest.len();
        for (at, c) in rest.char_indices() {
            match quote {
                Some(q) if c == q => quote = None,
                Some(_) => {}
                None if c == '"' || c == '\'' => quote = Some(c),
                None if c == '>' => {
                    end = at + 1;
                    break;
                }
                None => tag.push(c),
            }
        }
        found.push(tag);
        rest = &rest[end..];
    }
    found
}

#[test]
fn tags_are_found_and_what_quotes_hold_is_not() {
    assert_eq!(tags("<a href=\"<b>\">x</a> 1 &lt; 2 <br>"), ["a href=", "/a", "br"]);
}

#[test]
fn a_hostile_text_adds_no_tag_to_any_page_and_no_sign_that_steers() {
    let (hostile, plain) = (of(HOSTILE), of(PLAIN));
    let paths = |files: &[(String, String)]| files.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
    assert_eq!(paths(&hostile), paths(&plain));
    let mut shown = 0;
    for ((path, text), (_, other)) in hostile.iter().zip(&plain) {
        let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || c == '\u{202e}';
        assert!(!text.contains(steers), "{path}");
        if path.ends_with(".html") || path.ends_with(".svg") {
            assert_eq!(tags(text), tags(other), "{path}");
            shown += text.matches("31m").count();
        }
    }
    assert!(shown > 10, "the words themselves are shown: {shown}");
}
