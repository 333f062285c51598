//! The front page: what this is, the papers, and a table of all statements that can be narrowed down.
//!
//! The lists narrow it down by the style alone; a script adds the search for words, the count and an address for a selection.

use std::fmt::Write;

use evidence::run::ClaimResult;
use evidence::verdict::Verdict;
use maud::{Markup, PreEscaped, html};
use pages::page::Target;

use crate::Contents;
use crate::blocks::{Writer, outcome};
use crate::claim_pages::beside;
use crate::frame::Frame;
use crate::place::FRONT;
use crate::shelf::Shelf;

/// A list that the table can be narrowed down by: its name, what it is called, and the value of a claim.
type List = (&'static str, &'static str, fn(&ClaimResult) -> String);

const LISTS: [List; 4] = [
    ("paper", "Paper", |claim| claim.paper.to_owned()),
    ("result", "Result", |claim| claim.verdict().to_string()),
    ("kind", "Kind", |claim| claim.kind.to_string()),
    ("grade", "Grade", grade),
];

/// The front page.
pub(crate) fn page(contents: &Contents<'_>, frame: &Frame, shelf: &Shelf) -> String {
    let claims = &contents.run.claims;
    let writer = Writer::new(FRONT, FRONT, shelf);
    let content = html! {
        h1 { "Statements on contrastive learning, tried" }
        p.lead {
            "Every lemma, proposition, theorem and checkable step of a proof is an executable claim, compared side \
             against side on exact, random, adversarial and real instances. What fails comes with the smallest \
             instance that breaks it, and with the statement that holds."
        }
        (papers(contents, &writer))
        h2 #statements { "All statements" }
        (lists(claims))
        div.wide.stacked {
            table.claims {
                thead { tr {
                    th scope="col" { "statement" } th scope="col" { "result" } th scope="col" { "grade" } th scope="col" { "kind" }
                    th scope="col" { "what is wrong, or the strongest that is known" }
                } }
                tbody { @for claim in claims { (row(claim, &writer)) } }
            }
        }
        p #none hidden { "No statement is left. Choose fewer things at once." }
    };
    frame.page(FRONT, "contrapositive: statements on contrastive learning, tried", &content)
}

/// A card for each paper.
fn papers(contents: &Contents<'_>, writer: &Writer<'_>) -> Markup {
    let run = contents.run;
    let papers = contents.register.papers.iter().map(|paper| {
        let of_paper = run.claims.iter().filter(|c| c.paper == paper.id);
        (paper, of_paper.collect::<Vec<_>>())
    });
    html! {
        div.papers {
            @for (paper, claims) in papers.filter(|(_, claims)| !claims.is_empty()) {
                section.paper {
                    h2 { (paper.citation) }
                    p { @for (at, (word, class, count)) in counts(&claims).into_iter().enumerate() {
                        @if at > 0 { " · " }
                        (count) " " span class=(format!("result {class}")) { (word) }
                    } }
                    p { code { (paper.id) }
                        @for (name, address) in beside(contents, &paper.id, writer) { " · " a href=(address) { (name) } }
                    }
                }
            }
        }
    }
}

/// How many claims of a paper came out in each way, those that came out in none left out.
fn counts(claims: &[&ClaimResult]) -> Vec<(&'static str, &'static str, usize)> {
    let of = |verdicts: &[Verdict]| claims.iter().filter(|c| verdicts.contains(&c.verdict())).count();
    let all = [
        ("PASS", "passes", of(&[Verdict::Holds, Verdict::Consistent])),
        ("MISPRINT", "misprint", of(&[Verdict::Misprint])),
        ("MIXED", "mixed", of(&[Verdict::Mixed])),
        ("FAIL", "fails", of(&[Verdict::Fails])),
        ("neither", "open", of(&[Verdict::Undecided, Verdict::Inconclusive, Verdict::Vacuous, Verdict::NotYet])),
    ];
    all.into_iter().filter(|(_, _, count)| *count > 0).collect()
}

/// The lists, and the rules by which each choice hides what it does not mean.
fn lists(claims: &[ClaimResult]) -> Markup {
    let mut rules = String::new();
    let mut choices = Vec::new();
    for (name, called, value) in LISTS {
        let mut values: Vec<String> = Vec::new();
        for claim in claims {
            let value = value(claim);
            if !values.contains(&value) {
                values.push(value);
            }
        }
        for value in &values {
            // Values are names of ours: letters, digits and hyphens.
            if value.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
                let _ = writeln!(
                    rules,
                    "main:has(#{name} option[value=\"{value}\"]:checked) .claims tbody \
                     tr:not([data-{name}=\"{value}\"]){{display:none}}"
                );
            }
        }
        choices.push((name, called, values));
    }
    html! {
        style { (PreEscaped(rules)) }
        form.lists autocomplete="off" {
            @for (name, called, values) in &choices {
                label for=(name) { (called)
                    select #(name) name=(name) {
                        option value="" { "all" }
                        @for value in values { option value=(value) { (value) } }
                    }
                }
            }
            label #words hidden for="text" { "Text" input #text name="text" type="search" placeholder="words of a \
                                                                                                       statement"; }
            button type="reset" { "show all" }
            output #count for="paper result kind grade text" { (claims.len()) " statements" }
        }
    }
}

fn row(claim: &ClaimResult, writer: &Writer<'_>) -> Markup {
    let glance = pages::glance(claim);
    let number = claim.source.as_ref().map_or("", |source| source.number);
    let address = writer.shelf.link(writer.here, &Target::file(pages::path_of_page(claim)));
    let named = html! { @if !number.is_empty() { (number) ": " } (claim.title) };
    let value = |list: usize| LISTS[list].2(claim);
    html! {
        tr data-paper=(value(0)) data-result=(value(1)) data-kind=(value(2)) data-grade=(value(3)) data-statement=(claim.statement) {
            th scope="row" {
                @match address {
                    Some(address) => { a href=(address) { (named) } }
                    None => { (named) }
                }
                " " code { (claim.id) }
            }
            td data-name="result" { (outcome(claim, writer)) }
            td data-name="grade" { (grade(claim)) }
            td data-name="kind" { (claim.kind) }
            td { (writer.line(&glance.told)) @if let Some(instead) = &glance.instead { div.instead { "Instead: " (writer.line(instead)) } } }
        }
    }
}

/// The grade without its probability.
fn grade(claim: &ClaimResult) -> String {
    let told = claim.grade().map_or(String::new(), |grade| grade.to_string());
    let word = told.split(|c: char| !c.is_ascii_alphanumeric()).next();
    word.filter(|word| !word.is_empty()).unwrap_or("none").to_owned()
}
