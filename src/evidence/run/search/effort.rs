//! What a search may spend: counted work, with a least and a greatest number of looks.

/// What a search may spend, and what it has spent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Work after which the search ends.
    work: u64,
    /// Looks that it may take whatever they cost.
    least: usize,
    /// Looks that it may take at most.
    most: usize,
    spent: u64,
    looks: usize,
    /// The work of the costliest look so far.
    pub(super) costliest: u64,
}

impl Effort {
    /// So much work, but no fewer looks than `least` and no more than `most`.
    #[must_use]
    pub(crate) fn new(work: u64, least: usize, most: usize) -> Self {
        Effort { work, least, most, spent: 0, looks: 0, costliest: 0 }
    }

    /// One part in so many of it.
    #[must_use]
    pub(crate) fn part(self, of: usize) -> Self {
        let of = of.max(1);
        Effort { work: self.work / of as u64, least: self.least.div_ceil(of), most: self.most.div_ceil(of), ..self }
    }

    /// Whether nothing is left.
    pub(super) fn is_spent(&self) -> bool {
        self.looks >= self.most || (self.spent >= self.work && self.looks >= self.least)
    }

    /// One look and its work.
    pub(super) fn spend(&mut self, work: u64) {
        self.looks += 1;
        self.spent = self.spent.saturating_add(work);
    }

    /// Work without a look.
    pub(super) fn work(&mut self, work: u64) {
        self.spent = self.spent.saturating_add(work);
    }

    /// Looks that are left, if they go on to cost what they have cost so far.
    pub(super) fn looks_left(&self) -> usize {
        let each = (self.spent / (self.looks.max(1) as u64)).max(1);
        let by_work = (self.work.saturating_sub(self.spent) / each) as usize;
        let least = self.least.saturating_sub(self.looks);
        by_work.max(least).min(self.most.saturating_sub(self.looks))
    }

    /// The work that one look may cost before it is too much of the whole.
    pub(super) fn bearable(&self) -> u64 {
        self.work / 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costly_looks_get_their_least_number_and_cheap_ones_no_more_than_the_greatest() {
        let looks = |cost: u64| {
            let mut effort = Effort::new(1000, 5, 50);
            while !effort.is_spent() {
                effort.spend(cost);
            }
            effort.looks
        };
        assert_eq!([looks(1_000_000), looks(100), looks(1)], [5, 10, 50]);
        let mut half = Effort::new(1000, 5, 50).part(2);
        half.spend(499);
        assert!(!half.is_spent());
    }
}
