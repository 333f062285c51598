//! From the syntax tree to formulas: names are resolved, kinds are checked, sizes are left to the evaluation.

use enclosures::interval::Interval;

use super::domain::{Declarations, Domain, End, Range, Size, Variable};
use super::evaluate::Evaluator;
use super::term::{Chain, Kind, Node, NormKind, Term, Terms, visit};
use super::undeclared::Undeclared;
use crate::numbers::exact::Exact;
use crate::numbers::number::{Enclosed, NamedConstant, Value};
use crate::text::fault::{Fault, Misfit, Problem, Understood};
use crate::text::parse;
use crate::text::syntax::{self, Argument, Expression, Literal, Operation, Relation, Span};
use crate::text::words::{Fold, Function, Meaning, Special, like, word};

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

/// Resolves names; those that nobody declared become real variables, unless it is told not to.
pub(crate) struct Scope {
    pub(crate) variables: Vec<Variable>,
    indices: Vec<String>,
    /// Whether a name that is not known may become a variable.
    open: bool,
    /// Where the variables were declared, in their order; those that were not follow.
    pub(crate) declared: Vec<Span>,
    /// Those that were not.
    pub(crate) undeclared: Vec<Undeclared>,
}

/// The variables of declarations.
pub(crate) fn declared(declarations: &[syntax::Declaration], text: &str) -> Understood<Scope> {
    let mut scope =
        Scope { variables: Vec::new(), indices: Vec::new(), open: false, declared: Vec::new(), undeclared: Vec::new() };
    // Names and kinds first: a size may come after the vector that needs it.
    let nothing = || Size { term: Term { kind: Kind::Whole, node: Node::Whole(1), span: 0..0 }, text: "1".into() };
    for declaration in declarations {
        for (name, span) in &declaration.names {
            if scope.variables.iter().any(|v| &v.name == name) {
                return fault(span, Problem::Twice(name.clone()));
            }
            if name.chars().nth(1).is_some() && word(name).is_some() {
                return fault(span, Problem::Reserved(name.clone(), "function"));
            }
            if matches!(name.as_str(), "pi" | "π" | "inf" | "∞") {
                return fault(span, Problem::Reserved(name.clone(), "constant"));
            }
            let domain = match &declaration.domain {
                syntax::DeclaredDomain::Whole { .. } => Domain::Whole { from: None, to: None },
                syntax::DeclaredDomain::Space { name, .. } if matches!(name.as_str(), "N" | "ℕ" | "Z" | "ℤ") => {
                    Domain::Whole { from: None, to: None }
                }
                _ => Domain::Vector { size: nothing(), range: Range::everything() },
            };
            let name = name.clone();
            scope.variables.push(Variable { name, domain });
            scope.declared.push(span.clone());
        }
    }
    let mut place = 0;
    for declaration in declarations {
        for _ in &declaration.names {
            scope.variables[place].domain = scope.domain(&declaration.domain, text)?;
            place += 1;
        }
    }
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
        Ok(Declarations { variables, order, shaping, equations: Vec::new() })
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

    fn end(&mut self, expression: &Expression, text: &str, open: bool) -> Understood<End> {
        let (value, term) = closed(self, expression)?;
        let text = text.get(expression.span.clone()).unwrap_or("").trim().to_owned();
        Ok(End { value, text, open: open || !value.is_finite(), term })
    }

    fn domain(&mut self, domain: &syntax::DeclaredDomain, text: &str) -> Understood<Domain> {
        let sized = |scope: &mut Self, range: Range, sizes: &[Expression]| -> Understood<Domain> {
            Ok(match sizes {
                [] => Domain::Real(range),
                [size] => Domain::Vector { size: scope.size(size, text)?, range },
                [rows, columns, ..] => {
                    Domain::Matrix { rows: scope.size(rows, text)?, columns: scope.size(columns, text)?, range }
                }
            })
        };
        match domain {
            syntax::DeclaredDomain::Unsaid => Ok(Domain::Real(Range::everything())),
            syntax::DeclaredDomain::Bound(relation, limit) => {
                let mut range = Range::everything();
                let open = matches!(relation, Relation::Less | Relation::Greater);
                let end = self.end(limit, text, open)?;
                match relation {
                    Relation::AtLeast | Relation::Greater => range.low = end,
                    Relation::AtMost | Relation::Less => range.high = end,
                    Relation::Equal => {
                        range.low = end.clone();
                        range.high = end;
                    }
                }
                Ok(Domain::Real(range))
            }
            syntax::DeclaredDomain::Box { low_open, low, high, high_open, sizes } => {
                let range = Range { low: self.end(low, text, *low_open)?, high: self.end(high, text, *high_open)? };
                if !range.is_inhabited() {
                    let message = format!("there is no number in {range}");
                    return fault(&(low.span.start..high.span.end), Problem::Domain(message));
                }
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
                    "R" | "ℝ" if arguments.is_empty() => sized(self, Range::everything(), sizes)?,
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
                    other => {
                        let message = format!(
                            "there is no domain `{other}`; there are R, R^n, R^(m, n), [a, b], [a, b]^n, 1..n, N, Z, \
                             simplex(n), sphere(n), sym(n), psd(n)"
                        );
                        return fault(at, Problem::Domain(message));
                    }
                })
            }
        }
    }

    /// A comparison; every side must be a number.
    pub(crate) fn chain(&mut self, comparison: &syntax::Comparison, text: &str) -> Understood<Chain> {
        let sides = comparison.sides.iter().map(|side| self.number(side)).collect::<Understood<_>>()?;
        Ok(Chain {
            sides,
            relations: comparison.relations.clone(),
            text: text.get(comparison.span.clone()).unwrap_or("").trim().to_owned(),
            start: comparison.span.start,
        })
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
                format!("a real number (declare it otherwise, `{name} in {example}`)")
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
            let message = format!("`{name}` is not declared");
            return fault(span, Problem::Domain(message));
        }
        self.variables.push(Variable { name: name.to_owned(), domain: Domain::Real(Range::everything()) });
        let (name, span, indices) = (name.to_owned(), span.clone(), self.indices.clone());
        self.undeclared.push(Undeclared { name, span, indices });
        Ok((Kind::Scalar, Node::Variable(self.variables.len() - 1)))
    }

    fn term(&mut self, expression: &Expression) -> Understood<Term> {
        let span = expression.span.clone();
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
                    && !self.variables.iter().any(|v| v.name == *name)
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
            syntax::ExpressionForm::Transposed(a) => (Kind::Matrix, Node::Transposed(Box::new(self.matrix(a)?))),
            syntax::ExpressionForm::Absolute(a) => {
                let a = self.term(a)?;
                if !a.kind.is_number() {
                    let hint = "for the norm write norm(x) or ‖x‖";
                    let found = format!("{} ({hint})", a.kind.in_words());
                    return fault(&span, Problem::Kind { wanted: "a number", found });
                }
                (Kind::Scalar, Node::Apply(Function::Abs, Box::new(a)))
            }
            syntax::ExpressionForm::Norm(a) => {
                let inner = self.term(a)?;
                // The norm of a number is its absolute value.
                let is_declared = !matches!(&a.node, syntax::ExpressionForm::Name(_));
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

    fn call(&mut self, name: &str, at: &Span, arguments: &[Argument], span: &Span) -> Understood<(Kind, Node)> {
        let Some(known) = word(name) else {
            let is_variable = self.variables.iter().any(|v| v.name == name)
                || self.indices.iter().any(|i| i == name)
                || constant(name).is_some();
            let bare = span.start == at.start && arguments.len() == 1;
            let single = name.chars().nth(1).is_none();
            // `x y` and `x(y + 1)`: a product without its sign.
            let problem = if is_variable || bare && single {
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
                [Argument::Drawn { name, law, .. }, Argument::Value(body)] => {
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

    /// A number in which a further index is known.
    fn under(&mut self, index: &str, body: &Expression) -> Understood<Term> {
        self.indices.push(index.to_owned());
        let body = self.number(body);
        self.indices.pop();
        body
    }

    fn folded(
        &mut self,
        fold: Fold,
        arguments: &[Argument],
        values: &[&Expression],
    ) -> Understood<Option<(Kind, Node)>> {
        let node = match arguments {
            [Argument::Over { name, from, to, .. }, rest @ ..] if !rest.is_empty() => {
                let (from, to) = (Box::new(self.whole(from)?), Box::new(self.whole(to)?));
                let body = match rest {
                    [Argument::Value(body)] => self.under(name, body)?,
                    [Argument::Over { at, .. }, ..] if fold != Fold::Mean => {
                        self.indices.push(name.clone());
                        let inner: Vec<&Expression> = Vec::new();
                        let found = self.folded(fold, rest, &inner);
                        self.indices.pop();
                        let Some((kind, node)) = found? else { return Ok(None) };
                        Term { kind, node, span: at.clone() }
                    }
                    _ => return Ok(None),
                };
                let body = Box::new(body);
                Node::Fold(fold, Terms::Over { from, to, body })
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
                    _ => {
                        let wanted = if matrix {
                            "F (Frobenius) or op (the operator norm, also 2) for the norm of a matrix"
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
            (Special::Det, [a]) => (number, Node::Det(Box::new(self.matrix(a)?))),
            (Special::Eigenvalues, [a]) => (Kind::Vector, Node::Eigenvalues(Box::new(self.matrix(a)?))),
            (Special::EigenMax | Special::EigenMin, [a]) => {
                let fold = if special == Special::EigenMax { Fold::Max } else { Fold::Min };
                let (kind, span) = (Kind::Vector, a.span.clone());
                let node = Node::Eigenvalues(Box::new(self.matrix(a)?));
                let all = Terms::Entries(Box::new(Term { kind, node, span }));
                (number, Node::Fold(fold, all))
            }
            (Special::Entropy, [a]) => (number, Node::Entropy(Box::new(self.vector(a)?))),
            (Special::Kl, [a, b]) => (number, Node::Kl(Box::new(self.vector(a)?), Box::new(self.vector(b)?))),
            (Special::TotalVariation, [a, b]) => {
                (number, Node::TotalVariation(Box::new(self.vector(a)?), Box::new(self.vector(b)?)))
            }
            (Special::Binomial, [n, k]) => (number, Node::Binomial(Box::new(self.whole(n)?), Box::new(self.whole(k)?))),
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
        (Operation::Multiply, Kind::Vector, Kind::Matrix) => "a vector stands on the right: A'*x",
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

/// What the end of a range may not be.
const AN_END: &str =
    "an end of a range must be a number; for `x in [y, 1]` declare `x <= 1` and write `y <= x` after --where";

/// The value of an expression without variables, and its term; `inf` and `-inf` are allowed.
fn closed(scope: &mut Scope, expression: &Expression) -> Understood<(Interval, Option<Term>)> {
    let infinite = |e: &Expression| matches!(&e.node, syntax::ExpressionForm::Name(n) if n == "inf" || n == "∞");
    if infinite(expression) {
        return Ok((Interval::new(f64::INFINITY, f64::INFINITY), None));
    }
    if let syntax::ExpressionForm::Negated(inner) = &expression.node
        && infinite(inner)
    {
        return Ok((Interval::new(f64::NEG_INFINITY, f64::NEG_INFINITY), None));
    }
    let is_variable = |name: &String| scope.variables.iter().any(|v| v.name == *name);
    if matches!(&expression.node, syntax::ExpressionForm::Name(name) if is_variable(name)) {
        return fault(&expression.span, Problem::Domain(AN_END.into()));
    }
    let term = scope.number(expression)?;
    match value_of_closed(&term) {
        Some(value) => Ok((value, Some(term))),
        None => fault(&expression.span, Problem::Domain(AN_END.into())),
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

/// The places of the variables that a term uses.
pub(crate) fn uses(term: &Term) -> Vec<usize> {
    let mut found = Vec::new();
    visit(term, &mut |t| {
        if let Node::Variable(place) = t.node
            && !found.contains(&place)
        {
            found.push(place);
        }
    });
    found
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
    let read = parse::conditions(given)?;
    let mut conditions = Vec::new();
    for comparison in &read {
        let chain = scope.chain(comparison, given).map_err(|m| m.within(given, "--where"))?;
        conditions.extend(chain.told_apart(given));
    }
    Ok(conditions)
}
