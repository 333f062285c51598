"""Section 5.2: the first-order terms of the expansion are (1/n) Σ <l̃oss_i, q̃_i - q_i> and (1/n) Σ <l̃oss_i, k̃_i - k_i>.

The second prints the query-side vector where the key-side one belongs, as in Appendix D. And with l̃oss_i = dL_S/dq_i
(Definition 4.1) the factor 1/n stands in the first one twice. n = 2, k = 1, queries 1, 0, keys 0, 1, P_12 = s(1) =
0.7311, P_21 = 1/2.
"""

import math

s = lambda t: 1 / (1 + math.exp(-t))
q, k = [1.0, 0.0], [0.0, 1.0]
P = [s(q[0] * (k[1] - k[0])), s(q[1] * (k[0] - k[1]))]
z = [k[1] - k[0], k[0] - k[1]]
tilde = [P[i] * z[i] for i in range(2)]  # Fact 1
hat = [P[1] * q[1] - P[0] * q[0], P[0] * q[0] - P[1] * q[1]]  # Fact 2
dk = [0.0, 1.0]  # move the second key
true = sum(P[i] * q[i] * (dk[1 - i] - dk[i]) for i in range(2)) / 2
printed = sum(tilde[i] * dk[i] for i in range(2)) / 2
assert abs(true - sum(hat[i] * dk[i] for i in range(2)) / 2) < 1e-12 and true - printed > 0.6
dq = [0.0, 1.0]  # move the second query
true_q = sum(P[i] * z[i] * dq[i] for i in range(2)) / 2
derivative = [v / 2 for v in tilde]  # Definition 4.1, n = 2
printed_q = sum(derivative[i] * dq[i] for i in range(2)) / 2
assert abs(true_q - sum(tilde[i] * dq[i] for i in range(2)) / 2) < 1e-12 and printed_q - true_q > 0.12
print("key side", round(true, 4), "printed", round(printed, 4), "; query side", true_q, "with Definition 4.1", printed_q)
