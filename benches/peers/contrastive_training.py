"""The trainings behind docs/figures once more, by an independent implementation: JAX, its own convolutions and its own derivatives.

The encoder, its start, the mini-batches and the rate are those that the program exports; everything else (the convolutions, the loss, its
gradient by automatic differentiation, Adam) is written here from the definitions. The losses of the mini-batches and the embeddings
after the last update must agree.

usage: contrapositive figures --export FILE [--steps N] && python benches/peers/contrastive_training.py FILE [--digits D]
(needs jax on a processor, in doubles)
"""
import argparse
import json
import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def encoder(shape):
    """The map from parameters and images (a batch, one channel after the other, row by row) to embeddings."""
    side, channels, stride = shape["side"], shape["channels"], shape["stride"]

    def convolve(images, kernel, bias):
        # Images by row, column and channel; kernels by map, row, column and channel.
        out = jax.lax.conv_general_dilated(
            images,
            jnp.transpose(kernel, (1, 2, 3, 0)),
            window_strides=(stride, stride),
            padding="VALID",
            dimension_numbers=("NHWC", "HWIO", "NHWC"),
            precision=jax.lax.Precision.HIGHEST,
        )
        return jnp.maximum(out + bias, 0.0)

    def apply(parameters, images):
        x = images.reshape(-1, channels, side, side).transpose(0, 2, 3, 1)
        x = convolve(x, parameters["first"], parameters["first_bias"])
        x = convolve(x, parameters["second"], parameters["second_bias"])
        return x.reshape(x.shape[0], -1) @ parameters["dense"].T + parameters["dense_bias"]

    return apply


def shaped(shape, weights):
    """The lists of parameters as arrays."""
    kernel, (first, second) = shape["kernel"], shape["maps"]
    sizes = {
        "first": (first, kernel, kernel, shape["channels"]),
        "first_bias": (first,),
        "second": (second, kernel, kernel, first),
        "second_bias": (second,),
        "dense": (shape["output"], -1),
        "dense_bias": (shape["output"],),
    }
    return {name: jnp.asarray(weights[name]).reshape(size) for name, size in sizes.items()}


def loss_of(apply, pairs):
    """The mean over the pairs of log(1 + sum_i exp(f(x).(f(x_i) - f(x+)))), the negatives shared."""

    def loss(parameters, images):
        f = apply(parameters, images)
        anchors, positives, negatives = f[0 : 2 * pairs : 2], f[1 : 2 * pairs : 2], f[2 * pairs :]
        scores = anchors @ negatives.T - jnp.sum(anchors * positives, axis=1, keepdims=True)
        with_zero = jnp.concatenate([jnp.zeros((pairs, 1)), scores], axis=1)
        return jnp.mean(jax.scipy.special.logsumexp(with_zero, axis=1))

    return loss


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("export", help="what `contrapositive figures --export` wrote")
    words.add_argument("--digits", type=float, default=9.0, help="digits in which losses and embeddings must agree")
    words = words.parse_args()
    with open(words.export) as file:
        told = json.load(file)
    shape = told["shape"]
    apply = encoder(shape)
    parameters = shaped(shape, told["start"])
    images = jnp.asarray(told["images"])
    step_of = jax.jit(jax.value_and_grad(loss_of(apply, told["pairs"])))
    rate, first_decay, second_decay, epsilon = (told["adam"][k] for k in ("rate", "first_decay", "second_decay", "epsilon"))
    first = jax.tree.map(jnp.zeros_like, parameters)
    second = jax.tree.map(jnp.zeros_like, parameters)
    worst = 0.0
    for t, (batch, expected) in enumerate(zip(told["batches"], told["losses"], strict=True), start=1):
        value, gradient = step_of(parameters, images[jnp.asarray(batch)])
        worst = max(worst, abs(float(value) - expected) / max(1.0, abs(expected)))
        first = jax.tree.map(lambda m, g: first_decay * m + (1 - first_decay) * g, first, gradient)
        second = jax.tree.map(lambda v, g: second_decay * v + (1 - second_decay) * g * g, second, gradient)
        scale = 1 - first_decay**t, 1 - second_decay**t
        parameters = jax.tree.map(
            lambda p, m, v: p - rate * (m / scale[0]) / (jnp.sqrt(v / scale[1]) + epsilon), parameters, first, second
        )
    found = np.asarray(apply(parameters, images[: len(told["embeddings"])]))
    expected = np.asarray(told["embeddings"])
    apart = float(np.max(np.abs(found - expected)) / np.max(np.abs(expected)))
    print(f"{len(told['losses'])} updates: losses agree to {worst:.1e}, embeddings after them to {apart:.1e}")
    if not (worst < 10**-words.digits and apart < 10**-words.digits):
        sys.exit(f"they should agree to {words.digits:g} digits")


if __name__ == "__main__":
    main()
