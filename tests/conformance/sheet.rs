//! A file of instances for Coq: their definitions, and the bounds of their quantities.

use std::collections::BTreeSet;
use std::fmt::Write;

use enclosures::interval::Interval;

/// The file as far as it is written.
pub struct Sheet {
    name: &'static str,
    text: String,
    open: Option<&'static str>,
    values: usize,
    /// Parts of the instance that are sums: its proofs unfold them first.
    sums: Vec<String>,
    /// The definitions that have a control.
    controlled: BTreeSet<&'static str>,
}

impl Sheet {
    /// The head of a file: what it is about, the modules with the definitions, and the definitions that its proofs unfold.
    pub fn new(name: &'static str, paper: &str, modules: &[&str], unfolded: &str) -> Self {
        let imports: Vec<String> = modules.iter().map(|module| format!("Contrapositive.{module}")).collect();
        let text = format!(
            "(** {paper}: the definitions at small instances lie between the bounds that the program computes for the same instances.\n\n    \
             Written by `RENEW_CONFORMANCE=1 cargo test --test conformance`.  The bounds are doubles, as fractions.  A lemma with the\n    \
             ending [_control] refutes bounds that are off by 10⁻⁹. *)\n\
             From Coquelicot Require Import Coquelicot.\n\
             Require Import {}.\n\
             Require Import Contrapositive.conformance.Evaluation.\n\
             Set Implicit Arguments. Unset Strict Implicit.\n\n\
             Ltac definitions := cbv beta delta [{unfolded}].\n",
            imports.join("\n  ")
        );
        Sheet { name, text, open: None, values: 0, sums: Vec::new(), controlled: BTreeSet::new() }
    }

    /// The head of a file about whole numbers, on which the library computes exactly.
    pub fn of_integers(name: &'static str, paper: &str, modules: &[&str]) -> Self {
        let imports: Vec<String> = modules.iter().map(|module| format!("Contrapositive.{module}")).collect();
        let text = format!(
            "(** {paper}: the definitions over a commutative ring, at matrices of whole numbers, are the numbers that the program\n    computes for \
             the same matrices.\n\n    Written by `RENEW_CONFORMANCE=1 cargo test --test conformance`.  A lemma with the ending [_control] \
             refutes the next\n    number. *)\n\
             Require Import Contrapositive.conformance.IntegerMatrices\n  {}.\n\
             Local Open Scope ring_scope.\n",
            imports.join(" ")
        );
        Sheet { name, text, open: None, values: 0, sums: Vec::new(), controlled: BTreeSet::new() }
    }

    /// A quantity is the whole number that its enclosure consists of, with a control where the definition has none yet.
    pub fn whole(&mut self, definition: &'static str, at: &str, quantity: &str, bounds: Interval) -> &mut Self {
        assert!(bounds.lo() == bounds.hi() && bounds.lo().fract() == 0.0, "{quantity}: {bounds:?}");
        self.values += 1;
        let (number, next) = (integer(bounds.lo()), integer(bounds.lo() + 1.0));
        let parts = self.sums.join(" ");
        let proof = format!("Proof. rewrite {parts}; entries. Qed.");
        let _ = writeln!(self.text, "\nLemma {definition}{at}_exact : {quantity} = {number}.\n{proof}");
        if self.controlled.insert(definition) {
            let _ = writeln!(self.text, "Lemma {definition}{at}_exact_control : {quantity} <> {next}.\n{proof}");
        }
        self
    }

    /// The name of the file, without its ending.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How many enclosures it has.
    pub fn values(&self) -> usize {
        self.values
    }

    /// How many of them have a control.
    pub fn controls(&self) -> usize {
        self.controlled.len()
    }

    /// The file.
    pub fn text(&self) -> String {
        let end = self.open.map_or_else(String::new, |name| format!("End {name}.\n"));
        format!("{}{end}", self.text)
    }

    /// Begins an instance.
    pub fn instance(&mut self, name: &'static str, about: &str) -> &mut Self {
        if let Some(before) = self.open.replace(name) {
            let _ = writeln!(self.text, "End {before}.");
        }
        let _ = writeln!(self.text, "\n(** {about} *)\nModule {name}.");
        self.sums.clear();
        self
    }

    /// A part of the instance that holds a sum.
    pub fn define_sum(&mut self, name: &str, kind: &str, body: &str) -> &mut Self {
        self.sums.push(format!("/{name}"));
        self.define(name, kind, body)
    }

    /// A part of the instance.
    pub fn define(&mut self, name: &str, kind: &str, body: &str) -> &mut Self {
        let _ = writeln!(self.text, "Definition {name} : {kind} := {body}.");
        self
    }

    /// A property of the instance.
    pub fn property(&mut self, name: &str, statement: &str, proof: &str) -> &mut Self {
        let _ = writeln!(self.text, "\nLemma {name} : {statement}.\nProof. {proof}. Qed.");
        self
    }

    /// A quantity that needs a proof of its own lies in its enclosure, with a control where the definition has none yet.
    pub fn value_proved(
        &mut self,
        definition: &'static str,
        quantity: &str,
        bounds: Interval,
        [proof, refutation]: [&str; 2],
    ) -> &mut Self {
        self.values += 1;
        let (lo, hi) = (number(bounds.lo()), number(bounds.hi()));
        let _ =
            writeln!(self.text, "\nLemma {definition}_enclosed : {lo} <= {quantity} <= {hi}.\nProof. {proof}. Qed.");
        if self.controlled.insert(definition) {
            let _ = writeln!(
                self.text,
                "Lemma {definition}_enclosed_control : ~ ({lo} + / 10 ^ 9 <= {quantity} <= {hi} + / 10 ^ 9).\nProof. {refutation}. Qed."
            );
        }
        self
    }

    /// A quantity lies in its enclosure, with a control where the definition has none yet.
    pub fn value(
        &mut self,
        definition: &'static str,
        at: &str,
        quantity: &str,
        bounds: impl Into<Interval>,
    ) -> &mut Self {
        self.value_by(definition, at, quantity, bounds, "")
    }

    /// The same, with a rewriting that comes first.
    pub fn value_by(
        &mut self,
        definition: &'static str,
        at: &str,
        quantity: &str,
        bounds: impl Into<Interval>,
        first: &str,
    ) -> &mut Self {
        let bounds = bounds.into();
        assert!(bounds.is_finite(), "{quantity}: {bounds:?}");
        self.values += 1;
        let mut first = first.to_owned();
        if !self.sums.is_empty() {
            let _ = write!(first, "rewrite {}; ", self.sums.join(" "));
        }
        let (lo, hi, name) = (number(bounds.lo()), number(bounds.hi()), format!("{definition}{at}_enclosed"));
        let _ = writeln!(
            self.text,
            "\nLemma {name} : {lo} <= {quantity} <= {hi}.\nProof. {first}definitions; enclosed. Qed."
        );
        if self.controlled.insert(definition) {
            let _ = writeln!(
                self.text,
                "Lemma {name}_control : ~ ({lo} + / 10 ^ 9 <= {quantity} <= {hi} + / 10 ^ 9).\nProof. {first}definitions; refuted. Qed."
            );
        }
        self
    }
}

/// A double, as the fraction that it is.
pub fn number(x: f64) -> String {
    if x.fract() == 0.0 && x.abs() < 1e15 {
        return format!("{}", x + 0.0);
    }
    let (mut numerator, mut exponent) = (x, 0);
    while numerator.fract() != 0.0 {
        (numerator, exponent) = (numerator * 2.0, exponent + 1);
    }
    if exponent <= 10 { format!("{numerator} / {}", 1 << exponent) } else { format!("{numerator} / 2 ^ {exponent}") }
}

/// A whole number of Coq's ring of integers.
pub fn integer(x: f64) -> String {
    assert!(x.fract() == 0.0 && x.abs() < 1e15, "{x} is no whole number");
    if x < 0.0 { format!("- {}%:Z", -x) } else { format!("{}%:Z", x + 0.0) }
}

/// A matrix of whole numbers.
pub fn integers(numbers: &[Vec<f64>]) -> String {
    let row = |row: &Vec<f64>| format!("[:: {}]", row.iter().map(|&x| integer(x)).collect::<Vec<_>>().join("; "));
    format!("[:: {}]", numbers.iter().map(row).collect::<Vec<_>>().join("; "))
}

/// The share of a weight among all, where the weights are whole numbers.
pub fn share(weight: f64, weights: &[f64]) -> String {
    fn divisor(a: u64, b: u64) -> u64 {
        if b == 0 { a } else { divisor(b, a % b) }
    }
    let total: f64 = weights.iter().sum();
    assert!(weights.iter().all(|w| w.fract() == 0.0 && *w >= 0.0), "{weights:?} are no whole numbers");
    let common = divisor(weight as u64, total as u64);
    match (weight as u64 / common, total as u64 / common) {
        (share, 1) => format!("{share}"),
        (share, of) => format!("{share} / {of}"),
    }
}

/// A list of entries.
pub fn vector(entries: &[String]) -> String {
    format!("vector [:: {}]", entries.join("; "))
}

/// A list of rows.
pub fn matrix(rows: &[Vec<String>]) -> String {
    let rows: Vec<String> = rows.iter().map(|row| format!("[:: {}]", row.join("; "))).collect();
    format!("matrix [:: {}]", rows.join("; "))
}

/// Doubles as entries.
pub fn entries(numbers: &[f64]) -> Vec<String> {
    numbers.iter().map(|&x| number(x)).collect()
}

/// Rows of doubles as rows of entries.
pub fn rows(numbers: &[Vec<f64>]) -> Vec<Vec<String>> {
    numbers.iter().map(|row| entries(row)).collect()
}

/// The element at a place of a type of so many.
pub fn place(at: usize, of: usize) -> String {
    format!("(@Ordinal {of} {at} isT)")
}
