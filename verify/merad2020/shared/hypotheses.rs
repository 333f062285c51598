//! What several statements of section 3 assume: each name says what is demanded, and stands beside its test.

use contrastive::{Atom, LatentClassModel};
use enclosures::enclosure::Enclosure;

/// What every model guarantees by its type.
pub const MODEL: &str = "ρ(c) > 0 for every class, Σ ρ = 1, f(x) takes finitely many values in ℝ^d on each class";

/// What the statements speak of beside [`MODEL`].
pub const OTHER_LAWS: &str = "class laws with infinitely many values";

/// The notation of the proofs.
pub const LOGITS: &str = "a_{c'}(x) = f(x)·(μ_{c'} − μ_c) for an anchor x of class c";

/// The hypothesis of section 3.2.
pub const UNIFORM: &str = "ρ uniform";

/// See [`UNIFORM`]: all class weights are equal.
pub fn is_uniform(model: &LatentClassModel) -> bool {
    model.is_uniform()
}

/// Fewer negatives than classes cannot show every class.
pub const AS_MANY_NEGATIVES: &str = "N ≥ N_C";

/// See [`AS_MANY_NEGATIVES`].
pub fn has_as_many_negatives(model: &LatentClassModel, negatives: u64) -> bool {
    negatives >= model.n_classes() as u64
}

/// The regime of Lemma 2, with the constant 1.
pub const REGIME: &str = "N ≥ N_C and N ≥ N_C log N_C";

/// See [`REGIME`].
pub fn is_in_the_regime(model: &LatentClassModel, negatives: u64) -> bool {
    let classes = Enclosure::from(model.n_classes());
    has_as_many_negatives(model, negatives) && negatives as f64 >= (classes * classes.ln()).hi()
}

/// All outcomes of the draws can be listed.
pub const LISTED: &str = "N_C ≤ 3, N ≤ 6 and at most 12 values of f, counted in each class";

/// See [`LISTED`].
pub fn is_listed(model: &LatentClassModel, negatives: u64) -> bool {
    let values: usize = model.classes().iter().map(|class| n_values(class)).sum();
    model.n_classes() <= 3 && negatives <= 6 && values <= 12
}

/// Jensen's inequality loses nothing.
pub const POINT_MASSES: &str = "f is constant on each class";

/// See [`POINT_MASSES`].
pub fn are_points(model: &LatentClassModel) -> bool {
    model.classes().iter().all(|class| class.iter().all(|atom| atom.at == class[0].at))
}

/// How many values f takes on a class, whose atoms need not be distinct.
fn n_values(class: &[Atom]) -> usize {
    let is_new = |i: &usize| class[..*i].iter().all(|before| before.at != class[*i].at);
    (0..class.len()).filter(is_new).count()
}

/// Whether f is zero everywhere: such a witness refutes, and says little.
pub fn is_zero(model: &LatentClassModel) -> bool {
    model.classes().iter().flatten().all(|atom| atom.at.iter().all(|&x| x == 0.0))
}

#[cfg(test)]
mod tests {
    use super::super::families::{line, zero};
    use super::*;

    #[test]
    fn each_hypothesis_is_met_and_missed() {
        let (even, skewed) = (line(&[1.0; 3], &[1.0, 2.0, 3.0]), line(&[9.0, 1.0], &[1.0, 2.0]));
        assert!(is_uniform(&even) && !is_uniform(&skewed));
        assert!(has_as_many_negatives(&even, 3) && !has_as_many_negatives(&even, 2));
        assert!(is_in_the_regime(&even, 4) && !is_in_the_regime(&even, 3));
        assert!(is_listed(&even, 6) && !is_listed(&even, 7) && !is_listed(&zero(4), 1));
        let two = LatentClassModel::from_labelled(&[1.0, 2.0], 1, &[0, 0]).unwrap();
        assert!(are_points(&even) && !are_points(&two));
        let twice = LatentClassModel::from_labelled(&[1.0, 1.0, 2.0], 1, &[0, 0, 1]).unwrap();
        assert!(are_points(&twice), "an atom may be given twice");
        let many = LatentClassModel::from_labelled(&[1.0; 14], 1, &[[0; 7], [1; 7]].concat()).unwrap();
        assert!(is_listed(&many, 6), "fourteen atoms, one value on each of two classes");
        assert!(is_zero(&zero(2)) && !is_zero(&even));
    }
}
