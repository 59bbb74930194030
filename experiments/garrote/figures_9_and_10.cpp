// Figures 9 and 10: the same with inputs correlated in blocks, as genotypes are. The paper's genotypes are private;
// ours are simulated, so the numbers can only be compared in kind.
#include <fmt/format.h>

#include <cmath>

#include "experiments/garrote/sample_size.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis::experiments::garrote {
namespace {

const std::vector<std::string> methods = {"ridge", "lasso", "pmf", "pmf-anneal", "vg"};

void measure(const Trial& trial, Recorder& record) {
  measure_sample_size(trial, record,
                      {ridge(), lasso(), paired_mean_field(), annealed_paired_mean_field(), variational_garrote()});
}

Finding against(const Results& results, const std::string& claim, const std::string& sparsity, const char* better,
                const char* worse) {
  const double good = mean_over_curve(results, sparsity, better, area);
  const double bad = mean_over_curve(results, sparsity, worse, area);
  return {sparsity + ": " + claim,
          fmt::format("mean AUC over the curve: {} {:.3f}, {} {:.3f}", better, good, worse, bad), good > bad};
}

std::vector<Finding> check_claims(const Results& results) {
  const std::string &sparse = sparsities[0], &dense = sparsities[1];
  const auto error = [&](const std::string& sparsity, const char* method) {
    return results.value(sparsity, 1, method, weight_error);
  };
  const auto errors = [&](const std::string& sparsity) {
    return fmt::format("L1 error with as many samples as features: vg {:.3g}, pmf {:.3g}, lasso {:.3g}, ridge {:.3g}",
                       error(sparsity, "vg"), error(sparsity, "pmf"), error(sparsity, "lasso"),
                       error(sparsity, "ridge"));
  };
  const double convex = std::min(error(sparse, "lasso"), error(sparse, "ridge"));
  return {{sparse + ": with many samples vg and pmf are preferable", errors(sparse),
           error(sparse, "vg") < convex && error(sparse, "pmf") < convex},
          {dense + ": with many samples ridge can be preferable to the lasso", errors(dense),
           error(dense, "ridge") < error(dense, "lasso")},
          against(results, "vg is better than pmf", dense, "vg", "pmf"),
          against(results, "annealing improves pmf", sparse, "pmf-anneal", "pmf"),
          against(results, "annealing improves pmf", dense, "pmf-anneal", "pmf"),
          against(results, "vg is at least as good as pmf-anneal", dense, "vg", "pmf-anneal")};
}

// Correlations of the first features of one drawn data set, as in Figure 9.
HeatMap correlations(std::uint64_t seed) {
  constexpr Index shown = 150;
  constexpr double genotyped = 928;  // the paper's samples
  const Simulation drawn = simulate("vg.genotypes", seed, {{"n", genotyped}, {"validation_fraction", 0}, {"test", 0}});
  const DenseDesign X(drawn.train.X);
  ColumnMoments moments = column_moments(X, {});
  const StandardizedDesign standardized(X, std::move(moments.mean), std::move(moments.deviation));
  HeatMap map{.values = Matrix(shown, shown)};
  standardized.gram(Columns::range(0, shown), {}, map.values);
  for (Index j = 0; j < shown; ++j) {
    for (double& value : map.values.column(j)) value /= static_cast<double>(X.rows());
  }
  return map;
}

Picture picture(const Results& results) {
  Picture out{.title = "Block-correlated genotypes: recovery against the number of samples",
              .panels = sample_size_panels(results, methods)};
  Panel heat{.title = "Correlations of the first 150 features (blue -1, red 1)",
             .x = {.label = "feature"},
             .y = {.label = "feature"},
             .heat_map = correlations(results.seed)};
  out.panels.push_back(std::move(heat));
  return out;
}

}  // namespace

Experiment figures9_and_10() {
  return {.name = "vg.fig9-10",
          .title = "recovery against the number of samples, inputs correlated in blocks like genotypes",
          .source = paper + "Figs. 9 and 10",
          .shows =
              "as vg.fig8, with 500 simulated genotypes (0, 1, 2) correlated in blocks of 25 instead of the paper's "
              "private data; active features have pairwise correlations of at most 0.9",
          .replicates = 20,
          .coordinate = "samples/features",
          .settings = sample_size_settings("vg.genotypes"),
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::garrote
