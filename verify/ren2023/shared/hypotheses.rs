//! Hypotheses that several claims share: names that say exactly what is demanded.

use evidence::prelude::*;

use super::diagonal_starts::DiagonalStart;
use super::equal_norm_families;
use super::equal_norms::EqualNorms;
use super::feature_pairs::{self, FeaturePair};
use super::learning_states::{self, LearningState};
use super::two_views::{self, TwoViews};

/// The normalisers are positive, and not so small that squares lose their digits.
pub const OUTPUTS: &str = "N_A², N_B² > 10⁻⁸";
/// The paper's orthogonality; the last pair of equations is not legible in the source, and needed.
pub const H_ORTH: &str = "H-orth: AᵀA = BᵀB = D_σ = diag(σ_1², …, σ_r²), A_ξᵀA_ξ = B_ξᵀB_ξ = σ_ξ²I, AᵀA_ξ = BᵀB_ξ = 0";
/// The same of the data of an instance.
pub const ORTHOGONAL: Hypothesis<TwoViews> = Hypothesis::new(H_ORTH, TwoViews::is_orthogonal);
/// The contrastive loss at τ = 0 does not move anything.
pub const WARM: &str = "τ² > 0";
/// The law of the data and the outputs.
pub const LATENTS: &str = "x_A = Az + A_ξξ_A, K_A = W_AA, K_{A,ξ} = W_AA_ξ, N_A² = ‖K_A‖_F²/r + ‖K_{A,ξ}‖_F²/q, f_A = \
                           W_Ax_A/N_A, the same for B; z, ξ_A, ξ_B independent and uniform on {±1/√r}^r, {±1/√q}^q, \
                           {±1/√q}^q; f_A⁺ and f_B⁺ (x_A⁺, x_B⁺) share z, what is marked ⁻ is drawn afresh";
/// How the data of an instance are written.
pub const MAPS: &str = "of an instance [A | A_ξ] is O_A diag(σ_1, …, σ_r, σ_ξ, …, σ_ξ) + T_A, O_A orthogonal, T_A = 0 where \
                        none is listed; B likewise";
/// The contrastive loss.
pub const LOSS: &str = "S_A = e^{τ²⟨f_A⁺,f_B⁺⟩}/(e^{τ²⟨f_A⁺,f_B⁺⟩} + K E_{x_B⁻}e^{τ²⟨f_A⁺,f_B⁻⟩}), w_A = \
                        e^{τ²⟨f_A⁺,f_B⁻⟩}/E_{x_B⁻}e^{τ²⟨f_A⁺,f_B⁻⟩}, E_{x_B⁻} the mean over x_B⁻ alone, S_B and w_B \
                        with the views exchanged, L = −E log S_A − E log S_B, K > 0";
/// The matrices of Corollary A.4.
pub const Q_MATRICES: &str = "y = (z, ξ); Q = r(E[(2−S_A−S_B)y_B⁺y_A⁺ᵀ] − E[(1−S_A)w_A y_B⁻y_A⁺ᵀ] − E[(1−S_B)w_B \
                              y_B⁺y_A⁻ᵀ]) in blocks Q_1, Q_{1,ξA}, Q_{1,ξB}, Q_2 (rows z, z, ξ_B, ξ_B; columns z, ξ_A, \
                              z, ξ_A), Q_0 the same sums of ⟨f_A, f_B⟩ without r; C = \
                              [K_A|K_{A,ξ}]ᵀ[K_B|K_{B,ξ}]/(N_AN_B) in blocks M, M_{AξB}, M_{ξAB}, M_ξξ";

/// A statement about weights and linear data of any kind.
pub fn over_models<Q: 'static>(setting: Setting<TwoViews, Q>) -> Setting<TwoViews, Q> {
    setting
        .given(LATENTS)
        .given(MAPS)
        .assume(Hypothesis::new(OUTPUTS, TwoViews::has_outputs))
        .family(two_views::orthogonal())
        .family(two_views::oblique())
        .family(outside("a view without output", two_views::silent))
}

/// A statement about the contrastive loss of such a model.
pub fn over_warm_models<Q: 'static>(setting: Setting<TwoViews, Q>) -> Setting<TwoViews, Q> {
    over_models(setting)
        .given(LOSS)
        .assume(Hypothesis::new(WARM, |v| v.tau_squared > 0.0))
        .family(outside("τ = 0", two_views::cold))
}

/// A statement about given features.
pub fn over_features<Q: 'static>(setting: Setting<FeaturePair, Q>) -> Setting<FeaturePair, Q> {
    setting.given(LATENTS).assume(Hypothesis::new(OUTPUTS, FeaturePair::has_outputs)).family(feature_pairs::families())
}

/// A statement about states of the structure (7).
pub fn over_diagonal_states<Q: 'static>(setting: Setting<DiagonalStart, Q>) -> Setting<DiagonalStart, Q> {
    setting.given("H-orth with the same D_σ and σ_ξ in both views").given(
        "the structure (7): K_AᵀK_A = K_BᵀK_B = diag(κ²), K_AᵀK_B = diag(κ̂²), noise columns of one norm, all other \
         products 0; T_p = tanh(x_p), x_p = τ²κ̂_p²/(rN²), S̄ = e^{Σx_p}/(e^{Σx_p} + K∏cosh x_p), N² = N_A² = N_B²",
    )
}

/// A statement about the flow of the positive pairs from states with equal norms in both views.
pub fn over_equal_norms<Q: 'static>(setting: Setting<EqualNorms, Q>) -> Setting<EqualNorms, Q> {
    setting.given(
        "H-orth; the flow of L_nc, or of L at τ = 0, from K_AᵀK_A = K_BᵀK_B = diag(κ²), K_AᵀK_B = diag(κ_p²ρ_p), noise \
         columns of one norm in both views and all other products of columns 0; θ = ∫(2c_K/N²)dt, c_K = 2K/(1+K), s = \
         σ_max²/σ_min², Ψ = Σκ_p²ρ_p/(rN²), η = the share of the noise in N², N_max² = ‖W_A‖_F² max(σ_max²/r, σ_ξ²/q)",
    )
}

/// A statement about that flow from infinite width.
pub fn from_infinite_width<Q: 'static>(setting: Setting<EqualNorms, Q>) -> Setting<EqualNorms, Q> {
    over_equal_norms(setting)
        .assume(Hypothesis::new(
            "the infinite-width start: κ_p² = σ_p², ρ_p = 0, squared noise norms σ_ξ²",
            EqualNorms::is_wide,
        ))
        .family(outside("states anywhere", equal_norm_families::states))
}

/// The data of a learning state.
const NOISE_STRENGTHS: &str =
    "H-orth, but A_ξᵀA_ξ = B_ξᵀB_ξ = diag(σ_{ξ,1}², …, σ_{ξ,q}²) with strengths that may differ";

/// A statement about any features that have outputs, columns that vanish included.
pub fn over_all_learning_states<Q: 'static>(setting: Setting<LearningState, Q>) -> Setting<LearningState, Q> {
    setting
        .given(NOISE_STRENGTHS)
        .assume(Hypothesis::new(OUTPUTS, LearningState::has_outputs))
        .family(learning_states::states())
        .family(edge("a column that vanishes", learning_states::without_direction))
        .family(outside("a view without output", learning_states::without_view))
}

/// A statement about any features with columns that have directions.
pub fn over_learning_states<Q: 'static>(setting: Setting<LearningState, Q>) -> Setting<LearningState, Q> {
    setting
        .given(NOISE_STRENGTHS)
        .assume(Hypothesis::new(
            "every column of [K_A | K_{A,ξ} | K_B | K_{B,ξ}] has an entry of size ≥ 1/100",
            LearningState::has_columns,
        ))
        .family(learning_states::states())
        .family(outside("a column that vanishes", learning_states::without_direction))
}

/// The same where all noise directions are equally strong, as H-orth asks.
pub fn over_orthogonal_learning_states<Q: 'static>(setting: Setting<LearningState, Q>) -> Setting<LearningState, Q> {
    over_learning_states(setting)
        .assume(Hypothesis::new("one σ_ξ for all noise directions", LearningState::has_one_noise_strength))
        .family(outside("two noise strengths", learning_states::with_two_noise_strengths))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hypothesis_on_models_is_met_and_missed() {
        let named = two_views::edges();
        assert!(named.iter().any(|(_, v)| v.is_orthogonal()) && named.iter().any(|(_, v)| !v.is_orthogonal()));
        assert!(named.iter().all(|(_, v)| v.has_outputs()));
        assert!(two_views::silent().iter().all(|(_, v)| !v.has_outputs() && v.validate().is_ok()));
        assert!(two_views::cold().iter().all(|(_, v)| v.tau_squared == 0.0 && v.validate().is_ok()));
    }

    #[test]
    fn the_states_outside_miss_exactly_one_hypothesis() {
        for (name, s) in learning_states::without_direction() {
            assert!(!s.has_columns() && s.has_outputs() && s.validate().is_ok(), "{name}");
            assert!(s.has_one_noise_strength(), "{name}");
        }
        for (name, s) in learning_states::without_view() {
            assert!(!s.has_outputs() && s.has_one_noise_strength() && s.validate().is_ok(), "{name}");
        }
        for (name, s) in learning_states::with_two_noise_strengths() {
            assert!(s.has_columns() && s.has_outputs() && s.validate().is_ok(), "{name}");
            assert!(!s.has_one_noise_strength(), "{name}");
        }
        assert!(equal_norm_families::states().iter().any(|(_, s)| !s.is_wide()));
        assert!(equal_norm_families::wide_starts().iter().all(|(_, s)| s.is_wide()));
    }
}
