"""What the theory of contrastive learning says, tried: losses and bounds of embeddings, inequalities refuted or proved, claims of one's own.

>>> import contrapositive as cp
>>> cp.try_("x^2 >= x", where="0 < x < 1").outcome
'refuted'
"""

from importlib.metadata import version as _version

from ._catalogue import Claims, Replay, Run, claims, replay, verify
from ._claims import CheckResult, Claim, ClaimResult, Trial, claim
from ._functions import (
    arccos,
    arccosh,
    arcsin,
    arcsinh,
    arctan,
    arctanh,
    cos,
    cosh,
    dot,
    exp,
    expm1,
    log,
    log1p,
    log2,
    maximum,
    minimum,
    norm,
    sigmoid,
    sin,
    sinh,
    softplus,
    sqrt,
    tanh,
)
from ._losses import Bounds, Gradient, Losses, Views, bounds, info_nce, losses
from ._native import (
    Comparison,
    Enclosure,
    Trend,
    Undefined,
    all_of,
    clopper_pearson,
    equal,
    log_sum_exp,
    measured,
    pi,
)
from ._statements import Attempt, try_

#: The version of the package, as its metadata have it.
__version__ = _version("contrapositive")

__all__ = [
    "Attempt",
    "Bounds",
    "CheckResult",
    "Claim",
    "ClaimResult",
    "Claims",
    "Comparison",
    "Enclosure",
    "Gradient",
    "Losses",
    "Replay",
    "Run",
    "Trend",
    "Trial",
    "Undefined",
    "Views",
    "all_of",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "bounds",
    "claim",
    "claims",
    "clopper_pearson",
    "cos",
    "cosh",
    "dot",
    "equal",
    "exp",
    "expm1",
    "info_nce",
    "log",
    "log1p",
    "log2",
    "log_sum_exp",
    "losses",
    "maximum",
    "measured",
    "minimum",
    "norm",
    "pi",
    "replay",
    "sigmoid",
    "sin",
    "sinh",
    "softplus",
    "sqrt",
    "tanh",
    "try_",
    "verify",
]
