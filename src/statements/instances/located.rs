//! Where equations between real numbers are met. Doubles meet them by chance only; but next to doubles that nearly do lie real numbers that
//! do, and that they are there can be shown. Such an assignment stands for those numbers: a few of its doubles are widened to intervals which
//! contain, with all others as they are, a solution of all equations at once. What is judged is judged on the intervals.
//!
//! For one equation that is the intermediate value theorem; for several, Krawczyk's test (*Computing* 4, 1969): where
//! `x − Y f(x) + (1 − Y f'(X)) (X − x)` lies inside of `X`, it contains a zero of `f`.

use std::cell::RefCell;
use std::sync::Arc;

use enclosures::interval::{Dual, Interval};
use enclosures::work;

use super::assignment::{Assignment, Raw};
use super::system::{MOST_EQUATIONS, System, solved};
use crate::formulas::domain::Declarations;
use crate::numbers::number::{Enclosed, Number, Real, Value};

/// The intervals in which the numbers of a solution lie; every other number is its double.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Located {
    /// Places among all doubles.
    intervals: Vec<(usize, Interval)>,
}

impl Located {
    fn at(&self, place: usize) -> Option<Interval> {
        let found = self.intervals.iter().find(|(at, _)| *at == place);
        found.map(|(_, interval)| *interval)
    }

    /// How far the number at a place may lie from its double; zero where it is the double.
    pub(crate) fn reach(&self, place: usize, double: f64) -> f64 {
        let away = |x: Interval| (x - Interval::point(double)).magnitude();
        self.at(place).map_or(0.0, away)
    }
}

/// An interval that is wider than this fraction of the largest number is no place.
const LOOSE: f64 = 1e-11;

/// Numbers that are tried in turn for the one to be solved for.
const CHOICES: usize = 3;

/// By what an interval is wider than what Newton's step asks for.
const ROOM: [f64; 3] = [2.0, 16.0, 256.0];

impl Assignment {
    /// The values as any kind of number: enclosed to where the equations are met, if there are some and they are met next to the doubles.
    ///
    /// # Errors
    /// The numbers are no values of the variables: see [`evidence::instance::Instance::validate`].
    pub fn lifted<N: Real>(&self) -> Result<Vec<Value<N>>, String> {
        match self.located() {
            Some(located) => {
                self.lifted_by(&mut |place, x| located.at(place).map_or_else(|| N::double(x), Real::within))
            }
            None => self.lifted_by(&mut |_, x| N::double(x)),
        }
    }

    /// Where all equations are met at once; none where there are none, and where that is not shown.
    pub(crate) fn located(&self) -> Option<Located> {
        if self.declarations.equations.is_empty() {
            return None;
        }
        let known = LAST.with(|last| {
            let last = last.borrow();
            let same =
                last.as_ref().filter(|l| Arc::ptr_eq(&l.declarations, &self.declarations) && l.values == self.values);
            same.map(|l| (l.located.clone(), l.work))
        });
        let (located, work) = known.unwrap_or_else(|| {
            let (located, work) = work::counted(|| located(self));
            let last = Last {
                declarations: Arc::clone(&self.declarations),
                values: self.values.clone(),
                located: located.clone(),
                work,
            };
            LAST.with(|l| *l.borrow_mut() = Some(last));
            (located, work)
        });
        // Whether it was known depends on what this thread did before, and the count must not.
        work::spend(work);
        located
    }
}

/// What was located last: an instance is asked for its conditions one by one, and then judged.
struct Last {
    declarations: Arc<Declarations>,
    values: Vec<Raw>,
    located: Option<Located>,
    work: u64,
}

thread_local! {
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

fn located(assignment: &Assignment) -> Option<Located> {
    let system = System::of(assignment)?;
    let at = &system.start;
    let here: Vec<Enclosed> = system.residuals(&mut |_, x| Number::double(x))?;
    if here.iter().any(|r| !r.defined || !r.value.is_finite()) {
        return None;
    }
    let here: Vec<Interval> = here.into_iter().map(|r| r.value).collect();
    if here.iter().all(|r| *r == Interval::ZERO) {
        return Some(Located { intervals: Vec::new() });
    }
    if here.len() > MOST_EQUATIONS.min(at.len()) {
        return None;
    }
    let slopes = system.slopes(at, &system.plainly(at)?);
    let intervals = if let [residual] = here[..] {
        let ranked = ranked(&system, &slopes[0]);
        let between = |&place: &usize| between_signs(&system, place, slopes[0][place], residual);
        vec![ranked.iter().take(CHOICES).find_map(between)?]
    } else {
        contracted(&system, &slopes, &here)?
    };
    Some(Located { intervals })
}

/// How well an equation is solved for a number: by how much the residual changes when the number changes by a fraction of itself.
fn weight(system: &System<'_>, place: usize, slope: f64) -> f64 {
    slope.abs() * system.start[place].abs().max(1e-3 * system.scale(&system.start))
}

/// The places of the numbers, those for which an equation is solved best first.
fn ranked(system: &System<'_>, slopes: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..slopes.len()).filter(|&p| slopes[p] != 0.0).collect();
    places.sort_by(|&a, &b| weight(system, b, slopes[b]).total_cmp(&weight(system, a, slopes[a])));
    places
}

/// The interval around the double at a place; none if it leaves the range of its number, or is no place any more.
fn around(system: &System<'_>, place: usize, reach: f64) -> Option<Interval> {
    let x = system.start[place];
    let (low, high) = ((x - reach).next_down(), (x + reach).next_up());
    let (least, greatest) = system.ends[place];
    let is_place = reach <= LOOSE * system.scale(&system.start) && least <= low && high <= greatest;
    is_place.then(|| Interval::new(low, high))
}

/// An interval at a place at whose ends the residual has different signs, all else staying.
fn between_signs(system: &System<'_>, place: usize, slope: f64, residual: Interval) -> Option<(usize, Interval)> {
    let on = |interval: Interval| -> Option<Interval> {
        let number = &mut |at: usize, x: f64| -> Enclosed {
            if at == place { Real::within(interval) } else { Number::double(x) }
        };
        let found = system.residuals(number)?.pop()?;
        found.defined.then_some(found.value)
    };
    ROOM.iter().find_map(|room| {
        let interval = around(system, place, room * residual.magnitude() / slope.abs())?;
        // Defined all the way, without a pole, and continuous there like every word of the language.
        on(interval).filter(|x| x.is_finite())?;
        let (low, high) = (on(Interval::point(interval.lo()))?, on(Interval::point(interval.hi()))?);
        let crosses = low.hi() <= 0.0 && high.lo() >= 0.0 || low.lo() >= 0.0 && high.hi() <= 0.0;
        crosses.then_some((place, interval))
    })
}

/// Intervals that contain a common solution of several equations by Krawczyk's test.
fn contracted(system: &System<'_>, slopes: &[Vec<f64>], here: &[Interval]) -> Option<Vec<(usize, Interval)>> {
    let places = chosen(system, slopes)?;
    let n = places.len();
    let square: Vec<Vec<f64>> = slopes.iter().map(|row| places.iter().map(|&p| row[p]).collect()).collect();
    let one = |i: usize| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect();
    let inverse = solved(square, (0..n).map(one).collect())?;
    let step = |i: usize| {
        let terms = (0..n).map(|j| Interval::point(inverse[i][j]) * here[j]);
        terms.fold(Interval::ZERO, |total, term| total + term)
    };
    let steps: Vec<Interval> = (0..n).map(step).collect();
    ROOM.iter().find_map(|room| {
        let boxes: Option<Vec<Interval>> =
            places.iter().zip(&steps).map(|(&place, step)| around(system, place, room * step.magnitude())).collect();
        let boxes = boxes?;
        let columns: Option<Vec<Vec<Interval>>> = (0..n).map(|k| column(system, &places, &boxes, k)).collect();
        let columns = columns?;
        let contraction = |i: usize| -> Interval {
            let x = Interval::point(system.start[places[i]]);
            let rest = (0..n).map(|j| {
                let product = (0..n).map(|k| Interval::point(inverse[i][k]) * columns[j][k]);
                let product = product.fold(Interval::ZERO, |total, term| total + term);
                let unit = if i == j { Interval::ONE } else { Interval::ZERO };
                (unit - product) * (boxes[j] - Interval::point(system.start[places[j]]))
            });
            rest.fold(x - steps[i], |total, term| total + term)
        };
        let found: Vec<Interval> = (0..n).map(contraction).collect();
        let inside = |(new, old): (&Interval, &Interval)| old.lo() < new.lo() && new.hi() < old.hi();
        let shown = found.iter().zip(&boxes).all(inside);
        shown.then(|| places.iter().copied().zip(found).collect())
    })
}

/// The slopes of all residuals along one of the numbers to be solved for, over their intervals.
fn column(system: &System<'_>, places: &[usize], boxes: &[Interval], along: usize) -> Option<Vec<Interval>> {
    let number = &mut |at: usize, x: f64| -> Dual<1> {
        let Some(k) = places.iter().position(|p| *p == at) else {
            return Number::double(x);
        };
        let mut widened: Dual<1> = Real::within(boxes[k]);
        widened.slopes[0] = if k == along { Interval::ONE } else { Interval::ZERO };
        widened
    };
    let found = system.residuals(number)?;
    let is_known = found.iter().all(|r| r.defined && r.slopes[0].is_finite());
    is_known.then(|| found.iter().map(|r| r.slopes[0]).collect())
}

/// One number for every equation, by elimination with complete pivoting; none if the equations are not independent.
fn chosen(system: &System<'_>, slopes: &[Vec<f64>]) -> Option<Vec<usize>> {
    let mut rows: Vec<Vec<f64>> = slopes.to_vec();
    let mut places = Vec::new();
    while !rows.is_empty() {
        let mut best: Option<(f64, usize, usize)> = None;
        for (r, row) in rows.iter().enumerate() {
            // Equations are as good as any multiple of themselves.
            let size = row.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
            for (place, &slope) in row.iter().enumerate() {
                let worth = weight(system, place, slope) / size;
                if worth > best.map_or(0.0, |b| b.0) {
                    best = Some((worth, r, place));
                }
            }
        }
        let (_, r, place) = best?;
        let pivot = rows.swap_remove(r);
        for row in &mut rows {
            let factor = row[place] / pivot[place];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
            row[place] = 0.0;
        }
        places.push(place);
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use evidence::instance::Instance;

    use super::*;
    use crate::instances::compare::is_met;
    use crate::instances::statement::{Statement, Texts};

    fn assignment(ranges: &str, given: &str, numbers: &[f64]) -> (Statement, Assignment) {
        let statement = Statement::read(&Texts::of("0 <= 1").ranging(ranges).given(given)).unwrap();
        let mut values: Vec<Raw> = Vec::new();
        let mut left = numbers;
        for variable in &statement.declarations.variables {
            let count = if variable.domain.kind() == crate::formulas::term::Kind::Scalar { 1 } else { left.len() };
            let (own, rest) = left.split_at(count);
            left = rest;
            values.push(if count == 1 { Raw::Real(own[0]) } else { Raw::List(own.to_vec()) });
        }
        let declarations = Arc::clone(&statement.declarations);
        (statement, Assignment { declarations, values })
    }

    fn intervals(ranges: &str, given: &str, numbers: &[f64]) -> Option<Vec<(usize, Interval)>> {
        let (statement, own) = assignment(ranges, given, numbers);
        let found = own.located();
        assert_eq!(statement.conditions.iter().all(|c| is_met(c, &own)), found.is_some());
        found.map(|f| f.intervals)
    }

    #[test]
    fn a_solution_lies_in_what_is_located() {
        let root = std::f64::consts::FRAC_1_SQRT_2;
        let found = intervals("x, y in R", "x^2 + y^2 = 1", &[root, root]).unwrap();
        let [(place, interval)] = found[..] else { panic!("{found:?}") };
        // The other one is a double, and this one the root of what is left.
        let wanted = (1.0 - Interval::point(root).square()).sqrt();
        assert!(place < 2 && interval.lo() <= wanted.lo() && wanted.hi() <= interval.hi(), "{interval:?}");
        assert!(interval.width() < 1e-14);
        assert_eq!(intervals("x, y in R", "x^2 + y^2 = 1", &[0.6, 0.0]), None);
        assert_eq!(intervals("x, y in R", "x + y = 1", &[0.25, 0.75]), Some(Vec::new()));
    }

    #[test]
    fn several_equations_are_met_at_once_or_not_at_all() {
        let (a, b) = (1.0 / 6.0_f64.sqrt(), 2.0 / 6.0_f64.sqrt());
        let both = "x + y + z = 0, x^2 + y^2 + z^2 = 1";
        let found = intervals("x, y, z in R", both, &[-a, -a, b]).unwrap();
        assert_eq!(found.len(), 2);
        for (place, interval) in &found {
            let wanted = if *place == 2 {
                Interval::point(6.0).sqrt() / 3.0
            } else {
                -Interval::ONE / Interval::point(6.0).sqrt()
            };
            assert!(interval.intersection(Interval::new(wanted.lo() - 1e-15, wanted.hi() + 1e-15)).is_some());
        }
        assert_eq!(intervals("x, y, z in R", both, &[0.1, -0.1, 0.0]), None);
        // A third of one double in three is not one, and the second equation is the first.
        assert_eq!(intervals("x, y in R", "3x + y = 1, 6x + 2y = 2", &[0.3, 0.1]), None);
        assert_eq!(intervals("x, y in R", "x + y = 1, x + y = 2", &[0.5, 0.5]), None);
    }

    #[test]
    fn what_leaves_its_range_or_does_not_cross_is_not_located() {
        assert_eq!(intervals("x in R", "(x^2 - 2)^2 = 0", &[std::f64::consts::SQRT_2]), None);
        assert_eq!(intervals("x in R", "(x - 1)^2 = 0", &[1.0]), Some(Vec::new()));
        // The only root lies beyond the end of the range.
        assert_eq!(intervals("x in [0, 0.3]", "10*x = 3.0000000000000002", &[0.3]), None);
        assert_eq!(intervals("x in [-1, 1]", "1/x = 0", &[1e-9]), None);
        // The tangent changes its sign at a pole, too.
        for steps in 1..40 {
            let x = f64::from_bits(std::f64::consts::FRAC_PI_2.to_bits() - steps);
            assert_eq!(intervals("x in [0, 3]", "tan(x) = 1", &[x]), None, "{steps}");
        }
    }

    #[test]
    fn what_is_stored_is_located_where_it_was() {
        let (_, own) = assignment("x in R^3", "norm(x) = 1, sum(x) = 1/3", &[0.9, -0.4, 0.2]);
        let moved = crate::instances::projected::projected(own);
        let found = moved.located().unwrap();
        let stored: Assignment = serde_json::from_value(serde_json::to_value(&moved).unwrap()).unwrap();
        assert_eq!((stored.located(), stored.describe()), (Some(found), moved.describe()));
        assert!(moved.describe().contains('±'), "{}", moved.describe());
    }
}
