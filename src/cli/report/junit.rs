//! The run in the form that CI systems read test results in: a suite for each claim, a case for each check.
//!
//! No times are in it, so that the same run gives the same bytes on any machine.

use evidence::claim::Role;
use evidence::run::{CheckResult, ClaimResult, Run};
use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::unexpected::{Kind, Unexpected, unexpected};
use crate::outcome::status::Trouble;

/// The whole run; a claim that was not judged has a case that says why.
///
/// # Errors
/// The document cannot be written down.
pub fn junit(program: &str, run: &Run, not_judged: &[(String, String)]) -> Result<String, Trouble> {
    let mut report = Report::new(program);
    for claim in &run.claims {
        let mut suite = suite(claim);
        suite.add_property(Property::new("seed", run.plan.seed.to_string()));
        suite.add_property(Property::new("budget", run.plan.budget.to_string()));
        report.add_test_suite(suite);
    }
    for (claim, reason) in not_judged {
        let mut suite = TestSuite::new(claim.as_str());
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type("not judged").set_message(reason.as_str());
        let mut case = TestCase::new("not judged", status);
        case.set_classname(claim.as_str());
        suite.add_test_case(case);
        report.add_test_suite(suite);
    }
    report.to_string().map_err(|error| Trouble::Junit(error.to_string()))
}

fn suite(claim: &ClaimResult) -> TestSuite {
    let found = unexpected(claim);
    let mut suite = TestSuite::new(claim.id);
    suite.add_property(Property::new("title", claim.title));
    suite.add_property(Property::new("verdict", claim.verdict().to_string()));
    for check in &claim.checks {
        let wrong = found.iter().find(|u| u.id == check.id && matches!(u.kind, Kind::Changed | Kind::Survived));
        suite.add_test_case(case(claim.id, check, wrong));
    }
    for wrong in &found {
        let name = match wrong.kind {
            Kind::Vacuous => wrong.id.clone(),
            Kind::Missing => format!("series {}", wrong.id),
            Kind::Changed | Kind::Survived => continue,
        };
        let mut case = TestCase::new(name, failure(wrong, NonSuccessKind::Error));
        case.set_classname(claim.id);
        suite.add_test_case(case);
    }
    suite
}

fn case(claim: &'static str, check: &CheckResult, wrong: Option<&Unexpected>) -> TestCase {
    let status = match wrong {
        None => TestCaseStatus::success(),
        Some(wrong) if broke_down(check) => failure(wrong, NonSuccessKind::Error),
        Some(wrong) => failure(wrong, NonSuccessKind::Failure),
    };
    let mut case = TestCase::new(format!("{}: {}", name(check), check.statement), status);
    case.set_classname(claim);
    case.add_property(Property::new("verdict", check.verdict.to_string()));
    if let Some(grade) = check.grade {
        case.add_property(Property::new("grade", grade.to_string()));
    }
    case
}

fn failure(wrong: &Unexpected, kind: NonSuccessKind) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(wrong.kind.to_string()).set_message(wrong.predicates.join("; ")).set_description(wrong.to_string());
    status
}

/// Whether a check itself broke down, which is a fault of the program rather than of the statement.
fn broke_down(check: &CheckResult) -> bool {
    check.counts.panicked > 0
}

/// How a check is called beside its claim: a control is told apart by its role.
fn name(check: &CheckResult) -> String {
    match check.role {
        Role::Part => check.id.to_owned(),
        role => format!("{role} {}", check.id),
    }
}
