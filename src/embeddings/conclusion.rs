//! The first line of a report: which bound says what, and what would make it say more.

use enclosures::enclosure::exact;

use super::{BoundRow, HeadScore, LabelledReport, Worth, certain, certain_percent, upper_end};

/// A first line, and behind it what was understood of the data.
pub(crate) fn with_reading(mut line: String, reading: &[String]) -> String {
    for sentence in reading {
        line.push(' ');
        line.push_str(sentence);
    }
    line
}

impl LabelledReport {
    /// What the theory promises about the best linear head of these embeddings, and beside it what is the case.
    #[must_use]
    pub fn conclusion(&self) -> String {
        with_reading(self.verdict(), &self.reading)
    }

    fn verdict(&self) -> String {
        let Some(best) = &self.best_bound else {
            return "Nothing to bound: there are fewer than two classes.".into();
        };
        let Some(limit) = best.limit else {
            return "Nothing to bound: there are fewer than two classes.".into();
        };
        let (n, chance) = (best.negatives, certain(self.chance, 4));
        let id = &best.id;
        let words = match best.worth {
            Worth::Informative => format!(
                "Informative: with N = {n} negatives the sharp form of Lemma 2 ({id}) guarantees that the best linear \
                 head loses at most {} nats; guessing loses {chance}.",
                upper_end(limit, 4)
            ),
            Worth::Undecided => format!(
                "Undecided: with N = {n} negatives the sharp form of Lemma 2 ({id}) bounds the loss of the best linear \
                 head by a number in {}; guessing loses {chance}. More work would decide it.",
                certain(limit, 4)
            ),
            Worth::SaysNothing => {
                let wanted = self.wanted.map_or_else(String::new, |wanted| {
                    let loss = self.unsupervised.iter().find(|row| row.negatives == n);
                    let is = loss.map_or_else(String::new, |row| format!("; it is {}", certain(row.loss, 4)));
                    format!(" It would say something if L_un^{n} were below {}{is}.", certain(wanted, 4))
                });
                format!(
                    "Says nothing: the best of the bounds, the sharp form of Lemma 2 ({id}) with N = {n}, allows a \
                     loss of {} nats; guessing loses {chance}.{wanted}",
                    upper_end(limit, 4)
                )
            }
        };
        words + &self.elsewhere(best)
    }

    /// What the sharp bound is worth at the numbers of negatives that were asked for, where that is something else.
    fn elsewhere(&self, best: &BoundRow) -> String {
        let at = |worth: Worth| -> Vec<String> {
            let asked = |row: &&BoundRow| self.settings.negatives.contains(&row.negatives);
            let others = self.sharp_bounds.iter().filter(asked);
            let others = others.filter(|row| row.worth == worth && worth != best.worth);
            others.map(|row| row.negatives.to_string()).collect()
        };
        let mut words = String::new();
        for worth in [Worth::Undecided, Worth::SaysNothing] {
            let numbers = at(worth);
            if !numbers.is_empty() {
                let is = if worth == Worth::Undecided { "is undecided" } else { "says nothing" };
                words.push_str(&format!(" At your N = {} it {is}.", numbers.join(", ")));
            }
        }
        words
    }

    /// How many points a head gets right, as a count or, where classes count otherwise than by their sizes, as a share.
    #[must_use]
    pub fn right(&self, head: &HeadScore) -> String {
        if self.settings.equal_classes {
            return format!("{} %", certain(head.accuracy * exact(100.0), 4));
        }
        let ((right, tied), all) = (head.counts(), self.points);
        if tied == 0 {
            let percent = certain_percent(right, all as u64, 4);
            return format!("{right} of {all} ({percent} %)");
        }
        format!("{right} to {} of {all}", right + tied)
    }

    /// Whether some linear head is right on every point, by more than rounding.
    #[must_use]
    pub fn is_separable(&self) -> bool {
        let all = self.points as u64;
        self.n_classes > 1 && [&self.found_head, &self.mean_classifier].iter().any(|head| head.counts().0 == all)
    }

    /// What the best linear head really loses on these points, and how often the head found is right.
    #[must_use]
    pub fn reality(&self) -> String {
        let mean = format!(
            "the mean classifier loses {} and is right on {}",
            certain(self.mean_classifier.loss, 4),
            self.right(&self.mean_classifier)
        );
        if self.is_separable() {
            return format!(
                "In fact the classes are linearly separable: the infimum of the loss over linear heads is 0 on these \
                 points (the one found loses at most {} nats and is right on {}); {mean}.",
                upper_end(self.best_head, 4),
                self.right(&self.found_head)
            );
        }
        let best = if self.best_head.lo() > 0.0 {
            certain(self.best_head, 4)
        } else {
            format!("at most {}", upper_end(self.best_head, 4))
        };
        format!(
            "In fact the best linear head loses {best} nats on these points, and the one found is right on {}; {mean}.",
            self.right(&self.found_head)
        )
    }

    /// What the data are, and under which conventions the losses are taken.
    #[must_use]
    pub fn conventions(&self) -> String {
        let settings = &self.settings;
        let mut words = format!(
            "{} embeddings of dimension {} in {} {}",
            self.points,
            self.dimension,
            self.n_classes,
            if self.n_classes == 1 { "class" } else { "classes" }
        );
        let fewest = self.classes.iter().map(|class| class.points).min().unwrap_or(0);
        words.push_str(&format!(", the rarest of {fewest}"));
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
            "; temperature {}; {}. An anchor, its positive and the negatives are independent draws: the positive may \
             be the anchor itself, a negative may be of its class, and negatives are drawn with replacement.",
            settings.temperature,
            if self.has_cosines() {
                "inner products are cosines"
            } else {
                "inner products are not cosines (--normalize makes them cosines)"
            }
        ));
        if !self.trained.is_empty() {
            words.push_str(&format!(
                " The bounds are about these losses. With your options, {} and {}: those losses are shown as well.",
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

    /// Whether all embeddings have length one, up to the rounding of their coordinates to floats of 16 bits (half of 2⁻¹⁰ of each).
    #[must_use]
    pub fn has_cosines(&self) -> bool {
        let geometry = &self.geometry;
        (geometry.least_norm - 1.0).abs() < 1e-3 && (geometry.largest_norm - 1.0).abs() < 1e-3
    }
}

#[cfg(test)]
mod tests {
    use crate::{Embeddings, LabelledReport, Settings, Unwatched, labelled_report};

    /// Points around `classes` directions, `scale` away.
    fn report(scale: f64, negatives: Vec<u64>) -> LabelledReport {
        let angle = |i: u32| f64::from(i % 4) * 1.5 + f64::from(i) * 0.003;
        let points = (0..40).flat_map(|i| [scale * core_math::cos(angle(i)), scale * core_math::sin(angle(i))]);
        let labels: Vec<u32> = (0..40).map(|i| i % 4).collect();
        let settings = Settings { negatives, ..Settings::default() };
        labelled_report(&Embeddings::new(points.collect(), 2, &labels).unwrap(), &settings, &Unwatched).unwrap()
    }

    #[test]
    fn a_limit_that_is_printed_is_no_smaller_than_the_limit() {
        for scale in [0.1, 0.7, 1.3, 2.1, 2.9, 3.3, 4.7] {
            let report = report(scale, vec![1, 15]);
            let words = report.conclusion();
            let (_, after) = (words.split_once("at most ").or(words.split_once("a loss of "))).unwrap();
            let printed: f64 = after.split(' ').next().unwrap().parse().unwrap();
            assert!(printed >= report.best_bound.unwrap().limit.unwrap().hi(), "{words}");
        }
    }

    #[test]
    fn counts_stand_beside_shares_and_other_numbers_of_negatives_are_not_forgotten() {
        let report = report(3.0, vec![4096]);
        assert!(report.reality().contains("linearly separable"), "{}", report.reality());
        assert!(report.reality().contains("right on 40 of 40 (100 %)"), "{}", report.reality());
        assert!(report.conventions().contains("the rarest of 10"), "{}", report.conventions());
        assert!(report.conclusion().contains("At your N = 4096 it says nothing"), "{}", report.conclusion());
    }
}
