//! The front page: what this is, the papers, and a table of all statements that can be narrowed down.
//!
//! The lists narrow it down by the style alone; a script adds the search for words, the count and an address for a selection.

use std::fmt::Write;

use evidence::headline::COUNTED;
use evidence::run::ClaimResult;
use evidence::verdict::Verdict;
use maud::{Markup, PreEscaped, html};
use pages::page::Target;

use crate::Contents;
use crate::blocks::{Writer, class_of_verdict, outcome};
use crate::claim_pages::beside;
use crate::frame::Frame;
use crate::mathml;
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
    // What is false comes first; within a verdict the order is that of the papers.
    let mut ordered: Vec<&ClaimResult> = claims.iter().collect();
    ordered.sort_by_key(|claim| match claim.verdict() {
        Verdict::Fails => 0,
        Verdict::Mixed => 1,
        Verdict::Misprint => 2,
        Verdict::Holds | Verdict::Consistent => 4,
        _ => 3,
    });
    let writer = Writer::new(FRONT, FRONT, shelf);
    let content = html! {
        h1 { "The theory of contrastive learning, checked" }
        p.lead {
            "Every lemma, proposition, theorem and checkable proof step is an executable claim, tested on exact, random, \
             adversarial and real instances. A false statement comes with a small counterexample and its corrected form."
        }
        (papers(contents, &writer))
        h2 #statements { "All statements" }
        (lists(claims))
        div.wide.stacked {
            table.claims {
                thead { tr {
                    th scope="col" { "statement" } th scope="col" { "result" } th scope="col" { "grade" } th scope="col" { "kind" }
                    th scope="col" { "what is wrong, or the proof, stronger form or tightest instance" }
                } }
                tbody { @for claim in ordered { (row(claim, &writer)) } }
            }
        }
        p #none hidden { "No statement is left. Choose fewer things at once." }
    };
    frame.page(FRONT, "contrapositive: the theory of contrastive learning, checked", &content)
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
                    h2 { a href=(format!("#paper={}", paper.id)) { (paper.citation) } }
                    p { @for (at, (word, verdict, count)) in counts(&claims).into_iter().enumerate() {
                        @if at > 0 { " · " }
                        (count) " " a href=(format!("#paper={}&result={verdict}", paper.id)) {
                            span class=(format!("result {}", class_of_verdict(verdict))) { (word) }
                        }
                    } }
                    @if let Some(rebuilt) = reconstructed(&claims) { p { (rebuilt) } }
                    p { code { (paper.id) }
                        @for (name, address) in beside(contents, &paper.id, writer) { " · " a href=(address) { (name) } }
                    }
                }
            }
        }
    }
}

/// How many of a paper's entries rest on formulas that its copy lost.
fn reconstructed(claims: &[&ClaimResult]) -> Option<String> {
    match claims.iter().filter(|c| c.reconstructed.is_some()).count() {
        0 => None,
        n => Some(format!("Reconstructed by us, and not held against the paper: {n} of {}.", claims.len())),
    }
}

/// The word of each headline that claims of a paper have, the headline, and how many have it.
fn counts(claims: &[&ClaimResult]) -> Vec<(&'static str, Verdict, usize)> {
    let of = |verdict: Verdict| claims.iter().filter(|c| c.verdict() == verdict).count();
    let all = COUNTED.map(|(verdict, _)| (pages::result(verdict), verdict, of(verdict)));
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
    let named = html! { @if !number.is_empty() { (mathml::text(number)) ": " } (mathml::text(claim.title)) };
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
