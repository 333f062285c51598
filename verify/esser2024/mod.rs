//! P. Esser, S. Mukherjee, D. Ghoshdastidar, Representation learning dynamics of self-supervised models.

mod flows;
mod linear_flows;

claims! {
    prop_1a,
    prop_1c,
    prop_1d,
    eq_10,
    thm_3a,
    thm_3b,
}
