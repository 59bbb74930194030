// Figure 8: how many samples it takes, with independent inputs.
#include <fmt/format.h>

#include <cmath>

#include "experiments/garrote/sample_size.hpp"

namespace tamis::experiments::garrote {
namespace {

const std::vector<std::string> methods = {"ridge", "lasso", "pmf", "vg"};

void measure(const Trial& trial, Recorder& record) {
  measure_sample_size(trial, record, {ridge(), lasso(), paired_mean_field(), variational_garrote()});
}

Finding transition(const Results& results, const std::string& sparsity, double printed) {
  constexpr double recovered = 0.99;
  const double vg = first_reaches(results, sparsity, "vg", recovered);
  const double pmf = first_reaches(results, sparsity, "pmf", recovered);
  return {
      fmt::format("{}: vg and pmf reach almost perfect recovery at about {:g} samples per feature", sparsity, printed),
      fmt::format("mean AUC reaches {:g} at {:.2f} (vg) and {:.2f} (pmf)", recovered, vg, pmf),
      std::abs(vg - printed) < 0.1 && std::abs(pmf - printed) < 0.1};
}

Finding few_samples(const Results& results, const std::string& sparsity) {
  const double vg = results.value(sparsity, 0.2, "vg", area), pmf = results.value(sparsity, 0.2, "pmf", area);
  return {fmt::format("{}: with few samples pmf is slightly better than vg", sparsity),
          fmt::format("AUC at 0.2 samples per feature: pmf {:.3f}, vg {:.3f}", pmf, vg), pmf > vg};
}

Finding convex(const Results& results, const std::string& sparsity) {
  const auto mean = [&](const char* method) { return mean_over_curve(results, sparsity, method, area); };
  return {fmt::format("{}: lasso is better than ridge, vg and pmf are better than both", sparsity),
          fmt::format("mean AUC over the curve: vg {:.3f}, pmf {:.3f}, lasso {:.3f}, ridge {:.3f}", mean("vg"),
                      mean("pmf"), mean("lasso"), mean("ridge")),
          mean("lasso") > mean("ridge") && mean("vg") > mean("lasso") && mean("pmf") > mean("lasso")};
}

std::vector<Finding> check_claims(const Results& results) {
  return {transition(results, sparsities[0], 0.35), transition(results, sparsities[1], 0.6),
          few_samples(results, sparsities[0]),      few_samples(results, sparsities[1]),
          convex(results, sparsities[0]),           convex(results, sparsities[1])};
}

Picture picture(const Results& results) {
  return {.title = "Independent inputs: recovery against the number of samples",
          .panels = sample_size_panels(results, methods)};
}

}  // namespace

Experiment figure8() {
  return {.name = "vg.fig8",
          .title = "recovery against the number of samples, independent inputs",
          .source = paper + "Fig. 8",
          .shows =
              "area under the ROC curve of |v| and sum |v - w| for 500 features with weights 1, 2, 3, ... on 10 and "
              "25% of them; x is training samples over features; a tenth as many validation samples",
          .replicates = 20,
          .coordinate = "samples/features",
          .settings = sample_size_settings("vg.samples"),
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::garrote
