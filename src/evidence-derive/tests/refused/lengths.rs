use contrapositive_evidence_derive::Instance;

#[derive(Instance)]
struct Lengths {
    #[instance(length = "n in 1..=8")]
    points: Vec<f64>,
    #[instance(length = "m")]
    unknown: Vec<f64>,
    #[instance(length = "n in 1..=8")]
    again: Vec<f64>,
    #[instance(length = "0.5..2")]
    broken: Vec<f64>,
    #[instance(symmetric)]
    matrix: Vec<Vec<f64>>,
}

#[derive(Instance)]
struct Number {
    #[instance(length = "1..=8")]
    x: f64,
}

fn main() {}
