//! Which monomials may stand in one square: those that every change of signs of the variables which leaves all polynomials as they are changes
//! alike. A certificate can be averaged over these changes, so that nothing is lost (Löfberg, Pre- and post-processing sum-of-squares programs
//! in practice, 2009).

use super::polynomial::{Monomial, Polynomial};

/// The exponents of some polynomials modulo two, as a basis in which every member has a last variable of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Signs(Vec<u128>);

/// The variables with an odd exponent. Two that share a place are never told apart, which makes classes larger and no less right.
fn odd(monomial: &Monomial) -> u128 {
    (0..monomial.len()).filter(|&v| monomial.exponent(v) % 2 == 1).fold(0, |set, v| set ^ 1 << (v % 128))
}

impl Signs {
    /// Those that leave these polynomials as they are.
    pub(super) fn kept<'a>(polynomials: impl Iterator<Item = &'a Polynomial>) -> Self {
        let mut found = Signs::default();
        for monomial in polynomials.flat_map(|p| p.0.keys()) {
            let rest = found.class(monomial);
            if rest != 0 {
                found.0.push(rest);
                found.0.sort_unstable_by(|a, b| b.cmp(a));
            }
        }
        found
    }

    /// How a monomial changes: what is left of its exponents modulo two and modulo the basis.
    fn class(&self, monomial: &Monomial) -> u128 {
        // The member with the largest leading variable first.
        self.0.iter().fold(odd(monomial), |rest, member| rest.min(rest ^ member))
    }

    /// Monomials that change alike, in the order in which they came.
    pub(super) fn classes(&self, monomials: Vec<Monomial>) -> Vec<Vec<Monomial>> {
        let mut found: Vec<(u128, Vec<Monomial>)> = Vec::new();
        for monomial in monomials {
            let class = self.class(&monomial);
            match found.iter_mut().find(|(c, _)| *c == class) {
                Some((_, members)) => members.push(monomial),
                None => found.push((class, vec![monomial])),
            }
        }
        found.into_iter().map(|(_, members)| members).collect()
    }

    /// Those of some monomials that do not change.
    pub(super) fn unchanged(&self, mut monomials: Vec<Monomial>) -> Vec<Monomial> {
        monomials.retain(|m| self.class(m) == 0);
        monomials
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn monomials(all: &[&[u32]]) -> Vec<Monomial> {
        all.iter().map(|exponents| Monomial::of(exponents.to_vec())).collect()
    }

    #[test]
    fn monomials_are_told_apart_by_the_signs_that_change_nothing() {
        // x⁴ + y² + xyz keeps (−x, −y, z), (−x, y, −z) and (x, −y, −z).
        let mut p = Polynomial::default();
        for m in monomials(&[&[4], &[0, 2], &[1, 1, 1]]) {
            p.add(m, num_traits::One::one());
        }
        let classes = Signs::kept(std::iter::once(&p)).classes(monomials(&[&[2], &[1], &[0, 1], &[0, 1, 1], &[0]]));
        assert_eq!(classes, [monomials(&[&[2], &[0]]), monomials(&[&[1], &[0, 1, 1]]), monomials(&[&[0, 1]])]);
    }

    #[test]
    fn without_such_changes_all_stand_together() {
        let p = Polynomial::variable(0).plus(&Polynomial::variable(1));
        let all = monomials(&[&[1], &[0, 1], &[0]]);
        assert_eq!(Signs::kept(std::iter::once(&p)).classes(all.clone()), [all]);
    }
}
