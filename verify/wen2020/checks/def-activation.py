"""Section 5.2 and head of Appendix B: with the activation matrices D_l one has h_l = D_l W_l h_{l-1}.

(a) Section 5.2 takes D = diag 1{σ(W h) ≥ 0}: σ is never negative, so D is the identity. W_0 = -1, x = 1: h_0 = 0, D W_0 x
= -1.
(b) Appendix B takes 1{[W_l]_r h_l ≥ 0}, with h_l for h_{l-1}: W_1 = [[1, 0], [1, -2]], h_0 = (1, 0): h_1 = (1, 1), W_1
h_1 = (1, -1), D W_1 h_0 = (1, 0).
(c) Appendix B takes D^(0) at the perturbed h_{l-1}: row (1, -1), h_0^(0) = (1, 0), perturbed h_0 = (0, 1): h_1^(0) = 1,
with that D it is 0.
(d) Section 5.2 prints h^k_l = σ(θ_l h^q_{l-1}): with h^q_0 = 0, h^k_0 = 1, θ_1 = 1 the key's h_1 is 1 and not 0. With D =
diag 1{W_l h_{l-1} ≥ 0} for each network by itself the identity holds.
"""

sigma = lambda v: [max(0, a) for a in v]
apply = lambda w, v: [sum(a * b for a, b in zip(row, v)) for row in w]
mask = lambda signs, v: [a if s >= 0 else 0 for s, a in zip(signs, v)]

pre = apply([[-1]], [1])
assert sigma(pre) == [0] and mask(sigma(pre), pre) == [-1] and mask(pre, pre) == [0]  # (a)
W1, h0 = [[1, 0], [1, -2]], [1, 0]
h1 = sigma(apply(W1, h0))
assert h1 == [1, 1] and mask(apply(W1, h1), apply(W1, h0)) == [1, 0] and mask(apply(W1, h0), apply(W1, h0)) == h1  # (b)
row, start, moved = [[1, -1]], [1, 0], [0, 1]
assert sigma(apply(row, start)) == [1] and mask(apply(row, moved), apply(row, start)) == [0]  # (c)
query, key = [0], [1]
assert sigma(apply([[1]], key)) == [1] and sigma(apply([[1]], query)) == [0]  # (d)
print("h against printed: (a) 0, -1; (b) (1, 1), (1, 0); (c) 1, 0; (d) 1, 0")
