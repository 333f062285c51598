//! Inequalities between vectors of any length, as goals of a fixed number of variables: by what is known of sums over entries (Cauchy and Schwarz
//! among others), with every vector in coordinates of the few vectors that occur (Gram and Cholesky), by the mean in place of the entries where a
//! function is convex or concave (Jensen), and entry by entry.

use evidence::claim::Relation;
use std::sync::Arc;

use evidence::budget::Budget;
use num_rational::BigRational;

use super::algebra::expression::{Formula, Head};
use super::algebra::goal::{Goal, Says};
use super::algebra::inequality::Shown;
use super::algebra::normal::{Indeterminates, names, written};
use super::algebra::roots::{Bounds, Sign};
use super::algebra::within;
use super::case::Tried;
use super::diagonal::from_a_curve;
use super::entries::{Entries, PowerProduct, Total};
use super::reading::TermReader;
use super::reasoning::{Allowed, Reasoning, shown};
use crate::instances::statement::Statement;
use crate::numbers::number::Number;
use crate::text::words::Function;

/// The most vectors that get coordinates.
const VECTORS: usize = 4;

/// Shows a statement of vectors of one length, whatever it is.
pub(super) fn of_any_length(statement: &Arc<Statement>, budget: Budget, tried: &mut Tried) -> Option<Reasoning> {
    let mut found = Reasoning { by: String::new(), lines: Vec::new(), cases: 0 };
    let chain = &statement.chain;
    for (pair, relation) in chain.sides.windows(2).zip(&chain.relations) {
        let mut entries = Entries::of(statement)?;
        let (left, right) = (entries.read(&pair[0])?, entries.read(&pair[1])?);
        let (small, large) = match relation {
            Relation::AtLeast | Relation::GreaterThan => (right, left),
            _ => (left, right),
        };
        tried.note("sums over the entries of vectors (known inequalities, coordinates, means, entry by entry)");
        let difference = large.minus(small);
        entries.goal.strict = matches!(relation, Relation::LessThan | Relation::GreaterThan);
        if *relation == Relation::Equal {
            let is_zero = Indeterminates::of(&entries.goal.ranges).fraction(&difference)?.above.is_zero();
            found.lines.extend(is_zero.then(|| "the sums over all entries are the same".to_owned()));
            found.by = "by sums over all entries in exact arithmetic".into();
            found.cases += 1;
            if !is_zero {
                return None;
            }
            continue;
        }
        entries.goal.wanted = difference;
        let shown =
            METHODS.iter().find_map(|method| within(Allowed::by(budget).entries, || method(&entries, budget)))?;
        found.by = shown.by.to_owned();
        found.lines.extend(shown.lines);
        found.cases += 1;
    }
    (found.cases > 0).then_some(found)
}

const METHODS: [fn(&Entries, Budget) -> Option<Shown>; 4] = [by_facts, by_coordinates, by_means, entry_by_entry];

/// Everything that is known of the sums and the largest entries.
fn facts(entries: &Entries) -> Vec<(Formula, String)> {
    let name = |place: usize| entries.goal.names[place].clone();
    let n = entries.length();
    let mut found = Vec::new();
    let square = |f: &Formula| f.clone().times(f.clone());
    let root = |f: &Formula| f.clone().apply(Function::Sqrt).ok();
    let all: Vec<(&PowerProduct, Formula, usize)> =
        entries.totals.iter().map(|t| (&t.of, Formula::variable(t.place), t.place)).collect();
    let ones = PowerProduct::default();
    let is_square = |p: &PowerProduct| p.0.values().all(|(f, twice)| twice % 4 == 0 || entries.is_not_negative(f));
    let mut squares: Vec<(&PowerProduct, Formula, String)> =
        all.iter().filter(|(p, ..)| is_square(p)).map(|(p, s, place)| (*p, s.clone(), name(*place))).collect();
    squares.push((&ones, n.clone(), entries.n.map_or("the length".to_owned(), name)));
    let laws: Vec<PowerProduct> = entries.laws.iter().map(|&p| PowerProduct::of(Formula::variable(p))).collect();
    squares.extend(laws.iter().map(|law| (law, Formula::whole(1), "1".to_owned())));
    for (i, (p, s, told)) in squares.iter().enumerate() {
        for (q, t, its) in &squares[..i] {
            let product = p.times(q);
            for (r, u, place) in &all {
                if r.times(r) == product && *r != *p {
                    let text = format!("{}^2 <= {told}*{its} (Cauchy and Schwarz)", name(*place));
                    found.push((s.clone().times(t.clone()).minus(square(u)), text));
                }
            }
        }
    }
    for (p, s, place) in &all {
        for (q, t, other) in &all {
            if p.times(p) == **q && p.0.values().all(|(f, _)| entries.is_not_negative(f)) {
                found.push((square(s).minus(t.clone()), format!("{} <= {}^2", name(*other), name(*place))));
                found.extend(
                    root(t).map(|r| (s.clone().minus(r), format!("sqrt({}) <= {}", name(*other), name(*place)))),
                );
            }
        }
    }
    found.extend(facts_of_the_largest(entries));
    found.extend(facts_of_laws(entries));
    found.extend(facts_of_logarithms(entries));
    found.extend(facts_of_ranges(entries));
    found
}

/// What is known of the sums of numbers in a range, and of their squares: `(x − a)(b − x)` is not negative; and of sizes: the square of their sum is at
/// most the sum of their squares times the length.
fn facts_of_ranges(entries: &Entries) -> Vec<(Formula, String)> {
    let mut found = Vec::new();
    let weights = std::iter::once(Formula::whole(1)).chain(entries.laws.iter().map(|&p| Formula::variable(p)));
    for weight in weights {
        for &v in entries.typical.iter().filter(|&&v| weight != Formula::variable(v)) {
            let Bounds { low: Some(low), high: Some(high) } = &entries.goal.ranges[v] else { continue };
            let (low, high) = (Formula::number(low.0.clone()), Formula::number(high.0.clone()));
            let entry = Formula::variable(v);
            let product = entry.clone().minus(low.clone()).times(high.clone().minus(entry));
            let name = &entries.goal.names[v];
            found.extend(entries.known_total(&weight.clone().times(product)).map(|sum| {
                (sum, format!("{name} lies in its range: the product of its distances from the ends is not negative"))
            }));
        }
    }
    for total in &entries.totals {
        let Some((size, 2)) = total.of.0.values().next().filter(|_| total.of.0.len() == 1) else { continue };
        let Head::Apply(Function::Abs, inner) = &*size.0 else { continue };
        let square = inner.clone().times(inner.clone());
        found.extend(entries.known_total(&square).map(|squares| {
            let sum = Formula::variable(total.place);
            let name = &entries.goal.names[total.place];
            let fact = entries.length().times(squares).minus(sum.clone().times(sum));
            (fact, format!("{name}^2 is at most n times the sum of the squares (Cauchy and Schwarz)"))
        }));
    }
    found
}

/// What is known of the divergence of two vectors of probabilities (Pinsker), and of nothing else.
fn facts_of_laws(entries: &Entries) -> Vec<(Formula, String)> {
    let total = |of: PowerProduct| entries.totals.iter().find(|t| t.of == of).map(|t| t.place);
    let apart = |p: &Formula, q: &Formula| p.clone().minus(q.clone()).apply(Function::Abs).ok();
    let mut found = Vec::new();
    for p in entries.laws.iter().map(|&p| Formula::variable(p)) {
        for q in entries.laws.iter().map(|&q| Formula::variable(q)).filter(|q| *q != p) {
            let logarithm = p.clone().over(q.clone()).ok().and_then(|ratio| ratio.apply(Function::Log).ok());
            let divergence = logarithm.and_then(|log| total(PowerProduct::of(p.clone()).times(&PowerProduct::of(log))));
            let sizes = [apart(&p, &q), apart(&q, &p)].into_iter().flatten();
            let Some(distance) = { sizes }.find_map(|size| total(PowerProduct::of(size))) else { continue };
            let Some(divergence) = divergence else { continue };
            let (twice, by) = (Formula::whole(2).times(Formula::variable(divergence)), Formula::variable(distance));
            let [told, its] = [divergence, distance].map(|place| &entries.goal.names[place]);
            found.push((twice.clone().minus(by.clone().times(by.clone())), format!("{its}^2 <= 2*{told} (Pinsker)")));
            if let Ok(root) = twice.apply(Function::Sqrt) {
                found.push((root.minus(by), format!("{its} <= sqrt(2*{told}) (Pinsker)")));
            }
        }
    }
    found
}

/// What is known of the mean of a logarithm, by probabilities or by none: it is at most the logarithm of the mean (Jensen).
fn facts_of_logarithms(entries: &Entries) -> Vec<(Formula, String)> {
    let mut found = Vec::new();
    let laws = entries.laws.iter().map(|&p| (Formula::variable(p), Formula::whole(1)));
    for (weight, whole) in laws.chain([(Formula::whole(1), entries.length())]) {
        for total in entries.totals.iter().filter(|t| t.of.0.values().all(|(f, _)| entries.is_not_negative(f))) {
            let each = match weight.as_number() {
                Some(_) => total.of.clone(),
                None => total.of.times(&PowerProduct::of(weight.clone()).below()),
            };
            let mean = Formula::variable(total.place).over(whole.clone()).ok();
            let Some(bound) = mean.and_then(|mean| mean.apply(Function::Log).ok()) else { continue };
            let sums = logarithms(&each).into_iter().filter_map(|log| entries.known_total(&weight.clone().times(log)));
            let told =
                format!("the mean of a logarithm is at most that of {} (Jensen)", entries.goal.names[total.place]);
            found.extend(sums.map(|sum| (whole.clone().times(bound.clone()).minus(sum), told.clone())));
        }
    }
    found
}

/// The logarithm of a product of powers, in the ways in which it may be written.
fn logarithms(of: &PowerProduct) -> Vec<Formula> {
    let log = |of: &Formula| match &*of.0 {
        Head::Apply(Function::Exp, inner) => Some(inner.clone()),
        _ => of.clone().apply(Function::Log).ok(),
    };
    let factors: Vec<&(Formula, i64)> = of.0.values().collect();
    let sum = |factors: &[&(Formula, i64)]| {
        factors.iter().try_fold(Formula::whole(0), |sum, (of, twice)| {
            Some(sum.plus(Formula::number(BigRational::new((*twice).into(), 2.into())).times(log(of)?)))
        })
    };
    let mut found: Vec<Formula> = sum(&factors).into_iter().collect();
    for (i, (f, twice)) in factors.iter().enumerate() {
        for (j, (g, _)) in factors.iter().enumerate().filter(|(_, (_, other))| *twice > 0 && *other == -twice) {
            let kept: Vec<_> = (0..factors.len()).filter(|k| *k != i && *k != j).map(|k| factors[k]).collect();
            let power = |sign: i64| Formula::number(BigRational::new((sign * twice).into(), 2.into()));
            let ratio = |f: &Formula, g: &Formula| f.clone().over(g.clone()).ok()?.apply(Function::Log).ok();
            let ratios = [(1, ratio(f, g)), (-1, ratio(g, f))];
            let all = ratios.into_iter().filter_map(|(sign, ratio)| Some(sum(&kept)?.plus(power(sign).times(ratio?))));
            found.extend(all);
        }
    }
    found
}

/// What is known of largest entries beside sums.
fn facts_of_the_largest(entries: &Entries) -> Vec<(Formula, String)> {
    let name = |place: usize| entries.goal.names[place].clone();
    let n = entries.length();
    let square = |f: &Formula| f.clone().times(f.clone());
    let root = |f: &Formula| f.clone().apply(Function::Sqrt).ok();
    let mut found = Vec::new();
    for (body, place) in &entries.largest {
        let (m, told) = (Formula::variable(*place), name(*place));
        let inner = match &*body.0 {
            Head::Apply(Function::Abs, inner) => Some(PowerProduct::of(inner.clone())),
            _ => None,
        };
        let (once, is_size) = (PowerProduct::of(body.clone()), entries.is_not_negative(body));
        for total in &entries.totals {
            let (p, s, place) = (&total.of, Formula::variable(total.place), &total.place);
            let n = n.clone();
            if *p == once || Some(p) == inner.as_ref() {
                found.push((n.clone().times(m.clone()).minus(s.clone()), format!("{} <= n*{told}", name(*place))));
            }
            if Some(p) == inner.as_ref() {
                found.push((n.clone().times(m.clone()).plus(s.clone()), format!("-{} <= n*{told}", name(*place))));
            }
            if *p == once && is_size {
                found.push((s.clone().minus(m.clone()), format!("{told} <= {}", name(*place))));
            }
            let twice = inner.as_ref().unwrap_or(&once);
            if *p == twice.times(twice) && is_size {
                let (low, high) = (s.clone().minus(square(&m)), n.times(square(&m)).minus(s.clone()));
                found.push((low, format!("{told}^2 <= {}", name(*place))));
                found.push((high, format!("{} <= n*{told}^2", name(*place))));
                if let (Some(s), Some(n)) = (root(&s), root(&entries.length())) {
                    found.push((s.clone().minus(m.clone()), format!("{told} <= sqrt({})", name(*place))));
                    found.push((n.times(m.clone()).minus(s), format!("sqrt({}) <= sqrt(n)*{told}", name(*place))));
                }
            }
        }
    }
    found
}

/// What the numbers stand for.
fn meanings(entries: &Entries) -> Vec<String> {
    let goal = &entries.goal;
    let told = |of: &Formula| -> Option<String> {
        let mut atoms = Indeterminates::of(&goal.ranges);
        let of = match &*of.0 {
            Head::Apply(Function::Abs, inner) => {
                let inner = atoms.fraction(inner)?;
                return Some(format!("abs({})", written(&inner, &goal.names)));
            }
            _ => atoms.fraction(of)?,
        };
        Some(written(&of, &names(&atoms, &goal.names)))
    };
    let total = |t: &Total| {
        let factors = t.of.0.values().map(|(f, twice)| {
            let power = match *twice {
                2 => String::new(),
                _ if twice % 2 == 0 => format!("^{}", twice / 2),
                _ => format!("^({twice}/2)"),
            };
            Some(format!("({}){power}", told(f)?))
        });
        Some(format!("{} = sum of {}", goal.names[t.place], factors.collect::<Option<Vec<_>>>()?.join("*")))
    };
    let totals = entries.totals.iter().filter_map(total);
    let largest =
        entries.largest.iter().filter_map(|(f, m)| Some(format!("{} = largest {}", goal.names[*m], told(f)?)));
    totals.chain(largest).collect()
}

fn told(entries: &Entries, by: &'static str, lines: Vec<String>, shown: Shown) -> Shown {
    Shown { by, lines: meanings(entries).into_iter().chain(lines).chain(shown.lines).collect() }
}

/// From what is known of the sums.
fn by_facts(entries: &Entries, budget: Budget) -> Option<Shown> {
    let mut goal = entries.goal.clone();
    let mut lines = Vec::new();
    for (fact, text) in facts(entries) {
        goal.given.push((fact, Says::NotNegative));
        lines.push(text);
    }
    let found = shown(&goal, budget)?;
    Some(told(entries, "by what is known of sums over all entries", lines, found))
}

/// With the vectors in coordinates: a matrix of inner products has a triangular factor.
fn by_coordinates(entries: &Entries, budget: Budget) -> Option<Shown> {
    let weight =
        entries.laws.iter().copied().find(|&p| entries.totals.iter().all(|t| t.of.holds(&Formula::variable(p))));
    let base = weight.map_or_else(PowerProduct::default, |p| PowerProduct::of(Formula::variable(p)).root());
    let is_plain = |f: &Formula, twice: i64| twice % 4 == 0 || weight.is_some_and(|p| *f == Formula::variable(p));
    let mut vectors = vec![base.clone()];
    for total in &entries.totals {
        if total.of.0.values().all(|(f, twice)| is_plain(f, *twice)) && !vectors.contains(&total.of.root()) {
            vectors.push(total.of.root());
        }
    }
    let mut pairs = Vec::new();
    for total in &entries.totals {
        let found = (1..vectors.len())
            .flat_map(|i| (0..=i).map(move |j| (i, j)))
            .find(|&(i, j)| vectors[i].times(&vectors[j]) == total.of);
        let pair = found.or_else(|| {
            if weight.is_some() {
                return None;
            }
            vectors.push(total.of.clone());
            Some((vectors.len() - 1, 0))
        })?;
        pairs.push((total.place, pair));
    }
    if vectors.len() > VECTORS + 1 || vectors.len() < 2 {
        return None;
    }
    let is_based = pairs.iter().any(|(_, (_, j))| *j == 0);
    let mut goal = entries.goal.clone();
    goal.given.extend(facts(entries).into_iter().map(|(fact, _)| (fact, Says::NotNegative)));
    let mut lines = Vec::new();
    let mut rows: Vec<Vec<Formula>> = vec![vec![Formula::whole(1)]];
    if weight.is_none() && is_based {
        rows[0][0] = match entries.n {
            Some(n) => {
                let root = goal.new_variable("r".into(), Bounds::from(1, false));
                let square = root.clone().times(root.clone());
                goal = goal.with(n, &square, Bounds::from(1, false));
                lines.push("n = r^2, the square of the length of the vector of ones".to_owned());
                root
            }
            None => entries.length().apply(Function::Sqrt).ok()?,
        };
    }
    for i in 1..vectors.len() {
        let each = (usize::from(!is_based)..=i).map(|j| {
            let range = if j == i { Bounds::from(0, false) } else { Bounds::default() };
            goal.new_variable(format!("c[{i}, {j}]"), range)
        });
        let mut row: Vec<Formula> = each.collect();
        if !is_based {
            row.insert(0, Formula::whole(0));
        }
        rows.push(row);
    }
    for (place, (i, j)) in pairs {
        let products = rows[i].iter().zip(&rows[j]).map(|(a, b)| a.clone().times(b.clone()));
        let inner = products.fold(Formula::whole(0), Number::plus);
        if goal.ranges[place].low.is_some() && i != j {
            goal.given.push((inner.clone(), Says::NotNegative));
        }
        goal = goal.with(place, &inner, Bounds::default());
    }
    lines.push("c is the triangular factor of the matrix of their inner products".to_owned());
    let found = shown(&goal, budget)?;
    Some(told(entries, "in coordinates of the vectors", lines, found))
}

/// With means in place of the entries, where a sum is of a convex or a concave function of them.
fn by_means(entries: &Entries, budget: Budget) -> Option<Shown> {
    let entries = entries.without_signs();
    let weights = entries.laws.iter().copied().filter(|&p| {
        let law = Formula::variable(p);
        entries.totals.iter().all(|t| t.of.degree_in(&law) == Some(2))
    });
    std::iter::once(None).chain(weights.map(Some)).find_map(|weight| by_weighted_means(&entries, weight, budget))
}

/// The same with means that are weighted by a vector of probabilities, or by none.
fn by_weighted_means(entries: &Entries, weight: Option<usize>, budget: Budget) -> Option<Shown> {
    let mut goal = entries.goal.clone();
    let n = entries.length();
    let mut lines = Vec::new();
    // The means of the entries themselves. That of probabilities is known where they are not weighted.
    let mut means: Vec<(usize, Formula)> = Vec::new();
    for &v in &entries.typical {
        let mean = if weight.is_none() && entries.laws.contains(&v) {
            Formula::whole(1).over(n.clone()).ok()?
        } else {
            let range = goal.ranges[v].clone();
            goal.new_variable(format!("mean of {}", entries.goal.names[v]), range)
        };
        means.push((v, mean));
    }
    let at_means = |of: &Formula| means.iter().fold(of.clone(), |of, (v, mean)| of.with_variable(*v, mean));
    let mut waiting = Vec::new();
    for total in &entries.totals {
        let of = match weight {
            Some(p) => total.of.without(&Formula::variable(p)).formula()?,
            None => total.of.formula()?,
        };
        let place = total.place;
        let whole = |mean: Formula| if weight.is_some() { mean } else { mean.times(n.clone()) };
        if let Head::Variable(_) = &*of.0 {
            goal = goal.with(place, &whole(at_means(&of)), Bounds::default());
        } else {
            let range = goal.ranges[place].clone();
            goal = goal.with(place, &whole(Formula::variable(place)), range);
            waiting.push((place, of));
        }
    }
    if waiting.is_empty() {
        return None;
    }
    for (place, of) in waiting {
        let rises = slope_sign(&goal, &goal.wanted, place, budget)?;
        let name = &entries.goal.names[place];
        let at_one = one_of_the_terms(entries, &of).filter(|_| rises && weight.is_none());
        let (by, line) = if let Some(by) = at_one {
            (by.over(n.clone()).ok()?, format!("{name} is at least its term at the largest entry"))
        } else if bend(&goal, entries, &of, budget) == Some(rises) {
            let (word, is_exact) = if rises { ("convex", "at least") } else { ("concave", "at most") };
            let line = format!(
                "{name} has a {word} function of the entries: its mean is {is_exact} the function of their mean (Jensen)"
            );
            (at_means(&of), line)
        } else {
            let by = at_the_largest(&goal, entries, &of, budget).filter(|_| !rises)?;
            (by, format!("{name} has a function that rises with the entries: its mean is at most that of the largest"))
        };
        lines.push(line);
        // A condition on the sum itself says nothing of what takes its place.
        goal.given.retain(|(e, _)| !e.uses(place));
        goal = goal.with(place, &by, Bounds::default());
    }
    goal.wanted = goal.tidied(&goal.wanted);
    let found = shown(&goal, budget)?;
    Some(told(entries, "by means in place of entries (Jensen)", lines, found))
}

/// A vector whose largest entry occurs, where a function depends on its entries alone, and the function at the largest.
fn at_an_entry(entries: &Entries, of: &Formula) -> Option<(usize, Formula)> {
    let (v, m) = entries.largest.iter().find_map(|(body, m)| match &*body.0 {
        Head::Variable(v) => Some((*v, *m)),
        _ => None,
    })?;
    let is_alone = entries.typical.iter().all(|&w| w == v || !of.uses(w));
    is_alone.then(|| (v, of.with_variable(v, &Formula::variable(m))))
}

/// A function of the entries at the largest of them, if it rises with them.
fn at_the_largest(goal: &Goal, entries: &Entries, of: &Formula, budget: Budget) -> Option<Formula> {
    let (v, at) = at_an_entry(entries, of)?;
    (slope_sign(goal, of, v, budget) == Some(true)).then_some(at)
}

/// The term of a sum at the largest entry, if no term is negative.
fn one_of_the_terms(entries: &Entries, of: &Formula) -> Option<Formula> {
    let (_, at) = at_an_entry(entries, of)?;
    entries.is_not_negative(of).then_some(at)
}

/// Whether a function of the entries is convex (true) or concave (false); none if neither is shown.
fn bend(goal: &Goal, entries: &Entries, of: &Formula, budget: Budget) -> Option<bool> {
    let local: Vec<usize> = entries.typical.iter().copied().filter(|&v| of.uses(v)).collect();
    // Next to a pole or a kink a function may bend one way on either side, and not across.
    if !goal.is_defined(of, &local) || !goal.is_smooth(of) {
        return None;
    }
    let second = |a: usize, b: usize| {
        let mut atoms = Indeterminates::of(&goal.ranges);
        let of = atoms.fraction(of)?;
        let slope = atoms.derivative(&of, a)?;
        let second = atoms.derivative(&slope, b)?;
        atoms.formula(&second)
    };
    let holds = |wanted: Formula| {
        let part = Goal { wanted, strict: false, given: Vec::new(), ..goal.clone() };
        shown(&part, budget).is_some()
    };
    let upward = |sign: i64| {
        let each = |v: usize| Some(second(v, v)?.times(Formula::whole(sign)));
        match local[..] {
            [v] => each(v).is_some_and(holds),
            [v, w] => {
                let determinant = || {
                    let mixed = second(v, w)?;
                    Some(second(v, v)?.times(second(w, w)?).minus(mixed.clone().times(mixed)))
                };
                each(v).is_some_and(holds) && each(w).is_some_and(holds) && determinant().is_some_and(holds)
            }
            _ => false,
        }
    };
    if upward(1) {
        return Some(true);
    }
    upward(-1).then_some(false)
}

/// Whether a formula rises (true) or falls (false) along a variable; none if neither is shown.
fn slope_sign(goal: &Goal, of: &Formula, place: usize, budget: Budget) -> Option<bool> {
    if !goal.is_defined(of, &[place]) {
        return None;
    }
    let mut atoms = Indeterminates::of(&goal.ranges);
    let of = atoms.fraction(of)?;
    let slope = atoms.derivative(&of, place)?;
    match atoms.sign_of(&slope) {
        Some(Sign::Positive | Sign::NotNegative) => return Some(true),
        Some(Sign::Negative | Sign::NotPositive) => return Some(false),
        _ => {}
    }
    let slope = atoms.formula(&slope)?;
    // Conditions on the variable may fail on the way from one value to another.
    let given: Vec<_> = goal.given.iter().filter(|(e, _)| !e.uses(place)).cloned().collect();
    let holds = |wanted: Formula| {
        let part = Goal { wanted, strict: false, given: given.clone(), ..goal.clone() };
        shown(&part, budget).is_some()
    };
    if holds(slope.clone()) {
        return Some(true);
    }
    holds(slope.negated()).then_some(false)
}

/// Where the difference of the sides is a sum over entries, each of which is shown not to be negative.
fn entry_by_entry(entries: &Entries, budget: Budget) -> Option<Shown> {
    let entries = entries.without_signs();
    let places: Vec<usize> = entries.totals.iter().map(|t| t.place).collect();
    let mut goal = entries.goal.clone();
    {
        let mut atoms = Indeterminates::of(&goal.ranges);
        let fraction = atoms.fraction(&goal.wanted)?;
        let is_linear = fraction.above.0.keys().all(|m| places.iter().map(|&p| m.exponent(p)).sum::<u32>() <= 1);
        let is_outside = places.iter().all(|&p| fraction.below.keys().all(|b| b.degree_in(p) == 0));
        if !is_linear || !is_outside || places.iter().any(|&p| atoms.is_inside_an_atom(p)) {
            return None;
        }
    }
    let at = |one: Option<usize>| {
        places
            .iter()
            .fold(goal.wanted.clone(), |of, &p| of.with_variable(p, &Formula::whole(i64::from(one == Some(p)))))
    };
    let rest = at(None);
    let mut terms = Formula::whole(0);
    for total in &entries.totals {
        let factor = at(Some(total.place)).minus(rest.clone());
        terms = terms.plus(factor.times(total.of.formula()?));
    }
    for (body, m) in &entries.largest {
        goal.given.push((Formula::variable(*m).minus(body.clone()), Says::NotNegative));
    }
    goal.wanted = terms.clone().plus(rest.clone().over(entries.length()).ok()?);
    if let Some(found) = shown(&goal, budget) {
        return Some(told(&entries, "entry by entry", Vec::new(), found));
    }
    // Where entries of probabilities are zero, every term is the limit of others, which decide a weak inequality.
    if goal.strict || !terms.is_without_jumps() {
        return None;
    }
    for &p in &entries.laws {
        goal.ranges[p].low = Bounds::from(0, true).low;
    }
    let laws: Vec<Formula> = entries.laws.iter().map(|&p| Formula::variable(p)).collect();
    let pairs = || laws.iter().enumerate().flat_map(|(i, p)| laws[..i].iter().map(move |q| (p.clone(), q.clone())));
    let mut added: Vec<Formula> = laws.iter().map(|p| rest.clone().times(p.clone())).collect();
    added.extend(pairs().filter_map(|(p, q)| rest.clone().times(p.plus(q)).over(Formula::whole(2)).ok()));
    if rest.is_zero() {
        added.extend(pairs().flat_map(|(p, q)| [p.clone().minus(q.clone()), q.minus(p)]));
    }
    added.into_iter().find_map(|added| {
        goal.wanted = terms.clone().plus(added);
        let goal = goal.clone().compacted();
        let found = shown(&goal, Budget::Quick);
        let found = found.or_else(|| from_a_curve(&goal, Budget::Quick, &mut Tried::default()))?;
        let line = "what does not depend on the entries is spread over them in proportion to probabilities".to_owned();
        Some(told(&entries, "entry by entry", vec![line], found))
    })
}
