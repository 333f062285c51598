use contrapositive_evidence_derive::Instance;

#[derive(Instance)]
struct Flags {
    #[instance(symmetric, nested, length = "1..=3")]
    both: Vec<Vec<f64>>,
}

#[derive(Instance)]
struct Nested {
    #[instance(nested, range = "0..=1")]
    model: Other,
}

#[derive(Instance)]
struct Single {
    #[instance(weights)]
    weight: f64,
}

#[derive(Instance)]
struct Negative {
    #[instance(weights, range = "-1..=1")]
    weights: Vec<f64>,
}

#[derive(Instance)]
struct Misspelt {
    #[instance(rnage = "0..=1")]
    x: f64,
}

fn main() {}
