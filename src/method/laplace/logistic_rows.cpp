#include "method/laplace/logistic_rows.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <numeric>

#include "design/row_gram.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"

namespace tamis {
namespace {

constexpr int most_steps = 100;
constexpr double settled = 1e-9;  // largest change of a predictor in the last step
// Newton's steps are as large as the square of the one before: when a predictor moves by no more than this, the step is
// the last. The second one is for systems that are solved by iteration, the third for ends that are only compared.
constexpr double last_move = 1e-6;
constexpr double last_iterated_move = 1e-3;
constexpr double last_rough_move = 0.3;
constexpr Index most_factorized = 150;    // rows or features: beyond, iterations are quicker than factors
constexpr Index most_held = 5000;         // rows of which all products with each other are held
constexpr double least_curvature = 1e-9;  // of a row, as a share of its weight: Newton divides by it

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (Index i = 0; i < std::ssize(a); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

LogisticRows::LogisticRows(const ScaledProblem& observations)
    : DualModel(observations),
      likelihood_(observations.family()),
      many_(std::min(observations.features(), observations.rows()) > most_factorized),
      by_rows_(many_ || observations.features() >= observations.rows()) {
  const Design& X = observations.X();
  const auto n = static_cast<double>(rows()), p = static_cast<double>(features());
  // Conjugate gradients take some fifty products with XX'; made once, it is worth the passes that it saves.
  const bool dense = X.stored_per_column() > 0.1 * n && rows() <= most_held && p > 0.1 * n;
  if (by_rows_ && (!many_ || dense)) outer_ = row_gram(X, observations.kept());
  if (!many_) return;
  if (outer_.rows() == 0) {
    passes_ = EntryPasses::over(X, observations.kept());
    squares_ = passes_ ? passes_->diagonal() : outer_diagonal(X, observations.kept());
  } else {
    for (Index i = 0; i < rows(); ++i) squares_.push_back(outer_(i, i));
  }
}

void LogisticRows::correlations(ConstMatrixView duals, MatrixView out) const {
  observations_.X().transpose_multiply(observations_.kept(), duals, out);
}

// Few are large: sparse columns are multiplied without writing every product.
DualModel::Slabs LogisticRows::large_correlations(const Matrix& duals, const Slabs& slabs, double inside,
                                                  double outside) const {
  if (!passes_) return DualModel::large_correlations(duals, slabs, inside, outside);
  Slabs entered(slabs.size()), large(slabs.size());
  passes_->large_products(duals, outside, [&](Index j, Index k, double) { entered[k].push_back(j); });
  for (Index k = 0; k < std::ssize(slabs); ++k) {
    std::vector<Index> columns, stay;
    for (const Index j : slabs[k]) columns.push_back(observations_.kept()[j]);
    std::vector<double> products(columns.size());
    observations_.X().transpose_multiply(columns, duals.column(k), std::span(products));
    for (Index l = 0; l < std::ssize(products); ++l) {
      if (std::abs(products[l]) >= inside) stay.push_back(slabs[k][l]);
    }
    std::ranges::sort(entered[k]);
    std::ranges::set_union(stay, entered[k], std::back_inserter(large[k]));
  }
  return large;
}

std::vector<double> LogisticRows::predictor(std::span<const double> w) const {
  std::vector<double> fit(rows(), 0.0);
  observations_.X().multiply_add(observations_.kept(), w, std::span(fit));
  return fit;
}

Matrix LogisticRows::columns(std::span<const Index> features) const {
  std::vector<Index> columns;
  for (const Index j : features) columns.push_back(observations_.kept()[j]);
  Matrix out(rows(), std::ssize(columns));
  observations_.X().gather(Columns(columns), out);
  return out;
}

std::vector<double> LogisticRows::eta(std::span<const double> fit, std::span<const double> explained,
                                      double intercept) const {
  std::vector<double> eta(fit.begin(), fit.end());
  const std::span<const double> offset = observations_.offset();
  for (Index i = 0; i < std::ssize(eta); ++i) {
    eta[i] += intercept + (offset.empty() ? 0.0 : offset[i]) + (explained.empty() ? 0.0 : explained[i]);
  }
  return eta;
}

double LogisticRows::loss_at(const State& state, std::span<const double> explained) const {
  return likelihood_.total_loss(observations_.response(), eta(state.fit, explained, state.intercept),
                                observations_.weights());
}

LogisticRows::View LogisticRows::view(const State& state, std::span<const double> explained) const {
  View view{std::vector<double>(rows()), std::vector<double>(rows()), std::vector<double>(rows())};
  likelihood_.derivatives(observations_.response(), eta(state.fit, explained, state.intercept), view.pull,
                          view.curvature);
  for (Index i = 0; i < std::ssize(view.pull); ++i) {
    const double weight = observations_.weights()[i];
    view.pull[i] *= weight;
    view.curvature[i] = weight * std::max(least_curvature, view.curvature[i]);
    view.root[i] = std::sqrt(view.curvature[i]);
  }
  return view;
}

// Half of the way, and half of that, until the objective does not rise. False: nowhere to go.
bool LogisticRows::step_down(State& state, const State& target, std::span<const double> explained,
                             const Penalty& penalty) const {
  const double before = loss_at(state, explained) + penalty(state);
  const auto between = [](std::span<const double> from, std::span<const double> to, double share) {
    std::vector<double> there(from.begin(), from.end());
    for (Index i = 0; i < std::ssize(there); ++i) there[i] += share * (to[i] - from[i]);
    return there;
  };
  for (double share = 1; share > 1e-8; share /= 2) {
    State tried{between(state.coordinates, target.coordinates, share), between(state.fit, target.fit, share),
                state.intercept + share * (target.intercept - state.intercept)};
    if (loss_at(tried, explained) + penalty(tried) <= before + 1e-12 * std::abs(before)) {
      state = std::move(tried);
      return true;
    }
  }
  return false;
}

Matrix LogisticRows::excess(const PriorVariances& variances) const {
  Matrix special = columns(variances.special);
  for (Index k = 0; k < special.cols(); ++k) {
    const double root = std::sqrt(variances.values[k] - variances.common);
    for (double& x : special.column(k)) x *= root;
  }
  return special;
}

std::unique_ptr<SpecialColumns> LogisticRows::special(const PriorVariances& variances) const {
  std::vector<Index> columns;
  std::vector<double> roots;
  for (Index k = 0; k < std::ssize(variances.special); ++k) {
    columns.push_back(observations_.kept()[variances.special[k]]);
    roots.push_back(std::sqrt(variances.values[k] - variances.common));
  }
  return large_variance_columns(observations_.X(), columns, roots);
}

RidgeMode LogisticRows::ridge(const PriorVariances& variances, std::span<const double> explained,
                              const RidgeMode* near) const {
  if (!by_rows_) return ridge_by_features(variances, explained, near);
  if (many_) return iterated_ridge(variances, explained, near, {1e-8, last_iterated_move});
  return ridge_by_rows(*dense_covariance(outer_, variances.common, excess(variances)), explained, near, last_move);
}

RidgeMode LogisticRows::iterated_ridge(const PriorVariances& variances, std::span<const double> explained,
                                       const RidgeMode* near, const Precision& precision) const {
  const std::unique_ptr<SpecialColumns> special = this->special(variances);
  std::vector<double> diagonal(squares_);
  for (double& d : diagonal) d *= variances.common;
  const auto outer = [&](std::span<const double> d) {
    if (outer_.rows() > 0) return multiply_transposed(outer_, d);
    if (passes_) return passes_->times(d);
    std::vector<double> along(features());
    correlations(d, std::span(along));
    return predictor(along);
  };
  const auto K = iterated_covariance(outer, variances.common, diagonal, *special, precision.residual);
  return ridge_by_rows(*K, explained, near, precision.last_move);
}

// One step from the model without features, and two digits of it, tell the order of most features.
RidgeMode LogisticRows::ranking_ridge(double variance) const {
  const PriorVariances variances{variance, {}, {}};
  if (!many_) return ridge(variances, {}, nullptr);
  RidgeMode without{std::vector<double>(rows(), 0.0), 0, 0, std::vector<double>(rows(), 0.0)};
  without.intercept = loss(without.predictor, 0).intercept;
  return iterated_ridge(variances, {}, &without, {1e-2, HUGE_VAL});
}

RidgeMode LogisticRows::approximate_ridge(const PriorVariances& variances, const RidgeMode* near) const {
  if (!many_) return ridge(variances, {}, near);
  const std::unique_ptr<SpecialColumns> special = this->special(variances);
  std::vector<double> diagonal(squares_);
  for (double& d : diagonal) d *= variances.common;
  return ridge_by_rows(*rough_covariance(diagonal, *special), {}, near, last_rough_move);
}

// With K = X R X' the coefficients are R X'd and Newton's step is d = P (K d + pull / curvature - b), where
// P = (K + diag(1 / curvature))^-1 = S (I + S K S)^-1 S, S the roots of the curvature, and the change b of the
// intercept keeps the sum of d at 0.
LogisticRows::Step LogisticRows::newton_step(const RowCovariance& K, const State& from,
                                             std::span<const double> explained,
                                             std::span<const double> shifted_before) const {
  const auto n = rows();
  const View here = view(from, explained);
  Step step{.system = K.system(here.root), .target = {}, .shifted = {}};
  if (step.system == nullptr) return step;
  std::vector<double> side(n), guess(n);  // S (K d + pull / curvature); what it was without a step
  for (Index i = 0; i < n; ++i) {
    const double root = here.root[i];  // 0 for a row of weight 0
    side[i] = root > 0 ? root * from.fit[i] + here.pull[i] / root : 0.0;
    guess[i] = root > 0 ? from.coordinates[i] / root : 0.0;
  }
  const std::vector<double> moved = step.system->solve(side, guess);
  step.shifted = step.system->solve(here.root, shifted_before);
  step.information = dot(here.root, step.shifted);
  const double shift = observations_.has_intercept() ? dot(here.root, moved) / step.information : 0.0;
  step.target = {std::vector<double>(n), {}, from.intercept + shift};
  for (Index i = 0; i < n; ++i) step.target.coordinates[i] = here.root[i] * (moved[i] - shift * step.shifted[i]);
  step.target.fit = K.times(step.target.coordinates);
  step.length = largest_difference(from.fit, step.target.fit) + std::abs(shift);
  return step;
}

// A mode nearby is one of other variances: its predictor tells where to take the first quadratic model, and the step
// from there counts if it is better than nothing.
RidgeMode LogisticRows::ridge_by_rows(const RowCovariance& K, std::span<const double> explained, const RidgeMode* near,
                                      double last_move) const {
  const auto n = rows();
  const Penalty penalty = [](const State& s) { return 0.5 * dot(s.coordinates, s.fit); };
  const auto cost = [&](const State& s) { return loss_at(s, explained) + penalty(s); };
  State state{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0), near != nullptr ? near->intercept : 0};
  Step step;
  if (near != nullptr && !near->predictor.empty()) {
    step = newton_step(K, {near->dual, near->predictor, near->intercept}, explained, {});
    if (step.system == nullptr || !(cost(step.target) <= cost(state))) {
      step.length = HUGE_VAL;
    } else {
      state = std::move(step.target);
    }
  }
  for (int k = 0; k < most_steps && step.length > last_move; ++k) {
    step = newton_step(K, state, explained, step.shifted);
    if (step.system == nullptr) break;
    if (step.length <= last_move) {
      state = std::move(step.target);
    } else if (!step_down(state, step.target, explained, penalty)) {
      break;
    }
  }
  double log_evidence = -cost(state);
  if (step.system != nullptr) log_evidence -= 0.5 * step.system->log_determinant();
  if (observations_.has_intercept()) log_evidence -= 0.5 * std::log(step.information / (2 * std::numbers::pi));
  return {std::move(state.coordinates), state.intercept, log_evidence, std::move(state.fit)};
}

// The same in the space of features: (X'CX + R^-1) w = X'(C fit + pull), the intercept profiled out of C.
RidgeMode LogisticRows::ridge_by_features(const PriorVariances& variances, std::span<const double> explained,
                                          const RidgeMode* near) const {
  const Index n = rows(), p = features();
  const std::vector<double> prior = variances.all(p);
  const Penalty penalty = [&](const State& s) {
    double sum = 0;
    for (Index j = 0; j < std::ssize(prior); ++j) sum += s.coordinates[j] * s.coordinates[j] / prior[j];
    return 0.5 * sum;
  };
  State state{std::vector<double>(p, 0.0), std::vector<double>(n, 0.0), near != nullptr ? near->intercept : 0};
  if (near != nullptr) {
    correlations(std::span<const double>(near->dual), std::span(state.coordinates));
    for (Index j = 0; j < std::ssize(prior); ++j) state.coordinates[j] *= prior[j];
    state.fit = predictor(state.coordinates);
  }
  double log_evidence = 0, log_prior = 0;
  for (const double r : prior) log_prior += std::log(r);
  View here;
  for (int step = 0; step < most_steps; ++step) {
    here = view(state, explained);
    Matrix H(p, p), sides(n, 2), products(p, 2);
    observations_.X().gram(observations_.kept(), here.curvature, H);
    double total = 0, sum = 0;
    for (Index i = 0; i < n; ++i) {
      sides(i, 0) = here.curvature[i] * state.fit[i] + here.pull[i];
      sides(i, 1) = here.curvature[i];
      sum += sides(i, 0);
      total += sides(i, 1);
    }
    correlations(sides, products);
    const bool profiled = observations_.has_intercept();
    for (Index j = 0; j < p; ++j) {
      for (Index i = 0; i < p && profiled; ++i) H(i, j) -= products(i, 1) * products(j, 1) / total;
      H(j, j) += 1 / prior[j];
      if (profiled) products(j, 0) -= products(j, 1) * sum / total;
    }
    if (!cholesky(H)) break;
    State target{std::vector<double>(products.col(0), products.col(0) + p), {}, state.intercept};
    solve_positive(H, std::span(target.coordinates));
    target.fit = predictor(target.coordinates);
    if (profiled) target.intercept += (sum - dot(here.curvature, target.fit)) / total;
    log_evidence = -loss_at(state, explained) - penalty(state) - 0.5 * (log_determinant(H) + log_prior);
    if (profiled) log_evidence -= 0.5 * std::log(total / (2 * std::numbers::pi));
    const double moves = largest_difference(state.fit, target.fit) + std::abs(target.intercept - state.intercept);
    if (moves < settled || !step_down(state, target, explained, penalty)) break;
  }
  return {view(state, explained).pull, state.intercept, log_evidence};
}

DualModel::Loss LogisticRows::loss(std::span<const double> predictor, double intercept) const {
  State state{{}, std::vector<double>(predictor.begin(), predictor.end()), intercept};
  for (int step = 0; step < most_steps && observations_.has_intercept(); ++step) {
    const View here = view(state, {});
    const double total = std::accumulate(here.curvature.begin(), here.curvature.end(), 0.0);
    const double sum = std::accumulate(here.pull.begin(), here.pull.end(), 0.0);
    // Held back: far from the solution the curvature says nothing.
    const double move = std::clamp(sum / total, -2.0, 2.0);
    state.intercept += move;
    if (std::abs(move) < 1e-12) break;
  }
  return {loss_at(state, {}), state.intercept};
}

std::vector<double> LogisticRows::pull(std::span<const double> predictor, double intercept) const {
  return view({{}, {predictor.begin(), predictor.end()}, intercept}, {}).pull;
}

std::vector<double> LogisticRows::curvature(std::span<const double> predictor, double intercept) const {
  return view({{}, {predictor.begin(), predictor.end()}, intercept}, {}).curvature;
}

}  // namespace tamis
