"""Proof of Lemma 2, three of its displays (the lemma itself stands).

(s1) P(max |X_i| ≥ a) ≤ h e^(-a²/2)/√(2 π), a = t log h, needs a large: h = 2, a = 1/2 gives 0.853 against 0.704.
(s3) max |X_i| ≤ t log h and Σ X_i²/h ≤ 1 + s do not bound max |X_i|/|X| by t log h/√(h (1 - s)): a short vector,
X = (t log h, 0, ..., 0), has the ratio 1.  The event Σ X_i²/h ≥ 1 - s is needed, and is the one whose probability is bounded.
(s6) h² e^(-t² log² h/2) and h e^(-c' h s²) do not tend to 0 for s = 0 or t = 0, which "s, t ≥ 0" allows.
"""

import math

left = 1 - math.erf(0.5 / math.sqrt(2)) ** 2  # P(max(|X_1|, |X_2|) ≥ 1/2), t = 1/(2 log 2)
right = 2 * math.exp(-0.125) / math.sqrt(2 * math.pi)
assert left - right > 0.14 and left <= 2 * math.exp(-0.125), "h e^(-a²/2) holds, the printed factor is too small"
h, t, s = 100, 1.0, 0.5
x = [t * math.log(h)] + [0.0] * (h - 1)
assert max(x) <= t * math.log(h) and sum(v * v for v in x) / h <= 1 + s
ratio, bound = max(x) / math.sqrt(sum(v * v for v in x)), t * math.log(h) / math.sqrt(h * (1 - s))
assert ratio == 1 and ratio - bound > 0.3
series = [h * h * math.exp(-0.0 * math.log(h) ** 2 / 2) for h in (10, 100, 1000)]
assert series[-1] > 1e5
print(
    "(s1)",
    round(left, 4),
    "against",
    round(right, 4),
    "; (s3) ratio",
    ratio,
    "against",
    round(bound, 4),
    "; (s6) at t = 0:",
    series,
)
