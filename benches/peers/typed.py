"""Statements as `contrapositive try` reads them, as trees: the part of the language that other provers can be asked about.

A tree is a number (Fraction), a name (str), or a tuple of an operation and its operands: ("+", a, b), ("neg", a), ("^", a, b), ("sqrt", a).
What has sums, vectors, matrices or whole numbers raises `Untaken`.
"""
import re
from fractions import Fraction

FUNCTIONS = {
    "exp", "log", "ln", "sqrt", "abs", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "max", "min",
}
RELATIONS = {"<=": "<=", ">=": ">=", "<": "<", ">": ">", "=": "=", "==": "="}
TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|(<=|>=|==|[-+*/^()\[\],<>=]))")


class Untaken(Exception):
    """The statement is outside the part of the language that is read here."""


def tokens(text):
    place, found = 0, []
    text = text.strip()
    while place < len(text):
        token = TOKEN.match(text, place)
        if not token:
            raise Untaken(text[place:])
        found.append(token.group(token.lastindex))
        place = token.end()
    return found + [None]


class Reader:
    """A text, read from the left."""

    def __init__(self, text):
        self.tokens, self.place = tokens(text), 0

    @property
    def next(self):
        return self.tokens[self.place]

    def take(self, wanted=None):
        token = self.next
        if token is None or wanted and token != wanted:
            raise Untaken(f"{token} for {wanted}")
        self.place += 1
        return token

    def sum(self):
        found = self.product()
        while self.next in ("+", "-"):
            found = (self.take(), found, self.product())
        return found

    def product(self):
        found = self.signed()
        while self.next in ("*", "/"):
            found = (self.take(), found, self.signed())
        return found

    def signed(self):
        if self.next == "-":
            self.take()
            return ("neg", self.signed())
        return self.power()

    def power(self):
        base = self.atom()
        if self.next == "^":
            self.take()
            return ("^", base, self.signed())
        return base

    def atom(self):
        token = self.take()
        if token == "(":
            found = self.sum()
            self.take(")")
            return found
        if token[0].isdigit():
            return Fraction(token)
        if token in FUNCTIONS:
            self.take("(")
            operands = [self.sum()]
            while self.next == ",":
                self.take()
                operands.append(self.sum())
            self.take(")")
            return ("log" if token == "ln" else token, *operands)
        if self.next in ("(", "[") or not (token[0].isalpha() or token[0] == "_"):
            raise Untaken(token)
        return token

    def chain(self):
        """Sides and the relations between them."""
        sides, relations = [self.sum()], []
        while self.next in RELATIONS:
            relations.append(RELATIONS[self.take()])
            sides.append(self.sum())
        if not relations:
            raise Untaken("no relation")
        return [(r, a, b) for r, a, b in zip(relations, sides, sides[1:])]

    def end(self):
        if self.next is not None:
            raise Untaken(self.next)


def parts(text):
    """What stands between commas outside all parentheses."""
    found, depth, last = [], 0, ""
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            found.append(last.strip())
            last = ""
        else:
            last += sign
    return [part for part in [*found, last.strip()] if part]


def chain(text):
    reader = Reader(text)
    found = reader.chain()
    reader.end()
    return found


def comparisons(text):
    return [one for part in parts(text) for one in chain(part)]


def declared(text):
    """The comparisons that ranges are."""
    found, waiting = [], []
    for part in parts(text):
        where = re.fullmatch(r"(\w+)\s+in\s+(.*)", part)
        if not where and re.fullmatch(r"\w+", part):
            waiting.append(part)
            continue
        if not where:
            # x, y > 0
            relation = re.match(r"(\w+)\s*(<=|>=|<|>)(.*)", part)
            for name in waiting:
                found += comparisons(name + relation.group(2) + relation.group(3)) if relation else []
            found += comparisons(part)
            waiting = []
            continue
        names, domain = [*waiting, where.group(1)], where.group(2).strip()
        waiting = []
        if domain == "R":
            continue
        ends = re.fullmatch(r"([\[(])(.*)([\])])", domain)
        if not ends or len(parts(ends.group(2))) != 2:
            raise Untaken(domain)
        low, high = parts(ends.group(2))
        for name in names:
            found += comparisons(f"{low} {'<=' if ends.group(1) == '[' else '<'} {name}")
            found += comparisons(f"{name} {'<=' if ends.group(3) == ']' else '<'} {high}")
    return found


def visit(tree):
    yield tree
    if isinstance(tree, tuple):
        for operand in tree[1:]:
            yield from visit(operand)


class Typed:
    """A statement with its ranges and conditions."""

    def __init__(self, statement, ranges, conditions):
        self.wanted = chain(statement)
        self.given = declared(ranges) + comparisons(conditions)
        trees = [tree for _, a, b in self.wanted + self.given for side in (a, b) for tree in visit(side)]
        self.names = sorted({t for t in trees if isinstance(t, str)} - {"pi", "e"})
        self.constants = {t for t in trees if t in ("pi", "e")} - set(self.names)
        self.operations = {t[0] for t in trees if isinstance(t, tuple)}
        self.powers = [t[2] for t in trees if isinstance(t, tuple) and t[0] == "^"]
        self.divisors = [t[2] for t in trees if isinstance(t, tuple) and t[0] == "/"]
