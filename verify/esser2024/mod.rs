//! P. Esser, S. Mukherjee, D. Ghoshdastidar, Representation learning dynamics of self-supervised models.

mod flows;

claims! {
    eq_10,
    thm_3a,
    thm_3b,
}
