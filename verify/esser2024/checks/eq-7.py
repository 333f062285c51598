"""Equation (7), display before it: L = Σ_{i=n}^{n} Tr(W2ᵀ W1 x_i (x_i⁻ - x_i⁺)ᵀ W1ᵀ W2).

The range as printed, from n to n, has one summand; 1 to n is meant.  n = 2, u(x) = x_1 + x_2 (W1 = (1, 1), W2 = 1):
the first triple gives 1 and the second, printed one gives 0.
"""

triples = [((1, 0), (0, 0), (0, 1)), ((0, 2), (1, 0), (0, 1))]  # (x, x+, x-)
u = lambda v: v[0] + v[1]
loss = sum(u(x) * (u(minus) - u(plus)) for x, plus, minus in triples)
term = lambda x, plus, minus: sum(x[i] * (minus[j] - plus[j]) for i in range(2) for j in range(2))  # W1^T W2 = (1, 1)
n = len(triples)
printed = sum(term(*triples[i - 1]) for i in range(n, n + 1))
meant = sum(term(*triples[i - 1]) for i in range(1, n + 1))
assert loss == meant == 1 and abs(loss - printed) >= 1
print("loss", loss, ", sum from n to n", printed, ", sum from 1 to n", meant)
