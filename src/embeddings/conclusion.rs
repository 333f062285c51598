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

    /// What the data are, and under which conventions the losses are taken.
    #[must_use]
    pub fn conventions(&self) -> String {
        let settings = &self.settings;
        let mut words = format!(
            "{} embeddings of dimension {} in {} classes, the rarest of probability {}",
            self.points,
            self.dimension,
            self.n_classes,
            certain(self.p_min, 4)
        );
        for (is, what) in [
            (settings.center, ", centred"),
            (settings.normalize, ", normalized"),
            (settings.equal_classes, ", classes taken as equally likely"),
        ] {
            if is {
                words.push_str(what);
            }
        }
        words.push_str(&format!(
            "; temperature {}. An anchor, its positive and the negatives are independent draws: the positive may be the \
             anchor itself, a negative may be of its class, and negatives are drawn with replacement.",
            settings.temperature
        ));
        if !self.trained.is_empty() {
            words.push_str(&format!(
                " The bounds are about these losses. As you train, {} and {}: those losses are shown beside.",
                if settings.self_positive {
                    "the positive may be the anchor"
                } else {
                    "the positive is never the anchor"
                },
                if settings.replacement {
                    "negatives are drawn with replacement"
                } else {
                    "negatives are all different, neither the anchor nor the positive"
                }
            ));
        }
        words
    }
}
