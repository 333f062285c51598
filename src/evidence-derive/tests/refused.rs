//! Declarations that are refused, each with the words and the place that the author of a type is shown.

#[test]
fn bad_declarations_are_refused_where_they_stand() {
    trybuild::TestCases::new().compile_fail("tests/refused/*.rs");
}
