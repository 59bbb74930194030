// Logistic likelihood: penalized regression under w ~ N(0, R) by Newton's method, and its Laplace evidence.
//
// Model      max over d (and the intercept) of  log p(y | K d) - d'K d / 2,  K = X R X', w = R X'd
// Newton     with B = diag(curvature), S = B^(1/2):  d <- S (I + S K S)^-1 S (K d + B^-1 residual - shift of the
//            intercept)
// Evidence   log p(y | mode) - d'K d / 2 - log |I + S K S| / 2, the intercept integrated out by Laplace too
// Spaces     p < n, few of either   X'BX + R^-1 by Cholesky        (ridge_by_features)
//            n <= p, few            I + S K S by Cholesky          (dense_covariance)
//            many of both           conjugate gradients, preconditioned by K's diagonal plus its low-rank part; the
//                                   search over supports uses the preconditioner in place of K (approximate_ridge)
// Erratum    the paper's classification gradient has the wrong sign; the gradient of the loss is X'(sigma - y).
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

constexpr int max_steps = 100;
constexpr double predictor_tolerance = 1e-9;  // largest change of a predictor in the last step
// Newton converges quadratically: when no predictor moves by more than this, the step is the last. For exact systems,
// for systems solved by iteration, and for modes that are only compared.
constexpr double last_move = 1e-6;
constexpr double last_iterated_move = 1e-3;
constexpr double last_approximate_move = 0.3;
constexpr Index max_factorized = 150;   // rows or features: beyond, conjugate gradients are faster than factors
constexpr Index max_held = 5000;        // rows for which XX' is held
constexpr double min_curvature = 1e-9;  // of a row, as a share of its weight: Newton divides by it

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (Index i = 0; i < std::ssize(a); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

LogisticRows::LogisticRows(const ScaledProblem& scaled)
    : DualModel(scaled),
      likelihood_(scaled.family()),
      many_(std::min(scaled.features(), scaled.rows()) > max_factorized),
      by_rows_(many_ || scaled.features() >= scaled.rows()) {
  const Design& X = scaled.X();
  const auto n = static_cast<double>(rows()), p = static_cast<double>(features());
  // Conjugate gradients take some fifty products with XX' per mode; XX' formed once replaces two passes over X each.
  // Dense enough that XX' costs no more than the products it replaces, and small enough to hold.
  const bool dense = X.stored_per_column() > 0.1 * n && rows() <= max_held && p > 0.1 * n;
  if (by_rows_ && (!many_ || dense)) row_gram_ = row_gram(X, scaled.kept());
  if (!many_) return;
  if (row_gram_.rows() == 0) {
    passes_ = SparseRowGram::over(X, scaled.kept());
    row_gram_diagonal_ = passes_ ? passes_->diagonal() : row_gram_diagonal(X, scaled.kept());
  } else {
    for (Index i = 0; i < rows(); ++i) row_gram_diagonal_.push_back(row_gram_(i, i));
  }
}

void LogisticRows::correlations(ConstMatrixView duals, MatrixView out) const {
  scaled_.X().transpose_multiply(scaled_.kept(), duals, out);
}

// Few products exceed the thresholds: with sparse columns only those are written.
DualModel::Slabs LogisticRows::large_correlations(const Matrix& duals, const Slabs& slabs, double inside,
                                                  double outside) const {
  if (!passes_) return DualModel::large_correlations(duals, slabs, inside, outside);
  Slabs entered(slabs.size()), large(slabs.size());
  passes_->large_products(duals, outside, [&](Index j, Index k, double) { entered[k].push_back(j); });
  for (Index k = 0; k < std::ssize(slabs); ++k) {
    std::vector<Index> columns, stay;
    for (const Index j : slabs[k]) columns.push_back(scaled_.kept()[j]);
    std::vector<double> products(columns.size());
    scaled_.X().transpose_multiply(columns, duals.column(k), std::span(products));
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
  scaled_.X().multiply_add(scaled_.kept(), w, std::span(fit));
  return fit;
}

Matrix LogisticRows::columns(std::span<const Index> features) const {
  std::vector<Index> columns;
  for (const Index j : features) columns.push_back(scaled_.kept()[j]);
  Matrix out(rows(), std::ssize(columns));
  scaled_.X().gather(Columns(columns), out);
  return out;
}

std::vector<double> LogisticRows::eta(std::span<const double> fit, std::span<const double> explained,
                                      double intercept) const {
  std::vector<double> eta(fit.begin(), fit.end());
  const std::span<const double> offset = scaled_.offset();
  for (Index i = 0; i < std::ssize(eta); ++i) {
    eta[i] += intercept + (offset.empty() ? 0.0 : offset[i]) + (explained.empty() ? 0.0 : explained[i]);
  }
  return eta;
}

double LogisticRows::loss_at(const State& state, std::span<const double> explained) const {
  return likelihood_.total_loss(scaled_.response(), eta(state.fit, explained, state.intercept), scaled_.weights());
}

LogisticRows::QuadraticModel LogisticRows::quadratic_model(const State& state,
                                                           std::span<const double> explained) const {
  QuadraticModel quadratic_model{std::vector<double>(rows()), std::vector<double>(rows()), std::vector<double>(rows())};
  likelihood_.derivatives(scaled_.response(), eta(state.fit, explained, state.intercept), quadratic_model.score,
                          quadratic_model.curvature);
  for (Index i = 0; i < std::ssize(quadratic_model.score); ++i) {
    // Curvatures vanish where a class is certain; a floor keeps B^-1 residual finite without changing the fixed point.
    const double weight = scaled_.weights()[i];
    quadratic_model.score[i] *= weight;
    quadratic_model.curvature[i] = weight * std::max(min_curvature, quadratic_model.curvature[i]);
    quadratic_model.root[i] = std::sqrt(quadratic_model.curvature[i]);
  }
  return quadratic_model;
}

// Step halving until the objective does not rise; logistic losses are nearly linear far out, where a full Newton step
// overshoots. False: no step length helps.
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
  Matrix large_variance = columns(variances.large_variance);
  for (Index k = 0; k < large_variance.cols(); ++k) {
    const double root = std::sqrt(variances.values[k] - variances.common);
    for (double& x : large_variance.column(k)) x *= root;
  }
  return large_variance;
}

std::unique_ptr<LargeVarianceColumns> LogisticRows::large_variance(const PriorVariances& variances) const {
  std::vector<Index> columns;
  std::vector<double> roots;
  for (Index k = 0; k < std::ssize(variances.large_variance); ++k) {
    columns.push_back(scaled_.kept()[variances.large_variance[k]]);
    roots.push_back(std::sqrt(variances.values[k] - variances.common));
  }
  return large_variance_columns(scaled_.X(), columns, roots);
}

RidgeMode LogisticRows::ridge(const PriorVariances& variances, std::span<const double> explained,
                              const RidgeMode* near) const {
  if (!by_rows_) return ridge_by_features(variances, explained, near);
  if (many_) return iterated_ridge(variances, explained, near, {1e-8, last_iterated_move});
  return ridge_by_rows(*dense_covariance(row_gram_, variances.common, excess(variances)), explained, near, last_move);
}

RidgeMode LogisticRows::iterated_ridge(const PriorVariances& variances, std::span<const double> explained,
                                       const RidgeMode* near, const Precision& precision) const {
  const std::unique_ptr<LargeVarianceColumns> large_variance = this->large_variance(variances);
  std::vector<double> diagonal(row_gram_diagonal_);
  for (double& d : diagonal) d *= variances.common;
  const auto outer = [&](std::span<const double> d) {
    if (row_gram_.rows() > 0) return multiply_transposed(row_gram_, d);
    if (passes_) return passes_->times(d);
    std::vector<double> along(features());
    correlations(d, std::span(along));
    return predictor(along);
  };
  const auto K = iterated_covariance(outer, variances.common, diagonal, *large_variance, precision.residual);
  return ridge_by_rows(*K, explained, near, precision.last_move);
}

// For ranking features only: one Newton step from the null model, solved to two digits.
RidgeMode LogisticRows::ranking_ridge(double variance) const {
  const PriorVariances variances{variance, {}, {}};
  if (!many_) return ridge(variances, {}, nullptr);
  RidgeMode without{std::vector<double>(rows(), 0.0), 0, 0, std::vector<double>(rows(), 0.0)};
  without.intercept = loss(without.predictor, 0).intercept;
  return iterated_ridge(variances, {}, &without, {1e-2, HUGE_VAL});
}

RidgeMode LogisticRows::approximate_ridge(const PriorVariances& variances, const RidgeMode* near) const {
  if (!many_) return ridge(variances, {}, near);
  const std::unique_ptr<LargeVarianceColumns> large_variance = this->large_variance(variances);
  std::vector<double> diagonal(row_gram_diagonal_);
  for (double& d : diagonal) d *= variances.common;
  return ridge_by_rows(*approximate_covariance(diagonal, *large_variance), {}, near, last_approximate_move);
}

// Newton's step in the dual: with P = (K + B^-1)^-1 = S (I + S K S)^-1 S it is d = P (K d + B^-1 residual - shift 1),
// and the change `shift` of the intercept is such that the entries of d sum to 0, its stationarity condition.
LogisticRows::Step LogisticRows::newton_step(const RowCovariance& K, const State& from,
                                             std::span<const double> explained,
                                             std::span<const double> shifted_before) const {
  const auto n = rows();
  const QuadraticModel here = quadratic_model(from, explained);
  Step step{.system = K.system(here.root), .target = {}, .shifted = {}};
  if (step.system == nullptr) return step;
  // Scaled by S on both sides the system I + S K S has no eigenvalue below 1, however small the curvatures are.
  std::vector<double> side(n), guess(n);  // S (K d + score / curvature); what it was without a step
  for (Index i = 0; i < n; ++i) {
    const double root = here.root[i];  // 0 for a row of weight 0
    side[i] = root > 0 ? root * from.fit[i] + here.score[i] / root : 0.0;
    guess[i] = root > 0 ? from.coordinates[i] / root : 0.0;
  }
  const std::vector<double> moved = step.system->solve(side, guess);
  step.shifted = step.system->solve(here.root, shifted_before);
  step.information = dot(here.root, step.shifted);
  const double shift = scaled_.has_intercept() ? dot(here.root, moved) / step.information : 0.0;
  step.target = {std::vector<double>(n), {}, from.intercept + shift};
  for (Index i = 0; i < n; ++i) step.target.coordinates[i] = here.root[i] * (moved[i] - shift * step.shifted[i]);
  step.target.fit = K.times(step.target.coordinates);
  step.length = largest_difference(from.fit, step.target.fit) + std::abs(shift);
  return step;
}

// A neighboring mode belongs to other variances: its predictor gives a good first quadratic model, and the step from
// there is taken if its objective is below that of the null model.
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
  for (int k = 0; k < max_steps && step.length > last_move; ++k) {
    step = newton_step(K, state, explained, step.shifted);
    if (step.system == nullptr) break;
    if (step.length <= last_move) {
      state = std::move(step.target);
    } else if (!step_down(state, step.target, explained, penalty)) {
      break;
    }
  }
  // Laplace: Gaussian integral over the coefficients, then over the intercept with its Schur complement.
  double log_evidence = -cost(state);
  if (step.system != nullptr) log_evidence -= 0.5 * step.system->log_determinant();
  if (scaled_.has_intercept()) log_evidence -= 0.5 * std::log(step.information / (2 * std::numbers::pi));
  return {std::move(state.coordinates), state.intercept, log_evidence, std::move(state.fit)};
}

// Newton in feature space: (X'BX + R^-1) w = X'(B fit + residual), with the intercept profiled out of B.
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
  QuadraticModel here;
  for (int step = 0; step < max_steps; ++step) {
    here = quadratic_model(state, explained);
    Matrix H(p, p), sides(n, 2), products(p, 2);
    scaled_.X().gram(scaled_.kept(), here.curvature, H);
    double total = 0, sum = 0;
    for (Index i = 0; i < n; ++i) {
      sides(i, 0) = here.curvature[i] * state.fit[i] + here.score[i];
      sides(i, 1) = here.curvature[i];
      sum += sides(i, 0);
      total += sides(i, 1);
    }
    correlations(sides, products);
    const bool profiled = scaled_.has_intercept();
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
    if (moves < predictor_tolerance || !step_down(state, target, explained, penalty)) break;
  }
  return {quadratic_model(state, explained).score, state.intercept, log_evidence};
}

// Newton in the intercept alone, at a given predictor.
DualModel::Loss LogisticRows::loss(std::span<const double> predictor, double intercept) const {
  State state{{}, std::vector<double>(predictor.begin(), predictor.end()), intercept};
  for (int step = 0; step < max_steps && scaled_.has_intercept(); ++step) {
    const QuadraticModel here = quadratic_model(state, {});
    const double total = std::accumulate(here.curvature.begin(), here.curvature.end(), 0.0);
    const double sum = std::accumulate(here.score.begin(), here.score.end(), 0.0);
    // Newton in one unknown, steps bounded: in the tails the curvature is far too small.
    const double move = std::clamp(sum / total, -2.0, 2.0);
    state.intercept += move;
    if (std::abs(move) < 1e-12) break;
  }
  return {loss_at(state, {}), state.intercept};
}

std::vector<double> LogisticRows::score(std::span<const double> predictor, double intercept) const {
  return quadratic_model({{}, {predictor.begin(), predictor.end()}, intercept}, {}).score;
}

std::vector<double> LogisticRows::curvature(std::span<const double> predictor, double intercept) const {
  return quadratic_model({{}, {predictor.begin(), predictor.end()}, intercept}, {}).curvature;
}

}  // namespace tamis
