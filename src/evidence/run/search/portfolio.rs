//! A portfolio of methods, in rounds of growing length: each gets its turn on every shape of instance, and the one that has paid most so
//! far gets another. What a round does depends on nothing but the instances, the seed, and the rounds before.

use super::effort::Effort;
use super::encoding::Encoding;
use super::problem::{Admits, Height, Look, SearchProblem, Stop, Valued};
use super::space::Space;
use super::{axes, boundary, evolution, exchange, hop, moves, quasi_newton, separable, simplex, trend, whole};
use crate::claim::Subject;
use crate::instance::layout::CoordinateKind;
use enclosures::stream::Stream;

/// How many shapes are searched in turn.
const SHAPES: usize = 6;

/// How many of the highest starts are looked at for their shape.
const LOOKED_AT: usize = 256;

/// A method, where it begins, and in which numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Plain,
    Magnitudes,
    AxesLinear,
    AxesLogarithmic,
    Scan,
    NewtonLinear,
    NewtonPositive,
    NewtonFresh,
    NewtonLogarithmic,
    Simplex,
    Hop,
    AdaptFresh,
    AdaptBest,
    AdaptLogarithmic,
    Evolve,
    Whole,
    Draws,
    Separable,
    Trend,
    Boundary,
    Exchange,
}

/// The methods of a round in their order, each with its share of looks and the measure it goes by in even rounds.
const ROUND: [(Method, usize, usize); 21] = [
    (Method::Plain, 5, 0),
    (Method::NewtonPositive, 10, 1),
    (Method::NewtonLinear, 10, 1),
    (Method::Separable, 12, 1),
    (Method::Boundary, 8, 1),
    (Method::Scan, 5, 1),
    (Method::Trend, 6, 1),
    (Method::Magnitudes, 4, 1),
    (Method::AxesLinear, 4, 0),
    (Method::Whole, 8, 0),
    (Method::AdaptFresh, 6, 0),
    (Method::Hop, 8, 0),
    (Method::NewtonFresh, 6, 0),
    (Method::Simplex, 3, 0),
    (Method::Evolve, 6, 1),
    (Method::AxesLogarithmic, 3, 0),
    (Method::NewtonLogarithmic, 4, 0),
    (Method::AdaptBest, 3, 0),
    (Method::AdaptLogarithmic, 3, 1),
    (Method::Draws, 3, 0),
    (Method::Exchange, 2, 0),
];

impl Method {
    /// The share of looks: where numbers are few, points drawn evenly come close to everything; where all are whole, there is little
    /// else to do.
    fn share_in(self, space: &Space, share: usize) -> usize {
        let dimension = space.movable.len();
        match self {
            Method::Whole if space.movable.iter().all(|&i| space.grid[i] > 0.0) => 60,
            Method::Draws if dimension <= 3 => 20,
            Method::Exchange if space.is_combinatorial() => 60,
            _ => share,
        }
    }

    /// One in so many of the looks that are left is the most that a turn may take.
    fn at_most(self) -> usize {
        match self {
            // A sum is searched for as long as it takes: nothing else would do better.
            Method::Separable => 1,
            Method::Scan | Method::Whole => 2,
            // Where looks are dear, what needs few of them comes first and must leave some to the others.
            Method::Plain | Method::NewtonLinear | Method::NewtonPositive => 7,
            Method::Exchange => 2,
            // To find the end of a way costs as much as many a look.
            Method::Boundary => 12,
            _ => 5,
        }
    }

    /// Whether the method has something to do.
    fn suits(self, space: &Space) -> bool {
        let real = space.movable.iter().any(|&i| space.grid[i] == 0.0);
        let whole = space.movable.iter().any(|&i| space.grid[i] > 0.0);
        match self {
            Method::Exchange => space.is_combinatorial() || !space.choices.is_empty() || space.weighs,
            _ if space.movable.is_empty() => false,
            Method::Whole => whole,
            Method::Separable => space.movable.len() > 1,
            Method::NewtonPositive => {
                space.movable.iter().all(|&i| space.grid[i] > 0.0 || space.reach[i].0 >= 0.0) && real
            }
            Method::Boundary => real && space.movable.len() > 1,
            Method::Trend => real && space.movable.len() <= trend::LARGEST,
            Method::Simplex => real && (2..=simplex::LARGEST).contains(&space.movable.len()),
            Method::Plain | Method::AxesLinear | Method::Scan | Method::Evolve | Method::Draws => true,
            _ => real,
        }
    }
}

/// The methods' returns: how often each was asked, and how often it found something lower.
#[derive(Clone, Copy, Default)]
struct Returns {
    asked: u32,
    paid: u32,
}

/// One shape and what is known of it.
struct KnownShape {
    space: Space,
    best: [Valued; 2],
    population: [Vec<Valued>; 2],
    returns: [Returns; ROUND.len()],
}

/// Looks for a height that says [`Height::Found`], from the highest of `starts`, for as long as the effort lasts. `free` says that
/// instances hide no cost behind their whole numbers; `streams` gives each turn of a method its own stream.
pub(crate) fn climb(
    starts: &[(f64, &Subject)],
    effort: &mut Effort,
    free: bool,
    streams: &dyn Fn(&str) -> Stream,
    admits: Admits<'_>,
    look: Look<'_>,
) {
    let mut known: Vec<String> = Vec::new();
    let mut fields: Vec<KnownShape> = Vec::new();
    for (shape, instances) in shapes(starts) {
        known.push(shape);
        fields.extend(KnownShape::of(&instances, free, admits));
    }
    for round in 0..24u32 {
        for (number, field) in fields.iter_mut().enumerate() {
            let ended = field.round(round, number, effort, free, streams, admits, look);
            if ended == Err(Stop::Search) {
                return;
            }
        }
        if round == 0 {
            // Then other sizes, next to where the first shape is lowest.
            let others = fields.first_mut().map(KnownShape::neighbours).unwrap_or_default();
            for other in others {
                let Some(shape) = shape_of(&other).filter(|shape| !known.contains(shape)) else {
                    continue;
                };
                if known.len() >= 2 * SHAPES {
                    break;
                }
                known.push(shape);
                fields.extend(KnownShape::of(&[(f64::NEG_INFINITY, &other)], free, admits));
            }
        }
    }
}

impl KnownShape {
    /// What is known of a shape before it is searched; nothing if none of its numbers may move.
    fn of(instances: &[(f64, &Subject)], free: bool, admits: Admits<'_>) -> Option<Self> {
        let mut space = Space::of(instances, free)?;
        if free && space.movable.is_empty() {
            space.movable = (0..space.kinds.len()).filter(|&i| space.kinds[i] == CoordinateKind::Integer).collect();
        }
        if space.movable.is_empty() && space.choices.is_empty() {
            return None;
        }
        space.find_grid(admits);
        let first = space.starts.first()?.1.clone();
        Some(KnownShape {
            best: [(f64::INFINITY, first.clone()), (f64::INFINITY, first)],
            space,
            population: Default::default(),
            returns: Default::default(),
        })
    }

    /// Instances of other shapes next to the lowest one of this: what its type calls simpler, and other values of its sizes, small
    /// steps first, then doubled.
    fn neighbours(&mut self) -> Vec<Subject> {
        let sizes = self.space.sizes.clone();
        let point = self.best[0].1.clone();
        let Some(lowest) = self.space.at(&point).cloned() else {
            return Vec::new();
        };
        let mut found = lowest.simpler();
        for (number, size) in sizes.iter().enumerate() {
            for value in [size.value + 1, size.value.saturating_sub(1), 2 * size.value] {
                if (size.least..=size.greatest.min(64)).contains(&value) {
                    found.extend(lowest.with_size(number, value));
                }
            }
            found.extend((0..4).filter_map(|item| lowest.without_item(number, item)));
        }
        found.retain(|instance| instance.validate().is_ok());
        found
    }

    #[expect(clippy::too_many_arguments, reason = "what a round needs is what the search was given")]
    fn round(
        &mut self,
        round: u32,
        number: usize,
        effort: &mut Effort,
        free: bool,
        streams: &dyn Fn(&str) -> Stream,
        admits: Admits<'_>,
        look: Look<'_>,
    ) -> Result<(), Stop> {
        let dimension = self.space.movable.len() + self.space.choices.len();
        let base = (50 + 10 * dimension) << round.min(16);
        if round == 0 {
            // The first look tells what looks cost.
            let best = (&mut self.best, &mut self.population);
            let mut problem = SearchProblem::new(&mut self.space, look, admits, effort, best);
            problem.share = 1;
            let first = problem.space.starts[0].1.clone();
            problem.value(&first)?;
        }
        for turn in turns(&self.space) {
            let at = if turn < ROUND.len() { turn } else { self.most_paying() };
            let (method, share, measure) = ROUND[at];
            if !method.suits(&self.space) {
                continue;
            }
            let before = [self.best[0].0, self.best[1].0];
            let share = (method.share_in(&self.space, share) * base).min(effort.looks_left() / method.at_most() + 40);
            let mut rng = streams(&format!("{number}.{round}.{turn}"));
            let mut problem =
                SearchProblem::new(&mut self.space, look, admits, effort, (&mut self.best, &mut self.population));
            problem.measure = (measure + round as usize) % 2;
            problem.share = share;
            let ended = run(method, &mut problem, round, free, &mut rng);
            if problem.found || ended == Err(Stop::Search) {
                return Err(Stop::Search);
            }
            self.returns[at].asked += 1;
            let paid = (0..2).any(|measure| self.best[measure].0 < before[measure]);
            self.returns[at].paid += u32::from(paid);
        }
        Ok(())
    }

    /// The method that has paid most often; of equals, the first in the round.
    fn most_paying(&self) -> usize {
        let rate = |at: usize| {
            let Returns { asked, paid } = self.returns[at];
            f64::from(paid) / f64::from(asked + 1)
        };
        (0..ROUND.len()).fold(0, |best, at| if rate(at) > rate(best) { at } else { best })
    }
}

/// The turns of a round, by number: each method in its order, and one for the method that has paid most. What can only be exchanged and chosen is
/// exchanged and chosen first.
fn turns(space: &Space) -> impl Iterator<Item = usize> + use<> {
    let first = if space.is_combinatorial() { ROUND.len() - 1 } else { 0 };
    (first..ROUND.len()).chain(0..first).chain([ROUND.len()])
}

fn run(
    method: Method,
    problem: &mut SearchProblem<'_, '_>,
    round: u32,
    free: bool,
    rng: &mut Stream,
) -> Result<(), Stop> {
    let best = problem.best[problem.measure].1.clone();
    let fresh = {
        let starts = &problem.space.starts;
        starts[(3 * round as usize + method as usize) % starts.len()].1.clone()
    };
    let space = &*problem.space;
    let near = |unit: f64| Encoding::linear(space, &best, unit);
    match method {
        Method::Plain => moves::plain(problem, &best, rng),
        Method::Magnitudes => moves::magnitudes(problem, &best, rng),
        Method::AxesLinear => {
            let encoding = near(1.0);
            axes::descend(problem, &encoding, &best, 0.3)
        }
        Method::AxesLogarithmic => {
            let encoding = Encoding::logarithmic(space, &best);
            axes::descend(problem, &encoding, &best, 0.5)
        }
        Method::Scan => {
            let encoding = near(1.0);
            let from = if round % 3 == 2 { &fresh } else { &best };
            axes::scan(problem, &encoding, from, 24 << round.min(4), rng)
        }
        Method::Separable => {
            let encoding = near(1.0);
            separable::scan(problem, &encoding, &best, 24 << round.min(4), rng)
        }
        Method::Trend => {
            let encoding = near(1.0);
            trend::descend(problem, &encoding, rng)
        }
        Method::NewtonLinear => {
            let encoding = near(1.0);
            quasi_newton::descend(problem, &encoding, &best, 1e-4)
        }
        Method::NewtonPositive => {
            let encoding = Encoding::logarithmic(space, &best);
            quasi_newton::descend(problem, &encoding, &best, 1e-4)
        }
        Method::Boundary => boundary::descend(problem, &best),
        Method::NewtonFresh => {
            // Wide differences see the slope of the whole through what ripples on it; they narrow with the steps.
            let width = [0.5, 1e-4, 0.05][round as usize % 3];
            let encoding = Encoding::linear(space, &fresh, 1.0);
            quasi_newton::descend(problem, &encoding, &fresh, width)
        }
        Method::NewtonLogarithmic => {
            let encoding = Encoding::logarithmic(space, &best);
            quasi_newton::descend(problem, &encoding, &best, 1e-4)
        }
        Method::Simplex => {
            let encoding = near(1.0);
            simplex::descend(problem, &encoding, &best, 0.2)
        }
        Method::AdaptFresh => {
            let encoding = Encoding::linear(space, &fresh, 1.0);
            evolution::adapt(problem, &encoding, &fresh, (0.8, 1 << round.min(6)), rng)
        }
        Method::AdaptBest => {
            let encoding = near(1.0);
            evolution::adapt(problem, &encoding, &best, (0.1, 1), rng)
        }
        Method::AdaptLogarithmic => {
            let encoding = Encoding::logarithmic(space, &best);
            evolution::adapt(problem, &encoding, &best, (1.0, 1 << (round / 2).min(4)), rng)
        }
        Method::Hop => {
            let encoding = near(1.0);
            hop::hop(problem, &encoding, &best, round.is_multiple_of(2), rng)
        }
        Method::Evolve => {
            // Always the same numbers, so that the individuals of the last round are still what they were.
            let encoding = Encoding::linear(space, &space.starts[0].1, 1.0);
            let mut draw = |problem: &mut SearchProblem<'_, '_>, rng: &mut Stream| moves::drawn(problem, &fresh, rng);
            evolution::evolve(problem, &encoding, &best, &mut draw, rng)
        }
        Method::Whole => whole::search(problem, &best, (free, round), rng),
        Method::Draws => moves::draws(problem, &fresh, rng, round),
        Method::Exchange => exchange::walk(problem, &best, &fresh, rng),
    }
}

/// Instances of one shape with their heights, and its outline.
type Alike<'a> = (String, Vec<(f64, &'a Subject)>);

/// The highest starts, shape by shape, the shape of the highest first.
fn shapes<'a>(starts: &[(f64, &'a Subject)]) -> Vec<Alike<'a>> {
    let mut ranked: Vec<(f64, &Subject)> = starts.iter().filter(|(height, _)| !height.is_nan()).copied().collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut found: Vec<Alike<'_>> = Vec::new();
    for (height, instance) in ranked.into_iter().take(LOOKED_AT) {
        let Some(shape) = shape_of(instance) else {
            continue;
        };
        let more = found.len() < SHAPES;
        match found.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, alike)) => alike.push((height, instance)),
            None if more => found.push((shape, vec![(height, instance)])),
            None => {}
        }
    }
    found
}

/// The outline of an instance that can be stored.
fn shape_of(instance: &Subject) -> Option<String> {
    let mut shape = String::new();
    outline(&instance.value().ok()?, &mut shape);
    Some(shape)
}

/// A stored value with a sign in place of every number.
fn outline(value: &serde_json::Value, text: &mut String) {
    use serde_json::Value;
    match value {
        Value::Number(_) => text.push('#'),
        Value::Array(items) => {
            text.push('[');
            items.iter().for_each(|item| outline(item, text));
            text.push(']');
        }
        Value::Object(fields) => {
            text.push('{');
            for (name, field) in fields {
                text.push_str(name);
                outline(field, text);
            }
            text.push('}');
        }
        other => text.push_str(&other.to_string()),
    }
}

/// A height that is the same by either measure.
pub(crate) fn height(x: f64) -> Height {
    Height::At([x, x])
}
