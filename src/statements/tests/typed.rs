//! What people type: read where it has one reading, translated in the error otherwise.

use contrapositive_statements::syntax::{Argument, Expression, ExpressionForm};
use contrapositive_statements::{Statement, Texts, parse};

/// The tree of a formula without its places.
fn tree(text: &str) -> String {
    told(&parse::formula(text).unwrap_or_else(|fault| panic!("{}", fault.rendered())))
}

fn told(expression: &Expression) -> String {
    let all = |list: &[Expression]| list.iter().map(told).collect::<Vec<_>>().join(", ");
    let argument = |argument: &Argument| match argument {
        Argument::Value(value) => told(value),
        Argument::Over { name, from, to, .. } => format!("{name} in {}..{}", told(from), told(to)),
        Argument::Drawn { name, law, .. } => format!("{name} ~ {}", told(law)),
        Argument::Given(given) => format!("{given:?}"),
    };
    match &expression.node {
        ExpressionForm::Number(literal) => format!("{literal:?}"),
        ExpressionForm::Name(name) => name.clone(),
        ExpressionForm::Negated(a) => format!("-({})", told(a)),
        ExpressionForm::Binary(operation, a, b) => format!("{operation:?}({}, {})", told(a), told(b)),
        ExpressionForm::Power(a, b) => format!("({})^({})", told(a), told(b)),
        ExpressionForm::Indexed(a, at) => format!("({})[{}]", told(a), all(at)),
        ExpressionForm::Transposed(a) => format!("({})'", told(a)),
        ExpressionForm::Absolute(a) => format!("|{}|", told(a)),
        ExpressionForm::Norm(a) => format!("‖{}‖", told(a)),
        ExpressionForm::List(items) => format!("[{}]", all(items)),
        ExpressionForm::Call { word, arguments, .. } => {
            format!("{word}({})", arguments.iter().map(argument).collect::<Vec<_>>().join(", "))
        }
    }
}

#[test]
fn what_has_one_reading_is_read() {
    for (typed, meant) in [
        (r"\log x", "log x"),
        (r"\log(x) + \sin{y}", "log(x) + sin(y)"),
        (r"\frac{a + 1}{b}", "(a + 1)/b"),
        (r"\sqrt{x + 1}", "sqrt(x + 1)"),
        (r"\pi \cdot r^2", "pi*r^2"),
        (r"a \times b", "a*b"),
        (r"\left( x + 1 \right)^{2}", "(x + 1)^2"),
        (r"e^{x + y}", "e^(x + y)"),
        ("x_{1} + x_{12}", "x_1 + x_12"),
        (r"\alpha_{1}", "alpha_1"),
        ("||x||_2", "norm(x, 2)"),
        ("||x||_1 + 2||y||_inf", "norm(x, 1) + 2*norm(y, inf)"),
        ("‖A‖_F", "norm(A, F)"),
        (r"‖x‖_{\infty}", "norm(x, inf)"),
        ("||x|| + ||y||", "‖x‖ + ‖y‖"),
        ("|| |a| - |b| ||", "‖|a| - |b|‖"),
        ("⟨x, y⟩^2", "dot(x, y)^2"),
        ("np.log(x)", "log(x)"),
        ("numpy.linalg.norm(x)", "norm(x)"),
        ("math.sqrt(2)", "sqrt(2)"),
        ("torch.logsumexp(x)", "logsumexp(x)"),
        ("A @ x", "A*x"),
        ("A.T * x", "A'*x"),
        ("D_KL(p, q)", "D_KL(p, q)"),
        ("2 log x", "2*log x"),
        ("3 x^2", "3*x^2"),
        ("sum_{i=1}^n x[i]^2", "sum(i = 1..n, x[i]^2)"),
        (r"\sum_{i=1}^{n} x[i]", "sum(i = 1..n, x[i])"),
        (r"\prod_{k = 1}^{n + 1} k", "prod(k = 1..n + 1, k)"),
    ] {
        assert_eq!(tree(typed), tree(meant), "{typed}");
    }
}

#[test]
fn relations_and_conditions_have_other_signs() {
    let read = |statement: &str, ranges: &str, conditions: &str| {
        Statement::read(&Texts::of(statement).ranging(ranges).given(conditions))
            .unwrap_or_else(|f| panic!("{}", f.rendered()))
    };
    let relations = |text: &str| read(text, "", "").chain.relations;
    for (typed, meant) in [
        (r"x \le 1", "x <= 1"),
        (r"x \leq 1", "x <= 1"),
        (r"x \geq 1", "x >= 1"),
        (r"x \ge y \ge z", "x >= y >= z"),
        ("x =< 1", "x <= 1"),
        (r"x \lt 1", "x < 1"),
    ] {
        assert_eq!(relations(typed), relations(meant), "{typed}");
    }
    for conditions in ["x < y and y < z", "x < y && y < z", "x < y ∧ y < z", r"x < y \land y < z", "x < y, y < z"] {
        assert_eq!(read("x <= z", "", conditions).conditions.len(), 2, "{conditions}");
    }
    assert_eq!(read("x + y >= 0", "x > 0 and y > 0", "").declarations.variables.len(), 2);
    assert_eq!(read("x >= 0", r"x \in [0, 1]", "").declarations.to_string(), "x in [0, 1]");
    assert_eq!(read("-x <= 1", "", "-1 <= x").declarations.to_string(), "x in [-1, inf)");
}

#[test]
fn the_rest_is_translated() {
    for (statement, ranges, conditions, said) in [
        ("x <= 1 and y <= 1", "", "", "one by one"),
        ("x <= 1 || x >= 1", "", "", "`or`"),
        ("x >= 1 iff x > 0", "", "", "separately"),
        ("kl(p || q) >= 0", "p, q in simplex(2)", "", "kl(p, q)"),
        ("x.sum() <= 1", "x in R^3", "", "sum(x)"),
        ("x @ y <= norm(x)*norm(y)", "x, y in R^3", "", "dot(x, y)"),
        ("sum_{i=1}^3 i + 1 >= 0", "", "", "two ways"),
        ("sin^-1(x) <= x", "x in [0, 1]", "", "`asin(x)` or `1/sin(x)`"),
        (r"\tan^{-1} x <= x", "x in [0, 1]", "", "`atan(x)` or `1/tan(x)`"),
        ("cosh^(-1)(x) <= x", "x >= 1", "", "write `acosh(x)` or"),
        ("sum(x) >= 0", "x in R^3", "for all i in 1..3: x[i] >= 0", "`min(i in 1..n, x[i] - y[i]) >= 0`"),
        ("trace(A) >= trace(B)", "A, B in sym(2)", "A - B in psd", "`eigmin(A - B) >= 0`"),
    ] {
        match Statement::read(&Texts::of(statement).ranging(ranges).given(conditions)) {
            Ok(_) => panic!("{statement} for {ranges} where {conditions} is read"),
            Err(fault) => assert!(fault.to_string().contains(said), "{statement} {ranges} {conditions}: {fault}"),
        }
    }
}
