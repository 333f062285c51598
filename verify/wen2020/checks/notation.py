"""Section 3.1: <A, B> = tr(Aᵀ B) = (Σ a_ij b_ij)^(1/2), the trace inner product, and |A|_F = <A, A>^(1/2).

There is a root too many.  A = [[1, 2], [3, 4]]: tr(Aᵀ I) = 5 and not √5; tr(Aᵀ (-A)) = -30 has no real root; and with the
root |A|_F would be 30^(1/4) = 2.34 where the Frobenius norm is 30^(1/2) = 5.48.
"""

import math


def trace_product(a, b):  # tr(A^T B)
    return sum(sum(a[k][i] * b[k][i] for k in range(len(a))) for i in range(len(a[0])))


entries = lambda a, b: sum(x * y for r, s in zip(a, b) for x, y in zip(r, s))
A, I = [[1, 2], [3, 4]], [[1, 0], [0, 1]]
minus = [[-x for x in r] for r in A]
assert trace_product(A, I) == entries(A, I) == 5 and 5 - math.sqrt(entries(A, I)) > 2.7
assert entries(A, minus) == -30, "negative: (sum)^(1/2) is not a real number"
assert math.sqrt(entries(A, A)) - math.sqrt(math.sqrt(entries(A, A))) > 3.1
print(
    "tr(A^T B) =",
    trace_product(A, I),
    ", printed",
    round(math.sqrt(5), 4),
    "; the norm",
    round(math.sqrt(30), 4),
    ", with the root",
    round(30**0.25, 4),
)
