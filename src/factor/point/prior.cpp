// Priors l1 and none: point estimates, the penalty by held-out cells.
//
// l1         minimizes Eq. 7 of Mohamed, Heller & Ghahramani (alternating.cpp), with R(Theta) = -log of the conjugate
//            prior or |Theta|_1, weighted by loading_penalty. The penalty of the scores is searched on 5 % of the
//            observed cells, as in the paper's section 6: 10 penalties from 0.02 to 32 in geometric steps, then half a
//            step to both sides of the best. The last fit uses all cells and begins at the best state.
// Search     along a path with warm starts from dense to sparse. From sparse to dense it would stay at zero: V = 0,
//            Theta = 0 is a stationary point at any penalty. On block images separate random starts end 10 bits worse.
// none       exponential family PCA, alpha = 0 with a ridge of 0.001 that keeps separable binary data finite. It
//            overfits; it is there to compare with.
// Noise      of the held-out errors, which count what the fit absorbed; without a search the residual variance with the
//            nonzero numbers as degrees of freedom.
// Also       short_l1_fit(): where chains with many factors and mean field begin. From random starts many factors share
//            the data out evenly: on 54 factors of image patches NLP 1370 from a flat start, 1045 from here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "factor/model/draw_cells.hpp"
#include "factor/model/initial_intercepts.hpp"
#include "factor/model/task.hpp"
#include "factor/point/alternating.hpp"
#include "factor/point/short_l1_fit.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"
#include "tamis/factor/factor.hpp"

namespace tamis::factor {
namespace {

constexpr double validation_share = 0.05;  // of the observed cells, as in the paper
constexpr double most_validation = 1e6;    // cells: more do not make one penalty more certain, and each takes memory
constexpr double largest_penalty = 32, smallest_penalty = 0.02;
constexpr double small_ridge = 1e-3;  // without any penalty scores of separable binary data have no finite optimum

// Small loadings let factors grow one after the other as a penalty allows; under a large penalty they stay at zero.
constexpr double small_loading = 0.1;

// Scores of unit size and small loadings: psi is near the intercepts, and the first update of V sees all of the
// residual.
FactorState point_start(const Cells& cells, const FactorProblem& problem, std::uint64_t seed, std::uint64_t chain,
                        double loading_size = small_loading) {
  FactorState state(cells, problem.factors, problem.intercept);
  RandomStream random(seed, chain, 0x737461727469ULL);
  random.normals(state.scores);
  for (Index k = 0; k < state.factors; ++k) {
    for (Index d = 0; d < state.cols; ++d) state.loading_row(k)[d] = loading_size * random.normal();
  }
  if (!cells.family().is_quadratic()) start_at_column_means(cells, 1, state);
  return state;
}

// Predictions of a point estimate.
void predict(const FactorState& state, double noise_variance, PredictiveTally& tally) {
  tally.set(noise_variance, [&](const TargetCell& cell) { return Belief{state.predictor(cell.row, cell.column), 0}; });
}

Index active_loadings(const FactorState& state) {
  return std::ranges::count_if(state.loadings, [](double theta) { return theta != 0; });
}

// Residual variance with the nonzero numbers of the estimate as degrees of freedom, but at most nine tenths of the
// cells: with more numbers than cells the quotient would be negative or 0 / 0.
double training_noise(const Cells& cells, const PointObjective& objective, const FactorState& state) {
  if (!cells.family().has_noise()) return 1;
  const double count = static_cast<double>(cells.observed());
  const Index loadings = objective.sparse_loadings ? active_loadings(state) : state.lines() * state.cols;
  const double used = static_cast<double>(state.active() + loadings);
  return std::max(residual_squares(cells, state) / (count - std::min(used, 0.9 * count)), 1e-12);
}

// The share of nonzero scores of each factor, their mean and variance.
void describe_scores(FactorState& state) {
  for (Index k = 0; k < state.factors; ++k) {
    double count = 0, sum = 0, squares = 0;
    for (Index n = 0; n < state.rows; ++n) {
      const double v = state.score_row(n)[k];
      count += v != 0 ? 1 : 0;
      sum += v;
      squares += v * v;
    }
    const Index f = k;
    state.inclusion[f] = count / static_cast<double>(state.rows);
    state.means[f] = count > 0 ? sum / count : 0;
    const double variance = count > 1 ? (squares - sum * sum / count) / (count - 1) : 0;
    state.precisions[f] = variance > 0 ? 1 / variance : std::numeric_limits<double>::infinity();
  }
}

// On the working scale.
// The squared error chooses the penalty where there is noise: its NLP would need a noise variance at every penalty,
// which is what comes out of it. The others are compared by NLP.
double mean_square(std::span<const TargetCell> targets, const FactorState& state) {
  double squares = 0;
  for (const TargetCell& cell : targets) {
    const double error = state.predictor(cell.row, cell.column) - cell.value;
    squares += error * error;
  }
  return squares / static_cast<double>(targets.size());
}

struct Choice {
  double penalty = 1;
  double noise_variance = 1;
  FactorState state;
};

// The penalty of least held-out loss. Eq. 7 has two penalties, but (alpha / c, beta c^2) have the same optimum: one is
// searched, on a grid and then once between the neighbors of the best. Either along a path from dense to sparse with
// warm starts (from a large penalty it would stay at zero), or each penalty by itself from one random start, which ends
// in poorer optima. The validation cells are hidden in the task's own table until run() ends: a second one would be a
// quarter of the memory of a fit.
class PenaltySearch {
 public:
  PenaltySearch(const FactorTask& task, const PointObjective& objective)
      : task_(task),
        cells_(task.cells),
        objective_(objective),
        iterations_(task.options.integer("iterations")),
        tolerance_(task.options.real("tolerance")),
        separate_(task.options.text("search") == "separate") {
    const double size = static_cast<double>(rows_of(task.problem)) * static_cast<double>(cols_of(task.problem));
    const double share = std::min(validation_share, most_validation / size);
    task.cells.with_validation_cells(task.problem, draw_penalty_cells(task.problem, share, task.control.seed));
  }

  Choice run(Index length) {
    FactorState state = point_start(cells_, task_.problem, task_.control.seed, 0);
    const double ratio =
        length > 1 ? std::pow(largest_penalty / smallest_penalty, 1 / static_cast<double>(length - 1)) : 1;
    double penalty = smallest_penalty;
    for (Index i = 0; i < length && !stopped_; ++i, penalty *= ratio) {
      report_progress(static_cast<double>(i) / static_cast<double>(length + 2));
      if (!attempt(penalty, state)) break;
    }
    const double best = best_.penalty;
    for (const double factor : {1 / std::sqrt(ratio), std::sqrt(ratio)}) {
      if (stopped_ || ratio == 1) break;
      state = best_.state;
      attempt(best * factor, state);
    }
    task_.cells.restore(task_.problem);
    return std::move(best_);
  }

 private:
  void report_progress(double fraction) const {
    if (task_.control.observer != nullptr) task_.control.observer->progress(fraction, "choosing the penalty");
  }

  // False when all scores are zero: they stay so at larger penalties.
  bool attempt(double penalty, FactorState& state) {
    if (separate_) state = point_start(cells_, task_.problem, task_.control.seed, 0, 1);
    objective_.penalty = penalty;
    const PointEnd end = minimize(cells_, objective_, iterations_, tolerance_, task_.control.observer, state);
    stopped_ = end.cancelled;
    PredictiveTally tally(cells_, cells_.targets(false), PredictiveTally::Keeps::scores);
    predict(state, 1, tally);
    double error = tally.nlp_bits(), noise_variance = 1;
    if (cells_.family().has_noise()) {
      error = mean_square(tally.targets(), state);
      // Of a tiny table a cell or two are held out, and they may be hit by chance.
      noise_variance = std::max(error, training_noise(cells_, objective_, state));
    }
    if (error < best_error_) {
      best_error_ = error;
      best_.penalty = penalty;
      best_.noise_variance = std::max(noise_variance, 1e-12);
      best_.state = state;  // in place: a third copy of the scores is not made
    }
    return separate_ || state.active() > 0;
  }

  const FactorTask& task_;
  const Cells& cells_;
  PointObjective objective_;
  Index iterations_;
  double tolerance_;
  bool separate_;
  bool stopped_ = false;
  double best_error_ = std::numeric_limits<double>::infinity();
  Choice best_;
};

std::vector<Field> descent_fields() {
  return {Field::integer("iterations", "maximum number of iterations at each penalty", 200.0, 1, 1e6),
          Field::real("tolerance", "convergence tolerance: relative change of the loss", 1e-5, 0, 1)};
}

// The last descent, on all cells but the test cells; predictions, factors, status.
void finish(const FactorTask& task, const PointObjective& objective, std::optional<double> noise_variance,
            FactorState state, FactorResult& result) {
  FactorFit& fit = result.fit;
  const PointEnd end = minimize(task.cells, objective, task.options.integer("iterations"),
                                task.options.real("tolerance"), task.control.observer, state, "fitting", &fit.trace);
  state.noise_variance = noise_variance.value_or(training_noise(task.cells, objective, state));
  PredictiveTally tally = task.tally();
  predict(state, state.noise_variance, tally);
  describe_predictions(task, std::move(tally), result);
  describe_scores(state);
  describe_state(task, state, {[&](Index n, Index k) { return state.score_row(n)[k]; }}, fit);
  std::string loadings;
  if (objective.sparse_loadings) {
    const auto kept = std::span(state.loadings).first(state.factors * state.cols);
    loadings = fmt::format("{} of {} loadings at penalty {:.3g}; ",
                           std::ranges::count_if(kept, [](double theta) { return theta != 0; }), kept.size(),
                           objective.loading_penalty);
  }
  // In units of the log density: new rows are explained with cells divided by their noise.
  fit.score_penalty = objective.penalty / state.noise_variance;
  fit.status = end.cancelled ? Status::cancelled : end.converged ? Status::converged : Status::iteration_limit;
  fit.message =
      fmt::format("{} of {} scores are nonzero at penalty {:.3g}; {}{} iterations, last relative change {:.2g}",
                  state.active(), state.rows * state.factors, objective.penalty, loadings, end.iterations, end.change);
}

class L1Prior final : public FactorPrior {
 public:
  std::string_view name() const override { return "l1"; }
  std::string_view summary() const override;
  std::vector<Field> fields() const override;
  bool keeps_sparse() const override { return true; }

 private:
  void local_fit(const FactorTask& task, FactorResult& result) const override;
};

std::string_view L1Prior::summary() const {
  return "L1 penalty on the scores, chosen on held-out cells; point estimate";
}

std::vector<Field> L1Prior::fields() const {
  std::vector<Field> fields = descent_fields();
  fields.push_back(
      Field::real("penalty", "L1 penalty; default: chosen on 5% of the cells, held out", std::monostate{}, 0, 1e9));
  fields.push_back(Field::choice(
      "loading_regularizer",
      "of the loadings: conjugate (minus the log of their conjugate prior) or l1 (L1 penalty: loadings are "
      "sparse too)",
      {"conjugate", "l1"}, "conjugate"));
  fields.push_back(Field::real("loading_penalty", "weight of the regularizer of the loadings", 1.0, 0, 1e9, true));
  fields.push_back(Field::integer("path_length", "number of penalties tried, from 0.02 to 32", 10.0, 1, 1000));
  fields.push_back(Field::choice("search",
                                 "path: warm start from the previous penalty; separate: random start for each penalty",
                                 {"path", "separate"}, "path"));
  return fields;
}

void L1Prior::local_fit(const FactorTask& task, FactorResult& result) const {
  PointObjective objective{.loading_penalty = task.options.real("loading_penalty"),
                           .sparse_loadings = task.options.text("loading_regularizer") == "l1"};
  if (const std::optional<double> penalty = task.options.maybe_real("penalty")) {
    if (objective.sparse_loadings && *penalty == 0) {
      throw InvalidOption(
          "penalty: received 0 with loading_regularizer = l1, whose loss has no minimum then: loadings shrink and "
          "scores grow "
          "without bound; expected more than 0");
    }
    objective.penalty = *penalty;
    finish(task, objective, std::nullopt, point_start(task.cells, task.problem, task.control.seed, 0), result);
    return;
  }
  Choice choice = PenaltySearch(task, objective).run(task.options.integer("path_length"));
  const bool noisy = task.cells.family().has_noise();
  objective.penalty = choice.penalty;
  finish(task, objective, noisy ? std::optional(choice.noise_variance) : std::nullopt, std::move(choice.state), result);
}

class NoPrior final : public FactorPrior {
 public:
  std::string_view name() const override { return "none"; }
  std::string_view summary() const override;
  std::vector<Field> fields() const override;
  bool keeps_sparse() const override { return true; }

 private:
  void local_fit(const FactorTask& task, FactorResult& result) const override;
};

std::string_view NoPrior::summary() const { return "no penalty (exponential family PCA); point estimate"; }

std::vector<Field> NoPrior::fields() const { return descent_fields(); }

void NoPrior::local_fit(const FactorTask& task, FactorResult& result) const {
  finish(task, {0, small_ridge}, std::nullopt, point_start(task.cells, task.problem, task.control.seed, 0), result);
}

}  // namespace

const FactorPrior& l1_prior() {
  static const L1Prior prior;
  return prior;
}

const FactorPrior& no_prior() {
  static const NoPrior prior;
  return prior;
}

FactorState short_l1_fit(const FactorTask& task, std::uint64_t chain, Observer* observer) {
  FactorState state = point_start(task.cells, task.problem, task.control.seed, chain);
  // Enough to find the directions, which chains then refine; of very large tables one iteration takes long.
  constexpr Index large_table = 10'000'000;
  const Index iterations = task.cells.rows() * task.cells.cols() >= large_table ? 3 : 15;
  minimize(task.cells, {0.5, 0}, iterations, 1e-4, observer, state, "initializing");
  describe_scores(state);
  for (Index k = 0; k < std::ssize(state.precisions); ++k) {
    // A factor with hardly any scores says nothing about their spread: the prior's mean of tau. Rates are kept inside
    // (0.01, 0.99), because a chain leaves a rate near 0 or 1 slowly: its draws follow the number of active scores.
    if (!std::isfinite(state.precisions[k])) state.precisions[k] = 1;
    state.inclusion[k] = std::clamp(state.inclusion[k], 0.01, 0.99);
  }
  state.noise_variance = training_noise(task.cells, {}, state);
  return state;
}

}  // namespace tamis::factor
