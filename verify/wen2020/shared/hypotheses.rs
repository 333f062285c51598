//! Hypotheses that several claims share, and instances that miss them.

use contrastive::QueriesAndKeys;

use crate::shared::query_key_outputs::outputs;

/// Exponentials of larger logits leave the range of doubles in sums and quotients.
pub const LOGITS: &str = "|q_i·(k_j − k_i)| ≤ 300 for all i, j";

/// |q_i·(k_j − k_i)| ≤ 300 for all i, j.
pub fn moderate_logits(o: &QueriesAndKeys) -> bool {
    o.logits().iter().flatten().all(|s| s.magnitude() <= 300.0)
}

/// Outputs with a logit beyond 300.
pub fn large_logits() -> Vec<(&'static str, QueriesAndKeys)> {
    vec![("a logit of 400", outputs(1, &[&[1.0], &[0.5]], &[&[0.0], &[400.0]]))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logit_of_300_is_moderate_and_one_of_400_is_not() {
        assert!(moderate_logits(&outputs(1, &[&[1.0], &[0.0]], &[&[0.0], &[300.0]])));
        assert!(large_logits().iter().all(|(_, o)| !moderate_logits(o)));
    }
}
