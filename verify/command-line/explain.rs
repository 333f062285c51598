//! `explain`: one claim in words.

use evidence::claim::Role;

use super::arguments::{Explain, Selection};
use super::console::say;
use super::select::select;
use super::status::{Status, Trouble};
use crate::catalogue;

/// Prints everything the catalogue says of one claim.
pub fn explain(options: &Explain) -> Result<Status, Trouble> {
    let claims = catalogue::claims();
    let selection = Selection {
        ids: vec![options.id.clone()],
        ..Selection::default()
    };
    for claim in select(&claims, &selection)? {
        say!("{}  {}", claim.id(), claim.title())?;
        say!("  statement   {}", claim.printed())?;
        say!("  kind        {}", claim.kind())?;
        if let Some(source) = claim.printed_at() {
            let places: Vec<&str> = std::iter::once(source.number)
                .chain(source.also.iter().copied())
                .collect();
            say!("  source      {}", places.join("; "))?;
        }
        let headline = claim.expected();
        say!("  expected    {}", headline.why())?;
        if let Some(lost) = claim.lost() {
            say!("  reconstructed by us: {lost}")?;
        }
        for sense in headline.senses.iter().filter(|s| !s.words.is_empty()) {
            say!("  sense       {}: {}", sense.name, sense.words)?;
        }
        let families: Vec<String> = claim
            .families()
            .iter()
            .map(|(kind, name)| format!("{name} ({kind})"))
            .collect();
        say!(
            "  families    {}; stored witnesses; adversarial search",
            families.join("; ")
        )?;
        for symbol in claim.signs() {
            say!("  where       {}: {}", symbol.sign, symbol.meaning)?;
        }
        for remark in claim.remarks() {
            say!("  remark      {remark}")?;
        }
        for (id, caption) in claim.captions() {
            say!("  curves      {id}: {caption}")?;
        }
        let proofs = claim.prove();
        for (role, heading) in [
            (Role::Part, "parts of the statement as printed"),
            (Role::Meant, "as meant, where the printed words are a misprint"),
            (Role::Ours, "questions of ours, which do not make the headline"),
            (Role::Step, "steps of the proof"),
            (Role::Amendment, "amendments"),
            (Role::Sharpening, "sharpenings"),
            (Role::Control, "controls (false variants that must be refuted)"),
        ] {
            let checks: Vec<_> = claim.checks().into_iter().filter(|c| c.role == role).collect();
            if checks.is_empty() {
                continue;
            }
            say!("  {heading}")?;
            for check in checks {
                let standing = match check.classification.senses.as_slice() {
                    [] => String::new(),
                    some => format!(" (sense {})", some.join(", ")),
                };
                say!("    {:14} {}{standing}", check.id, check.statement)?;
                let assumes = &check.assumes;
                let restrictions: Vec<&str> = assumes.restrictions.iter().map(String::as_str).collect();
                for (word, list) in [
                    ("given", &assumes.givens),
                    ("assuming", &assumes.hypotheses),
                    ("except where", &assumes.exceptions),
                    ("on families with", &restrictions),
                ] {
                    if !list.is_empty() {
                        say!("    {:14} {word} {}", "", list.join("; "))?;
                    }
                }
                let marks = &check.classification;
                for (word, mark) in [
                    ("implied by", marks.implied_by),
                    ("not evidence:", marks.not_evidence),
                    ("left to us:", marks.our_constant),
                    ("because", marks.because),
                ] {
                    if let Some(text) = mark {
                        say!("    {:14} {word} {text}", "")?;
                    }
                }
                for (_, proof) in proofs.iter().filter(|(id, _)| *id == check.id) {
                    say!(
                        "    {:14} proof by subdivision, {}: {}",
                        "",
                        proof.info.domain,
                        proof.conclusion
                    )?;
                    if let Some(form) = proof.info.form.or(proof.info.expected_residual) {
                        say!("    {:14}   {form}", "")?;
                    }
                }
                if role != Role::Control {
                    let reason = check.expectation.reason.map_or(String::new(), |r| format!(": {r}"));
                    say!("    {:14} expected: {}{reason}", "", check.expectation.verdict)?;
                }
            }
        }
        say!("")?;
    }
    Ok(Status::AsExpected)
}
