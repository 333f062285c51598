use contrapositive_evidence_derive::Instance;

#[derive(Instance)]
struct Nothing;

#[derive(Instance)]
enum Never {}

#[derive(Instance)]
#[instance(describe = "a choice")]
enum Choice {
    A,
    B,
}

#[derive(Instance)]
#[instance(describe = 3)]
struct Numbered {
    x: f64,
}

#[derive(Instance)]
union Either {
    x: f64,
    n: u64,
}

fn main() {}
