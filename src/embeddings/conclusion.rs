//! The first line of a report: which bound says what, and what would make it say more.

use enclosures::enclosure::{Enclosure, exact};

use super::{LabelledReport, Worth, certain, upper_end};

impl LabelledReport {
    /// What the theory promises about the best linear head of these embeddings, and beside it what is the case.
    #[must_use]
    pub fn conclusion(&self) -> String {
        let Some(best) = &self.best_bound else {
            return "Nothing to bound: there are fewer than two classes.".into();
        };
        let Some(limit) = best.limit else {
            return "Nothing to bound: there are fewer than two classes.".into();
        };
        let (n, chance) = (best.negatives, certain(self.chance, 4));
        let limit = certain(limit, 4);
        let id = &best.id;
        match best.worth {
            Worth::Informative => format!(
                "Informative: with N = {n} negatives the sharp form of Lemma 2 ({id}) promises that the best linear head \
                 loses at most {limit} nats, where guessing loses {chance}."
            ),
            Worth::Undecided => format!(
                "Undecided: with N = {n} negatives the sharp form of Lemma 2 ({id}) bounds the loss of the best linear \
                 head by a number in {limit}, and guessing loses {chance}; more work would decide it."
            ),
            Worth::SaysNothing => {
                let wanted = self.wanted.map_or_else(String::new, |wanted| {
                    let loss = self.unsupervised.iter().find(|row| row.negatives == n);
                    let is = loss.map_or_else(String::new, |row| format!("; it is {}", certain(row.loss, 4)));
                    format!(
                        " It would say something if L_un^{n} were below {}{is}.",
                        certain(wanted, 4)
                    )
                });
                format!(
                    "Says nothing: the nearest of the bounds is the sharp form of Lemma 2 ({id}) with N = {n}, which allows a \
                     loss of {limit} nats, and guessing loses {chance}.{wanted}"
                )
            }
        }
    }

    /// What the best linear head really loses on these points, and how often the head found is right.
    #[must_use]
    pub fn reality(&self) -> String {
        let best = if self.best_head.lo() > 0.0 {
            certain(self.best_head, 4)
        } else {
            format!("at most {}", upper_end(self.best_head, 4))
        };
        let percent = |share: Enclosure| certain(share * exact(100.0), 4);
        format!(
            "In fact the best linear head loses {best} nats on these points, and the one found is right on {} % of them; \
             the mean classifier loses {} and is right on {} %.",
            percent(self.found_head.accuracy),
            certain(self.mean_classifier.loss, 4),
            percent(self.mean_classifier.accuracy),
        )
    }
}
