//! P. Esser, S. Mukherjee, D. Ghoshdastidar, Representation learning dynamics of self-supervised models.

claims! {}
