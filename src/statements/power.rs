//! Is a statement testable? Its neighbours, one change of its text each, and which of them fall: a constant moved either way, a relation
//! turned round, a condition or a range left out. Where no neighbour falls, that the statement stands says little.

use std::fmt;
use std::sync::Arc;

use enclosures::enclosure::plain;
use enclosures::interval::Interval;
use evidence::claim::{Fixtures, Relation};
use evidence::run::{self, CheckResult, Plan, Sighting, Silent, WitnessStore};
use evidence::verdict::Verdict;

use crate::attempt::{Options, TryError};
use crate::formulas::domain::Domain;
use crate::instances::statement::{Statement, Texts};
use crate::search::sharpen::{constants_of, is_number, which};
use crate::search::translate::{claim, is_bounded};
use crate::text::syntax::typed;

/// The id under which a neighbour is tried.
const ID: &str = "power.statement";

/// The factors by which a constant is moved, the smallest change first.
const FACTORS: [f64; 3] = [1.01, 1.1, 2.0];

/// A change of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A constant is moved one way, by so much.
    Constant {
        /// As it was written.
        from: String,
        /// Up or down.
        up: bool,
        /// What stands in its place.
        to: String,
    },
    /// A relation is turned round.
    Direction {
        /// As it is then.
        relation: &'static str,
    },
    /// A condition is left out.
    Condition(String),
    /// A real variable ranges over all real numbers.
    Range {
        /// The variable.
        variable: String,
        /// What it ranged over.
        range: String,
    },
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Constant { from, to, .. } => write!(f, "{to} in place of {from}"),
            Change::Direction { relation } => write!(f, "{relation}, the other way round"),
            Change::Condition(text) => write!(f, "without {text}"),
            Change::Range { variable, range } => write!(f, "{variable} beyond {range}"),
        }
    }
}

/// A neighbour of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// How it differs; of a constant that was moved farther and farther, the first change that falls, or the last.
    pub change: Change,
    /// The instance that refutes it, if one was found.
    pub refuted: Option<String>,
}

/// What a statement's neighbours say about it.
#[derive(Clone, Debug)]
pub struct Power {
    /// The statement, as it was understood.
    pub statement: Arc<Statement>,
    /// The instance that refutes the statement itself; its neighbours were then not asked.
    pub refuted: Option<String>,
    /// The instance with the least room.
    pub tightest: Option<Sighting>,
    /// The neighbours.
    pub neighbours: Vec<Neighbour>,
}

impl Power {
    /// How many neighbours fall.
    #[must_use]
    pub fn fallen(&self) -> usize {
        self.neighbours.iter().filter(|n| n.refuted.is_some()).count()
    }
}

/// Tries a statement and its neighbours.
///
/// # Errors
/// The statement cannot be read, or no instance meets its conditions with both sides defined.
pub fn power(texts: &Texts, options: Options) -> Result<Power, TryError> {
    let mut statement = Arc::new(Statement::typed(texts)?);
    let mut own = tried(&statement, options)?;
    let says_nothing = |own: &CheckResult| own.verdict == Verdict::Vacuous || own.counts.met == 0;
    while says_nothing(&own)
        && let Some(other) = statement.otherwise()
    {
        statement = Arc::new(other);
        own = tried(&statement, options)?;
    }
    if says_nothing(&own) {
        let trouble =
            own.trouble.unwrap_or_else(|| "no instance is known to meet the conditions with both sides defined".into());
        return Err(TryError::Evaluation(trouble));
    }
    let mut power = Power {
        statement: Arc::clone(&statement),
        refuted: own.witness.map(|w| w.description),
        tightest: own.tightest,
        neighbours: Vec::new(),
    };
    if power.refuted.is_some() {
        return Ok(power);
    }
    for (at, relation) in statement.chain.relations.iter().enumerate() {
        let Some(turned) = turned(*relation) else {
            continue;
        };
        let mut changed = (*statement).clone();
        changed.chain.relations[at] = turned;
        power.ask(Change::Direction { relation: typed(turned) }, Some(changed), options)?;
    }
    let own = constants_of(&statement.chain).into_iter().filter(|(span, _)| is_number(&texts.statement, span));
    let named = statement.named.iter().map(|(span, value)| (false, span.clone(), *value));
    for (is_own, span, value) in own.map(|(span, value)| (true, span, value)).chain(named) {
        let from = which(if is_own { &texts.statement } else { &texts.ranges }, &span);
        for up in [true, false] {
            for factor in FACTORS {
                let moved = if up { value * factor } else { value / factor };
                let to = moved.to_string();
                let mut text = texts.clone();
                let place = if is_own { &mut text.statement } else { &mut text.ranges };
                place.replace_range(span.clone(), &to);
                let change = Change::Constant { from: from.clone(), up, to: plain(moved, 4) };
                let last = factor == FACTORS[FACTORS.len() - 1];
                if power.ask_unless_standing(change, Statement::read(&text).ok(), options, last)? {
                    break;
                }
            }
        }
    }
    for (change, text) in without(&statement) {
        power.ask(change, Statement::read(&text).ok(), options)?;
    }
    Ok(power)
}

impl Power {
    fn ask(&mut self, change: Change, neighbour: Option<Statement>, options: Options) -> Result<(), TryError> {
        self.ask_unless_standing(change, neighbour, options, true).map(|_| ())
    }

    /// Tries a neighbour, and keeps it if it falls or `anyhow`; true if it falls. What cannot be read is no neighbour.
    fn ask_unless_standing(
        &mut self,
        change: Change,
        neighbour: Option<Statement>,
        options: Options,
        anyhow: bool,
    ) -> Result<bool, TryError> {
        let Some(neighbour) = neighbour else {
            return Ok(false);
        };
        let refuted = tried(&Arc::new(neighbour), options)?.witness.map(|w| w.description);
        let falls = refuted.is_some();
        if falls || anyhow {
            self.neighbours.push(Neighbour { change, refuted });
        }
        Ok(falls)
    }
}

fn tried(statement: &Arc<Statement>, options: Options) -> Result<CheckResult, TryError> {
    let claim = claim(statement, ID, options.seed);
    let plan = Plan { seed: options.seed, budget: options.budget };
    let (fixtures, store) = (Fixtures::at("fixtures"), WitnessStore::default());
    let mut result = run::run(&[&claim], plan, &fixtures, &store, &Silent);
    let check = result.claims.pop().and_then(|mut c| c.checks.pop());
    check.ok_or_else(|| TryError::Evaluation("the engine returned no result".into()))
}

fn turned(relation: Relation) -> Option<Relation> {
    match relation {
        Relation::AtMost => Some(Relation::AtLeast),
        Relation::AtLeast => Some(Relation::AtMost),
        Relation::LessThan => Some(Relation::GreaterThan),
        Relation::GreaterThan => Some(Relation::LessThan),
        Relation::Equal => None,
    }
}

/// The statement without each of its conditions, and with each real variable freed of its range. A condition that became a range is
/// left out as that.
fn without(statement: &Statement) -> Vec<(Change, Texts)> {
    // Without what an implication in it assumes: that is among the conditions.
    let claimed = &statement.chain.text;
    let kept: Vec<&str> = statement.conditions.iter().map(|c| c.text.as_str()).collect();
    let declared = |freed: Option<usize>| {
        let variables = statement.declarations.variables.iter().enumerate();
        let each = variables.map(|(at, v)| {
            if freed == Some(at) { format!("{} in R", v.name) } else { format!("{} in {}", v.name, v.domain) }
        });
        let names = &statement.declarations.abbreviations;
        let names = names.iter().map(|(name, formula)| format!("let {name} = {formula}"));
        each.chain(names).collect::<Vec<_>>().join(", ")
    };
    let mut found = Vec::new();
    for (at, condition) in kept.iter().enumerate() {
        let others: Vec<&str> = kept.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, c)| *c).collect();
        let without = Texts::of(claimed).ranging(&declared(None)).given(&others.join(", "));
        found.push((Change::Condition((*condition).to_owned()), without));
    }
    for (at, variable) in statement.declarations.variables.iter().enumerate() {
        if let Domain::Real(range) = &variable.domain
            && !range.is_everything()
            && !statement.supplied.iter().any(|s| s.starts_with(&format!("{} in", variable.name)))
        {
            let change = Change::Range { variable: variable.name.clone(), range: range.to_string() };
            let freed = Texts::of(claimed).ranging(&declared(Some(at))).given(&kept.join(", "));
            found.push((change, freed));
        }
    }
    found
}

impl fmt::Display for Power {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "power       {}", self.statement.texts.statement)?;
        if let Some(instance) = &self.refuted {
            return writeln!(f, "  refuted   at {instance}; its neighbours were not tried");
        }
        if let Some(tightest) = &self.tightest {
            let room = tightest.comparison.relative_margin().max(0.0);
            let at = if tightest.description.is_empty() { &tightest.instance } else { &tightest.description };
            if tightest.comparison.relation == Relation::Equal {
                // The margin of an equation is its tolerance.
            } else if !is_bounded(&tightest.comparison) {
                writeln!(f, "  room      unbounded: a side is beyond the range of doubles, at {at}")?;
            } else if tightest.comparison.margin.interval() == Interval::ZERO {
                writeln!(f, "  room      none: equality is attained at {at}")?;
            } else if room == 0.0 {
                writeln!(f, "  room      none that doubles tell, at {at}")?;
            } else {
                writeln!(f, "  room      {} of the larger side, at {at}", plain(room, 3))?;
            }
        }
        for Neighbour { change, refuted } in &self.neighbours {
            match refuted {
                Some(instance) => writeln!(f, "  falls     {change}: at {instance}")?,
                None => writeln!(f, "  stands    {change}")?,
            }
        }
        let (fallen, all) = (self.fallen(), self.neighbours.len());
        write!(f, "  in all    {fallen} of {all} neighbours fall")?;
        if fallen == 0 {
            write!(f, ": that the statement stands says little, nothing like it can be refuted here")?;
        }
        writeln!(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(texts: &Texts) -> Power {
        power(texts, Options::default()).unwrap_or_else(|e| panic!("{e}"))
    }

    fn fate(power: &Power, wanted: impl Fn(&Change) -> bool) -> &Option<String> {
        let found = power.neighbours.iter().find(|n| wanted(&n.change));
        &found.unwrap_or_else(|| panic!("{power}")).refuted
    }

    #[test]
    fn the_neighbours_of_a_sharp_statement_fall() {
        let power = asked(&Texts::of("log(1 + x) <= x").ranging("x > -1"));
        assert!(fate(&power, |c| matches!(c, Change::Direction { .. })).is_some());
        let moved = |up: bool| move |c: &Change| matches!(c, Change::Constant { up: u, .. } if *u == up);
        assert!(fate(&power, moved(true)).is_some(), "log(1.01) is not at most 0: {power}");
        assert!(fate(&power, moved(false)).is_none(), "log(1/2 + x) is below x: {power}");
        assert!(power.to_string().contains("equality is attained"), "{power}");
    }

    #[test]
    fn each_assumption_is_left_out() {
        let texts = Texts::of("x*y <= x + y").ranging("x in [0, 2], y > 0").given("y <= x, x + y <= 4");
        let power = asked(&texts);
        assert!(fate(&power, |c| *c == Change::Condition("x + y <= 4".into())).is_none(), "{power}");
        let freed = fate(&power, |c| matches!(c, Change::Range { variable, .. } if variable == "y"));
        assert!(freed.is_some(), "x = 2, y = -1: {power}");
    }

    #[test]
    fn what_an_implication_assumes_is_left_out_too() {
        let power = asked(&Texts::of("x + y > 2 => x^2 + y^2 > 2"));
        assert!(fate(&power, |c| *c == Change::Condition("x + y > 2".into())).is_some(), "x = y = 0: {power}");
        let power = asked(&Texts::of("x > 1 => x^2 > x"));
        assert!(fate(&power, |c| matches!(c, Change::Range { .. })).is_some(), "x = 1/2: {power}");
    }

    #[test]
    fn a_false_statement_has_no_neighbours_asked() {
        let power = asked(&Texts::of("x^2 >= x"));
        assert!(power.refuted.is_some() && power.neighbours.is_empty());
        assert!(self::power(&Texts::of("x <= y").given("x < y, y < x"), Options::default()).is_err());
    }

    #[test]
    fn numbers_that_are_named_are_moved_where_they_are_written() {
        let power = asked(&Texts::of("s + s >= 4").ranging("x >= 1, let s = 2*x"));
        let from = |text: &str| {
            let moved = |c: &Change| matches!(c, Change::Constant { from, up: false, .. } if from == text);
            power.neighbours.iter().find(|n| moved(&n.change)).map(|n| n.refuted.is_some())
        };
        assert_eq!(from("2"), Some(true), "2*0.99*x: {power}");
        assert_eq!(from("4"), Some(false), "{power}");
        assert!(from("s").is_none() && from("1").is_none(), "{power}");
    }

    #[test]
    fn alternatives_have_no_numbers_of_their_own() {
        let power = asked(&Texts::of("x^2 >= 0 or x > 7"));
        let moved = power.neighbours.iter().filter(|n| matches!(n.change, Change::Constant { .. }));
        assert!(moved.clone().count() == 0, "{power}");
    }

    #[test]
    fn it_is_said_which_of_several_constants_is_moved() {
        let found = asked(&Texts::of("2*x^2 + 2*y^2 >= 4*x*y - 2").ranging("x, y in [-3, 3]")).to_string();
        for named in
            ["in place of 2 (the first)", "in place of 2 (the third)", "in place of 2 (the fifth)", "in place of 4"]
        {
            assert!(found.contains(named), "{found}");
        }
        assert!(!found.contains("4 (the"), "{found}");
    }
}
