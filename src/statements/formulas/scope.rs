//! From the syntax tree to formulas: names are resolved, kinds are checked, sizes are left to the evaluation.

use enclosures::interval::Interval;
use evidence::claim::Relation;

use super::domain::{Declarations, Domain, End, RealRange, Size, Variable};
use super::entrywise::{entrywise, equal, have_other_sizes};
use super::evaluate::{Evaluator, LARGEST_DETERMINANT};
use super::symmetric::is_symmetric;
use super::term::{Chain, Kind, Node, NormKind, Term, Terms, uses};
use super::undeclared::Undeclared;
use crate::numbers::exact::Exact;
use crate::numbers::number::{Enclosed, NamedConstant, Real, Value, decimal};
use crate::text::fault::{Fault, Misfit, Problem, Understood};
use crate::text::logic::{self, Asked};
use crate::text::parse;
use crate::text::syntax::{self, Argument, Assertion, Expression, Literal, Operation, Span, typed};
use crate::text::words::{ELSEWHERE, Fold, Function, Meaning, Special, like, word};

fn fault<T>(span: &Span, problem: Problem) -> Understood<T> {
    Err(Misfit::at(span, problem))
}

fn constant(name: &str) -> Option<NamedConstant> {
    match name {
        "pi" | "π" => Some(NamedConstant::Pi),
        "e" => Some(NamedConstant::E),
        _ => None,
    }
}

/// A name that stands for a formula.
#[derive(Clone)]
pub(crate) struct Abbreviation {
    pub(crate) name: String,
    pub(crate) span: Span,
    formula: Expression,
    text: String,
}

impl Abbreviation {
    /// The numbers in its formula that could be others: no exponents and no indices.
    pub(crate) fn numbers(&self) -> Vec<(Span, f64)> {
        let mut found = Vec::new();
        numbers(&self.formula, &mut found);
        found
    }
}

fn numbers(expression: &Expression, found: &mut Vec<(Span, f64)>) {
    use syntax::ExpressionForm as Form;
    match &expression.node {
        Form::Number(literal) => {
            let value = decimal(*literal).midpoint();
            if value != 0.0 {
                found.push((expression.span.clone(), value));
            }
        }
        Form::Name(_) => {}
        Form::Negated(a) | Form::Transposed(a) | Form::Absolute(a) | Form::Norm(a) => numbers(a, found),
        Form::Binary(_, a, b) => [a, b].into_iter().for_each(|side| numbers(side, found)),
        Form::Power(a, _) | Form::Indexed(a, _) => numbers(a, found),
        Form::List(items) => items.iter().for_each(|item| numbers(item, found)),
        Form::Call { arguments, .. } => {
            for argument in arguments {
                if let Argument::Value(value) = argument {
                    numbers(value, found);
                }
            }
        }
    }
}

/// Resolves names; those that nobody declared become real variables, unless it is told not to.
pub(crate) struct Scope {
    pub(crate) variables: Vec<Variable>,
    /// The names that stand for formulas, and how many of them are known.
    pub(crate) abbreviations: Vec<Abbreviation>,
    known: usize,
    /// The place of what is resolved, where that is not the one at which it was written: of a name that stands for a formula.
    place: Option<Span>,
    /// The terms made so far.
    terms: usize,
    /// The names that stand for formulas that were used.
    pub(crate) abbreviated: Vec<usize>,
    /// The conditions that ranges with variables in their ends ask for.
    pub(crate) asked: Vec<Chain>,
    /// The variable whose range asks for each of them.
    pub(crate) askers: Vec<usize>,
    indices: Vec<String>,
    /// Whether a name that is not known may become a variable.
    open: bool,
    /// Where the variables were declared, in their order; those that were not follow.
    pub(crate) declared: Vec<Span>,
    /// Those that were not.
    pub(crate) undeclared: Vec<Undeclared>,
}

/// A text is refused that has more terms than this, once all names that stand for formulas are put in.
const MOST_TERMS: usize = 100_000;

/// What a domain is before its sizes and ends are known: a size may come after the vector that needs it.
fn unsized_domain(domain: &syntax::DeclaredDomain) -> Domain {
    let one = || Size { term: Term { kind: Kind::Whole, node: Node::Whole(1), span: 0..0 }, text: "1".into() };
    let range = RealRange::everything;
    match domain {
        syntax::DeclaredDomain::Whole { .. } => Domain::Whole { from: None, to: None },
        syntax::DeclaredDomain::Space { name, .. } if matches!(name.as_str(), "N" | "ℕ" | "Z" | "ℤ") => {
            Domain::Whole { from: None, to: None }
        }
        syntax::DeclaredDomain::Space { name, .. } if is_of_matrices(name) => Domain::Symmetric(one()),
        syntax::DeclaredDomain::Space { sizes, .. } | syntax::DeclaredDomain::Box { sizes, .. } if sizes.len() > 1 => {
            Domain::Matrix { rows: one(), columns: one(), range: range() }
        }
        syntax::DeclaredDomain::Space { name, sizes, .. }
            if !(matches!(name.as_str(), "R" | "ℝ") && sizes.is_empty()) =>
        {
            Domain::Vector { size: one(), range: range() }
        }
        syntax::DeclaredDomain::Box { sizes, .. } if !sizes.is_empty() => {
            Domain::Vector { size: one(), range: range() }
        }
        _ => Domain::Real(range()),
    }
}

fn is_of_matrices(space: &str) -> bool {
    matches!(space, "sym" | "Sym" | "psd" | "PSD" | "stochastic" | "orthogonal" | "O")
}

/// The variables of declarations.
pub(crate) fn declared(declarations: &[syntax::Declaration], text: &str) -> Understood<Scope> {
    let mut scope = Scope {
        variables: Vec::new(),
        abbreviations: Vec::new(),
        known: 0,
        place: None,
        terms: 0,
        abbreviated: Vec::new(),
        asked: Vec::new(),
        askers: Vec::new(),
        indices: Vec::new(),
        open: false,
        declared: Vec::new(),
        undeclared: Vec::new(),
    };
    // Names and kinds first.
    for declaration in declarations {
        for (name, span) in &declaration.names {
            let is_taken =
                scope.variables.iter().any(|v| &v.name == name) || scope.abbreviations.iter().any(|a| &a.name == name);
            if is_taken {
                return fault(span, Problem::Twice(name.clone()));
            }
            if name.chars().nth(1).is_some() && word(name).is_some() {
                return fault(span, Problem::Reserved(name.clone(), "function"));
            }
            if matches!(name.as_str(), "pi" | "π" | "inf" | "∞") {
                return fault(span, Problem::Reserved(name.clone(), "constant"));
            }
            let (name, span) = (name.clone(), span.clone());
            if let syntax::DeclaredDomain::Let(formula) = &declaration.domain {
                let written = text.get(formula.span.clone()).unwrap_or("").trim().to_owned();
                scope.abbreviations.push(Abbreviation { name, span, formula: formula.clone(), text: written });
            } else {
                scope.variables.push(Variable { name, domain: unsized_domain(&declaration.domain) });
                scope.declared.push(span);
            }
        }
    }
    scope.known = scope.abbreviations.len();
    let mut place = 0;
    for declaration in declarations {
        if matches!(declaration.domain, syntax::DeclaredDomain::Let(_)) {
            continue;
        }
        for _ in &declaration.names {
            scope.variables[place].domain = scope.domain(&declaration.domain, text, place)?;
            place += 1;
        }
    }
    let used = scope.abbreviated.len();
    for place in 0..scope.abbreviations.len() {
        let formula = scope.abbreviations[place].formula.clone();
        scope.known = place;
        scope.term(&formula)?;
    }
    scope.known = scope.abbreviations.len();
    scope.abbreviated.truncate(used);
    scope.open = true;
    Ok(scope)
}

impl Scope {
    /// The declarations, once every text that may use a name has been read.
    pub(crate) fn finish(self) -> Understood<Declarations> {
        let mut order: Vec<usize> = Vec::new();
        let wholes: Vec<usize> =
            (0..self.variables.len()).filter(|&at| self.variables[at].domain.kind() == Kind::Whole).collect();
        while order.len() < wholes.len() {
            let ready = |at: &&usize| {
                let needed = self.variables[**at].domain.sizes();
                !order.contains(at) && needed.iter().all(|size| uses(&size.term).iter().all(|v| order.contains(v)))
            };
            let Some(&next) = wholes.iter().find(ready) else {
                let stuck = wholes.iter().find(|at| !order.contains(at)).copied().unwrap_or(0);
                let span = self.variables[stuck].domain.sizes().first().map_or(0..0, |s| s.term.span.clone());
                return fault(&span, Problem::Circle(self.variables[stuck].name.clone()));
            };
            order.push(next);
        }
        let variables = self.variables;
        let lists = variables.iter().filter(|v| v.domain.kind() != Kind::Whole);
        let shaping: Vec<usize> = lists.flat_map(|v| v.domain.sizes()).flat_map(|size| uses(&size.term)).collect();
        let shaping = (0..variables.len()).map(|place| shaping.contains(&place)).collect();
        let abbreviations = self.abbreviations.into_iter().map(|a| (a.name, a.text)).collect();
        Ok(Declarations { variables, abbreviations, order, shaping, equations: Vec::new() })
    }

    /// The same scope, in which every name must be declared.
    pub(crate) fn closed(self) -> Self {
        Scope { open: false, ..self }
    }

    fn size(&mut self, expression: &Expression, text: &str) -> Understood<Size> {
        let term = self.whole(expression)?;
        let text = text.get(expression.span.clone()).unwrap_or("").trim().to_owned();
        Ok(Size { term, text })
    }

    /// An end of a range, which is asked for as a condition where it has variables in it.
    fn end(&mut self, expression: &Expression, text: &str, open: bool, bounded: Option<Bounded>) -> Understood<End> {
        if let Some(end) = infinite(expression) {
            return Ok(end);
        }
        let term = self.number(expression)?;
        let written = text.get(expression.span.clone()).unwrap_or("").trim().to_owned();
        if uses(&term).is_empty() {
            return match value_of_closed(&term) {
                Some(value) => Ok(End { value, text: written, open, term: Some(term) }),
                None => fault(&expression.span, Problem::Domain("an end of a range must be a number".into())),
            };
        }
        let Some(bounded) = bounded else {
            let message =
                format!("other variables determine its value, so that it has no range: write `let … = {written}`");
            return fault(&expression.span, Problem::Domain(message));
        };
        let end = outermost(&self.variables, &term, open, bounded.is_lower);
        self.askers.push(bounded.place);
        self.asked.push(bounded.condition(&self.variables, term, written, open, &expression.span)?);
        Ok(end)
    }

    /// What the variable at a place ranges over.
    fn domain(&mut self, domain: &syntax::DeclaredDomain, text: &str, place: usize) -> Understood<Domain> {
        let sized = |scope: &mut Self, range: RealRange, sizes: &[Expression]| -> Understood<Domain> {
            Ok(match sizes {
                [] => Domain::Real(range),
                [size] => Domain::Vector { size: scope.size(size, text)?, range },
                [rows, columns, ..] => {
                    Domain::Matrix { rows: scope.size(rows, text)?, columns: scope.size(columns, text)?, range }
                }
            })
        };
        let name = self.variables[place].name.clone();
        let inhabited = |range: &RealRange, span: &Span| match range.emptiness(&name) {
            Some(reason) => fault(span, Problem::Domain(reason)),
            None => Ok(()),
        };
        match domain {
            syntax::DeclaredDomain::Unsaid | syntax::DeclaredDomain::Let(_) => {
                Ok(Domain::Real(RealRange::everything()))
            }
            syntax::DeclaredDomain::Bound(relation, limit) => {
                let mut range = RealRange::everything();
                let open = matches!(relation, Relation::LessThan | Relation::GreaterThan);
                let is_lower = matches!(relation, Relation::AtLeast | Relation::GreaterThan);
                let bounded = (*relation != Relation::Equal).then_some(Bounded { place, is_lower, each: Each::Number });
                let end = self.end(limit, text, open, bounded)?;
                match relation {
                    Relation::AtLeast | Relation::GreaterThan => range.low = end,
                    Relation::AtMost | Relation::LessThan => range.high = end,
                    Relation::Equal => {
                        range.low = end.clone();
                        range.high = end;
                    }
                }
                inhabited(&range, &limit.span)?;
                Ok(Domain::Real(range))
            }
            syntax::DeclaredDomain::Box { low_open, low, high, high_open, sizes } => {
                let ends = low.span.start..high.span.end;
                let each = match sizes.len() {
                    0 => Each::Number,
                    1 => Each::Entry,
                    _ => Each::Cell,
                };
                let low = self.end(low, text, *low_open, Some(Bounded { place, is_lower: true, each }))?;
                let high = self.end(high, text, *high_open, Some(Bounded { place, is_lower: false, each }))?;
                let range = RealRange { low, high };
                inhabited(&range, &ends)?;
                sized(self, range, sizes)
            }
            syntax::DeclaredDomain::Whole { from, to } => {
                let from = Some(self.size(from, text)?);
                // `1..inf` is `1..`.
                let endless =
                    |e: &Expression| matches!(&e.node, syntax::ExpressionForm::Name(n) if n == "inf" || n == "∞");
                let to = to.as_ref().filter(|e| !endless(e));
                let to = to.map(|e| self.size(e, text)).transpose()?;
                Ok(Domain::Whole { from, to })
            }
            syntax::DeclaredDomain::Space { name, at, arguments, sizes } => {
                let one = |scope: &mut Self| match (arguments.as_slice(), sizes.as_slice()) {
                    ([size], []) => scope.size(size, text),
                    _ => {
                        let (word, wanted) = (name.clone(), "one size in parentheses".to_owned());
                        let found = format!("{} of them", arguments.len());
                        fault(at, Problem::Arguments { word, wanted, found })
                    }
                };
                Ok(match name.as_str() {
                    "R" | "ℝ" if arguments.is_empty() => sized(self, RealRange::everything(), sizes)?,
                    "N" | "ℕ" if arguments.is_empty() && sizes.is_empty() => {
                        let literal = Literal::Decimal { digits: 1, exponent: 0 };
                        let (kind, node, span) = (Kind::Whole, Node::Number(literal), at.clone());
                        let from = Size { term: Term { kind, node, span }, text: "1".into() };
                        Domain::Whole { from: Some(from), to: None }
                    }
                    "Z" | "ℤ" if arguments.is_empty() && sizes.is_empty() => Domain::Whole { from: None, to: None },
                    "simplex" | "Δ" => Domain::Simplex(one(self)?),
                    "sym" | "Sym" => Domain::Symmetric(one(self)?),
                    "psd" | "PSD" => Domain::Semidefinite(one(self)?),
                    "sphere" => Domain::Sphere(one(self)?),
                    "orthogonal" | "O" => Domain::Orthogonal(one(self)?),
                    "stochastic" => match (arguments.as_slice(), sizes.as_slice()) {
                        ([size], []) => {
                            let size = self.size(size, text)?;
                            Domain::Stochastic { rows: size.clone(), columns: size }
                        }
                        ([rows, columns], []) => {
                            Domain::Stochastic { rows: self.size(rows, text)?, columns: self.size(columns, text)? }
                        }
                        _ => {
                            let (word, wanted) = (name.clone(), "one or two sizes in parentheses".to_owned());
                            let found = format!("{} of them", arguments.len());
                            return fault(at, Problem::Arguments { word, wanted, found });
                        }
                    },
                    other => {
                        let message = format!(
                            "there is no domain `{other}`; there are R, R^n, R^(m, n), [a, b], [a, b]^n, 1..n, N, Z, \
                             simplex(n), sphere(n), sym(n), psd(n), orthogonal(n), stochastic(m, n)"
                        );
                        return fault(at, Problem::Domain(message));
                    }
                })
            }
        }
    }

    /// A comparison that was read from a text; where it has words of its own its sides have no places in it.
    fn written(&mut self, asked: &Asked, sides: Vec<Term>, text: &str) -> Chain {
        let Asked { comparison, text: own } = asked;
        let (written, start) = match own {
            Some(own) => (own.clone(), usize::MAX),
            None => (text.get(comparison.span.clone()).unwrap_or("").trim().to_owned(), comparison.span.start),
        };
        Chain { sides, relations: comparison.relations.clone(), text: written, start }
    }

    /// What a statement claims.
    pub(crate) fn claimed(&mut self, asked: &Asked, text: &str) -> Understood<Chain> {
        let sides = self.sides(&asked.comparison)?;
        if sides[0].kind.is_number() {
            return Ok(self.written(asked, sides, text));
        }
        let [left, right] = <[Term; 2]>::try_from(sides).map_err(|_| {
            let message = "only two vectors or matrices are compared at a time".to_owned();
            Misfit::at(&asked.comparison.span, Problem::Domain(message))
        })?;
        // Sizes that do not fit are found here where they are known.
        if left.kind != right.kind || have_other_sizes(&self.variables, &left, &right) {
            entrywise(&self.variables, &left, &right, text)?;
        }
        let told = self.written(asked, Vec::new(), text);
        let span = asked.comparison.span.clone();
        Ok(Chain { text: told.text, start: told.start, ..equal(left, right, &span) })
    }

    /// What a condition asks for.
    pub(crate) fn asked(&mut self, asked: &Asked, text: &str) -> Understood<Vec<Chain>> {
        let sides = self.sides(&asked.comparison)?;
        if sides[0].kind.is_number() {
            return Ok(self.written(asked, sides, text).told_apart(text));
        }
        let links = sides.windows(2).map(|pair| entrywise(&self.variables, &pair[0], &pair[1], text));
        Ok(links.collect::<Understood<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The sides of a comparison: numbers, or vectors and matrices that are asked to be equal.
    fn sides(&mut self, comparison: &syntax::ComparisonChain) -> Understood<Vec<Term>> {
        let mut sides = Vec::with_capacity(comparison.sides.len());
        for side in &comparison.sides {
            sides.push(self.term(side)?);
        }
        let Some(other) = sides.iter().position(|side| !side.kind.is_number()) else { return Ok(sides) };
        if comparison.relations.iter().all(|relation| *relation == Relation::Equal) {
            if let Some(number) = sides.iter().position(|side| side.kind.is_number()) {
                // Who forgot a declaration wants to hear of it.
                self.of_kind(&comparison.sides[number], sides[other].kind.in_words(), |kind| !kind.is_number())?;
            }
            return Ok(sides);
        }
        let wanted = match sides[other].kind {
            Kind::Matrix => {
                "a number (for the order of symmetric matrices write `eigmin(B - A) >= 0`, for an entry `A[i, j]`)"
            }
            _ => "a number (for every entry write `max(x) <= 1` or `min(y - x) >= 0`, for the length `norm(x)`)",
        };
        let found = sides[other].kind.in_words().to_owned();
        fault(&comparison.sides[other].span, Problem::Kind { wanted, found })
    }

    fn number(&mut self, expression: &Expression) -> Understood<Term> {
        self.of_kind(expression, "a number", Kind::is_number)
    }

    fn whole(&mut self, expression: &Expression) -> Understood<Term> {
        self.of_kind(expression, "a whole number", |kind| kind == Kind::Whole)
    }

    fn vector(&mut self, expression: &Expression) -> Understood<Term> {
        self.of_kind(expression, "a vector", |kind| kind == Kind::Vector)
    }

    fn matrix(&mut self, expression: &Expression) -> Understood<Term> {
        self.of_kind(expression, "a matrix", |kind| kind == Kind::Matrix)
    }

    /// A matrix whose eigenvalues are asked for.
    fn symmetric(&mut self, expression: &Expression) -> Understood<Term> {
        let term = self.matrix(expression)?;
        if is_symmetric(&term, &self.variables) {
            return Ok(term);
        }
        let message = "eigenvalues need a matrix that is symmetric as written (in sym(n) or psd(n), A + A', A'*A); \
                       write `eig((A + A')/2)` for those of the symmetric part, `singular(A)` for singular values";
        fault(&expression.span, Problem::Domain(message.into()))
    }

    fn of_kind(&mut self, expression: &Expression, wanted: &'static str, fits: fn(Kind) -> bool) -> Understood<Term> {
        let term = self.term(expression)?;
        if fits(term.kind) {
            return Ok(term);
        }
        // Who forgot a declaration wants to hear of it.
        let found = match &expression.node {
            syntax::ExpressionForm::Name(name) if term.kind == Kind::Scalar => {
                let example = match wanted {
                    "a whole number" => "1..8",
                    "a matrix" => "R^(3, 3)",
                    _ => "R^3",
                };
                format!("a real number (to declare it otherwise: `{name} in {example}`)")
            }
            _ => term.kind.in_words().to_owned(),
        };
        fault(&expression.span, Problem::Kind { wanted, found })
    }

    fn name(&mut self, name: &str, span: &Span) -> Understood<(Kind, Node)> {
        if let Some(depth) = self.indices.iter().rposition(|index| index == name) {
            return Ok((Kind::Whole, Node::Index(depth)));
        }
        if let Some(place) = self.variables.iter().position(|v| v.name == name) {
            if let Some(undeclared) = place.checked_sub(self.declared.len()).and_then(|at| self.undeclared.get_mut(at))
            {
                undeclared.indices.extend(self.indices.iter().cloned());
            }
            return Ok((self.variables[place].domain.kind(), Node::Variable(place)));
        }
        if let Some(at) = self.abbreviations[..self.known].iter().position(|a| a.name == name) {
            return self.abbreviation(at, span);
        }
        if let Some(constant) = constant(name) {
            return Ok((Kind::Scalar, Node::Constant(constant)));
        }
        if name == "inf" || name == "∞" {
            let (wanted, found) = ("a number", "infinity".to_owned());
            return fault(span, Problem::Kind { wanted, found });
        }
        if word(name).is_some() {
            return fault(span, Problem::WantsArgument(name.to_owned()));
        }
        if !self.open {
            let message = format!(
                "`{name}` is not declared; a name that a range, a size or `let` uses must be declared in --for as \
                 well: `{name} in R`, `{name} in 1..8`"
            );
            return fault(span, Problem::Domain(message));
        }
        self.variables.push(Variable { name: name.to_owned(), domain: Domain::Real(RealRange::everything()) });
        let (name, span, indices) = (name.to_owned(), span.clone(), self.indices.clone());
        self.undeclared.push(Undeclared { name, span, indices });
        Ok((Kind::Scalar, Node::Variable(self.variables.len() - 1)))
    }

    /// The formula that a name stands for, in the place of the name. Only what was declared before it is known inside, and no index.
    fn abbreviation(&mut self, at: usize, span: &Span) -> Understood<(Kind, Node)> {
        let formula = self.abbreviations[at].formula.clone();
        let outside = vec![String::new(); self.indices.len()];
        let indices = std::mem::replace(&mut self.indices, outside);
        let (known, place) = (self.known, self.place.clone());
        self.known = at;
        self.place.get_or_insert_with(|| span.clone());
        self.abbreviated.push(at);
        let open = std::mem::replace(&mut self.open, false);
        let found = self.term(&formula);
        (self.indices, self.known, self.place, self.open) = (indices, known, place, open);
        let found = found?;
        Ok((found.kind, found.node))
    }

    /// Where a term counts as standing that was written there.
    fn placed(&self, span: &Span) -> Span {
        self.place.as_ref().unwrap_or(span).clone()
    }

    fn term(&mut self, expression: &Expression) -> Understood<Term> {
        let span = self.placed(&expression.span);
        self.terms += 1;
        if self.terms > MOST_TERMS {
            return fault(&span, Problem::TooManyTerms { most: MOST_TERMS });
        }
        let (kind, node) = match &expression.node {
            syntax::ExpressionForm::Number(literal @ Literal::Decimal { exponent: 0, .. }) => {
                (Kind::Whole, Node::Number(*literal))
            }
            syntax::ExpressionForm::Number(literal) => (Kind::Scalar, Node::Number(*literal)),
            syntax::ExpressionForm::Name(name) => self.name(name, &span)?,
            syntax::ExpressionForm::Negated(a) => {
                let a = self.term(a)?;
                (a.kind, Node::Negated(Box::new(a)))
            }
            syntax::ExpressionForm::Binary(operation, a, b) => {
                let (a, b) = (self.term(a)?, self.term(b)?);
                let kind = combined_kind(*operation, a.kind, b.kind, &span)?;
                (kind, Node::Binary(*operation, Box::new(a), Box::new(b)))
            }
            syntax::ExpressionForm::Power(a, b) => {
                let base = self.term(a)?;
                // The transpose as others write it, unless that letter names something.
                if base.kind == Kind::Matrix
                    && let syntax::ExpressionForm::Name(name) = &b.node
                    && matches!(name.as_str(), "T" | "top" | "⊤")
                    && !self.has_meaning(name)
                {
                    return Ok(Term { kind: Kind::Matrix, node: Node::Transposed(Box::new(base)), span });
                }
                let exponent = self.number(b)?;
                self.power(base, exponent, &span)?
            }
            syntax::ExpressionForm::Indexed(base, at) => {
                let base = self.term(base)?;
                let at = at.iter().map(|i| self.whole(i)).collect::<Understood<Vec<_>>>()?;
                let mut at = at.into_iter().map(Box::new);
                match (base.kind, at.next(), at.next(), at.next()) {
                    (Kind::Vector, Some(i), None, _) => (Kind::Scalar, Node::Entry(Box::new(base), i)),
                    (Kind::Matrix, Some(i), Some(j), None) => (Kind::Scalar, Node::Cell(Box::new(base), i, j)),
                    (Kind::Matrix, Some(i), None, _) => (Kind::Vector, Node::Row(Box::new(base), i)),
                    (kind, ..) => {
                        let found = format!("{} with other indices than it has", kind.in_words());
                        let wanted = "a vector with one index or a matrix with one or two";
                        return fault(&span, Problem::Kind { wanted, found });
                    }
                }
            }
            syntax::ExpressionForm::Transposed(a) => {
                let wanted = "a matrix (of vectors write `dot(x, y)`, `dot(x, A*x)` or `outer(x, y)`)";
                let inner = self.of_kind(a, wanted, |kind| kind == Kind::Matrix)?;
                (Kind::Matrix, Node::Transposed(Box::new(inner)))
            }
            syntax::ExpressionForm::Absolute(a) => {
                let a = self.term(a)?;
                if !a.kind.is_number() {
                    let hint = match a.kind {
                        Kind::Matrix => {
                            "for a norm write `norm(A, F)` or `norm(A, 2)`, for the determinant `det(A)`; that two differ, `norm(A - B, F) > 0`"
                        }
                        _ => "for the norm write `norm(x)` or `‖x‖`; that two vectors differ, `norm(x - y) > 0`",
                    };
                    let found = format!("{} ({hint})", a.kind.in_words());
                    return fault(&span, Problem::Kind { wanted: "a number", found });
                }
                (Kind::Scalar, Node::Apply(Function::Abs, Box::new(a)))
            }
            syntax::ExpressionForm::Norm(a) => {
                let inner = self.term(a)?;
                // The norm of a number is its absolute value.
                let is_declared = !matches!(&a.node, syntax::ExpressionForm::Name(_));
                if inner.kind == Kind::Matrix {
                    let message = "bars around a matrix mean several norms: write `norm(A, F)` for Frobenius, `norm(A, 2)` for the operator \
                                   norm, `nuclear(A)` for the nuclear norm";
                    return fault(&span, Problem::Domain(message.into()));
                }
                if inner.kind.is_number() && is_declared {
                    (Kind::Scalar, Node::Apply(Function::Abs, Box::new(inner)))
                } else {
                    self.norm(a, NormKind::Euclidean)?
                }
            }
            syntax::ExpressionForm::List(items) => {
                let items = items.iter().map(|i| self.term(i)).collect::<Understood<Vec<_>>>()?;
                if items.iter().all(|i| i.kind.is_number()) {
                    (Kind::Vector, Node::List(items))
                } else if let Some(odd) = items.iter().find(|i| i.kind != Kind::Vector) {
                    let found = odd.kind.in_words().to_owned();
                    return fault(&odd.span, Problem::Kind { wanted: "a vector, as in the rest of the list", found });
                } else {
                    (Kind::Matrix, Node::Rows(items))
                }
            }
            syntax::ExpressionForm::Call { word: name, at, arguments } => self.call(name, at, arguments, &span)?,
        };
        Ok(Term { kind, node, span })
    }

    fn power(&mut self, base: Term, exponent: Term, span: &Span) -> Understood<(Kind, Node)> {
        let whole = exponent.kind == Kind::Whole;
        let natural = matches!(exponent.node, Node::Number(_));
        let kind = match (base.kind, whole) {
            (Kind::Whole, true) if natural => Kind::Whole,
            (Kind::Whole | Kind::Scalar, _) => Kind::Scalar,
            (Kind::Matrix, true) => Kind::Matrix,
            (left, _) => {
                let hint = match left {
                    Kind::Vector => "write norm(x)^2, or x[i]^2 under a sum",
                    _ => "a matrix has whole powers only",
                };
                let (left, right) = (left.in_words().into(), exponent.kind.in_words().into());
                let what = "no power";
                return fault(span, Problem::Unfit { what, left, right, hint });
            }
        };
        let (base, exponent) = (Box::new(base), Box::new(exponent));
        Ok((kind, if whole { Node::WholePower(base, exponent) } else { Node::RealPower(base, exponent) }))
    }

    fn norm(&mut self, a: &Expression, kind: NormKind) -> Understood<(Kind, Node)> {
        let a = self.of_kind(a, "a vector or a matrix", |k| !k.is_number())?;
        Ok((Kind::Scalar, Node::Norm(kind, Box::new(a))))
    }

    /// Whether a name was given a meaning of its own: by a declaration, by `let`, or as the index of a sum.
    fn has_meaning(&self, name: &str) -> bool {
        self.variables.iter().any(|v| v.name == name)
            || self.abbreviations.iter().any(|a| a.name == name)
            || self.indices.iter().any(|i| i == name)
    }

    fn call(&mut self, name: &str, at: &Span, arguments: &[Argument], span: &Span) -> Understood<(Kind, Node)> {
        let is_variable = self.has_meaning(name);
        let Some(known) = word(name).filter(|_| !is_variable) else {
            let is_variable = is_variable || constant(name).is_some();
            let bare = span.start == at.start && arguments.len() == 1;
            let single = name.chars().nth(1).is_none();
            // `x y` and `x(y + 1)`: a product without its sign.
            let elsewhere = ELSEWHERE.iter().find(|(names, _)| !is_variable && names.contains(&name));
            let problem = if let Some((_, meant)) = elsewhere {
                Problem::Translated(name.to_owned(), meant)
            } else if is_variable || bare && single {
                Problem::NotAFunction(name.to_owned())
            } else {
                Problem::NoSuchWord { name: name.to_owned(), near: like(name) }
            };
            return fault(at, problem);
        };
        let wrong = |found: String| {
            let (word, wanted) = (name.to_owned(), known.takes.to_owned());
            fault(span, Problem::Arguments { word, wanted, found })
        };
        let values: Vec<&Expression> =
            arguments.iter().filter_map(|a| if let Argument::Value(e) = a { Some(e) } else { None }).collect();
        let plain = values.len() == arguments.len();
        if !matches!(known.meaning, Meaning::Fold(_)) && arguments.iter().any(|a| matches!(a, Argument::Given(_))) {
            return wrong("a comparison".into());
        }
        match known.meaning {
            Meaning::Function(function) => {
                let ([only], true) = (values.as_slice(), plain) else {
                    return wrong(format!("{} arguments", arguments.len()));
                };
                let inner = self.term(only)?;
                let kind = match inner.kind {
                    Kind::Whole | Kind::Scalar => Kind::Scalar,
                    Kind::Vector => Kind::Vector,
                    Kind::Matrix => return wrong("a matrix".into()),
                };
                Ok((kind, Node::Apply(function, Box::new(inner))))
            }
            Meaning::Fold(fold) => match self.folded(fold, arguments, &values)? {
                Some(found) => Ok(found),
                None => wrong("these arguments".into()),
            },
            Meaning::Special(Special::Expectation) if !plain => match arguments {
                [Argument::Drawn { name, law, at }, Argument::Value(body)] => {
                    self.fresh(name, at)?;
                    let law = Box::new(self.vector(law)?);
                    let body = Box::new(self.under(name, body)?);
                    Ok((Kind::Scalar, Node::Expectation { law, body }))
                }
                _ => wrong("these arguments".into()),
            },
            Meaning::Special(_) if !plain => wrong("an index".into()),
            Meaning::Special(special) => match self.special(special, &values)? {
                Some(found) => Ok(found),
                None => wrong(format!("{} arguments", arguments.len())),
            },
        }
    }

    /// The rows of a declared matrix, where that is a number.
    fn rows(&self, of: &Term) -> Option<i64> {
        let Node::Variable(place) = of.node else { return None };
        let sizes = self.variables[place].domain.sizes();
        let rows = sizes.first().filter(|size| uses(&size.term).is_empty())?;
        Evaluator::<f64>::new(&[]).whole(&rows.term).ok()
    }

    /// An index that no index around it has for a name.
    fn fresh(&self, index: &str, at: &Span) -> Understood<()> {
        let is_taken = self.indices.iter().any(|known| known == index);
        if is_taken { fault(&self.placed(at), Problem::Shadowed(index.to_owned())) } else { Ok(()) }
    }

    /// A number in which a further index is known.
    fn under(&mut self, index: &str, body: &Expression) -> Understood<Term> {
        self.indices.push(index.to_owned());
        let body = self.number(body);
        self.indices.pop();
        body
    }

    /// What follows an index: the body, a condition on the indices so far, or a further index.
    fn body(&mut self, fold: Fold, arguments: &[Argument]) -> Understood<Option<Term>> {
        match arguments {
            [Argument::Value(body)] => self.number(body).map(Some),
            [Argument::Given(given), rest @ ..] if !rest.is_empty() => {
                let guards = self.guards(given)?;
                let Some(body) = self.body(fold, rest)? else { return Ok(None) };
                let within = |body: Term, guard: Chain| {
                    let (kind, span) = (body.kind, body.span.clone());
                    Term { kind, node: Node::Guarded(Box::new(guard), Box::new(body)), span }
                };
                Ok(Some(guards.into_iter().rev().fold(body, within)))
            }
            [Argument::Over { at, .. }, ..] if fold != Fold::Mean => {
                let found = self.folded(fold, arguments, &[])?;
                Ok(found.map(|(kind, node)| Term { kind, node, span: self.placed(at) }))
            }
            _ => Ok(None),
        }
    }

    /// Comparisons of whole numbers.
    fn guards(&mut self, given: &Assertion) -> Understood<Vec<Chain>> {
        let chain = |sides, relations, start| Chain { sides, relations, text: String::new(), start };
        match given {
            Assertion::Comparison(comparison) => {
                let sides = comparison.sides.iter().map(|side| self.whole(side)).collect::<Understood<Vec<_>>>()?;
                Ok(vec![chain(sides, comparison.relations.clone(), usize::MAX)])
            }
            // What differs has a square of at least one.
            Assertion::Unequal(a, b) => {
                let (a, b) = (Box::new(self.whole(a)?), Box::new(self.whole(b)?));
                let kind = Kind::Whole;
                let span = a.span.start..b.span.end;
                let whole = |x: i64| Term { kind, node: Node::Whole(x), span: span.clone() };
                let difference = Term { kind, node: Node::Binary(Operation::Subtract, a, b), span: span.clone() };
                let node = Node::WholePower(Box::new(difference), Box::new(whole(2)));
                let square = Term { kind, node, span: span.clone() };
                Ok(vec![chain(vec![square, whole(0)], vec![Relation::GreaterThan], usize::MAX)])
            }
            // A list of arguments has no other words.
            Assertion::All(_) | Assertion::Any(_) | Assertion::Implies(..) => Ok(Vec::new()),
        }
    }

    fn folded(
        &mut self,
        fold: Fold,
        arguments: &[Argument],
        values: &[&Expression],
    ) -> Understood<Option<(Kind, Node)>> {
        let node = match arguments {
            [Argument::Over { name, from, to, at }, rest @ ..] if !rest.is_empty() => {
                self.fresh(name, at)?;
                let (from, to) = (Box::new(self.whole(from)?), Box::new(self.whole(to)?));
                self.indices.push(name.clone());
                let body = self.body(fold, rest);
                self.indices.pop();
                let Some(body) = body? else { return Ok(None) };
                Node::Fold(fold, Terms::Over { from, to, body: Box::new(body) })
            }
            _ if values.len() < arguments.len() => return Ok(None),
            [_] => Node::Fold(fold, Terms::Entries(Box::new(self.vector(values[0])?))),
            _ => {
                let items = values.iter().map(|v| self.number(v)).collect::<Understood<_>>()?;
                Node::Fold(fold, Terms::Listed(items))
            }
        };
        Ok(Some((Kind::Scalar, node)))
    }

    fn special(&mut self, special: Special, values: &[&Expression]) -> Understood<Option<(Kind, Node)>> {
        let number = Kind::Scalar;
        Ok(Some(match (special, values) {
            (Special::Dot, [a, b]) | (Special::Expectation, [a, b]) => {
                (number, Node::Dot(Box::new(self.vector(a)?), Box::new(self.vector(b)?)))
            }
            (Special::Norm, [a]) => self.norm(a, NormKind::Euclidean)?,
            (Special::Norm, [a, which]) => {
                let matrix = self.term(a)?.kind == Kind::Matrix;
                let kind = match &which.node {
                    syntax::ExpressionForm::Number(Literal::Decimal { digits: 1, exponent: 0 }) if !matrix => {
                        NormKind::One
                    }
                    syntax::ExpressionForm::Number(Literal::Decimal { digits: 2, exponent: 0 }) if matrix => {
                        NormKind::Operator
                    }
                    syntax::ExpressionForm::Number(Literal::Decimal { digits: 2, exponent: 0 }) => NormKind::Euclidean,
                    syntax::ExpressionForm::Name(n) if matches!(n.as_str(), "inf" | "∞") && !matrix => {
                        NormKind::Largest
                    }
                    syntax::ExpressionForm::Name(n)
                        if matches!(n.as_str(), "F" | "fro" | "frobenius" | "Frobenius") && matrix =>
                    {
                        NormKind::Euclidean
                    }
                    syntax::ExpressionForm::Name(n) if matches!(n.as_str(), "op" | "operator") && matrix => {
                        NormKind::Operator
                    }
                    syntax::ExpressionForm::Name(n) if matches!(n.as_str(), "nuc" | "nuclear") && matrix => {
                        NormKind::Nuclear
                    }
                    _ => {
                        let wanted = if matrix {
                            "F (Frobenius), op (the operator norm, also 2) or nuc (the nuclear norm) for the norm of a \
                             matrix"
                        } else {
                            "1, 2 or inf for the norm of a vector"
                        };
                        let found = "another kind of norm".to_owned();
                        return fault(&which.span, Problem::Kind { wanted, found });
                    }
                };
                self.norm(a, kind)?
            }
            (Special::Trace, [a]) => (number, Node::Trace(Box::new(self.matrix(a)?))),
            (Special::Det, [a]) => {
                let of = self.matrix(a)?;
                if let Some(rows) = self.rows(&of).filter(|rows| *rows > LARGEST_DETERMINANT as i64) {
                    let message = format!(
                        "a determinant of {rows} rows is not computed, only of {LARGEST_DETERMINANT} at most; write \
                         `eigmin(A) >= 0` for a sign, `prod(i in 1..n, eig(A)[i])` for the value of a symmetric one"
                    );
                    return fault(&a.span, Problem::Domain(message));
                }
                (number, Node::Det(Box::new(of)))
            }
            (Special::Eigenvalues, [a]) => (Kind::Vector, Node::Eigenvalues(Box::new(self.symmetric(a)?))),
            (Special::EigenMax | Special::EigenMin, [a]) => {
                let fold = if special == Special::EigenMax { Fold::Max } else { Fold::Min };
                let (kind, span) = (Kind::Vector, self.placed(&a.span));
                let node = Node::Eigenvalues(Box::new(self.symmetric(a)?));
                let all = Terms::Entries(Box::new(Term { kind, node, span }));
                (number, Node::Fold(fold, all))
            }
            (Special::Singular, [a]) => (Kind::Vector, Node::Singular(Box::new(self.matrix(a)?))),
            (Special::Nuclear, [a]) => (number, Node::Norm(NormKind::Nuclear, Box::new(self.matrix(a)?))),
            (Special::Inverse, [a]) => (Kind::Matrix, Node::Inverse(Box::new(self.matrix(a)?))),
            (Special::Normal, [a]) => {
                let a = self.of_kind(a, "a number or a vector", |kind| kind != Kind::Matrix)?;
                normal_law(a)
            }
            (Special::Entropy, [a]) => (number, Node::Entropy(Box::new(self.vector(a)?))),
            (Special::Kl, [a, b]) => (number, Node::Kl(Box::new(self.vector(a)?), Box::new(self.vector(b)?))),
            (Special::TotalVariation, [a, b]) => {
                (number, Node::TotalVariation(Box::new(self.vector(a)?), Box::new(self.vector(b)?)))
            }
            (Special::Binomial, [n, k]) => (number, Node::Binomial(Box::new(self.whole(n)?), Box::new(self.whole(k)?))),
            // H of a law is its entropy, of a whole number the harmonic number.
            (Special::Harmonic, [p]) if self.term(p)?.kind == Kind::Vector => {
                (number, Node::Entropy(Box::new(self.vector(p)?)))
            }
            (Special::Harmonic, [n]) => (number, Node::Harmonic(Box::new(self.whole(n)?))),
            (Special::Factorial, [n]) => (number, Node::Factorial(Box::new(self.whole(n)?))),
            (Special::Gcd, [a, b]) => (Kind::Whole, Node::Gcd(Box::new(self.whole(a)?), Box::new(self.whole(b)?))),
            (Special::Remainder, [a, b]) => {
                (Kind::Whole, Node::Remainder(Box::new(self.whole(a)?), Box::new(self.whole(b)?)))
            }
            (Special::Length, [a]) => (Kind::Whole, Node::Length(Box::new(self.vector(a)?))),
            (Special::Softmax, [a]) => (Kind::Vector, Node::Softmax(Box::new(self.vector(a)?))),
            (Special::Transpose, [a]) => (Kind::Matrix, Node::Transposed(Box::new(self.matrix(a)?))),
            (Special::Identity, [n]) => (Kind::Matrix, Node::Identity(Box::new(self.whole(n)?))),
            (Special::Diagonal, [a]) => (Kind::Matrix, Node::Diagonal(Box::new(self.vector(a)?))),
            (Special::Outer, [a, b]) => {
                (Kind::Matrix, Node::Outer(Box::new(self.vector(a)?), Box::new(self.vector(b)?)))
            }
            _ => return Ok(None),
        }))
    }
}

/// `erfc(−x/√2)/2`, which loses no digits where it is small.
fn normal_law(of: Term) -> (Kind, Node) {
    let (kind, span) = (if of.kind == Kind::Vector { Kind::Vector } else { Kind::Scalar }, of.span.clone());
    let term = |kind, node| Box::new(Term { kind, node, span: span.clone() });
    let two = || term(Kind::Whole, Node::Whole(2));
    let root = term(Kind::Scalar, Node::Apply(Function::Sqrt, two()));
    let negative = term(kind, Node::Negated(Box::new(of)));
    let argument = term(kind, Node::Binary(Operation::Divide, negative, root));
    let twice = term(kind, Node::Apply(Function::ErrorComplement, argument));
    (kind, Node::Binary(Operation::Divide, twice, two()))
}

/// What a range is of.
#[derive(Clone, Copy)]
enum Each {
    Number,
    Entry,
    Cell,
}

/// One end of the range of the variable at a place.
#[derive(Clone, Copy)]
struct Bounded {
    place: usize,
    is_lower: bool,
    each: Each,
}

impl Bounded {
    /// That the variable lies on the right side of an end, written with the end first.
    fn condition(
        self,
        variables: &[Variable],
        end: Term,
        written: String,
        open: bool,
        span: &Span,
    ) -> Understood<Chain> {
        let name = &variables[self.place].name;
        let (fold, word) = if self.is_lower { (Fold::Min, "min") } else { (Fold::Max, "max") };
        let own = |kind| Term { kind, node: Node::Variable(self.place), span: span.clone() };
        let (own, told) = match self.each {
            Each::Number => (own(Kind::Scalar), name.clone()),
            Each::Entry => {
                let node = Node::Fold(fold, Terms::Entries(Box::new(own(Kind::Vector))));
                (Term { kind: Kind::Scalar, node, span: span.clone() }, format!("{word}({name})"))
            }
            Each::Cell => {
                let message = "the entries of a matrix range between numbers; write conditions on them after --where";
                return fault(span, Problem::Domain(message.into()));
            }
        };
        let relation = match (self.is_lower, open) {
            (true, false) => Relation::AtMost,
            (true, true) => Relation::LessThan,
            (false, false) => Relation::AtLeast,
            (false, true) => Relation::GreaterThan,
        };
        let text = format!("{written} {} {told}", typed(relation));
        Ok(Chain { sides: vec![end, own], relations: vec![relation], text, start: span.start })
    }
}

/// An end that no value of a term with variables lies beyond: infinite where that is not known.
fn outermost(variables: &[Variable], term: &Term, open: bool, is_lower: bool) -> End {
    let value = |variable: &Variable| match &variable.domain {
        Domain::Real(range) => {
            let (low, high) = range.hull();
            Value::Scalar(<Enclosed as Real>::within(Interval::new(low, high)))
        }
        _ => Value::Whole(i64::MAX),
    };
    let values: Vec<Value<Enclosed>> = variables.iter().map(value).collect();
    let are_known = uses(term).iter().all(|&place| matches!(variables[place].domain, Domain::Real(_)));
    let found = Evaluator::new(&values).scalar(term).ok().filter(|found| are_known && found.defined);
    let x = found.map(|found| if is_lower { found.value.lo() } else { found.value.hi() });
    match x.filter(|x| x.is_finite()) {
        Some(x) => End { value: Interval::point(x), text: format!("{x}"), open, term: None },
        None if is_lower => RealRange::everything().low,
        None => RealRange::everything().high,
    }
}

fn combined_kind(operation: Operation, a: Kind, b: Kind, span: &Span) -> Understood<Kind> {
    let whole = a == Kind::Whole && b == Kind::Whole;
    let hint = match (operation, a, b) {
        (Operation::Divide, a, b) if a.is_number() && b.is_number() => return Ok(Kind::Scalar),
        (_, a, b) if a.is_number() && b.is_number() => return Ok(if whole { Kind::Whole } else { Kind::Scalar }),
        (Operation::Add | Operation::Subtract, a, b) if a == b => return Ok(a),
        (Operation::Multiply | Operation::Divide, a, b) if b.is_number() => return Ok(a),
        (Operation::Multiply, a, b) if a.is_number() => return Ok(b),
        (Operation::Multiply, Kind::Matrix, Kind::Matrix) => return Ok(Kind::Matrix),
        (Operation::Multiply, Kind::Matrix, Kind::Vector) => return Ok(Kind::Vector),
        (Operation::Multiply, Kind::Vector, Kind::Vector) => "for the inner product write dot(x, y)",
        (Operation::Multiply, Kind::Vector, Kind::Matrix) => "a vector goes on the right: A'*x",
        (Operation::Divide, ..) => "only numbers divide",
        _ => "both sides must be of one kind",
    };
    let what = match operation {
        Operation::Add => "no sum",
        Operation::Subtract => "no difference",
        Operation::Multiply => "no product",
        Operation::Divide => "no quotient",
    };
    let (left, right) = (a.in_words().into(), b.in_words().into());
    fault(span, Problem::Unfit { what, left, right, hint })
}

/// An end that is none.
fn infinite(expression: &Expression) -> Option<End> {
    let is_infinite = |e: &Expression| matches!(&e.node, syntax::ExpressionForm::Name(n) if n == "inf" || n == "∞");
    let end = |x: f64, text: &str| End { value: Interval::new(x, x), text: text.into(), open: true, term: None };
    match &expression.node {
        _ if is_infinite(expression) => Some(end(f64::INFINITY, "inf")),
        syntax::ExpressionForm::Negated(inner) if is_infinite(inner) => Some(end(f64::NEG_INFINITY, "-inf")),
        _ => None,
    }
}

/// The value of a term without variables and indices.
pub(crate) fn value_of_closed(term: &Term) -> Option<Interval> {
    let nothing: &[Value<Enclosed>] = &[];
    if !uses(term).is_empty() {
        return None;
    }
    let value = Evaluator::new(nothing).scalar(term).ok()?;
    (value.defined && value.value.is_finite()).then_some(value.value)
}

/// The same in closed form; unknown where it has none.
pub(crate) fn exact_of_closed(term: &Term) -> Exact {
    let nothing: &[Value<Exact>] = &[];
    Evaluator::new(nothing).scalar(term).unwrap_or(Exact::UNKNOWN)
}

/// The declarations of a text alone.
///
/// # Errors
/// What cannot be read, or is declared twice, or not at all: at its place in the text.
pub fn declarations(text: &str) -> std::result::Result<Declarations, Fault> {
    declared(&parse::declarations(text)?, text).and_then(Scope::finish).map_err(|m| m.within(text, "--for"))
}

/// Conditions on declared variables, as they stand.
///
/// # Errors
/// As for [`declarations`], and names that were not declared.
pub(crate) fn conditions(ranges: &str, given: &str) -> std::result::Result<Vec<Chain>, Fault> {
    if given.trim().is_empty() {
        return Ok(Vec::new());
    }
    let scope = declared(&parse::declarations(ranges)?, ranges).map_err(|m| m.within(ranges, "--for"))?;
    let mut scope = scope.closed();
    let mut conditions = Vec::new();
    for asked in parse::conditions(given)?.iter().flat_map(|read| logic::conditions(read, given)) {
        conditions.extend(scope.asked(&asked, given).map_err(|m| m.within(given, "--where"))?);
    }
    Ok(conditions)
}

/// The conditions that ranges with variables in their ends ask for.
///
/// # Errors
/// As for [`declarations`].
pub(crate) fn asked(ranges: &str) -> std::result::Result<Vec<Chain>, Fault> {
    let scope = declared(&parse::declarations(ranges)?, ranges).map_err(|m| m.within(ranges, "--for"))?;
    Ok(scope.asked)
}
