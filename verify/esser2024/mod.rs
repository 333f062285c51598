//! P. Esser, S. Mukherjee, D. Ghoshdastidar, Representation learning dynamics of self-supervised models.

mod flows;
mod kernel_machine;
mod linear_data;
mod linear_flows;

claims! {
    prop_1a,
    prop_1b,
    prop_1c,
    prop_1d,
    prop_1e,
    eq_10,
    thm_3a,
    thm_3b,
}
