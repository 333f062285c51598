//! An attempt in words.

use std::fmt;

use enclosures::enclosure::{Enclosure, plain};
use evidence::claim::{Comparison, Relation};
use evidence::run::Sighting;

use crate::attempt::{Attempt, AttemptOutcome};
use crate::instances::compare::Tie;
use crate::instances::statement::Texts;
use crate::instances::system::MOST_EQUATIONS;
use crate::numbers::number::decimal;
use crate::search::translate::is_bounded;
use crate::text::literal::literal;

/// Both sides with their enclosures.
fn sides(f: &mut fmt::Formatter<'_>, comparison: &Comparison) -> fmt::Result {
    let ends = |e: Enclosure| {
        if e.lo() == e.hi() { String::new() } else { format!("   in [{}, {}]", e.lo(), e.hi()) }
    };
    writeln!(f, "  left      {}{}", comparison.lhs, ends(comparison.lhs))?;
    writeln!(f, "  asked     left {} right", comparison.relation)?;
    writeln!(f, "  right     {}{}", comparison.rhs, ends(comparison.rhs))?;
    if let Some(note) = &comparison.note {
        writeln!(f, "  where     {note}")?;
    }
    Ok(())
}

fn sighted(f: &mut fmt::Formatter<'_>, name: &str, sighting: &Sighting) -> fmt::Result {
    let c = &sighting.comparison;
    let at = if sighting.description.is_empty() { &sighting.instance } else { &sighting.description };
    let note = c.note.as_ref().map_or(String::new(), |note| format!("   ({note})"));
    writeln!(f, "  {name} at {at}: {} {} {}{note}", c.lhs, c.relation, c.rhs)
}

/// Decimal numbers of the texts that are those of an instance, too: in the texts they are exact, and of the instance they are doubles.
fn rounded<'t>(texts: &'t Texts, description: &str) -> Vec<&'t str> {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let numbers = |text: &'t str| text.split(move |c| !is_digit(c)).filter(|number| number.contains('.'));
    let all = [&texts.statement, &texts.ranges, &texts.conditions].into_iter().flat_map(|text| numbers(text));
    let is_inexact = |number: &&str| number.parse::<f64>().is_ok() && decimal(literal(number)).width() > 0.0;
    let shown: Vec<&str> = description.split(|c: char| !is_digit(c)).collect();
    let mut found: Vec<&str> = all.filter(|number| shown.contains(number)).filter(is_inexact).collect();
    found.sort_unstable();
    found.dedup();
    found
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = &self.statement.texts;
        let word = match &self.outcome {
            AttemptOutcome::Refuted { .. } => "refuted",
            AttemptOutcome::Proved(_) => "proved",
            AttemptOutcome::Sampled(_) => "sampled",
            AttemptOutcome::Stands { .. } => "stands",
            AttemptOutcome::Vacuous => "says nothing",
        };
        let taken = match self.statement.undeclared.as_slice() {
            [] => String::new(),
            [name] => format!("   ({name} taken as a real number)"),
            names => format!("   ({} taken as real numbers)", names.join(", ")),
        };
        writeln!(f, "{word:<10}  {}{taken}", texts.statement)?;
        let declarations = self.statement.declarations.to_string();
        if !declarations.is_empty() {
            writeln!(f, "  for       {declarations}")?;
        }
        for condition in &self.statement.conditions {
            let note = if condition.is_equation() { "   (met exactly by numbers within the ± shown)" } else { "" };
            writeln!(f, "  where     {}{note}", condition.text)?;
        }
        for supplied in &self.statement.supplied {
            writeln!(f, "  supplied  {supplied}: elsewhere a side is not defined")?;
        }
        match &self.outcome {
            AttemptOutcome::Refuted { refutation, comparison } => {
                writeln!(f, "  at        {}", refutation.description)?;
                for digits in rounded(texts, &refutation.description) {
                    writeln!(f, "            {digits} stands for the double that is nearest to it")?;
                }
                sides(f, comparison)?;
                writeln!(f, "  missed by {}", -comparison.margin)?;
            }
            AttemptOutcome::Proved(proof) => {
                writeln!(f, "  how       {proof}")?;
                for line in proof.lines() {
                    writeln!(f, "            {line}")?;
                }
            }
            AttemptOutcome::Sampled(identity) => writeln!(f, "  how       {identity}")?,
            AttemptOutcome::Stands { tightest, tie, generic, doubtful, advice, glanced, proof, constants } => {
                if let Some(tightest) = tightest {
                    let name = if *tie == Some(Tie::Equal) { "equal    " } else { "closest  " };
                    sighted(f, name, tightest)?;
                    let room = tightest.comparison.relative_margin();
                    if let Some(tie) = tie.filter(|tie| *tie != Tie::Apart || room <= 0.0) {
                        writeln!(f, "  room      {tie}")?;
                    } else if tightest.comparison.relation == Relation::Equal {
                        // The margin of an equation is its tolerance.
                    } else if !is_bounded(&tightest.comparison) {
                        writeln!(f, "  room      unbounded: a side is beyond the range of doubles")?;
                    } else {
                        writeln!(f, "  room      {} of the larger side", plain(room.max(0.0), 3))?;
                    }
                }
                if let Some(generic) = generic {
                    sighted(f, "away     ", generic)?;
                    let room = generic.comparison.relative_margin().max(0.0);
                    writeln!(
                        f,
                        "  room      {} of the larger side, the least of instances without zeros, sizes of one and nearly \
                         equal sides",
                        plain(room, 3)
                    )?;
                }
                if let Some(doubtful) = doubtful {
                    sighted(f, "undecided", doubtful)?;
                }
                if let Some(advice) = advice {
                    writeln!(f, "  advice    {advice}")?;
                }
                for constant in constants {
                    writeln!(f, "  constant  {constant}")?;
                }
                if let Some(glanced) = glanced {
                    writeln!(f, "  looked at {glanced}")?;
                }
                if let Some(proof) = proof {
                    writeln!(f, "  proof     {proof}")?;
                }
            }
            AttemptOutcome::Vacuous => {
                writeln!(f, "  because   no instance is known to meet the conditions with both sides defined")?;
                let equations = self.statement.declarations.equations.len();
                if equations > MOST_EQUATIONS {
                    let most = MOST_EQUATIONS;
                    writeln!(f, "  advice    at most {most} equations are solved at once; there are {equations}")?;
                }
            }
        }
        let counts = &self.counts;
        write!(f, "  tried     {} instances, {} judged", counts.tried(), counts.met)?;
        for (hypothesis, number) in &counts.discarded {
            write!(f, ", {number} without {hypothesis}")?;
        }
        if counts.vacuous > 0 {
            write!(f, ", {} with a side undefined or beyond doubles", counts.vacuous)?;
        }
        if counts.touching > 0 {
            write!(f, ", {} with sides equal up to rounding", counts.touching)?;
        }
        writeln!(f)
    }
}
