// Table 1: prediction on large data sets with a tenth of the rows for training. The paper's files are not all to be
// had, so there are simulated twins in their shapes, and the same comparison on a file of the caller's.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/designs.hpp"
#include "experiments/laplace/experiments.hpp"
#include "experiments/laplace/paper_data.hpp"
#include "experiments/laplace/reference_methods.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/random.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis::experiments::laplace {
namespace {

const std::string error = "test error", kept = "features selected", seconds = "seconds";
constexpr Index least_training_rows = 35;  // or half of them: with fewer there is nothing to learn from

// The paper's columns, and what else there is. ep is the factorized one (EP-L), as in the paper.
std::vector<ReferenceMethod> contenders() {
  std::vector<ReferenceMethod> all = reference_methods();
  *std::ranges::find(all, "ep", &ReferenceMethod::label) = factorized_ep();
  return all;
}

// Training rows and held-out rows. Copies are compact: decorators would slow every method down.
struct Split {
  std::unique_ptr<Design> X, held_out;
  Matrix dense, held_out_dense;  // what they view, if dense
  std::vector<double> y, held_out_y;
  std::string family;
};

std::unique_ptr<Design> compact(const Design& X, Matrix& dense) {
  const bool sparse = X.stored_per_column() < 0.3 * static_cast<double>(X.rows());
  if (!sparse) {
    dense = Matrix(X.rows(), X.cols());
    X.gather(X.all(), dense);
    return std::make_unique<DenseDesign>(dense);
  }
  SparseColumns columns{.rows = X.rows(), .cols = X.cols(), .starts = {0}, .indices = {}, .values = {}};
  Matrix column(X.rows(), 1);
  for (Index j = 0; j < X.cols(); ++j) {
    X.gather(Columns::range(j, 1), column);
    for (Index i = 0; i < X.rows(); ++i) {
      if (column(i, 0) == 0) continue;
      columns.indices.push_back(static_cast<std::int32_t>(i));
      columns.values.push_back(column(i, 0));
    }
    columns.starts.push_back(std::ssize(columns.values));
  }
  return std::make_unique<SparseDesign>(std::move(columns));
}

Split split_file(const Dataset& data, std::uint64_t seed) {
  const Index rows = data.X->rows();
  const Index training = std::max(rows / 10, std::min(rows / 2, least_training_rows));
  Split split;
  split.family = guess_family(data.y);
  const std::vector<Index> chosen = RandomStream(seed).sample(rows, training);
  std::vector<Index> others;
  for (Index i = 0; i < rows; ++i) {
    const bool in = std::ranges::binary_search(chosen, i);
    (in ? split.y : split.held_out_y).push_back(data.y[i]);
    if (!in) others.push_back(i);
  }
  split.X = compact(RowSubsetDesign(*data.X, chosen), split.dense);
  split.held_out = compact(RowSubsetDesign(*data.X, others), split.held_out_dense);
  return split;
}

Split draw(const Trial& trial) {
  Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  Split split;
  split.family = drawn.family;
  const auto take = [](SimulatedSet& set, Matrix& dense, std::vector<double>& y) -> std::unique_ptr<Design> {
    y.assign(set.y.col(0), set.y.col(0) + set.rows());
    if (set.sparse) return std::make_unique<SparseDesign>(std::move(*set.sparse));
    dense = std::move(set.X);
    return std::make_unique<DenseDesign>(dense);
  };
  split.X = take(drawn.train, split.dense, split.y);
  split.held_out = take(drawn.test, split.held_out_dense, split.held_out_y);
  return split;
}

// In percent for classes, as the paper prints them.
void measure(const Trial& trial, Recorder& record) {
  const Split split = trial.data != nullptr ? split_file(*trial.data, trial.seed) : draw(trial);
  const Problem problem{.X = *split.X, .y = split.y, .likelihood = family(split.family)};
  const Control control{.seed = trial.seed, .threads = 1, .observer = trial.observer};
  // A file of the paper is recognized by its shape, and the paper's errors are shown beside.
  const std::string panel =
      trial.data == nullptr ? trial.setting.panel : paper_data_set(trial.data->X->rows(), trial.data->X->cols());
  for (const ReferenceMethod& contender : contenders()) {
    const Fit fit = contender.fit(problem, control);
    if (fit.status == Status::cancelled) return;
    record.ended(contender.label, fit.status == Status::converged);
    const double unit = problem.likelihood.is_binary() ? 100 : 1;
    const auto add = [&](const std::string& what, double value) {
      record.add_at({panel, no_coordinate, contender.label, what}, value);
    };
    add(error, unit * test_error(fit, *split.held_out, split.held_out_y));
    add(kept, static_cast<double>(count_selected(fit)));
    add(seconds, fit.seconds);
  }
}

// FLAS or FLAS* has the least error of the paper's columns; and against each of them.
std::vector<Finding> check_claims(const Results& results) {
  std::vector<Finding> findings;
  std::vector<std::string> panels;
  for (const Row& row : results.rows) {
    if (std::ranges::find(panels, row.place.panel) == panels.end()) panels.push_back(row.place.panel);
  }
  for (const std::string& panel : panels) {
    const auto at = [&](const std::string& method) { return results.value(panel, no_coordinate, method, error); };
    const double ours = std::min(at("flas"), at("flas*"));
    std::string others;
    double least = HUGE_VAL;
    for (const std::string other : {"lasso", "elastic net", "capped L1", "ard", "ep-l"}) {
      others += fmt::format(", {} {:.3g}", other, at(other));
      least = std::min(least, at(other));
    }
    findings.push_back(
        {fmt::format("{}FLAS or FLAS* predicts better than the others", panel.empty() ? "" : panel + ": "),
         fmt::format("test error flas {:.3g}, flas* {:.3g}{}", at("flas"), at("flas*"), others), ours < least});
  }
  return findings;
}

}  // namespace

Experiment table1_synthetic() {
  return {.name = "flas.table1-synthetic",
          .title = "prediction on simulated counterparts of large data sets, a tenth of the rows for training",
          .source = paper + "Table 1",
          .shows =
              "root mean squared error (expression) or percentage of misclassified rows (text) on the other rows, "
              "features selected, and the time of a fit including its search; simulated in the shapes of the paper's "
              "data sets, so their numbers are not comparable; ep is the factorized variant",
          .replicates = 10,
          .settings = {{"expression, 12 x 18976", no_coordinate, "flas.expression-gse5680"},
                       {"expression, 24 x 7399", no_coordinate, "flas.expression-dlbcl"},
                       {"text, 230 x 10080", no_coordinate, "flas.text-hitech"},
                       {"text, 406 x 18483", no_coordinate, "flas.text-reviews"}},
          .measure = measure,
          .check_claims = check_claims};
}

Experiment table1() {
  return {.name = "flas.table1",
          .title = "prediction on a data set, a tenth of the rows for training",
          .source = paper + "Table 1",
          .shows =
              "root mean squared error, or percentage of misclassified rows for a 0/1 response, on the rows not used "
              "for training, features selected, and the time of a fit including its search; each replicate draws a "
              "tenth of the rows (at least 35, if that is no more than half); ep is the factorized variant",
          .replicates = 10,
          .data =
              "any data set with the response in column y (or a svmlight file); those of the paper, rows x features "
              "as their sources give them, are recognized by their shape: " +
              paper_data_in_words(),
          .target = "y",
          .settings = {{}},
          .measure = measure,
          .paper = paper_errors(error),
          .check_claims = check_claims};
}

}  // namespace tamis::experiments::laplace
