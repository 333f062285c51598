use contrapositive_evidence_derive::Instance;

#[derive(Instance)]
struct Ranges {
    #[instance(range = "1..=0")]
    empty: f64,
    #[instance(range = "zero..1")]
    word: f64,
    #[instance(range = "[0, ∞]")]
    closed_at_infinity: f64,
    #[instance(range = "0.5..=3")]
    broken: u32,
    #[instance(range = "-1..=3")]
    negative: usize,
    #[instance(range = "0..=1", draw = "0..=2")]
    drawn_from_outside: f64,
    #[instance(range = "0..=1")]
    flag: bool,
    #[instance(scale = "log")]
    scaled: f64,
}

fn main() {}
