//! Sizes: longer, shorter, without one item, another variant.

use contrapositive::instance::Instance;

use super::types::{Coins, Inputs, Law, Quadratic};

fn law() -> Law {
    Law { weights: vec![1.0, 3.0], points: vec![vec![0.5, 0.0], vec![-2.0, 1.0]] }
}

#[test]
fn lists_that_share_a_length_change_together() {
    let longer = law().with_size(0, 3).expect("up to eight atoms");
    assert_eq!(longer.weights, [1.0, 3.0, 1.0]);
    assert_eq!(longer.points, [[0.5, 0.0], [-2.0, 1.0], [0.5, 0.0]]);
    let one = law().without_item(0, 0).expect("at least one atom stays");
    assert_eq!((one.weights, one.points), (vec![3.0], vec![vec![-2.0, 1.0]]));
    let lower = law().without_item(1, 0).expect("one dimension stays");
    assert_eq!(lower.points, [[0.0], [1.0]]);
    assert_eq!(law().with_size(1, 3).map(|l| l.validate()), Some(Ok(())));
}

#[test]
fn sizes_beyond_the_declared_ones_are_not_to_be_had() {
    assert_eq!(law().with_size(0, 9), None, "at most eight atoms");
    assert_eq!(law().with_size(0, 0), None, "at least one");
    assert_eq!(law().with_size(2, 1), None, "there are two sizes");
    assert_eq!(law().without_item(0, 2), None, "there is no third atom");
    let single = law().with_size(0, 1).expect("one atom");
    assert_eq!(single.without_item(0, 0), None, "the last atom stays");
    assert_eq!(Coins { count: 1, probability: 0.5 }.with_size(0, 1), None, "no size at all");
}

#[test]
fn a_symmetric_matrix_loses_a_row_with_its_column() {
    let quadratic = Quadratic { matrix: vec![vec![1.0, 2.0, 3.0], vec![2.0, 4.0, 5.0], vec![3.0, 5.0, 6.0]], seed: 0 };
    let smaller = quadratic.without_item(0, 1).expect("three rows");
    assert_eq!(smaller.matrix, [[1.0, 3.0], [3.0, 6.0]]);
    let larger = smaller.with_size(0, 4).expect("up to five rows");
    assert_eq!((larger.validate(), larger.matrix[3].as_slice()), (Ok(()), &[3.0, 6.0, 3.0, 6.0][..]));
}

#[test]
fn a_variant_is_a_size() {
    let given = Inputs::Given(vec![1.0, 2.0]);
    assert_eq!(given.with_size(0, 0), Some(Inputs::Circle));
    assert_eq!(given.with_size(1, 1), Some(Inputs::Given(vec![1.0])), "the list comes second");
    let close = given.with_size(0, 1).expect("the second variant");
    assert!(close.validate().is_ok() && matches!(close, Inputs::Close { .. }));
    assert_eq!(given.with_size(0, 3), None);
    assert_eq!(given.without_item(0, 0), None, "a variant has no items");
}
