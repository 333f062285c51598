//! Terms as formulas where a whole number has no end, so that sums up to it cannot be written out: what stands for them is up to whoever reads.

use num_traits::ToPrimitive;

use super::algebra::expression::Formula;
use crate::formulas::term::{Node, Term, Terms};
use crate::numbers::number::{NamedConstant, Number};
use crate::text::syntax::Operation;
use crate::text::words::{Fold, Function};

/// Reads terms as formulas.
pub(super) trait TermReader {
    /// A number as a formula, if it can be read.
    fn read(&mut self, term: &Term) -> Option<Formula>;

    /// The same where nothing about the term is peculiar to who reads.
    fn read_as_usual(&mut self, term: &Term) -> Option<Formula> {
        Some(match &term.node {
            Node::Number(literal) => Formula::literal(*literal),
            Node::Whole(x) => Formula::whole(*x),
            Node::Constant(constant) => Formula::constant(*constant),
            Node::Negated(a) => self.read(a)?.negated(),
            Node::Binary(operation, a, b) => {
                let (a, b) = (self.read(a)?, self.read(b)?);
                match operation {
                    Operation::Add => a.plus(b),
                    Operation::Subtract => a.minus(b),
                    Operation::Multiply => a.times(b),
                    Operation::Divide => a.over(b).ok()?,
                }
            }
            Node::WholePower(a, b) => {
                let (a, b) = (self.read(a)?, self.read(b)?);
                a.whole_power(b.as_number().filter(|b| b.is_integer())?.to_integer().to_i64()?).ok()?
            }
            Node::RealPower(a, b) => {
                let b = self.read(b)?;
                if a.node == Node::Constant(NamedConstant::E) {
                    return b.apply(Function::Exp).ok();
                }
                self.read(a)?.real_power(b).ok()?
            }
            Node::Apply(function, a) => self.read(a)?.apply(*function).ok()?,
            Node::Fold(fold @ (Fold::Sum | Fold::Product | Fold::Max | Fold::Min), Terms::Listed(items)) => {
                let items: Vec<Formula> = items.iter().map(|t| self.read(t)).collect::<Option<_>>()?;
                match fold {
                    Fold::Sum => items.into_iter().reduce(Number::plus)?,
                    Fold::Product => items.into_iter().reduce(Number::times)?,
                    Fold::Max => items.into_iter().reduce(Number::larger)?,
                    _ => items.into_iter().map(Number::negated).reduce(Number::larger)?.negated(),
                }
            }
            _ => return None,
        })
        .filter(Formula::is_known)
    }
}
