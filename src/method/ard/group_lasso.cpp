// Weighted (group) lasso on a growing working set, from rows of the Gram matrix.
//
// Model      min_X  1/2 |Y - Phi X|^2 + sum_u w_u |X_u|        Wipf & Nagarajan (2007), Eq. 12 with w = noise sqrt(t z)
// Algorithm  repeat
//              1 cyclic coordinate descent on the working set, sweeping the nonzero groups until they converge;
//                after 60 sweeps without convergence a Newton step on the signed support (single features only)
//              2 gradient of all features from the cached rows Phi'Phi_A; the worst violators of |g_u| <= w_u join
//            until there is no violator
// Invariant  g = Phi_A'(Y - Phi X) for every feature with a row; coefficients at zero are exactly zero.
// Why Gram   consecutive lassos of reweighted L1 differ in weights only: with Phi'Phi_A cached, a solve needs no pass
//            over X unless a feature enters that never did before.
// Papers     Friedman, Hastie & Tibshirani (2010) JSS 33(1), coordinate descent; Yuan & Lin (2006) JRSS B 68(1),
//            groups.
#include "method/ard/group_lasso.hpp"

#include <cblas.h>

#include <algorithm>
#include <cmath>

#include "linalg/symmetric.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

constexpr Index sweeps_before_newton = 60;  // sweeps on the support before a Newton step is tried
constexpr Index max_sweeps = 3000;          // of one descent
// Bounds on how many violators join at once: one pass over X computes a block of Gram rows about as fast as a single
// one, but a feature that joins and stays zero has its p products computed and kept for nothing.
constexpr std::size_t min_joiners = 16, max_joiners = 64;

double largest_eigenvalue(const GramRows& rows, std::span<const Index> places) {
  const Index size = places.size();
  Matrix gram(size, size);
  for (Index b = 0; b < size; ++b) {
    for (Index a = 0; a < size; ++a) gram(a, b) = rows.gram(places[a], places[b]);
  }
  // Rounded up: a curvature below the true one would break the majorization and let the objective rise.
  return symmetric_eigen(gram).back() * (1 + 1e-12);
}

}  // namespace

// Brings the working set up to date with GramRows, which the posterior may have enlarged meanwhile.
void GroupLasso::grow() {
  const RelevanceData& data = model_.data();
  const GramRows& rows = model_.rows();
  x_.resize(data.targets());
  g_.resize(x_.size());
  in_play_.resize(data.feature_groups(), 0);
  for (Index l = 0; l < std::ssize(x_); ++l) {
    x_[l].resize(rows.size(), 0.0);
    g_[l].resize(x_[l].size(), 0.0);
  }
  for (const Index j : rows.features()) {
    const Index u = data.group_of(j);
    if (in_play_[u] != 0 || (!allowed_.empty() && allowed_[u] == 0)) continue;
    in_play_[u] = 1;
    feature_groups_.push_back(u);
    first_place_.push_back(rows.place(data.members(u).front()));
    std::vector<Index>& places = places_.emplace_back();
    if (data.members(u).size() == 1) {
      curvature_.push_back(rows.gram(first_place_.back(), first_place_.back()));
      continue;
    }
    for (const Index member : data.members(u)) places.push_back(rows.place(member));
    curvature_.push_back(largest_eigenvalue(rows, places));
  }
}

void GroupLasso::warm(std::span<const Index> features, const Matrix& coefficients) {
  grow();
  for (Index l = 0; l < std::ssize(x_); ++l) {
    std::ranges::fill(x_[l], 0.0);
    for (Index a = 0; a < std::ssize(features); ++a) {
      x_[l][model_.rows().place(features[a])] = coefficients(a, l);
    }
  }
}

// From scratch, from the coefficients: sweeps update g by differences, whose rounding errors accumulate.
void GroupLasso::take_gradient() {
  const GramRows& rows = model_.rows();
  for (Index l = 0; l < std::ssize(x_); ++l) {
    for (Index a = 0; a < rows.size(); ++a) {
      g_[l][a] = model_.data().correlations()(rows.features()[a], l);
    }
    for (Index b = 0; b < rows.size(); ++b) {
      if (x_[l][b] == 0) continue;
      cblas_daxpy(static_cast<int>(rows.size()), -x_[l][b], rows.gram_column(b), 1, g_[l].data(), 1);
    }
  }
}

void GroupLasso::move(Index place, Index target, double by) {
  x_[target][place] += by;
  cblas_daxpy(static_cast<int>(model_.rows().size()), -by, model_.rows().gram_column(place), 1, g_[target].data(), 1);
}

// One coefficient: soft threshold of the correlation with the partial residual. Returns the change of its gradient
// relative to its weight, the unit in which KKT conditions are checked.
double GroupLasso::step_single(Index k) {
  const Index place = first_place_[k];
  const double curvature = curvature_[k], weight = weights_[feature_groups_[k]];
  double& x = x_[0][place];
  if (!(curvature > 0)) return 0;
  const double correlation = g_[0][place] + curvature * x;
  const double left = std::abs(correlation) - weight;
  const double wanted =
      left > 0 && !(nonnegative_ && correlation < 0) ? std::copysign(left / curvature, correlation) : 0.0;
  const double step = wanted - x;
  if (step == 0) return 0;
  move(place, 0, step);
  x = wanted;  // not x + step: zero must be exactly zero
  return std::abs(step) * curvature / weight;
}

// A group or several targets: group soft threshold of a majorizer whose curvature is the largest eigenvalue of the
// group's Gram matrix. One step, not the exact minimizer, which would need a root search per visit.
double GroupLasso::step_group(Index k) {
  const double curvature = curvature_[k], weight = weights_[feature_groups_[k]];
  if (!(curvature > 0)) return 0;
  const std::span<const Index> places =
      places_[k].empty() ? std::span(&first_place_[k], 1) : std::span<const Index>(places_[k]);
  scratch_.clear();
  double square = 0;
  for (const std::vector<double>& x : x_) {
    const auto& g = g_[&x - x_.data()];
    for (const Index place : places) {
      const double correlation = g[place] + curvature * x[place];
      scratch_.push_back(nonnegative_ && correlation < 0 ? 0.0 : correlation);
      square += scratch_.back() * scratch_.back();
    }
  }
  const double length = std::sqrt(square);
  const double shrink = length > weight ? (1 - weight / length) / curvature : 0.0;
  double moved = 0;
  std::size_t at = 0;
  for (Index l = 0; l < std::ssize(x_); ++l) {
    for (const Index place : places) {
      const double wanted = shrink * scratch_[at++], step = wanted - x_[l][place];
      if (step == 0) continue;
      move(place, l, step);
      x_[l][place] = wanted;
      moved += step * step;
    }
  }
  return std::sqrt(moved) * curvature / weight;
}

double GroupLasso::sweep(std::span<const Index> order) {
  const bool single = x_.size() == 1;
  double largest = 0;
  for (const Index k : order) {
    largest = std::max(largest, single && places_[k].empty() ? step_single(k) : step_group(k));
  }
  return largest;
}

// Full sweeps find the nonzero groups, sweeps over these bring them to convergence; only a full sweep decides that the
// descent has converged.
bool GroupLasso::descend(double tolerance) {
  take_gradient();
  std::vector<Index> everyone(feature_groups_.size()), active;
  for (Index k = 0; k < std::ssize(feature_groups_); ++k) everyone[k] = k;
  for (Index sweeps = 0; sweeps < max_sweeps;) {
    ++sweeps;
    if (sweep(everyone) <= tolerance) return true;
    active.clear();
    for (const Index k : everyone) {
      const auto holds = [&](Index place) {
        return std::ranges::any_of(x_, [&](const std::vector<double>& x) { return x[place] != 0; });
      };
      if (places_[k].empty() ? holds(first_place_[k]) : std::ranges::any_of(places_[k], holds)) active.push_back(k);
    }
    for (Index turn = 0; sweeps < max_sweeps; ++turn) {
      ++sweeps;
      if (sweep(active) <= tolerance) break;
      if (turn > 0 && turn % sweeps_before_newton == 0 && newton(tolerance)) break;
    }
  }
  return false;
}

void GroupLasso::support(std::vector<Index>& feature_groups, std::vector<double>& lengths) const {
  feature_groups.clear();
  lengths.clear();
  for (Index k = 0; k < std::ssize(feature_groups_); ++k) {
    double square = 0;
    const auto add = [&](Index place) {
      for (const std::vector<double>& x : x_) square += x[place] * x[place];
    };
    if (places_[k].empty()) add(first_place_[k]);
    for (const Index place : places_[k]) add(place);
    if (square == 0) continue;
    feature_groups.push_back(feature_groups_[k]);
    lengths.push_back(std::sqrt(square));
  }
}

Matrix GroupLasso::coefficients(std::span<const Index> feature_groups) const {
  std::vector<Index> places;
  for (const Index u : feature_groups) {
    for (const Index j : model_.data().members(u)) places.push_back(model_.rows().place(j));
  }
  Matrix out(std::ssize(places), std::ssize(x_));
  for (Index l = 0; l < out.cols(); ++l) {
    for (Index a = 0; a < out.rows(); ++a) out(a, l) = x_[l][places[a]];
  }
  return out;
}

// Groups outside the working set with |g_u| > (1 + tolerance) w_u, the worst of them. `refine` first replaces the lower
// bounds of suspects' weights by exact ones: most suspects then turn out to satisfy the conditions.
std::vector<Index> GroupLasso::violators(double tolerance, const Refine& refine) const {
  const RelevanceData& data = model_.data();
  const GramRows& rows = model_.rows();
  const Index p = data.features();
  std::vector<double> square(data.feature_groups(), 0.0), gradient(p);
  for (Index l = 0; l < data.targets(); ++l) {
    constexpr Index grain = 1024;
    parallel_for(p, grain, [&](Index begin, Index end) {
      std::copy(data.correlations().col(l) + begin, data.correlations().col(l) + end, gradient.begin() + begin);
      for (Index a = 0; a < rows.size(); ++a) {
        const double x = x_[l][a];
        if (x == 0) continue;
        const double* row = rows.row(a);
        for (Index j = begin; j < end; ++j) gradient[j] -= x * row[j];
      }
    });
    for (Index j = 0; j < p; ++j) {
      const double g = nonnegative_ ? std::max(0.0, gradient[j]) : gradient[j];
      square[data.group_of(j)] += g * g;
    }
  }
  const auto violates = [&](Index u) { return std::sqrt(square[u]) > (1 + tolerance) * weights_[u]; };
  std::vector<Index> suspects;
  for (Index u = 0; u < data.feature_groups(); ++u) {
    if (in_play_[u] != 0 || data.group_norms()[u] == 0 || (!allowed_.empty() && allowed_[u] == 0)) continue;
    if (violates(u)) suspects.push_back(u);
  }
  if (refine && !suspects.empty()) refine(suspects);
  std::vector<std::pair<double, Index>> found;
  for (const Index u : suspects) {
    if (violates(u)) found.emplace_back(-std::sqrt(square[u]) / weights_[u], u);
  }
  const std::size_t most = std::clamp(feature_groups_.size() / 4, min_joiners, max_joiners);
  if (found.size() > most) {
    std::ranges::nth_element(found, found.begin() + most);
    found.resize(most);
  }
  std::ranges::sort(found);
  std::vector<Index> joiners;
  joiners.reserve(found.size());
  for (const auto& [ratio, u] : found) joiners.push_back(u);
  return joiners;
}

bool GroupLasso::solve(std::span<const double> weights, double tolerance, const Refine& refine) {
  weights_ = weights;
  grow();
  bool solved = true;
  while (true) {
    solved = descend(tolerance);
    const std::vector<Index> joiners = violators(tolerance, refine);
    if (joiners.empty()) return solved;
    std::vector<Index> features;
    for (const Index u : joiners) {
      const std::span<const Index> members = model_.data().members(u);
      features.insert(features.end(), members.begin(), members.end());
    }
    // The only pass over X.
    model_.rows().add(features);
    grow();
  }
}

// Newton on the support with signs fixed, where the penalty is linear and the problem quadratic: solves in one step
// what coordinate descent on correlated features needs thousands of sweeps for. A step that would flip a sign is cut
// where the first coefficient reaches zero, which leaves the support. Single features and one target only: |X_u| of a
// group is not linear. True if the support has converged.
bool GroupLasso::newton(double tolerance) {
  if (x_.size() != 1 || model_.data().has_groups()) return false;
  const GramRows& rows = model_.rows();
  std::vector<double>& x = x_[0];
  for (int step = 0; step < 50; ++step) {
    std::vector<Index> at;
    for (Index k = 0; k < std::ssize(feature_groups_); ++k) {
      if (x[first_place_[k]] != 0) at.push_back(k);
    }
    const Index size = at.size();
    Matrix H(size, size), direction(size, 1);
    double worst = 0;
    for (Index b = 0; b < size; ++b) {
      const Index place = first_place_[at[b]];
      for (Index a = b; a < size; ++a) H(a, b) = rows.gram(first_place_[at[a]], place);
      H(b, b) *= 1 + 1e-13;  // duplicated columns: singular without
      const double weight = weights_[feature_groups_[at[b]]];
      direction(b, 0) = g_[0][place] - std::copysign(weight, x[place]);
      worst = std::max(worst, std::abs(direction(b, 0)) / weight);
    }
    if (worst <= tolerance) return true;
    if (!cholesky(H)) return false;
    for (const CBLAS_TRANSPOSE side : {CblasNoTrans, CblasTrans}) {
      cblas_dtrsv(CblasColMajor, CblasLower, side, CblasNonUnit, static_cast<int>(size), H.col(0),
                  static_cast<int>(size), direction.col(0), 1);
    }
    double length = 1;  // up to where the first coefficient reaches zero
    Index first = -1;
    for (Index a = 0; a < size; ++a) {
      const double from = x[first_place_[at[a]]];
      if ((from + length * direction(a, 0)) * from >= 0) continue;
      length = -from / direction(a, 0);
      first = a;
    }
    for (Index a = 0; a < size; ++a) {
      double& value = x[first_place_[at[a]]];
      value = a == first ? 0.0 : value + length * direction(a, 0);
    }
    take_gradient();
  }
  return false;
}

}  // namespace tamis
