//! A comparison that fails, written as a theorem of Coq: the recorded operations become equations between real numbers, and the kernel checks that
//! the sides at their end stand the other way round.
//!
//! Numbers that enter are the doubles themselves, written as fractions. What enters as an interval, because no recorded operation made it,
//! becomes any number in that interval: the theorem then says more, and that the number lies there is the program's word.

use std::fmt::{self, Write};

use enclosures::enclosure::{Enclosure, Grade};
use enclosures::formula::{BinaryOperation, Constant, Formula, How, Operand};
use enclosures::interval::Interval;
use evidence::claim::{Comparison, Relation};
use thiserror::Error;

/// The most numbers with a name in one theorem; each costs Coq an enclosure.
const NAMED: usize = 2_000;

/// The most signs that are written in one piece; a larger number gets a name.
const PIECE: usize = 400;

/// What every file begins with: the tactics of its proofs. `interval` knows no `Rmax`.
pub const HEAD: &str = "\
From Coq Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

Lemma larger a b : Rmax a b = (a + b + Rabs (a - b)) / 2.
Proof. unfold Rmax, Rabs; destruct (Rle_dec a b), (Rcase_abs (a - b)); lra. Qed.
Lemma smaller a b : Rmin a b = (a + b - Rabs (a - b)) / 2.
Proof. unfold Rmin, Rabs; destruct (Rle_dec a b), (Rcase_abs (a - b)); lra. Qed.
Ltac no_extrema := rewrite ?larger, ?smaller.

(** A number that is given by an equation, within bounds. *)
Ltac enclose e b bits :=
  rewrite ?larger, ?smaller in e;
  match type of e with _ = ?u => interval_intro u with (i_prec bits) as b; rewrite <- e in b end; clear e.

(** The least of some numbers is at most each of them. *)
Ltac below bits :=
  match goal with
  | |- Rmin ?a ?b <= _ =>
    first [ apply (Rle_trans _ b _ (Rmin_r a b)); below bits | apply (Rle_trans _ a _ (Rmin_l a b)); below bits ]
  | |- _ => no_extrema; interval with (i_prec bits)
  end.
";

/// Why a comparison cannot be written.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Unwritten {
    /// What is compared is known with a probability, or without a bound.
    #[error("its sides are {0}")]
    Grade(Grade),
    /// It is a fit of growth.
    #[error("it is a fit of growth over sizes")]
    Trend,
    /// A side is no formula: an algorithm has found it.
    #[error("one side is the result of an algorithm, and only formulas can be written as theorems")]
    Found,
    /// A number without bounds enters.
    #[error("a number without bounds enters it")]
    Unbounded,
    /// There are too many steps.
    #[error("{0} numbers would need a name, more than {NAMED}")]
    TooLong(usize),
}

/// A theorem, as text.
#[derive(Clone, Debug)]
pub struct Theorem {
    /// Statement and proof.
    pub text: String,
    /// How many numbers enter as intervals.
    pub given: usize,
}

/// What has been written so far.
struct Writer<'a> {
    formula: &'a Formula,
    /// The text of each step that is needed.
    texts: Vec<Option<String>>,
    /// The numbers of which bounds are known, named `n1`, `n2`, ….
    given: Vec<Interval>,
    named: Vec<String>,
}

impl Writer<'_> {
    fn operand(&mut self, operand: Operand) -> Result<String, Unwritten> {
        match operand {
            Operand::Step(step) => Ok(self.texts[step].as_deref().map_or_else(String::new, enclosed)),
            Operand::Number(x) if !x.is_finite() => Err(Unwritten::Unbounded),
            Operand::Number(x) if x.lo() == x.hi() => Ok(number(x.lo())),
            Operand::Number(x) => {
                // Two numbers with the same bounds need not be the same, so each has a name of its own.
                let name = format!("n{}", self.given.len() + 1);
                self.given.push(x);
                Ok(name)
            }
        }
    }

    fn step(&mut self, how: &How) -> Result<String, Unwritten> {
        Ok(match how {
            How::Constant(Constant::LogTwo) => "ln 2".to_owned(),
            How::Constant(Constant::Pi) => "PI".to_owned(),
            How::Applied(function, x) => applied(function.name, &self.operand(*x)?),
            How::Power(exponent, x) => {
                let power = format!("{} ^ {}", self.operand(*x)?, exponent.unsigned_abs());
                if *exponent < 0 { format!("1 / ({power})") } else { power }
            }
            How::Combined(operation, x, y) => {
                let (x, y) = (self.operand(*x)?, self.operand(*y)?);
                match operation {
                    BinaryOperation::Add => format!("{x} + {y}"),
                    BinaryOperation::Subtract => format!("{x} - {y}"),
                    BinaryOperation::Multiply => format!("{x} * {y}"),
                    BinaryOperation::Divide => format!("{x} / {y}"),
                    BinaryOperation::Larger => format!("Rmax {x} {y}"),
                    BinaryOperation::Smaller => format!("Rmin {x} {y}"),
                }
            }
            How::LogSumExp(terms) => {
                // A term of minus infinity adds nothing.
                let is_term = |x: &&Operand| !matches!(x, Operand::Number(n) if n.hi() == f64::NEG_INFINITY);
                let terms: Vec<Operand> = terms.iter().filter(is_term).copied().collect();
                let terms: Result<Vec<String>, _> = terms.into_iter().map(|x| self.operand(x)).collect();
                let terms: Vec<String> = terms?.iter().map(|x| format!("exp {x}")).collect();
                if terms.is_empty() {
                    return Err(Unwritten::Unbounded);
                }
                format!("ln ({})", terms.join(" + "))
            }
        })
    }

    /// What stands on a side: nothing is beside it that it has to be told apart from.
    fn side(&mut self, end: Operand) -> Result<String, Unwritten> {
        match end {
            Operand::Step(step) => Ok(self.texts[step].clone().unwrap_or_default()),
            number => self.operand(number),
        }
    }

    /// Writes all steps that some enclosures need; one that several others use gets a name, as does one that is long.
    fn write(&mut self, sides: [Enclosure; 2]) -> Result<[String; 2], Unwritten> {
        let ends = sides.map(|side| self.formula.operand_of(side));
        let uses = uses(self.formula, &ends);
        self.texts = vec![None; uses.len()];
        for (step, uses) in uses.iter().enumerate().filter(|(_, uses)| **uses > 0) {
            let Some(how) = self.formula.how(step) else { continue };
            let text = self.step(how)?;
            let is_named = (*uses > 1 && text.len() > 12) || text.len() > PIECE;
            self.texts[step] = Some(if is_named {
                self.named.push(text);
                format!("s{}", self.named.len())
            } else {
                text
            });
            if self.named.len() > NAMED {
                return Err(Unwritten::TooLong(self.named.len()));
            }
        }
        let [left, right] = ends;
        Ok([self.side(left)?, self.side(right)?])
    }
}

/// How often each step is used on the way to some results.
fn uses(formula: &Formula, ends: &[Operand]) -> Vec<usize> {
    let mut uses = vec![0; formula.len()];
    for end in ends {
        if let Operand::Step(step) = end {
            uses[*step] += 1;
        }
    }
    for step in (0..uses.len()).rev().filter(|&step| formula.how(step).is_some()).collect::<Vec<_>>() {
        if uses[step] > 0
            && let Some(how) = formula.how(step)
        {
            how.operands(&mut |operand| {
                if let Operand::Step(before) = operand {
                    uses[before] += 1;
                }
            });
        }
    }
    uses
}

/// A double, as the fraction that it is.
fn number(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 1e15 {
        return if x < 0.0 || (x == 0.0 && x.is_sign_negative()) { format!("(- {})", -x) } else { format!("{x}") };
    }
    let bits = x.abs().to_bits();
    let (stored, fraction) = ((bits >> 52) as i64, bits & ((1 << 52) - 1));
    let (mut mantissa, mut exponent) =
        if stored == 0 { (fraction, -1074) } else { (fraction | 1 << 52, stored - 1075) };
    let even = mantissa.trailing_zeros();
    mantissa >>= even;
    exponent += i64::from(even);
    let sign = if x < 0.0 { "- " } else { "" };
    match exponent {
        0 => format!("({sign}{mantissa})"),
        1.. => format!("({sign}{mantissa} * 2 ^ {exponent})"),
        _ => format!("({sign}{mantissa} / 2 ^ {})", -exponent),
    }
}

/// A text in parentheses, but for a name or a number alone.
fn enclosed(text: &str) -> String {
    if text.chars().all(|c| c.is_ascii_alphanumeric()) { text.to_owned() } else { format!("({text})") }
}

/// A function of one number in terms of those that `interval` knows.
fn applied(name: &str, x: &str) -> String {
    match name {
        "neg" => format!("- {x}"),
        "abs" => format!("Rabs {x}"),
        "square" => format!("{x} ^ 2"),
        "exp_m1" => format!("exp {x} - 1"),
        "log2" => format!("ln {x} / ln 2"),
        "ln_1p" => format!("ln (1 + {x})"),
        "softplus" => format!("ln (1 + exp {x})"),
        "sigmoid" => format!("1 / (1 + exp (- {x}))"),
        "tanh" => format!("1 - 2 / (exp (2 * {x}) + 1)"),
        "sinh" => format!("(exp {x} - exp (- {x})) / 2"),
        "cosh" => format!("(exp {x} + exp (- {x})) / 2"),
        "asinh" => format!("ln ({x} + sqrt ({x} ^ 2 + 1))"),
        "acosh" => format!("ln ({x} + sqrt ({x} ^ 2 - 1))"),
        "atanh" => format!("ln ((1 + {x}) / (1 - {x})) / 2"),
        "asin" => format!("atan ({x} / sqrt (1 - {x} ^ 2))"),
        "acos" => format!("PI / 2 - atan ({x} / sqrt (1 - {x} ^ 2))"),
        // exp, ln, sqrt, sin, cos, tan and atan have the same names.
        same => format!("{same} {x}"),
    }
}

/// The relation as Coq writes it.
struct Sign(Relation);

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Relation::AtMost => "<=",
            Relation::AtLeast => ">=",
            Relation::LessThan => "<",
            Relation::GreaterThan => ">",
            Relation::Equal => "=",
        })
    }
}

/// Whether a side of a comparison is computed by recorded operations: two bare numbers are compared by anyone, and what makes them the
/// sides is not told.
#[must_use]
pub fn is_computed(comparison: &Comparison, formula: &Formula) -> bool {
    let sides = [comparison.lhs, comparison.rhs];
    sides.iter().any(|side| matches!(formula.operand_of(*side), Operand::Step(_)))
}

/// The theorem that a comparison fails, or that it holds, under a name, proved with so many bits.
///
/// # Errors
/// The comparison is no formula, or too long.
pub fn theorem(
    name: &str,
    comparison: &Comparison,
    formula: &Formula,
    bits: u32,
    holds: bool,
) -> Result<Theorem, Unwritten> {
    if comparison.trend {
        return Err(Unwritten::Trend);
    }
    if !matches!(comparison.margin.grade(), Grade::Exact | Grade::Proved) {
        return Err(Unwritten::Grade(comparison.margin.grade()));
    }
    let sides = [comparison.lhs, comparison.rhs];
    let is_found = |side: &Enclosure| matches!(formula.operand_of(*side), Operand::Number(x) if x.lo() < x.hi());
    if sides.iter().any(is_found) {
        return Err(Unwritten::Found);
    }
    let mut writer = Writer { formula, texts: Vec::new(), given: Vec::new(), named: Vec::new() };
    let [left, right] = writer.write(sides)?;
    let (given, named) = (&writer.given, &writer.named);
    let mut text = format!("Theorem {name} :\n");
    for (at, x) in given.iter().enumerate() {
        let _ = writeln!(text, "  forall n{0} : R, {1} <= n{0} <= {2} ->", at + 1, number(x.lo()), number(x.hi()));
    }
    for (at, step) in named.iter().enumerate() {
        let _ = writeln!(text, "  forall s{0} : R, s{0} = {step} ->", at + 1);
    }
    let sign = Sign(comparison.relation);
    let not = if holds { "" } else { "~ " };
    let _ = writeln!(text, "  {not}({left} {sign} {right}).\nProof.");
    for at in 1..=given.len() {
        let _ = writeln!(text, "intros n{at} d{at}.");
    }
    for at in 1..=named.len() {
        let _ = writeln!(text, "intros s{at} e{at}. enclose e{at} b{at} {bits}%positive.");
    }
    let pair = if comparison.lhs.midpoint() > comparison.rhs.midpoint() { "l - r" } else { "r - l" };
    let apart = format!("assert (0 < {pair}) by (no_extrema; interval with (i_prec {bits}))");
    if holds {
        // A condition may be met with equality, which is for arithmetic to show.
        let _ = writeln!(
            text,
            "match goal with |- ?l {sign} ?r => first [ {apart}; lra | no_extrema; lra | no_extrema; nra | field ] \
             end.\nQed."
        );
    } else {
        // Equal sides contradict a strict relation: by arithmetic alone, or by bounds that are attained.
        let _ = writeln!(
            text,
            "intro stated.\nfirst [ match type of stated with ?l {sign} ?r => {apart}; lra end | rewrite ?larger, ?smaller \
             in stated; lra\n| match type of stated with ?l > ?r => apply (Rle_not_gt l r); [ below {bits}%positive | \
             exact stated ] end\n| match type of stated with ?l < ?r => apply (Rle_not_lt l r); [ below \
             {bits}%positive | exact stated ] end ].\nQed."
        );
    }
    Ok(Theorem { text, given: given.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::enclosure::{exact, log_sum_exp};
    use enclosures::formula::recorded;
    use evidence::claim::{Evaluation, at_most, equal};

    fn written(evaluate: impl FnOnce() -> Evaluation) -> Result<Theorem, Unwritten> {
        let (evaluation, formula) = recorded(1000, evaluate);
        let Evaluation::Compared(comparison) = evaluation else { panic!("a comparison: {evaluation:?}") };
        theorem("violated", &comparison, &formula, 100, false)
    }

    #[test]
    fn doubles_are_the_fractions_that_they_are() {
        for (x, text) in [
            (0.0, "0"),
            (3.0, "3"),
            (-3.0, "(- 3)"),
            (0.75, "(3 / 2 ^ 2)"),
            (-0.1, "(- 3602879701896397 / 2 ^ 55)"),
            (1e300, "(1681218273811815 * 2 ^ 946)"),
            (5e-324, "(1 / 2 ^ 1074)"),
        ] {
            assert_eq!(number(x), text, "{x}");
        }
    }

    #[test]
    fn what_is_used_twice_has_a_name_and_what_is_given_as_an_interval_is_any_number_in_it() {
        let found = written(|| {
            let between = || Enclosure::between(1.0, 1.5);
            let x = exact(0.5).exp() + between();
            at_most(log_sum_exp(&[x, exact(1.0)]), x - 4.0 * between())
        });
        let text = found.expect("a formula").text;
        let stated = "Theorem violated :\n  forall n1 : R, 1 <= n1 <= (3 / 2 ^ 1) ->\n  forall n2 : R, 1 <= n2 <= (3 / 2 ^ 1) ->\n  \
                      forall s1 : R, s1 = (exp (1 / 2 ^ 1)) + n1 ->\n  ~ (ln (exp s1 + exp 1) <= s1 - (4 * n2)).\n";
        assert!(text.starts_with(stated), "{text}");
        let proved = "?l <= ?r => assert (0 < l - r) by (no_extrema; interval with (i_prec 100)); lra end";
        assert!(text.contains(proved), "{text}");
    }

    #[test]
    fn what_is_no_formula_is_refused() {
        let measured = written(|| at_most(Enclosure::measured(2.0), 1));
        assert_eq!(measured.unwrap_err(), Unwritten::Grade(Grade::Measured));
        assert_eq!(written(|| at_most(Enclosure::between(2.0, 3.0), 1)).unwrap_err(), Unwritten::Found);
        for wanted in [false, true] {
            let side = || if wanted { exact(1.0).exp() } else { exact(2.0) };
            let (evaluation, formula) = recorded(1000, || at_most(side(), 1));
            let Evaluation::Compared(comparison) = evaluation else { panic!("a comparison: {evaluation:?}") };
            assert_eq!(is_computed(&comparison, &formula), wanted);
        }
        let unbounded = Enclosure::between(2.0, f64::INFINITY);
        assert_eq!(written(|| equal(exact(1.0) + unbounded, 1)).unwrap_err(), Unwritten::Unbounded);
    }
}
