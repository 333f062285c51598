//! Lists of reals and single reals, over which the elementary facts of the proofs quantify, and their families.

use enclosures::enclosure::plain;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use super::families::log_uniform;

/// A list of reals or −∞ (`null`, since JSON has no infinity), one of them finite.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::has_a_finite_entry, simpler = Self::shorter, equivalents = Self::relabelled, stored)]
pub struct Reals {
    #[instance(range = "-1e9..=1e9")]
    pub x: Vec<Option<f64>>,
}

impl Reals {
    pub fn of(x: &[f64]) -> Self {
        Reals { x: x.iter().map(|&x| x.is_finite().then_some(x)).collect() }
    }

    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// The entries as enclosures, −∞ as everything below the doubles.
    pub fn enclosures(&self) -> Vec<Enclosure> {
        self.x.iter().map(|x| exact(x.unwrap_or(f64::NEG_INFINITY))).collect()
    }
}

/// The largest of so many finite entries, and how far the others lie below it: the parameters of proofs for lists of that length.
pub fn below_the_largest<const K: usize>(list: &Reals) -> Option<(Enclosure, [Enclosure; K])> {
    let mut x: Vec<f64> = list.x.iter().copied().collect::<Option<_>>()?;
    x.sort_by(|a, b| b.total_cmp(a));
    let (&top, others) = x.split_first()?;
    let top = exact(top);
    let gaps: Vec<Enclosure> = others.iter().map(|&y| top - y).collect();
    Some((top, gaps.try_into().ok()?))
}

impl Reals {
    fn in_words(&self) -> String {
        let show = |x: &Option<f64>| x.map_or("−∞".into(), |x| plain(x, 6));
        let shown: Vec<String> = self.x.iter().take(12).map(show).collect();
        let more = if self.len() > 12 { ", …" } else { "" };
        format!("n = {}, x = ({}{more})", self.len(), shown.join(", "))
    }

    fn has_a_finite_entry(&self) -> Result<(), String> {
        if self.x.iter().any(Option::is_some) { Ok(()) } else { Err("no entry is finite".into()) }
    }

    fn shorter(&self) -> Vec<Self> {
        let n = self.len();
        let keep = |keep: &dyn Fn(usize) -> bool| Reals { x: (0..n).filter(|&i| keep(i)).map(|i| self.x[i]).collect() };
        let mut found = Vec::new();
        if n > 3 {
            found.extend([keep(&|i| i < n / 2), keep(&|i| i >= n / 2)]);
        }
        // Pairs too, for statements on lists of even length.
        if n > 2 {
            found.extend((0..n / 2).map(|pair| keep(&|i| i / 2 != pair)));
        }
        if n > 1 {
            found.extend((0..n).map(|drop| keep(&|i| i != drop)));
        }
        found
    }

    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let reversed = Reals { x: self.x.iter().rev().copied().collect() };
        vec![("entries in another order", reversed)]
    }
}

/// A single real.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "x = {x:?}", stored)]
pub struct Number {
    pub x: f64,
}

/// The same number with its digits as its name.
pub fn number(x: f64) -> (String, Number) {
    (format!("{x:?}"), Number { x })
}

/// Equal, dominated, vanishing, enormous and infinite entries, in odd and even number.
pub fn named() -> Vec<(&'static str, Reals)> {
    let alternating: Vec<f64> = (1..=6).flat_map(|i| [0.0, f64::from(i) - 3.0]).collect();
    let of = Reals::of;
    vec![
        ("zero alone", of(&[0.0])),
        ("one alone", of(&[1.0])),
        ("a large one alone", of(&[1e4])),
        ("two zeros", of(&[0.0; 2])),
        ("three zeros", of(&[0.0; 3])),
        ("eight equal", of(&[2.5; 8])),
        ("a thousand zeros", of(&[0.0; 1000])),
        ("two at −10", of(&[-10.0; 2])),
        ("four at −10", of(&[-10.0; 4])),
        ("two at −½", of(&[-0.5; 2])),
        ("−½ and −5", of(&[-0.5, -5.0])),
        ("−0.6 and −4", of(&[-0.6, -4.0])),
        ("−1, −6 and −7", of(&[-1.0, -6.0, -7.0])),
        ("six at −1.7", of(&[-1.7; 6])),
        ("mean above −log 3, largest below 0", of(&[-1.0, -0.5, -0.75])),
        ("nearly equal", of(&[1.0, 1.0 + 1e-12, 1.0 - 1e-12, 1.0])),
        ("one dominates", of(&[0.0, -50.0, -60.0])),
        ("zero and a vanishing one", of(&[0.0, -745.0])),
        ("all vanish", of(&[-700.0, -710.0, -720.0, -705.0])),
        ("all vanish beyond the doubles", of(&[-1e4, -1e4 - 1.0])),
        ("all enormous", of(&[700.0, 710.0, 720.0])),
        ("beyond the range of the exponential", of(&[1e4, 1e4, -1e4, 1e4 - 1.0])),
        ("wide", of(&[-700.0, 700.0, 0.0, 1e-300])),
        ("small and large", of(&[1e-8, -1e-8, 30.0, -30.0])),
        ("zeros between", of(&alternating)),
        ("a missing entry", of(&[0.0, f64::NEG_INFINITY])),
        ("only one is finite", of(&[f64::NEG_INFINITY, -3.0, f64::NEG_INFINITY, f64::NEG_INFINITY])),
    ]
}

/// Lists of one to eight entries: of one size, of sizes far apart, equal, some of them −∞.
fn drawn() -> impl Strategy<Value = Reals> {
    let entry = |scale: f64| (-scale..scale).prop_map(Some);
    let of_one_size = (1usize..=8, log_uniform(1e-3, 1e3)).prop_flat_map(move |(n, scale)| vec(entry(scale), n));
    let any_size = (log_uniform(1e-8, 1e3), prop_oneof![Just(1.0), Just(-1.0)]).prop_map(|(x, sign)| Some(sign * x));
    let of_all_sizes = (1usize..=8).prop_flat_map(move |n| vec(any_size.clone(), n));
    let equal = (1usize..=8, -20.0..20.0f64).prop_map(|(n, x)| vec![Some(x); n]);
    let some_missing = (-5.0..5.0f64, vec(prop_oneof![(-5.0..5.0f64).prop_map(Some), Just(None)], 0..=7)).prop_map(
        |(first, mut rest)| {
            rest.push(Some(first));
            rest
        },
    );
    prop_oneof![3 => of_one_size, 2 => of_all_sizes, 1 => equal, 1 => some_missing].prop_map(|x| Reals { x })
}

/// The named and the drawn lists.
pub fn families() -> Vec<Family<Reals>> {
    vec![edge("named", named), random("drawn lists", drawn)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(name: &str) -> Reals {
        let found = named().into_iter().find(|(n, _)| *n == name);
        found.expect("there is such a list").1
    }

    #[test]
    fn gaps_are_counted_from_the_largest_entry_downwards() {
        let (top, gaps) = below_the_largest::<3>(&Reals::of(&[-1.5, 4.0, 0.25, 3.0])).unwrap();
        assert_eq!((top.lo(), top.hi()), (4.0, 4.0));
        assert_eq!(gaps.map(|gap| (gap.lo(), gap.hi())), [1.0, 3.75, 5.5].map(|gap| (gap, gap)));
        assert!(below_the_largest::<2>(&Reals::of(&[-1.5, 4.0, 0.25, 3.0])).is_none());
        assert!(below_the_largest::<1>(&Reals::of(&[0.0, f64::NEG_INFINITY])).is_none());
    }

    #[test]
    fn a_missing_entry_adds_nothing_to_a_sum_of_exponentials() {
        let missing = Reals::of(&[0.5, f64::NEG_INFINITY, -1.0]);
        let total: Enclosure = missing.enclosures().into_iter().map(Enclosure::exp).sum();
        let rest = exact(0.5).exp() + exact(-1.0).exp();
        assert!((total - rest).abs().hi() < 1e-14, "{total}");
    }

    #[test]
    fn a_list_is_what_its_name_says() {
        let mean = |list: &Reals| list.enclosures().into_iter().sum::<Enclosure>() / list.len() as f64;
        let list = find("mean above −log 3, largest below 0");
        assert!(mean(&list).lo() > -exact(3.0).ln().lo() && list.enclosures().iter().all(|x| x.hi() < 0.0));
        // Every exponential is zero in doubles, though not in truth.
        for (name, limit) in [("all vanish", 1e-300), ("all vanish beyond the doubles", 1e-323)] {
            assert!(find(name).enclosures().iter().all(|x| x.exp().hi() < limit), "{name}");
        }
        let large = find("beyond the range of the exponential").enclosures();
        assert!(large.iter().any(|x| x.exp().hi() == f64::INFINITY));
    }
}
