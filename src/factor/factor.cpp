// FactorPrior::fit: the one gate through which every factor model passes, whatever its prior and family.
//
// Model      x_nd ~ family of predictor psi_nd = intercept_d + sum_k v_nk theta_kd       (Eq. 2 of Mohamed, Heller &
//            Ghahramani, ICML 2012; the intercept is an addition, worth 3 to 30 bits on their data)
// Order      options -> shape -> what the prior needs of the family -> cells (values checked, test cells hidden,
//            columns standardized) -> local_fit -> provenance. A prior's local_fit may rely on all of it.
// Hidden     The values of test cells are erased in Cells before a prior runs: no algorithm can read them, and changing
//            them leaves the fit the same to the last bit.
// Scales     Algorithms work on standardized columns where the family has noise. Loadings, intercepts and noise are put
//            back on the original scale here; scores have no unit and stay.
// Memory     The table and what is kept of each score and of each hidden cell are the largest things. Predictions are
//            made first and their sums freed, then the factors are described.
#include "tamis/factor/factor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

#include "base/numerical_failure.hpp"
#include "design/sparse_structure.hpp"
#include "factor/model/task.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/version.hpp"

namespace tamis {
namespace factor {

Index rows_of(const FactorProblem& problem) {
  return problem.sparse != nullptr ? problem.sparse->rows : problem.dense.rows;
}

Index cols_of(const FactorProblem& problem) {
  return problem.sparse != nullptr ? problem.sparse->cols : problem.dense.cols;
}

void check_factors(Index factors) {
  constexpr Index most = 10000;
  if (factors < 1 || factors > most) {
    throw InvalidOption(fmt::format("factors: received {}; expected 1 to {}", factors, most));
  }
}

}  // namespace factor

namespace {

using factor::cols_of;
using factor::rows_of;

void check_problem(const FactorPrior& prior, const FactorProblem& problem) {
  const Index rows = rows_of(problem), cols = cols_of(problem);
  if (rows < 1 || cols < 1)
    throw InvalidInput(fmt::format("data: received {} rows and {} columns; expected at least 1 of each", rows, cols));
  if (problem.sparse != nullptr) check_structure(*problem.sparse);
  factor::check_factors(problem.factors);
  if (!problem.column_names.empty() && std::ssize(problem.column_names) != cols) {
    throw InvalidInput(
        fmt::format("column_names: received {} names for {} columns", problem.column_names.size(), cols));
  }
  // 2 GiB of doubles. A table given as sparse columns may have far more cells than memory; samplers keep weights or
  // residuals of every cell of it.
  constexpr Index dense_limit = Index{1} << 28;
  if (problem.sparse != nullptr && !prior.keeps_sparse() && rows * cols > dense_limit) {
    throw InvalidInput(fmt::format(
        "data: received {} x {} sparse cells, too many for prior {}, which stores the dense table; use prior l1 or vb",
        rows, cols, prior.name()));
  }
}

void check_family(const FactorPrior& prior, const Family& family) {
  const std::string lacking = prior.lacks(family);
  if (lacking.empty()) return;
  std::vector<std::string_view> others;
  for (const FactorPrior* other : factor_priors()) {
    if (other->lacks(family).empty()) others.push_back(other->name());
  }
  throw InvalidOption(fmt::format(
      "prior {} does not support family {}: it needs {}; {}", prior.name(), family.name(), lacking,
      others.empty() ? "no prior supports this family" : fmt::format("use prior {}", fmt::join(others, " or "))));
}

std::vector<std::string> names_of(const FactorProblem& problem) {
  if (!problem.column_names.empty()) return problem.column_names;
  std::vector<std::string> names;
  for (Index d = 0; d < cols_of(problem); ++d) names.push_back(fmt::format("x{}", d + 1));
  return names;
}

// Blocks of 256 rows by columns of the result: each thread writes its own rows, and reads of one row stay in the cache.
// A number of every score, factors in their places.
Matrix in_display_order(const factor::DisplayOrder& order, Index rows,
                        const std::function<double(Index n, Index k)>& number) {
  Matrix numbers(rows, std::ssize(order.places));
  constexpr Index rows_per_task = 256;
  parallel_for(rows, rows_per_task, [&](Index first, Index last) {
    for (Index j = 0; j < numbers.cols(); ++j) {
      const Index k = order.places[j];
      for (Index n = first; n < last; ++n) numbers(n, j) = number(n, k);
    }
  });
  return numbers;
}

}  // namespace

namespace factor {

void describe_inclusion(const DisplayOrder& order, Index rows, const std::function<double(Index n, Index k)>& inclusion,
                        FactorFit& fit) {
  fit.inclusion = in_display_order(order, rows, inclusion);
}

// Signs: flipping v_k and theta_k together changes nothing, so each factor is shown with a positive largest loading. On
// the original scale theta_kd is multiplied by the scale of column d, and the intercept is center + scale intercept_d.
void describe_state(const FactorTask& task, const FactorState& state, const ScoreTable& table, FactorFit& fit) {
  const Cells& cells = task.cells;
  const DisplayOrder order = display_order(state, table);
  fit.scores = in_display_order(order, state.rows, table.score);
  for (Index j = 0; j < state.factors; ++j) {
    const double sign = order.signs[j];
    for (double& score : fit.scores.column(j)) score *= sign;
  }
  if (table.inclusion) describe_inclusion(order, state.rows, table.inclusion, fit);
  fit.loadings = Matrix(state.factors, state.cols);
  for (Index j = 0; j < state.factors; ++j) {
    const Index k = order.places[j];
    const Index f = k;
    const double sign = order.signs[j];
    for (Index d = 0; d < state.cols; ++d) fit.loadings(j, d) = sign * cells.scale(d) * state.loading_row(k)[d];
    fit.factor_rates.push_back(state.inclusion[f]);
    fit.factor_means.push_back(sign * state.means[f]);
    fit.factor_variances.push_back(1 / state.precisions[f]);
  }
  for (Index d = 0; d < state.cols; ++d) {
    if (state.intercept) {
      fit.intercept.push_back(cells.center(d) + cells.scale(d) * state.loading_row(state.factors)[d]);
    }
    if (cells.family().has_noise()) {
      fit.noise_variances.push_back(state.noise_variance * cells.scale(d) * cells.scale(d));
    }
  }
}

// Without test cells there is no NLP: nothing is written, rather than 0.
void describe_predictions(const FactorTask& task, PredictiveTally&& tally, FactorResult& result) {
  const PredictiveTally taken = std::move(tally);
  result.fit.test_cells = taken.test_cells();
  if (result.fit.test_cells > 0) {
    result.fit.nlp_bits = taken.nlp_bits();
    result.fit.rmse = taken.rmse();
  }
  if (task.control.predict_cells) result.cells = taken.predictions();
}

}  // namespace factor

// The least that every prior needs: the noise variance is estimated from sums of squared residuals (draw_noise,
// training_noise), which is its conditional for a quadratic loss only. Everything else that algorithms ask has a
// default in src/family/cell_defaults.cpp, so that no prior has to refuse a family without noise.
std::string FactorPrior::lacks(const Family& family) const {
  return family.has_noise() && !family.is_quadratic() ? "a quadratic loss to estimate a noise variance" : "";
}

FactorResult FactorPrior::fit(const FactorProblem& problem, const std::map<std::string, OptionValue>& options,
                              const FactorControl& control) const {
  const Options checked(name(), fields(), options);
  check_problem(*this, problem);
  check_family(*this, family(problem.family));
  if (!control.checkpoint.empty() && !is_sampler()) {
    throw InvalidOption(fmt::format(
        "checkpoint: prior {} does not use sampling; remove this option or use a sampling prior such as spike-slab",
        name()));
  }
  FactorResult result;
  with_threads(control.threads, [&] {
    factor::Cells cells(problem);
    const FactorTask task{problem, cells, checked, control, name()};
    // Seconds are those of the algorithm, without checks and without reading the table.
    const auto start = std::chrono::steady_clock::now();
    try {
      local_fit(task, result);
    } catch (const NumericalFailure& trouble) {
      throw InvalidInput(
          fmt::format("data: prior {} failed because {}: the cells differ too much in magnitude; exclude or rescale "
                      "the largest ones",
                      name(), trouble.what()));
    }
    result.fit.largest_log_rate = cells.family().predictor_limit();
    result.fit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
  FactorFit& fit = result.fit;
  fit.library_version = version;
  fit.family = problem.family;
  fit.prior = name();
  fit.factors = problem.factors;
  fit.rows = rows_of(problem);
  fit.columns = names_of(problem);
  fit.options = checked.values();
  fit.options["seed"] = static_cast<double>(control.seed);
  fit.options["intercept"] = problem.intercept;
  if (family(problem.family).has_noise()) fit.options["standardize"] = problem.standardize;
  return result;
}

}  // namespace tamis
