//! A part of a run for one of several machines: which claims it holds.

use std::fmt;
use std::str::FromStr;

use super::costs::Seconds;

/// Into how many shards a run may be cut.
const MOST: u32 = 10_000;

/// The number of a shard, from one, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    number: u32,
    of: u32,
}

impl Shard {
    /// The shard with this number out of so many.
    ///
    /// # Errors
    /// There is no such shard: numbers run from 1 to the number of shards, of which there are at most 10000.
    pub fn new(number: u32, of: u32) -> Result<Self, String> {
        if (1..=MOST).contains(&of) && (1..=of).contains(&number) {
            Ok(Shard { number, of })
        } else {
            Err(format!("there is no shard {number}/{of}: 1 ≤ NUMBER ≤ COUNT ≤ {MOST}"))
        }
    }

    /// All shards of a run that is cut into as many as this one's.
    pub fn siblings(self) -> impl Iterator<Item = Shard> {
        (1..=self.of).map(move |number| Shard { number, of: self.of })
    }

    /// Number and count.
    #[must_use]
    pub fn parts(self) -> (u32, u32) {
        (self.number, self.of)
    }

    /// The positions of the claims that belong to this shard, in order. The dearest claim goes first, each to the shard that has the least
    /// to do so far; a claim whose cost is not known counts as the median of the others.
    #[must_use]
    pub fn share(self, claims: &[&str], costs: Option<&Seconds>) -> Vec<usize> {
        let known = |claim: &str| costs.and_then(|c| c.get(claim)).copied();
        let mut sorted: Vec<f64> = claims.iter().filter_map(|c| known(c)).collect();
        sorted.sort_by(f64::total_cmp);
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or(1.0);
        // What costs nothing that a clock could see still costs something; otherwise all of it would go to one shard.
        let cost = |claim: &str| known(claim).unwrap_or(median).max(0.01);
        let mut waiting: Vec<usize> = (0..claims.len()).collect();
        waiting.sort_by(|&a, &b| cost(claims[b]).total_cmp(&cost(claims[a])).then(a.cmp(&b)));
        let mut loads = vec![0.0; self.of as usize];
        let mut mine = Vec::new();
        for claim in waiting {
            let least = (0..loads.len()).min_by(|&a, &b| f64::total_cmp(&loads[a], &loads[b]));
            let least = least.unwrap_or_default();
            loads[least] += cost(claims[claim]);
            if least + 1 == self.number as usize {
                mine.push(claim);
            }
        }
        mine.sort_unstable();
        mine
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let unreadable = || format!("\"{text}\" is no shard: write 3/8 for the third of eight");
        let (number, of) = text.split_once('/').ok_or_else(unreadable)?;
        let number = number.parse().map_err(|_| unreadable())?;
        Shard::new(number, of.parse().map_err(|_| unreadable())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!("3/8".parse::<Shard>().map(|s| s.to_string()), Ok("3/8".to_owned()));
        for text in ["", "3", "0/8", "9/8", "1/0", "-1/8", "1/8/2", "1/99999", "a/b"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_dear_claims_are_spread_and_the_loads_are_alike() {
        let claims = ["a", "b", "c", "d", "e", "unknown"];
        let costs: Seconds = [("a", 10.0), ("b", 9.0), ("c", 1.0), ("d", 1.0), ("e", 1.0)]
            .map(|(claim, s)| (claim.to_owned(), s))
            .into();
        let share = |number| Shard::new(number, 2).expect("a shard").share(&claims, Some(&costs));
        // 10 + 1 against 9 + 1 + 1, and the unknown one at the median, 1.
        assert_eq!(share(1), [0, 3, 5]);
        assert_eq!(share(2), [1, 2, 4]);
    }

    proptest! {
        #[test]
        fn every_claim_belongs_to_exactly_one_shard(
            costs in prop::collection::vec(prop::option::of(0.0..100.0f64), 0..60),
            of in 1u32..20,
        ) {
            let names: Vec<String> = (0..costs.len()).map(|i| format!("claim-{i}")).collect();
            let claims: Vec<&str> = names.iter().map(String::as_str).collect();
            let known = names.iter().zip(&costs).filter_map(|(n, c)| Some((n.clone(), (*c)?)));
            let known: Seconds = known.collect();
            let first = Shard::new(1, of).expect("a shard");
            let mut seen: Vec<usize> = first.siblings().flat_map(|s| s.share(&claims, Some(&known))).collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..costs.len()).collect::<Vec<_>>());
        }
    }
}
