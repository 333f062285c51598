//! Proofs by subdivision: the whole domain covered by boxes on which the difference of the sides has a sign.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use enclosures::enclosure::{Grade, plain};
use enclosures::interval::{Dual, Interval};
use enclosures::proof::{Conclusion, CoverResult, Proof};
use enclosures::work;
use evidence::budget::Budget;
use evidence::claim::{Evaluation, Relation};
use evidence::judge::{Judgement, judge};

use super::algebra::within;
use super::case::{Case, Extent, Open, Tried};
use super::diagonal::by_convexity;
use super::identity::{self, Identity};
use super::induction::{by_induction, by_tails};
use super::lengths::of_any_length;
use super::reasoning::{Allowed, Reasoning, argued, relaxed};
use super::remainders::by_remainders;
use super::touching::{self, Margin};
use crate::formulas::domain::{Declarations, Domain, RealRange};
use crate::formulas::evaluate::Evaluator;
use crate::formulas::term::{Chain, Term};
use crate::instances::assignment::{Assignment, Raw, ValueShape, numbers};
use crate::instances::compare::{is_met, is_missed, judged, thoroughly};
use crate::instances::statement::Statement;
use crate::numbers::exact::Exact;
use crate::numbers::jet::Jet;
use crate::numbers::number::{Enclosed, Number, Value};

/// How a statement was proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// The method.
    pub method: BoxMethod,
    /// Boxes whose margin was bounded, over all cases.
    pub boxes: usize,
    /// Cases: values of the whole numbers, times the relations of a chain.
    pub cases: usize,
}

/// The method of a proof by boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoxMethod {
    /// One evaluation: nothing varies.
    Evaluation,
    /// The same, and sides that are equal in closed form.
    Closed,
    /// Subdivision of the difference of the sides.
    Difference,
    /// Subdivision of the logarithm of the quotient of the sides, which are positive.
    Quotient,
    /// Subdivision of the difference, and its derivatives next to points where the sides touch.
    Derivatives,
    /// Subdivision of the difference, without boxes on which a condition fails.
    Conditions,
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let boxes = if self.boxes == 1 { "1 box".to_owned() } else { format!("{} boxes", self.boxes) };
        match self.method {
            BoxMethod::Evaluation => write!(f, "both sides enclosed")?,
            BoxMethod::Closed => write!(f, "the sides are equal in closed form")?,
            BoxMethod::Difference => write!(f, "the whole domain is covered by {boxes}")?,
            BoxMethod::Quotient => write!(
                f,
                "the whole domain is covered by {boxes}, on which the logarithm of the quotient of the sides was \
                 bounded"
            )?,
            BoxMethod::Derivatives => write!(
                f,
                "the whole domain is covered by {boxes}; where the sides touch, by the signs of the derivatives"
            )?,
            BoxMethod::Conditions => {
                write!(
                    f,
                    "the whole domain is covered by {boxes}, on each of which the statement holds or a condition fails"
                )?;
            }
        }
        if self.cases > 1 {
            write!(f, ", in {} cases", self.cases)?;
        }
        Ok(())
    }
}

/// Boxes that all cases together may look at.
const BOXES: usize = 20_000;
/// Counted work on them: fewer are looked at of a formula that is long.
const WORK_ON_BOXES: u64 = 20_000_000;
/// Values of the whole numbers that are gone through, each with boxes of its own.
const CASES: usize = 64;
/// Those that are gone through where nothing else varies, and the counted work that all of them may take.
const VALUES: usize = 1_000_000;
const WORK: u64 = 100_000_000;
/// Values that are looked at again in closed form, and with more bits.
const DOUBTFUL: usize = 300;
/// What it costs to come to one of them.
const VISIT: u64 = 50;
/// Numbers that may vary.
const MOST: usize = 4;
/// Numbers that may vary where conditions are used, too.
const MOST_UNDER_CONDITIONS: usize = 8;
/// Numbers that may vary in an equation.
const MOST_OF_IDENTITIES: usize = 400;

/// What was shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Settled {
    /// An inequality, on its whole domain.
    Boxes(Proved),
    /// An equation, exactly or with a chance of error.
    Identity(Identity),
    /// An inequality, by a method that looks at the formulas.
    Argued(Reasoning),
}

impl Settled {
    /// What a reader needs to check it again, line by line; nothing where that is said already.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        match self {
            Settled::Argued(argument) => &argument.lines,
            Settled::Boxes(_) | Settled::Identity(_) => &[],
        }
    }
}

impl fmt::Display for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Settled::Boxes(proved) => proved.fmt(f),
            Settled::Identity(identity) => identity.fmt(f),
            Settled::Argued(argument) => argument.fmt(f),
        }
    }
}

/// Settles a statement on its whole domain.
pub(crate) fn settle(statement: &Arc<Statement>, seed: u64, budget: Budget) -> Result<Settled, Open> {
    let equations = statement.chain.relations.iter().filter(|r| **r == Relation::Equal).count();
    if equations == 0 {
        return match prove(statement, budget) {
            Err(open) if !matches!(open, Open::Violated(_)) => {
                let mut tried = Tried::default();
                otherwise(statement, seed, budget, &mut tried).ok_or_else(|| open.beside(tried))
            }
            settled => settled.map(Settled::Boxes),
        };
    }
    if equations < statement.chain.relations.len() {
        return Err(Open::Inapplicable("a chain with equations and inequalities".into()));
    }
    identical(statement, seed).or_else(|open| {
        let mut tried = Tried::default();
        let shown = endless(statement, budget, &mut tried);
        let shown = shown.or_else(|| in_both_directions(statement, seed, budget, &mut tried)).map(Settled::Argued);
        match open {
            // Values at which the sides differ say all of it.
            Open::Residual(_) => shown.ok_or(open),
            _ => shown.ok_or_else(|| open.beside(tried)),
        }
    })
}

/// Equations as two inequalities.
fn in_both_directions(statement: &Arc<Statement>, seed: u64, budget: Budget, tried: &mut Tried) -> Option<Reasoning> {
    let mut one = |relation: Relation| {
        let mut weak = Statement::clone(statement);
        weak.chain.relations.fill(relation);
        let weak = Arc::new(weak);
        match prove(&weak, budget) {
            Ok(proved) => Some(Settled::Boxes(proved)),
            Err(Open::Violated(_)) => None,
            Err(_) => otherwise(&weak, seed, budget, tried),
        }
    };
    let (first, second) = (one(Relation::AtMost)?, one(Relation::AtLeast)?);
    let lines = first.lines().iter().chain(second.lines()).cloned().collect();
    let by = format!("in both directions: at most, {first}; at least, {second}");
    Some(Reasoning { by, lines, cases: 1 })
}

/// By methods for whole numbers without an end, and for vectors of any length.
fn endless(statement: &Arc<Statement>, budget: Budget, tried: &mut Tried) -> Option<Reasoning> {
    let most = Allowed::by(budget).kind;
    let shown = by_remainders(statement).or_else(|| {
        let shown = within(most, || by_induction(statement, budget, tried));
        shown.or_else(|| within(most, || by_tails(statement, budget, tried)))
    });
    shown.or_else(|| within(most, || of_any_length(statement, budget, tried)))
}

/// What boxes do not show.
fn otherwise(statement: &Arc<Statement>, seed: u64, budget: Budget, tried: &mut Tried) -> Option<Settled> {
    // Sides that are the same are at most one another, which boxes never show.
    if has_no_strict(statement)
        && let Ok(settled) = identical(statement, seed)
    {
        return Some(settled);
    }
    let all = cases(statement, MOST_OF_IDENTITIES, true).ok().or_else(|| Some(vec![relaxed(statement)?]));
    let most = Allowed::by(budget).kind;
    let argument = all.and_then(|all| {
        let shown = within(most, || argued(statement, &all, budget, tried));
        shown.or_else(|| within(most, || by_convexity(statement, &all, budget, tried)))
    });
    let argument = argument.or_else(|| endless(statement, budget, tried)).map(Settled::Argued);
    argument.or_else(|| under_conditions(statement, tried).map(Settled::Boxes))
}

/// By boxes, without those on which a condition fails, and of more numbers.
fn under_conditions(statement: &Arc<Statement>, tried: &mut Tried) -> Option<Proved> {
    let cases = cases(statement, MOST_UNDER_CONDITIONS, true).ok()?;
    let relations = statement.chain.relations.len();
    let most = BOXES / (cases.len() * relations).max(1);
    let method = if statement.conditions.is_empty() { BoxMethod::Difference } else { BoxMethod::Conditions };
    let mut told = Proved { method, boxes: 0, cases: cases.len() * relations };
    for case in &cases {
        if case.count() <= MOST && statement.conditions.is_empty() {
            return None;
        }
        tried.note(match method {
            BoxMethod::Conditions => "boxes on which the statement holds or a condition fails",
            _ => "boxes of up to eight numbers",
        });
        for relation in 0..relations {
            told.boxes += match case.count() {
                1 => case.conditioned::<1>(relation, most)?,
                2 => case.conditioned::<2>(relation, most)?,
                3 => case.conditioned::<3>(relation, most)?,
                4 => case.conditioned::<4>(relation, most)?,
                5 => case.conditioned::<5>(relation, most)?,
                6 => case.conditioned::<6>(relation, most)?,
                7 => case.conditioned::<7>(relation, most)?,
                8 => case.conditioned::<8>(relation, most)?,
                _ => return None,
            };
        }
    }
    Some(told)
}

/// All sides as quotients of polynomials that are the same.
fn identical(statement: &Arc<Statement>, seed: u64) -> Result<Settled, Open> {
    let cases = cases(statement, MOST_OF_IDENTITIES, false)?;
    identity::settle(statement, &cases, seed).map(Settled::Identity)
}

fn has_no_strict(statement: &Statement) -> bool {
    let relations = &statement.chain.relations;
    relations.iter().all(|r| matches!(r, Relation::AtMost | Relation::AtLeast))
}

fn prove(statement: &Arc<Statement>, budget: Budget) -> Result<Proved, Open> {
    let variables = &statement.declarations.variables;
    if !variables.is_empty() && variables.iter().all(|v| matches!(v.domain, Domain::Whole { .. })) {
        // A quick look stops sooner.
        let work = if budget == Budget::Quick { WORK / 4 } else { WORK };
        return gone_through(statement, work);
    }
    let cases = cases(statement, MOST, true)?;
    let relations = statement.chain.relations.len();
    let share = BOXES / (cases.len() * relations).max(1);
    let mut told = Proved { method: BoxMethod::Evaluation, boxes: 0, cases: cases.len() * relations };
    for case in &cases {
        for relation in 0..relations {
            let (method, boxes) = case.settle(relation, share)?;
            told.boxes += boxes;
            // What needs most explanation is told.
            if method != BoxMethod::Evaluation && matches!(told.method, BoxMethod::Evaluation | BoxMethod::Difference) {
                told.method = method;
            }
        }
    }
    Ok(told)
}

/// A statement of whole numbers alone, at all their values.
fn gone_through(statement: &Arc<Statement>, most: u64) -> Result<Proved, Open> {
    let relations = statement.chain.relations.len();
    let (mut values, mut doubtful, mut spent, mut open) = (0, 0, 0, None);
    let count = statement.declarations.variables.len();
    let mut wholes = vec![Raw::Whole(0); count];
    let shapes = vec![ValueShape { rows: 1, columns: 1 }; count];
    let mut visit = |wholes: &[Raw]| -> Result<(), Open> {
        values += 1;
        let case = Case {
            statement: Arc::clone(statement),
            wholes: wholes.to_vec(),
            shapes: shapes.clone(),
            ranges: Vec::new(),
        };
        let (left, work) = work::counted(|| {
            let Err(left) = (0..relations).try_for_each(|r| case.evaluated(r).map(drop)) else { return Ok(None) };
            let assignment = Assignment { declarations: Arc::clone(&statement.declarations), values: case.wholes };
            if statement.conditions.iter().any(|c| is_missed(c, &assignment)) {
                return Ok(None);
            }
            if is_violating(statement, &assignment) {
                return Err(Open::Violated(assignment));
            }
            doubtful += 1;
            let settled = doubtful <= DOUBTFUL && holds_thoroughly(statement, &assignment);
            Ok((!settled).then_some(left))
        });
        if let Some(left) = left? {
            open.get_or_insert(left);
        }
        spent += work + VISIT;
        if values > VALUES || spent > most {
            return Err(Open::Inapplicable("the whole numbers have too many values to enumerate".into()));
        }
        Ok(())
    };
    each_value(statement, 0, &mut wholes, &mut visit)?;
    open.map_or(Ok(Proved { method: BoxMethod::Evaluation, boxes: 0, cases: values * relations }), Err)
}

/// Whether a statement without equations holds at an assignment, in closed form or to as many bits as it takes.
fn holds_thoroughly(statement: &Statement, assignment: &Assignment) -> bool {
    let is_equation = statement.chain.relations.contains(&Relation::Equal);
    let (evaluation, _) = thoroughly(&statement.chain, assignment);
    !is_equation
        && matches!(evaluation, Evaluation::Compared(comparison)
            if comparison.margin.grade() == Grade::Exact && judge(&comparison) == Judgement::Holds)
}

/// Whether an assignment meets the conditions and violates the statement.
fn is_violating(statement: &Statement, assignment: &Assignment) -> bool {
    statement.conditions.iter().all(|c| is_met(c, assignment))
        && matches!(judged(&statement.chain, assignment), Evaluation::Compared(comparison) if judge(&comparison) == Judgement::Violated)
}

/// Visits all values of the whole numbers from a place in their order on.
fn each_value(
    statement: &Statement,
    from: usize,
    wholes: &mut Vec<Raw>,
    visit: &mut impl FnMut(&[Raw]) -> Result<(), Open>,
) -> Result<(), Open> {
    let declarations = &statement.declarations;
    let Some(&place) = declarations.order.get(from) else {
        return visit(wholes);
    };
    if !matches!(declarations.variables[place].domain, Domain::Whole { .. }) {
        return each_value(statement, from + 1, wholes, visit);
    }
    for n in values_of(declarations, place, wholes)? {
        wholes[place] = Raw::Whole(n);
        each_value(statement, from + 1, wholes, visit)?;
    }
    Ok(())
}

/// The values of a whole number, given those that come before it in the order of the declarations.
fn values_of(declarations: &Declarations, place: usize, wholes: &[Raw]) -> Result<RangeInclusive<i64>, Open> {
    let variable = &declarations.variables[place];
    let Domain::Whole { from: Some(from), to: Some(to) } = &variable.domain else {
        return Err(Open::Inapplicable(format!("{} has no largest value", variable.name)));
    };
    let known: Vec<Value<f64>> = wholes
        .iter()
        .map(|raw| match raw {
            Raw::Whole(n) => Value::Whole(*n),
            _ => Value::Scalar(0.0),
        })
        .collect();
    let end = |size| declarations.evaluated(size, &known).map_err(|t| Open::Inapplicable(t.to_string()));
    Ok(end(from)?..=end(to)?)
}

/// All values of the whole numbers, each with the box of the rest.
fn cases(statement: &Arc<Statement>, most: usize, spheres: bool) -> Result<Vec<Case>, Open> {
    let declarations = &statement.declarations;
    let count = declarations.variables.len();
    let mut partial: Vec<Vec<Raw>> = vec![vec![Raw::Real(0.0); count]];
    for &place in &declarations.order {
        if !matches!(declarations.variables[place].domain, Domain::Whole { .. }) {
            continue;
        }
        let mut next = Vec::new();
        for values in &partial {
            for n in values_of(declarations, place, values)? {
                let mut values = values.clone();
                values[place] = Raw::Whole(n);
                next.push(values);
                if next.len() > CASES {
                    return Err(Open::Inapplicable(format!("the whole numbers have more than {CASES} values")));
                }
            }
        }
        partial = next;
    }
    partial.into_iter().map(|wholes| case(statement, wholes, most, spheres)).collect()
}

fn case(statement: &Arc<Statement>, wholes: Vec<Raw>, most: usize, spheres: bool) -> Result<Case, Open> {
    let shapes = statement.declarations.shapes(&wholes).map_err(Open::Inapplicable)?;
    let mut ranges: Vec<Extent> = Vec::new();
    for (variable, shape) in statement.declarations.variables.iter().zip(&shapes) {
        let everything = || Extent::of(&RealRange::everything());
        let (count, range) = match &variable.domain {
            Domain::Whole { .. } => continue,
            Domain::Real(range) => (1, Extent::of(range)),
            Domain::Simplex(_) => (shape.rows - 1, Extent::between(0.0, 1.0)),
            Domain::Vector { range, .. } | Domain::Matrix { range, .. } => {
                (numbers(&variable.domain, *shape), Extent::of(range))
            }
            Domain::Sphere(_) if shape.rows == 2 && spheres => (1, Extent::between(0.0, 6.283_185_307_179_587)),
            Domain::Sphere(_) => return Err(Open::Inapplicable("a sphere is not covered by boxes".into())),
            Domain::Stochastic { .. } | Domain::Orthogonal(_) => {
                return Err(Open::Inapplicable("stochastic and orthogonal matrices are not covered by boxes".into()));
            }
            Domain::Symmetric(_) | Domain::Semidefinite(_) => (numbers(&variable.domain, *shape), everything()),
        };
        ranges.extend(std::iter::repeat_n(range, count));
        if ranges.len() > most {
            return Err(Open::Inapplicable(format!("more than {most} numbers vary")));
        }
    }
    let statement = Arc::clone(statement);
    Ok(Case { statement, wholes, shapes, ranges })
}

impl Case {
    /// Settles one relation, by whatever works.
    fn settle(&self, relation: usize, boxes: usize) -> Result<(BoxMethod, usize), Open> {
        match self.ranges.len() {
            0 => self.evaluated(relation),
            1 => self.covered::<1>(relation, boxes),
            2 => self.covered::<2>(relation, boxes),
            3 => self.covered::<3>(relation, boxes),
            _ => self.covered::<4>(relation, boxes),
        }
    }

    /// The smaller side, the larger side, and whether they must differ.
    fn sides(&self, relation: usize) -> (&Term, &Term, bool) {
        let chain = &self.statement.chain;
        let (left, right) = (&chain.sides[relation], &chain.sides[relation + 1]);
        match chain.relations[relation] {
            Relation::AtMost | Relation::Equal => (left, right, false),
            Relation::LessThan => (left, right, true),
            Relation::AtLeast => (right, left, false),
            Relation::GreaterThan => (right, left, true),
        }
    }

    fn evaluated(&self, relation: usize) -> Result<(BoxMethod, usize), Open> {
        let (small, large, strict) = self.sides(relation);
        let values: Vec<Value<Enclosed>> = self.values(&[]);
        let side = |term| Evaluator::new(&values).scalar(term).ok().filter(|s| s.defined).map(|s| s.value);
        let settled = match (side(small), side(large)) {
            (Some(a), Some(b)) => a.hi() < b.lo() || !strict && a.hi() <= b.lo(),
            _ => false,
        };
        if settled { Ok((BoxMethod::Evaluation, 0)) } else { Err(Open::Residual("the enclosures overlap".into())) }
    }

    fn covered<const K: usize>(&self, relation: usize, boxes: usize) -> Result<(BoxMethod, usize), Open> {
        let first = self.ranges[0].hull();
        let boxes = self.affordable::<K>(relation, boxes);
        let mut spent = 0;
        let mut left = String::new();
        let mut left_over = Interval::new(first.0, first.1);
        for method in [BoxMethod::Difference, BoxMethod::Quotient] {
            let case = self.clone();
            let margin = move |at: [Dual<K>; K]| case.margin(relation, method, at);
            let conclusion = self.by_boxes(relation, boxes, margin);
            spent += conclusion.boxes;
            match conclusion.outcome {
                CoverResult::Covered => return Ok((method, spent)),
                CoverResult::Refuted { ref point, .. } => {
                    let nearest = self.nearest(point);
                    if let Some(violating) = nearest.filter(|a| is_violating(&self.statement, a)) {
                        return Err(Open::Violated(violating));
                    }
                    if left.is_empty() {
                        left = self.failing(point);
                    }
                }
                CoverResult::Residual { ref hull, .. } => {
                    if left.is_empty() {
                        left = conclusion.to_string();
                        left_over = hull.first().copied().unwrap_or(left_over);
                    }
                }
            }
        }
        if K == 1 {
            let slope = || -> Box<dyn Fn([Dual<1>; 1]) -> Dual<1> + Send + Sync> {
                let case = self.clone();
                Box::new(move |at| case.margin(relation, BoxMethod::Difference, at))
            };
            let margin = Margin {
                jet: &|at| self.jet(relation, at),
                slope: &slope,
                sign: &|at| self.sign(relation, &[at]),
                strict: self.sides(relation).2,
            };
            if let Some(more) = touching::covered(&margin, &self.ranges[0], left_over, boxes) {
                return Ok((BoxMethod::Derivatives, more));
            }
        }
        Err(Open::Residual(left))
    }

    /// How many boxes there is work for, of so many.
    fn affordable<const K: usize>(&self, relation: usize, boxes: usize) -> usize {
        let whole = Dual::variables(std::array::from_fn(|i| {
            let (low, high) = self.ranges[i].hull();
            Interval::new(low, high)
        }));
        let (_, cost) = work::counted(|| self.margin::<K>(relation, BoxMethod::Difference, whole));
        boxes.min((WORK_ON_BOXES / cost.max(1)) as usize)
    }

    /// How many boxes cover the domain, on each of which the relation holds or a condition fails.
    fn conditioned<const K: usize>(&self, relation: usize, boxes: usize) -> Option<usize> {
        let case = self.clone();
        let margin = move |at: [Dual<K>; K]| case.margin_under_conditions(relation, at);
        let conclusion = self.by_boxes(relation, self.affordable::<K>(relation, boxes), margin);
        conclusion.is_covered().then_some(conclusion.boxes)
    }

    /// What so many boxes say of a margin on the whole domain.
    fn by_boxes<const K: usize>(
        &self,
        relation: usize,
        boxes: usize,
        margin: impl Fn([Dual<K>; K]) -> Dual<K> + Send + Sync + 'static,
    ) -> Conclusion {
        let ranges: [(f64, f64); K] = std::array::from_fn(|i| self.ranges[i].hull());
        let excluded = std::array::from_fn(|i| (self.ranges[i].low.excluded, self.ranges[i].high.excluded));
        let proof = Proof::covering("the whole domain", ranges, margin).excluding(excluded).within(boxes);
        if self.sides(relation).2 { proof.strictly() } else { proof }.run()
    }

    /// The margin, positive on a box on which some condition fails everywhere. Where a condition may fail in a part of it, a smaller bound on a face
    /// says nothing of the rest: the slopes are hidden, so that no face is looked at in place of the box.
    fn margin_under_conditions<const K: usize>(&self, relation: usize, at: [Dual<K>; K]) -> Dual<K> {
        let is_point = at.iter().all(|x| x.value.lo() == x.value.hi());
        let mut found = self.margin(relation, BoxMethod::Difference, at);
        let met: Vec<Option<bool>> = self.statement.conditions.iter().map(|c| self.meets(c, &at)).collect();
        if met.iter().all(|m| *m == Some(true)) {
            return found;
        }
        if is_point {
            return Dual { value: Interval::ENTIRE, slopes: [Interval::ENTIRE; K], defined: false };
        }
        if met.contains(&Some(false)) {
            return Dual::constant(1.0);
        }
        found.slopes = [Interval::ENTIRE; K];
        found
    }

    /// Whether a condition is met on a whole box, or nowhere on it.
    fn meets<const K: usize>(&self, condition: &Chain, at: &[Dual<K>; K]) -> Option<bool> {
        let reached: [Dual<K>; K] =
            std::array::from_fn(|i| Dual { value: self.ranges[i].reached(at[i].value), ..at[i] });
        let values = self.values(&reached);
        let side = |term| Evaluator::new(&values).scalar(term).ok().filter(|s: &Dual<K>| s.defined).map(|s| s.value);
        let mut all = Some(true);
        for (pair, relation) in condition.sides.windows(2).zip(&condition.relations) {
            let (Some(a), Some(b)) = (side(&pair[0]), side(&pair[1])) else {
                all = None;
                continue;
            };
            let (small, large) = match relation {
                Relation::AtLeast | Relation::GreaterThan => (b, a),
                _ => (a, b),
            };
            let (holds, fails) = match relation {
                Relation::Equal => (false, small.hi() < large.lo() || large.hi() < small.lo()),
                Relation::AtMost | Relation::AtLeast => (small.hi() <= large.lo(), small.lo() > large.hi()),
                Relation::LessThan | Relation::GreaterThan => (small.hi() < large.lo(), small.lo() >= large.hi()),
            };
            if fails {
                return Some(false);
            }
            if !holds {
                all = None;
            }
        }
        all
    }

    /// What to say of a point at which the bound fails and no instance does.
    fn failing(&self, point: &[f64]) -> String {
        let is_end = |(range, x): (&Extent, &f64)| range.limit(*x).is_some_and(|limit| limit.value.is_finite());
        let at: Vec<String> = point.iter().map(|&x| plain(x, 4)).collect();
        if self.ranges.iter().zip(point).any(is_end) {
            return format!(
                "the sides touch or cross at an end of a range, ({}), and no instance confirms a violation",
                at.join(", ")
            );
        }
        format!("the bound fails at ({}), and no instance confirms it", at.join(", "))
    }

    /// The sign of the difference of the sides at a point in closed form.
    fn sign(&self, relation: usize, at: &[Exact]) -> Option<i32> {
        let values = self.values(at);
        let (small, large, _) = self.sides(relation);
        let side = |term| Evaluator::new(&values).scalar(term).ok();
        side(large)?.minus(side(small)?).sign()
    }

    /// The same where every number is at an end of its range.
    fn sign_at_corner<const K: usize>(&self, relation: usize, at: &[Dual<K>; K]) -> Option<i32> {
        let end = |(range, x): (&Extent, &Dual<K>)| {
            let is_point = x.value.lo() == x.value.hi();
            range.limit(x.value.lo()).filter(|_| is_point).map(|limit| limit.exact.clone())
        };
        let corner = self.ranges.iter().zip(at).map(end).collect::<Option<Vec<Exact>>>()?;
        self.sign(relation, &corner)
    }

    fn margin<const K: usize>(&self, relation: usize, method: BoxMethod, at: [Dual<K>; K]) -> Dual<K> {
        let unknown = Dual { value: Interval::ENTIRE, slopes: [Interval::ENTIRE; K], defined: false };
        let reached: [Dual<K>; K] =
            std::array::from_fn(|i| Dual { value: self.ranges[i].reached(at[i].value), ..at[i] });
        let values = self.values(&reached);
        let (small, large, _) = self.sides(relation);
        let side = |term| Evaluator::new(&values).scalar(term);
        let (Ok(small), Ok(large)) = (side(small), side(large)) else {
            return unknown;
        };
        if method == BoxMethod::Quotient {
            if !(small.value.lo() > 0.0 && large.value.lo() > 0.0) {
                return unknown;
            }
            return large.ln() - small.ln();
        }
        let difference = large - small;
        // What enclosures leave open where all ranges end may be known in closed form.
        if difference.value.contains(0.0)
            && let Some(sign) = self.sign_at_corner(relation, &at)
        {
            return Dual::constant(f64::from(sign));
        }
        difference
    }

    /// The difference of the sides with its derivatives along the one number that varies.
    fn jet(&self, relation: usize, at: Jet) -> Option<Jet> {
        let values = self.values(&[at]);
        let (small, large, _) = self.sides(relation);
        let side = |term| Evaluator::new(&values).scalar(term).ok();
        Some(side(large)?.minus(side(small)?))
    }
}
