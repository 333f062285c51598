//! Formulas on enclosures with ends of 256 bits, for what doubles cannot decide.

use enclosures::interval::Interval;
use enclosures::precise::{self, Precise};

use super::number::{Enclosed, Grid, NamedConstant, Number, Real, Undefined};
use crate::text::syntax::Literal;
use crate::text::words::Function;

const LOGARITHM: Undefined = Undefined::Nowhere("a logarithm of a number that is not positive");
const ARC: Undefined = Undefined::Nowhere("an inverse function outside its domain");

/// Whether all of a number lies beyond a size, so that no arc has it for a sine.
fn is_beyond(x: &Precise, size: f64) -> bool {
    x.interval().is_some_and(|x| x.lo() > size || x.hi() < -size)
}

/// A whole number of two words.
fn words(digits: u128) -> Precise {
    let high = Precise::natural((digits >> 64) as u64);
    Precise::plus(Precise::times(high, Precise::natural(1 << 32).square()), Precise::natural(digits as u64))
}

impl Real for Precise {
    fn within(interval: Interval) -> Self {
        Precise::within(interval)
    }
}

/// The cube root of a positive number.
fn third(x: Precise) -> Precise {
    Precise::over(x.ln(), Precise::whole(3)).exp()
}

impl Number for Precise {
    fn whole(x: i64) -> Self {
        Precise::whole(x)
    }

    fn double(x: f64) -> Self {
        Precise::double(x)
    }

    fn literal(literal: Literal) -> Self {
        match literal {
            Literal::Decimal { digits, exponent } => {
                let ten = Precise::whole(10).powi(i64::from(exponent.abs()));
                let digits = words(digits);
                if exponent < 0 { digits.over(ten) } else { digits.times(ten) }
            }
            Literal::Near(x) => Precise::within(Interval::new(x.next_down(), x.next_up())),
        }
    }

    fn constant(constant: NamedConstant) -> Self {
        match constant {
            NamedConstant::Pi => Precise::pi(),
            NamedConstant::E => Precise::whole(1).exp(),
        }
    }

    fn is_zero(&self) -> bool {
        Precise::is_zero(self)
    }

    fn plus(self, other: Self) -> Self {
        Precise::plus(self, other)
    }

    fn minus(self, other: Self) -> Self {
        Precise::minus(self, other)
    }

    fn times(self, other: Self) -> Self {
        Precise::times(self, other)
    }

    fn over(self, other: Self) -> Result<Self, Undefined> {
        if Precise::is_zero(&other) {
            return Err(Undefined::Nowhere("a quotient by zero"));
        }
        Ok(Precise::over(self, other))
    }

    fn negated(self) -> Self {
        Precise::negated(self)
    }

    fn whole_power(self, exponent: i64) -> Result<Self, Undefined> {
        if exponent < 0 && Precise::is_zero(&self) {
            return Err(Undefined::Nowhere("a quotient by zero"));
        }
        Ok(self.powi(exponent))
    }

    fn real_power(self, exponent: Self) -> Result<Self, Undefined> {
        let negative = Undefined::Nowhere("a power of a negative number whose exponent is not whole");
        let power = exponent.interval().unwrap_or(Interval::ENTIRE);
        if power.lo() == power.hi() && power.lo().fract() == 0.0 && power.lo().abs() <= 1e15 {
            return self.whole_power(power.lo() as i64);
        }
        if Precise::is_zero(&self) {
            return match (power.lo() > 0.0, power.hi() < 0.0) {
                (true, _) => Ok(self),
                (_, true) => Err(negative),
                _ => Ok(Precise::UNKNOWN),
            };
        }
        if self.sign(false) == Some(false) {
            return if power.lo().ceil() <= power.hi() { Ok(Precise::UNKNOWN) } else { Err(negative) };
        }
        Ok(Precise::times(exponent, self.ln()).exp())
    }

    fn apply(self, function: Function) -> Result<Self, Undefined> {
        let one = || Precise::whole(1);
        let negative = |x: Precise, strict: bool| x.sign(strict) == Some(false);
        let defined = match function {
            Function::Log | Function::Log2 | Function::Log10 if negative(self.clone(), true) => Err(LOGARITHM),
            Function::Log1p if negative(Precise::plus(one(), self.clone()), true) => Err(LOGARITHM),
            Function::Sqrt if negative(self.clone(), false) => Err(Undefined::Nowhere("a root of a negative number")),
            Function::Asin | Function::Acos if is_beyond(&self, 1.0) => Err(ARC),
            Function::Acosh if negative(Precise::minus(self.clone(), one()), false) => Err(ARC),
            Function::Atanh
                if negative(Precise::plus(one(), self.clone()), true)
                    || negative(Precise::minus(one(), self.clone()), true) =>
            {
                Err(ARC)
            }
            _ => Ok(()),
        };
        defined?;
        Ok(match function {
            Function::Exp => self.exp(),
            Function::ExpM1 => self.exp_m1(),
            Function::Log => self.ln(),
            Function::Log1p => self.ln_1p(),
            Function::Log2 => self.log2(),
            Function::Log10 => self.log10(),
            Function::Sqrt => self.sqrt(),
            Function::Abs => self.abs(),
            Function::Sin => self.sin(),
            Function::Cos => self.cos(),
            Function::Tan => self.tan(),
            Function::Asin => self.asin(),
            Function::Acos => self.acos(),
            Function::Atan => self.atan(),
            Function::Sinh => self.sinh(),
            Function::Cosh => self.cosh(),
            Function::Tanh => self.tanh(),
            Function::Asinh => self.asinh(),
            Function::Acosh => self.acosh(),
            Function::Atanh => self.atanh(),
            Function::Sigmoid => self.sigmoid(),
            Function::Softplus => self.softplus(),
            Function::Relu => Precise::larger(self, Precise::whole(0)),
            Function::Floor | Function::Ceiling | Function::Sign => {
                // As for the enclosure in doubles around it, where that tells.
                let known = self.interval().map(<Enclosed as Real>::within).map(|x| x.apply(function)).transpose()?;
                match known.filter(|known| known.defined && known.value.magnitude() < 9e15) {
                    Some(known) => Precise::whole(known.value.lo() as i64),
                    None => return Err(Undefined::Unsupported("a step to 256 bits")),
                }
            }
            Function::CubeRoot => match (self.sign(true), self.sign(false)) {
                (Some(true), _) => third(self),
                (_, Some(false)) => third(self.negated()).negated(),
                _ if Precise::is_zero(&self) => self,
                _ => return Err(Undefined::Unsupported("a cube root next to zero")),
            },
            Function::Erf | Function::ErrorComplement => {
                return Err(Undefined::Unsupported("the error function to 256 bits"));
            }
        })
    }

    fn larger(self, other: Self) -> Self {
        Precise::larger(self, other)
    }

    fn times_its_logarithm(self) -> Result<Self, Undefined> {
        if Precise::is_zero(&self) { Ok(self) } else { Ok(Precise::times(self.clone(), self.apply(Function::Log)?)) }
    }

    fn log_sum_exp(terms: Vec<Self>) -> Self {
        precise::log_sum_exp(terms)
    }

    fn eigenvalues(_: &Grid<Self>) -> Result<Vec<Self>, Undefined> {
        Err(Undefined::Unsupported("eigenvalues to 256 bits"))
    }

    fn operator_norm(_: &Grid<Self>) -> Result<Self, Undefined> {
        Err(Undefined::Unsupported("singular values to 256 bits"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_defined_is_not_defined_to_any_number_of_bits() {
        let functions = [
            Function::Log,
            Function::Log1p,
            Function::Log2,
            Function::Log10,
            Function::Sqrt,
            Function::Asin,
            Function::Acos,
            Function::Acosh,
            Function::Atanh,
            Function::Exp,
            Function::Relu,
        ];
        let mut refused = 0;
        for function in functions {
            for x in [-30.5, -1.0, -0.75, 0.0, 0.3, 1.0, 1.25, 300.0] {
                let (wide, narrow) =
                    (<Enclosed as Number>::double(x).apply(function), Precise::double(x).apply(function));
                assert_eq!(wide.is_err(), narrow.is_err(), "{function:?} at {x}");
                refused += usize::from(narrow.is_err());
            }
        }
        assert!(refused > 10, "{refused}");
    }
}
