//! Which instructions a kernel is compiled for, chosen when the program runs.
//!
//! A kernel is plain Rust: additions, multiplications, divisions, comparisons and integer operations, lane by lane, in one
//! order. It is compiled three times, for the baseline of the target, for AVX2 and for AVX-512, and the compiler turns its
//! loops into vectors of 2, 4 or 8 doubles. Each of these operations has one correctly rounded answer, Rust neither
//! reorders nor fuses them, and no kernel asks for a fused multiply-add; so all three give the same bits.
//!
//! Fused operations would have to be imitated in software where the hardware lacks them: `f64::mul_add` was then found to cost
//! as much as a whole portable exponential. The kernels gain the accuracy that they would give by splitting constants, so that products are exact, and by
//! carrying the rounding error of the one or two sums that matter. (The exact losses of `estimators`, whose time is products, decide otherwise.)
#![allow(unsafe_code, reason = "a function compiled for AVX may be called only after asking for AVX")]

/// A set of instructions that this machine has. Only sets that were found can be named, whence none is ever missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionSet(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// A computation that is compiled once per instruction set. Every function it calls must be `#[inline(always)]`, or it is
/// compiled for the baseline only (the same bits, slowly).
pub trait Kernel {
    /// What it answers with.
    type Output;
    /// The computation, given the number of doubles in a vector register. Mark it `#[inline(always)]`.
    fn run<const WIDTH: usize>(self) -> Self::Output;
}

impl InstructionSet {
    /// What every machine of this target has.
    pub const PORTABLE: InstructionSet = InstructionSet(Set::Portable);

    /// The widest set that this machine has.
    #[must_use]
    #[inline]
    pub fn best() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if has_avx512() {
                return InstructionSet(Set::Avx512);
            }
            if std::arch::is_x86_feature_detected!("avx2") {
                return InstructionSet(Set::Avx2);
            }
        }
        InstructionSet::PORTABLE
    }

    /// Everything this machine has, narrowest first. All give the same bits.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[allow(unused_mut, reason = "there is only one set on other targets")]
        let mut sets = vec![InstructionSet::PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                sets.push(InstructionSet(Set::Avx2));
            }
            if has_avx512() {
                sets.push(InstructionSet(Set::Avx512));
            }
        }
        sets
    }

    /// `portable`, `avx2` or `avx512`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
        }
    }

    /// Runs a kernel with these instructions.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Set::Portable => kernel.run::<2>(),
            // SAFETY: a value of this variant is made only after the machine has answered that it has AVX2.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { run_avx2(kernel) },
            // SAFETY: a value of this variant is made only after the machine has answered that it has these parts of AVX-512.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { run_avx512(kernel) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512dq")
        && std::arch::is_x86_feature_detected!("avx512vl")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<4>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<8>()
}
