// Around every prior: checks before any work, hidden cells, scores and provenance afterwards.
#include "tamis/factor/factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "factor/task.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/random.hpp"
#include "tamis/version.hpp"

namespace tamis {
namespace {

Index rows_of(const FactorProblem& problem) {
  return problem.sparse != nullptr ? problem.sparse->rows : problem.dense.rows;
}
Index cols_of(const FactorProblem& problem) {
  return problem.sparse != nullptr ? problem.sparse->cols : problem.dense.cols;
}

void check_problem(const FactorPrior& prior, const FactorProblem& problem) {
  const Index rows = rows_of(problem), cols = cols_of(problem);
  if (rows < 1 || cols < 1)
    throw InvalidInput(fmt::format("data: {} rows and {} columns; both must be at least 1", rows, cols));
  constexpr Index most = 10000;
  if (problem.factors < 1 || problem.factors > most) {
    throw InvalidOption(fmt::format("factors: received {}, expected 1 to {}", problem.factors, most));
  }
  if (!problem.column_names.empty() && static_cast<Index>(problem.column_names.size()) != cols) {
    throw InvalidInput(fmt::format("column_names: received {} for {} columns", problem.column_names.size(), cols));
  }
  constexpr Index dense_limit = Index{1} << 28;
  if (problem.sparse != nullptr && !prior.keeps_sparse() && rows * cols > dense_limit) {
    throw InvalidInput(fmt::format("data: {} x {} sparse cells are too many for {}, which needs them all; use l1 or vb",
                                   rows, cols, prior.name()));
  }
}

std::vector<std::string> names_of(const FactorProblem& problem) {
  if (!problem.column_names.empty()) return problem.column_names;
  std::vector<std::string> names;
  for (Index d = 0; d < cols_of(problem); ++d) names.push_back(fmt::format("x{}", d + 1));
  return names;
}

}  // namespace

namespace factor {

void describe_state(const FactorTask& task, const FactorState& state, const ScoreTable& table, FactorFit& fit) {
  const Cells& cells = task.cells;
  const DisplayOrder order = display_order(state, table);
  fit.scores = Matrix(state.rows, state.factors);
  fit.loadings = Matrix(state.factors, state.cols);
  if (table.inclusion) fit.inclusion = Matrix(state.rows, state.factors);
  constexpr Index rows_per_task = 256;
  parallel_for(state.rows, rows_per_task, [&](Index first, Index last) {
    for (Index j = 0; j < state.factors; ++j) {
      const Index k = order.places[static_cast<std::size_t>(j)];
      const double sign = order.signs[static_cast<std::size_t>(j)];
      for (Index n = first; n < last; ++n) {
        fit.scores(n, j) = sign * table.score(n, k);
        if (table.inclusion) fit.inclusion(n, j) = table.inclusion(n, k);
      }
    }
  });
  for (Index j = 0; j < state.factors; ++j) {
    const Index k = order.places[static_cast<std::size_t>(j)];
    const auto f = static_cast<std::size_t>(k);
    const double sign = order.signs[static_cast<std::size_t>(j)];
    for (Index d = 0; d < state.cols; ++d) fit.loadings(j, d) = sign * cells.scale(d) * state.loading_row(k)[d];
    fit.factor_rates.push_back(state.inclusion[f]);
    fit.factor_means.push_back(sign * state.means[f]);
    fit.factor_variances.push_back(1 / state.precisions[f]);
  }
  for (Index d = 0; d < state.cols; ++d) {
    if (state.intercept) {
      fit.intercept.push_back(cells.centre(d) + cells.scale(d) * state.loading_row(state.factors)[d]);
    }
    if (cells.family() == CellFamily::gaussian) {
      fit.noise_variances.push_back(state.noise_variance * cells.scale(d) * cells.scale(d));
    }
  }
}

void describe_predictions(const FactorTask& task, const PredictiveTally& tally, FactorResult& result) {
  result.fit.test_cells = tally.test_cells();
  if (result.fit.test_cells > 0) {
    result.fit.nlp_bits = tally.nlp_bits();
    result.fit.rmse = tally.rmse();
  }
  if (task.control.predict_cells) result.cells = tally.predictions();
}

}  // namespace factor

FactorResult FactorPrior::fit(const FactorProblem& problem, const std::map<std::string, OptionValue>& options,
                              const FactorControl& control) const {
  const Options checked(name(), fields(), options);
  check_problem(*this, problem);
  if (!control.checkpoint.empty() && !is_sampler()) {
    throw InvalidOption(fmt::format("checkpoint: {} does not sample, so there is nothing to save on the way", name()));
  }
  FactorResult result;
  with_threads(control.threads, [&] {
    const factor::Cells cells(problem);
    const FactorTask task{problem, cells, checked, control};
    const auto start = std::chrono::steady_clock::now();
    local_fit(task, result);
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
  if (problem.family == "gaussian") fit.options["standardize"] = problem.standardize;
  return result;
}

std::vector<TestCell> draw_test_cells(const FactorProblem& problem, double share, std::uint64_t seed) {
  const Index rows = rows_of(problem), cols = cols_of(problem);
  if (!(share > 0 && share < 1))
    throw InvalidOption(fmt::format("holdout: received {}, expected a share between 0 and 1", share));
  const auto wanted = static_cast<Index>(std::llround(share * static_cast<double>(rows * cols)));
  std::unordered_set<Index> hidden;
  for (const TestCell& cell : problem.test_cells) hidden.insert(cell.row * cols + cell.column);
  const auto value_at = [&](Index n, Index d) {
    if (problem.sparse == nullptr) return problem.dense(n, d);
    const SparseColumns& sparse = *problem.sparse;
    const auto first = sparse.indices.begin() + sparse.starts[static_cast<std::size_t>(d)];
    const auto last = sparse.indices.begin() + sparse.starts[static_cast<std::size_t>(d) + 1];
    const auto at = std::lower_bound(first, last, static_cast<std::int32_t>(n));
    return at != last && *at == n ? sparse.values[static_cast<std::size_t>(at - sparse.indices.begin())] : 0.0;
  };
  std::vector<TestCell> cells;
  for (const Index i : RandomStream(seed, 0x686f6c646f7574ULL).sample(rows * cols, wanted)) {
    const TestCell cell{i / cols, i % cols, value_at(i / cols, i % cols)};
    if (!std::isnan(cell.value) && !hidden.contains(i)) cells.push_back(cell);
  }
  if (cells.empty()) throw InvalidOption(fmt::format("holdout: a share of {} leaves no observed cell to score", share));
  return cells;
}

FactorResult fit_best_factors(const FactorPrior& prior, FactorProblem problem, const std::vector<Index>& factors,
                              const std::map<std::string, OptionValue>& options, const FactorControl& control) {
  if (factors.empty()) throw InvalidOption("factors: the list is empty");
  std::vector<FactorSearchPoint> search;
  FactorProblem rehearsal = problem;
  rehearsal.test_cells = draw_test_cells(problem, 0.1, control.seed);
  // The choice must not see the test cells: hidden, not scored.
  for (const TestCell& cell : problem.test_cells) {
    rehearsal.test_cells.push_back({cell.row, cell.column, std::numeric_limits<double>::quiet_NaN()});
  }
  for (const Index count : factors) {
    rehearsal.factors = count;
    FactorControl quiet = control;
    quiet.predict_cells = false;
    quiet.checkpoint.clear();
    const FactorFit fit = prior.fit(rehearsal, options, quiet).fit;
    search.push_back({count, *fit.nlp_bits, *fit.rmse});
    if (fit.status == Status::cancelled) break;
  }
  const auto best =
      std::min_element(search.begin(), search.end(),
                       [](const FactorSearchPoint& a, const FactorSearchPoint& b) { return a.nlp_bits < b.nlp_bits; });
  problem.factors = best->factors;
  FactorResult result = prior.fit(problem, options, control);
  result.fit.search = std::move(search);
  return result;
}

}  // namespace tamis
