// One site at a time: the cavity of a feature, and the joint normal after its site is exchanged.
//
// Direct     V' = V - V_j V_j' c, mean' = mean + V_j (dg - dd mean_j) c / dd, c = dd / (1 + dd V_jj); dd, dg: the
//            change of the site's parameters
// Woodbury   with P = R - R A_S K^-1 A_S' R and r = c - A mean, as solve() leaves them, and a = A_j
//              site removed   u = P_-j a = P a (1 + s t),  cavity precision t = a'u,  natural mean h = a'(r + u m)
//              exchanged      P' = P + u u' (v - v'),  r' = r + u (m - m'),  v = 1 / (d + t), m = v (g + h)
//            Neither form divides by the precision d of the new site, which may be negative; only u needs s = 1 / d of
//            the old one, hence least_share.
// Invariant  V or P is what solve() would give at the present sites, up to rounding; solve() begins every sweep
#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "method/ep/joint_normal.hpp"

namespace tamis {
namespace {

// |d| / t below which P a = u / (1 + s t) has lost too many digits: the feature keeps the site of the last solve().
constexpr double least_share = 1e-9;

}  // namespace

NaturalParameters JointNormal::cavity(Index j, const NaturalParameters& site) {
  turn_.feature = j;
  turn_.cavity = {};
  const auto size = static_cast<int>(inverse_.rows());
  turn_.image.resize(size);
  if (direct_) {
    std::ranges::copy(inverse_.column(j), turn_.image.begin());
    const double variance = inverse_(j, j);
    turn_.cavity = {1 / variance - site.precision, turn_.state[j] / variance - site.natural_mean};
    return turn_.cavity;
  }
  turn_.column.resize(size);
  for (Index i = 0; i < n_; ++i) turn_.column[i] = root_[i] * X_(i, j);
  cblas_dgemv(CblasColMajor, CblasNoTrans, size, size, 1.0, inverse_.col(0), size, turn_.column.data(), 1, 0.0,
              turn_.image.data(), 1);
  const double information = cblas_ddot(size, turn_.column.data(), 1, turn_.image.data(), 1);
  const double score = cblas_ddot(size, turn_.column.data(), 1, turn_.state.data(), 1);
  const double left = 1 - information / site.precision;         // d / (d + t)
  if (!(std::abs(left) >= least_share)) return {-HUGE_VAL, 0};  // its site stays
  turn_.cavity = {information / left, (score + information * site.natural_mean / site.precision) / left};
  for (double& u : turn_.image) u /= left;
  return turn_.cavity;
}

void JointNormal::exchange(const NaturalParameters& site, const NaturalParameters& other) {
  const auto size = static_cast<int>(inverse_.rows());
  double scale = 0, step = 0;
  if (direct_) {
    const double more = other.precision - site.precision, variance = turn_.image[turn_.feature];
    scale = -more / (1 + more * variance);
    step = (other.natural_mean - site.natural_mean - more * turn_.state[turn_.feature]) / (1 + more * variance);
  } else {
    const double before = 1 / (turn_.cavity.precision + site.precision),
                 after = 1 / (turn_.cavity.precision + other.precision);
    scale = before - after;
    step = before * (turn_.cavity.natural_mean + site.natural_mean) -
           after * (turn_.cavity.natural_mean + other.natural_mean);
  }
  cblas_daxpy(size, step, turn_.image.data(), 1, turn_.state.data(), 1);
  cblas_dger(CblasColMajor, size, size, scale, turn_.image.data(), 1, turn_.image.data(), 1, inverse_.col(0), size);
}

}  // namespace tamis
