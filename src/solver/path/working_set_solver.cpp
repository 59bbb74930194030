// One penalty of the lasso path on the working set W: proximal Newton around coordinate descent.
//
// Model      min over b_W and b0 of the penalized loss; coefficients outside W are 0.
// Algorithm  solve_penalty: admit candidates, extrapolate from the last two points, then repeat
//              newton_iterations until the KKT conditions hold on W:
//                1 gradient g = X_W'residual, largest violation; stop at tolerance_here()
//                2 quadratic model of the loss with Hessian X_W'HX_W, the intercept profiled out; coordinate descent on
//                  its Gram matrix (GramModel) or, when that outgrows its memory, on the columns (ColumnModel)
//                3 non-quadratic losses: halve the step until the objective does not rise
//                4 descent that did not converge within max_sweeps: Newton step on the support (SupportStep)
//              measure the candidates near the penalty; those beyond it join W and W is solved again.
// Hessian    kept over many steps and penalties, renewed when a step does not reduce the violation by a factor of
//            three: a renewal costs k^2 n, a step with the old one 2 k n. Descent is guaranteed by step 3, not by the
//            metric.
// Quadratic losses in Gram mode are lazy: b_ and g_ move, the n-vector eta_ is brought up to date only for a gradient.
// Papers     Lee, Sun & Saunders (2014) SIAM J. Optim. 24(3); Friedman, Hastie & Tibshirani (2010) JSS 33(1).
#include <algorithm>
#include <cmath>
#include <numeric>

#include "solver/path/lasso_path.hpp"

namespace tamis {

void LassoPath::evaluate() {
  problem_.likelihood.derivatives(problem_.y, eta_, residual_, curvature_);
  for (Index i = 0; i < std::ssize(eta_); ++i) {
    residual_[i] *= problem_.weights[i];
    curvature_[i] *= problem_.weights[i];
  }
  loss_ = problem_.likelihood.total_loss(problem_.y, eta_, problem_.weights);
  gradient_is_current_ = false;
}

void LassoPath::take_gradient() {
  update_predictor();
  problem_.X.transpose_multiply(Columns(working_), std::span<const double>(residual_), std::span<double>(g_));
  gradient_is_current_ = true;
  pending_step_.clear();
  snapshot_.g.clear();
}

void LassoPath::refresh_hessian() {
  if (columns_mode_) {
    columns_.reset(curvature_, problem_.intercept);
    return;
  }
  gram_.reset(curvature_, problem_.intercept);
  gram_.append(problem_.X, working_, working_);
  support_factor_.clear();
  hessian_is_fresh_ = true;
  if (!gram_.fits()) switch_to_columns();
}

void LassoPath::switch_to_columns() {
  columns_mode_ = true;
  gram_ = GramModel(0);
  columns_.reset(curvature_, problem_.intercept);
  columns_.append(problem_.X, working_);
}

void LassoPath::add_to_working_set(std::span<const Index> added, std::span<const double> correlations) {
  if (std::ssize(working_) + std::ssize(added) > gram_limit_) trim_working_set(last_penalty_, 0.999);
  for (Index a = 0; a < std::ssize(added); ++a) {
    place_[added[a]] = static_cast<std::int32_t>(working_.size());
    working_.push_back(added[a]);
    b_.push_back(0);
    b_in_predictor_.push_back(0);
    g_.push_back(correlations[a]);
  }
  if (columns_mode_) {
    columns_.append(problem_.X, added);
    return;
  }
  if (std::ssize(working_) <= gram_limit_) gram_.append(problem_.X, working_, added);
  if (gram_.size() < std::ssize(working_) || !gram_.fits()) switch_to_columns();
}

void LassoPath::set_penalty(double penalty, double tolerance) {
  const Index size = std::ssize(working_);
  penalty_.l1.resize(size);
  penalty_.l2.resize(size);
  penalty_.step_tolerance.resize(size);
  for (Index w = 0; w < size; ++w) {
    const double f = strength(working_[w], penalty);
    penalty_.l1[w] = f * problem_.l1_ratio;
    penalty_.l2[w] = f * (1 - problem_.l1_ratio);
    penalty_.step_tolerance[w] = tolerance * problem_.l1_ratio * (f > 0 ? f : penalty);
  }
}

// Distance of feature j's subgradient from zero, in units of its threshold f_j l1_ratio penalty:
//   |c - l2 b - l1 sign(b)| for b != 0, (|c| - l1)_+ at zero; unpenalized features are measured by the penalty itself.
double LassoPath::distance_from_optimal(Index j, double b, double correlation, double penalty) const {
  const double f = strength(j, penalty);
  if (std::isinf(f)) return 0;
  const double l1 = f * problem_.l1_ratio;
  const double gradient = correlation - f * (1 - problem_.l1_ratio) * b;
  const double distance = b != 0 ? std::abs(gradient - std::copysign(l1, b))
                                 : std::max(0.0, (problem_.nonnegative ? gradient : std::abs(gradient)) - l1);
  return distance / (problem_.l1_ratio * (f > 0 ? f : penalty));
}

double LassoPath::working_violation(double penalty) const {
  double largest = 0;
  for (Index w = 0; w < std::ssize(working_); ++w) {
    largest = std::max(largest, distance_from_optimal(working_[w], b_[w], g_[w], penalty));
  }
  if (problem_.intercept) {
    const double sum = std::accumulate(residual_.begin(), residual_.end(), 0.0);
    largest = std::max(largest, problem_.intercept_unit * std::abs(sum) / (problem_.l1_ratio * penalty));
  }
  return largest;
}

// Brings eta_, intercept_, loss_ and derivatives up to b_. The intercept takes the step that profiles it out of the
// quadratic model: sum_i (residual_i - h_i change_i) / sum_i h_i. Quadratic losses on a Gram matrix call this rarely,
// so that several steps of b_ cost one product with X.
void LassoPath::update_predictor() {
  changed_.clear();
  changed_by_.clear();
  step_.assign(b_.size(), 0.0);
  for (Index w = 0; w < std::ssize(b_); ++w) {
    step_[w] = b_[w] - b_in_predictor_[w];
    b_in_predictor_[w] = b_[w];
    if (step_[w] == 0) continue;
    changed_.push_back(working_[w]);
    changed_by_.push_back(step_[w]);
  }
  if (changed_.empty() && predictor_is_current_) return;
  std::ranges::fill(change_, 0.0);
  problem_.X.multiply_add(Columns(changed_), std::span<const double>(changed_by_), std::span<double>(change_));
  last_intercept_step_ = 0;
  if (problem_.intercept) {
    const std::span<const double> h = columns_mode_ ? std::span<const double>(curvature_) : gram_.curvature();
    double left = 0, total = 0;
    for (Index i = 0; i < std::ssize(change_); ++i) {
      left += residual_[i] - h[i] * change_[i];
      total += h[i];
    }
    last_intercept_step_ = total > 0 ? left / total : 0.0;
    intercept_ += last_intercept_step_;
    for (double& c : change_) c += last_intercept_step_;
  }
  for (Index i = 0; i < std::ssize(eta_); ++i) eta_[i] += change_[i];
  const bool keep = gradient_is_current_;
  evaluate();
  gradient_is_current_ = keep && lazy();
  predictor_is_current_ = problem_.likelihood.is_quadratic();
}

// Continues the line through the last two points: exact for the lasso with a quadratic loss until the support changes.
void LassoPath::extrapolate(double penalty) {
  const double run = last_penalty_ - previous_penalty_;
  if (previous_b_.empty() || run == 0 || penalty >= last_penalty_) return;
  const double ratio = (penalty - last_penalty_) / run;
  const double before = objective_at(penalty);
  step_ = extrapolated_step(b_, previous_b_, ratio);
  for (Index w = 0; w < std::ssize(step_); ++w) b_[w] += step_[w];
  if (lazy() && gradient_is_current_) {
    pending_step_ = step_;
  } else {
    update_predictor();
    ensure_descent(penalty, before);
  }
}

// One quadratic model and its minimizer. Returns false when no decrease of the objective can be found.
bool LassoPath::newton_step(double penalty, double tolerance, double shortest, Index max_sweeps) {
  const bool quadratic = problem_.likelihood.is_quadratic();
  set_penalty(penalty, shortest);
  const double before = objective_at(penalty);
  if (columns_mode_) {
    columns_.reset(curvature_, problem_.intercept);
    descent_was_slow_ = !columns_.descend(b_, residual_, penalty_, max_sweeps).converged;
  } else {
    if (problem_.intercept && !quadratic) {
      const double sum = std::accumulate(residual_.begin(), residual_.end(), 0.0);
      for (Index w = 0; w < std::ssize(g_); ++w) g_[w] -= gram_.column_sums()[w] * sum / gram_.total_curvature();
    }
    descent_was_slow_ = !gram_.descend(b_, g_, penalty_, max_sweeps, pending_step_).converged;
    pending_step_.clear();
  }
  // g_ carries the rounding of a single-precision Gram matrix: enough for a loose tolerance, otherwise computed anew.
  if (lazy() && tolerance >= 1e-5) return true;
  gradient_is_current_ = false;
  update_predictor();
  return quadratic ? std::isfinite(loss_) : ensure_descent(penalty, before);
}

// Halves the last step until the objective does not rise, up to rounding (1e-13 of it). A Hessian whose step had to be
// shortened is renewed. The intercept and eta_ move back with b_, so no product with X is needed.
bool LassoPath::ensure_descent(double penalty, double before) {
  const double allowed = before + 1e-13 * std::abs(before);
  double taken = 1;
  while (!(objective_at(penalty) <= allowed)) {
    if (taken < 1e-6) return false;
    const double back = 0.5 * taken;
    taken -= back;
    for (Index w = 0; w < std::ssize(b_); ++w) {
      b_[w] -= back * step_[w];
      b_in_predictor_[w] = b_[w];
    }
    if (problem_.intercept) intercept_ -= back * last_intercept_step_;
    for (Index i = 0; i < std::ssize(eta_); ++i) eta_[i] -= back * change_[i];
    evaluate();
  }
  if (taken < 1 && !columns_mode_ && !problem_.likelihood.is_quadratic()) refresh_hessian();
  return true;
}

// A factorization costs k^3 / 3, a sweep of descent k^2 or k times the stored entries: some hundred sweeps, or few
// members.
bool LassoPath::support_step_pays() const {
  const double k = static_cast<double>(std::ranges::count_if(b_, [](double b) { return b != 0; }));
  return k * k < 1500 * problem_.X.stored_per_column() || k < 300;
}

bool LassoPath::find_support_step(SupportStep& step) {
  if (!columns_mode_) return gram_.solve(step.places(), penalty_.l2, step, support_factor_);
  std::vector<Index> support;
  std::vector<double> l2;
  for (const std::int32_t place : step.places()) {
    support.push_back(working_[place]);
    l2.push_back(penalty_.l2[place]);
  }
  std::vector<std::int32_t> places(support.size());
  std::iota(places.begin(), places.end(), 0);
  GramModel model(std::ssize(support));
  model.reset(curvature_, problem_.intercept);
  model.append(problem_.X, support, support);
  SupportFactor known;
  return model.fits() && model.solve(places, l2, step, known);
}

void LassoPath::support_step(double penalty) {
  SupportStep step(b_, g_, penalty_);
  if (!find_support_step(step)) return;
  update_predictor();
  const double before = objective_at(penalty);
  const std::vector<double> b = b_, eta = eta_;
  const double intercept = intercept_;
  step.apply_with_zeros_fixed(b_);
  gradient_is_current_ = false;
  update_predictor();
  if (objective_at(penalty) <= before) return;
  // Setting many coefficients to zero at once is no descent direction at any length; Newton's direction on the support
  // is.
  b_ = b_in_predictor_ = b;
  eta_ = eta;
  intercept_ = intercept;
  evaluate();
  step.apply_newton(b_);
  update_predictor();
  ensure_descent(penalty, before);
}

// Step size of coordinate descent, relative to the penalty, below which a sweep counts as converged. Last steps below
// twice the tolerance leave violations below it as a rule (measured: a fifth of the largest last step); where the rule
// fails, as with highly correlated columns, the threshold is halved from one Newton iteration to the next.
double LassoPath::shortest_step(Index step, double violation, double tolerance) const {
  const auto halved = [](double from, Index times) {
    return std::ldexp(from, -static_cast<int>(std::min<Index>(times, 10)));
  };
  const double shortest = halved(2 * tolerance, step);
  if (problem_.likelihood.is_quadratic()) return shortest;
  // Inexact Newton: far from the solution a tenth of the present violation is enough, unless that does not converge.
  constexpr Index usual = 8;
  return std::max(shortest, halved(0.1 * violation, std::max<Index>(0, step - usual)));
}

// Sweeps before a Newton step on the support is tried. Descent finds the support fast and the last digits slowly: few
// sweeps where many digits are missing, or where the factor of the support is known and its step costs little.
Index LassoPath::max_sweeps_here(double violation, double tolerance) const {
  if (columns_mode_) return settings_.max_sweeps;
  const Index usual = settings_.max_sweeps_for(b_);
  const bool many_digits =
      problem_.likelihood.is_quadratic() && std::isfinite(violation) && violation > 1e4 * tolerance;
  return many_digits || support_factor_.is_known() ? std::min<Index>(8, usual) : usual;
}

// The factor is dropped between penalties: those of all folds together would take a good part of X's memory.
bool LassoPath::solve_working_set(double penalty) {
  const bool solved = newton_iterations(penalty);
  support_factor_.clear();
  return solved;
}

bool LassoPath::newton_iterations(double penalty) {
  double previous = std::numeric_limits<double>::infinity();
  for (Index step = 0; step < settings_.max_newton; ++step) {
    const double tolerance = tolerance_here();
    // The first descent needs no violation: a new penalty always causes one, column descent makes its own gradients,
    // and after an extrapolation the Gram descent applies the pending step to g_ itself.
    const bool look = step > 0 || (pending_step_.empty() && (!columns_mode_ || !problem_.likelihood.is_quadratic()));
    if (look && !gradient_is_current_) take_gradient();
    const double violation = look ? working_violation(penalty) : std::numeric_limits<double>::infinity();
    if (violation <= tolerance) return true;
    // Linear convergence slower than 0.3 per step: the Hessian is stale. Renewing costs a Gram matrix, a step two
    // products.
    if (!problem_.likelihood.is_quadratic() && !columns_mode_ && !hessian_is_fresh_ && violation > 0.3 * previous) {
      refresh_hessian();
    }
    previous = violation;
    const Index max_sweeps = max_sweeps_here(violation, tolerance);
    if (!newton_step(penalty, tolerance, shortest_step(step, violation, tolerance), max_sweeps)) {
      return violation <= 10 * tolerance;
    }
    if (descent_was_slow_ && support_step_pays()) {
      if (!gradient_is_current_) take_gradient();
      support_step(penalty);
    }
    hessian_is_fresh_ = false;
  }
  return false;
}

double LassoPath::predicted_correlation(const Candidate& c, double penalty) const {
  const double there = static_cast<double>(c.correlation + c.slope * (static_cast<float>(penalty) - c.penalty));
  return problem_.nonnegative ? there : std::abs(there);
}

// Screening threshold (1 - margin) l1_ratio penalty, before the factor f_j. The margin grows with the distance of the
// penalty from where the correlation was measured: 5 % at rest, four times the relative distance more.
double LassoPath::screening_threshold(double measured_at, double penalty) const {
  constexpr double growth = 4;
  const double margin = margin_ * (1 + growth * std::abs(measured_at / penalty - 1));
  return (1 - std::min(0.9, margin)) * problem_.l1_ratio * penalty;
}

bool LassoPath::may_enter(const Candidate& c, double penalty) const {
  const double bar = screening_threshold(static_cast<double>(c.penalty), penalty) * problem_.factor(c.feature);
  return predicted_correlation(c, penalty) >= bar;
}

// Exact correlations at the present coefficients, and their slopes in the penalty, of the candidates that may reach the
// penalty here or at the next point. The others keep their last measurement.
void LassoPath::measure_candidates(double penalty) {
  update_predictor();
  std::erase_if(candidates_, [&](const Candidate& c) { return place_[c.feature] >= 0; });
  candidate_features_.clear();
  for (Candidate& c : candidates_) {
    c.measured = may_enter(c, penalty) || may_enter(c, next_penalty_) ? 1 : 0;
    if (c.measured != 0) candidate_features_.push_back(c.feature);
  }
  candidate_values_.resize(candidate_features_.size());
  problem_.X.transpose_multiply(Columns(candidate_features_), std::span<const double>(residual_),
                                std::span<double>(candidate_values_));
  const auto here = static_cast<float>(penalty);
  auto value = candidate_values_.begin();
  for (Candidate& c : candidates_) {
    if (c.measured == 0) continue;
    const auto correlation = static_cast<float>(*value++);
    if (here != c.penalty) c.slope = (correlation - c.correlation) / (here - c.penalty);
    c.correlation = correlation;
    c.penalty = here;
  }
}

// Puts the candidates whose correlation, continued to `penalty`, exceeds its bar into the working set.
bool LassoPath::admit_candidates(double penalty, double step_tolerance) {
  std::vector<Index> added;
  std::vector<double> correlations;
  auto value = candidate_values_.begin();
  for (const Candidate& c : candidates_) {
    if (c.measured == 0) continue;
    const double correlation = *value++;
    const double bar = strength(c.feature, penalty) * problem_.l1_ratio * (1 + step_tolerance);
    if (predicted_correlation(c, penalty) <= bar) continue;
    added.push_back(c.feature);
    correlations.push_back(correlation);
  }
  if (added.empty()) return false;
  add_to_working_set(added, correlations);
  return true;
}

bool LassoPath::solve_penalty(double penalty) {
  // Candidates predicted to enter join before the solve (1 % early); they are measured where eta_ belongs to b_.
  if (!candidates_are_measured_) measure_candidates(last_penalty_);
  admit_candidates(penalty, -0.01);
  candidates_are_measured_ = false;
  const std::vector<double> here = b_;
  extrapolate(penalty);
  previous_b_ = here;
  previous_penalty_ = last_penalty_;
  last_penalty_ = penalty;
  while (true) {
    if (!solve_working_set(penalty)) return false;
    measure_candidates(penalty);
    if (!admit_candidates(penalty, tolerance_here())) {
      candidates_are_measured_ = true;
      return true;
    }
  }
}

}  // namespace tamis
