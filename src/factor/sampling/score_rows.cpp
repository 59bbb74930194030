// Draws of the scores of one row with their indicators, exact for quadratic log likelihoods.
//
// Update     for k = 1..K, all other scores of the row fixed (header: formula). z is drawn with v integrated out and
//            then v given z: this is a draw from the joint conditional, the collapsed step of Eqs. 5 and 6 of Mohamed,
//            Heller & Ghahramani in closed form. The paper's sampler is not used: it takes Laplace's approximation of
//            Eq. 6 as exact, which biases P(z) (by .019 on a small binary model), and follows z by one slice step of v,
//            which does not leave the posterior invariant.
// Two forms  draw_weighted_row    r = w (t - psi) is kept in step with v: 2 D per factor, and D more if v_k changed.
//            GramRows             gaussian rows without missing cells: all rows share G = Theta Theta' / s^2, and g =
//                                 Theta r / s^2 is kept instead of r: K per factor that changes, a comparison for one
//                                 that stays at zero. Theta X' is made by BLAS for blocks of rows. Cheaper if K < D.
// Random     One uniform per factor and row, drawn together: its logit is compared with the log odds, which saves an
//            exponential per factor and lets logarithms vectorize.
#include "factor/sampling/score_rows.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "base/scratch.hpp"
#include "base/simd_dispatch.hpp"
#include "base/vector_math.hpp"
#include "factor/model/row_kernels.hpp"

namespace tamis::factor {
namespace {

// A factor is active when its log odds exceed the logit of a uniform number, u < P(z = 1). 2^-54 is half the spacing of
// uniform numbers: log 0 would make a factor active whatever its odds.
void draw_thresholds(RandomStream& random, Index count, double* out) {
  for (Index k = 0; k < count; ++k) out[k] = random.uniform01() + 0x1p-54;  // never 0
  simd_dispatch([&] {
    for (Index k = 0; k < count; ++k) out[k] = vector_math::log(out[k] / (1 - out[k]));
  });
}

}  // namespace

void draw_weighted_row(const FactorState& state, const SlabTerms& slab, const double* w, double* r, double* v,
                       RandomStream& random) {
  const Scratch threshold(state.factors);
  draw_thresholds(random, state.factors, threshold.data());
  const Index cols = state.cols;
  simd_dispatch([&] {
    for (Index k = 0; k < state.factors; ++k) {
      const Index f = k;
      const double* theta = state.loading_row(k);
      const RowSums sums = row_sums(theta, w, r, cols);
      const double precision = state.precisions[f] + sums.curvature;
      const double linear = slab.linear[f] + sums.linear + sums.curvature * v[k];
      // 1/2 m^2 P = linear^2 / (2 P), and tau's logarithm is in slab.log_odds: one logarithm per factor and row besides
      // the threshold's.
      const double log_odds = slab.log_odds[f] + 0.5 * (linear * linear / precision - vector_math::log(precision));
      double next = 0;
      if (log_odds > threshold[k]) next = linear / precision + random.normal() / std::sqrt(precision);
      const double change = next - v[k];
      if (change == 0) continue;
      for (Index d = 0; d < cols; ++d) r[d] -= change * (w[d] * theta[d]);
      v[k] = next;
    }
  });
}

GramRows::GramRows(const FactorState& state, const SlabTerms& slab) : state_(&state), slab_(&slab) {
  const auto factors = static_cast<int>(state.factors), cols = static_cast<int>(state.cols);
  const Index size = state.factors;
  gram_.resize(size * size);
  shift_.assign(size, 0.0);
  const double precision = 1 / state.noise_variance;
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, factors, factors, cols, precision, state.loadings.data(), cols,
              state.loadings.data(), cols, 0.0, gram_.data(), factors);
  if (state.intercept) {
    cblas_dgemv(CblasRowMajor, CblasNoTrans, factors, cols, precision, state.loadings.data(), cols,
                state.loading_row(state.factors), 1, 0.0, shift_.data(), 1);
  }
  for (Index k = 0; k < size; ++k) {
    const double posterior = state.precisions[k] + gram_[k * size + k];
    half_inverse_.push_back(0.5 / posterior);
    log_odds_.push_back(slab.log_odds[k] - 0.5 * std::log(posterior));
    deviation_.push_back(1 / std::sqrt(posterior));
  }
}

// By dgemm for a block of rows: the only place where this form reads the data.
void GramRows::products(const double* x, Index count, double* products) const {
  const auto factors = static_cast<int>(state_->factors), cols = static_cast<int>(state_->cols);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, static_cast<int>(count), factors, cols,
              1 / state_->noise_variance, x, cols, state_->loadings.data(), cols, 0.0, products, factors);
}

void GramRows::draw(double* g, double* v, RandomStream& random) const {
  const Index factors = state_->factors;
  const Scratch threshold(factors);
  draw_thresholds(random, factors, threshold.data());
  simd_dispatch([&] {
    const auto subtract = [&](double change, const double* column) {
      for (Index j = 0; j < factors; ++j) g[j] -= change * column[j];
    };
    // g = Theta (x - intercept - psi) / s^2 plus, for k itself, what its own score explains.
    subtract(1, shift_.data());
    for (Index k = 0; k < factors; ++k) {
      if (v[k] != 0) subtract(v[k], gram_.data() + k * factors);
    }
    for (Index k = 0; k < factors; ++k) {
      const Index f = k;
      const double* column = gram_.data() + k * factors;
      const double linear = slab_->linear[f] + g[k] + column[k] * v[k];
      const double log_odds = log_odds_[f] + linear * linear * half_inverse_[f];
      double next = 0;
      if (log_odds > threshold[k]) next = 2 * linear * half_inverse_[f] + random.normal() * deviation_[f];
      if (next == v[k]) continue;
      subtract(next - v[k], column);
      v[k] = next;
    }
  });
}

}  // namespace tamis::factor
