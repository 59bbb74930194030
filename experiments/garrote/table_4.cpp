// Table 4: how far vg and pmf are from the exact posterior mean, and whether that depends on where they start.
#include <fmt/format.h>

#include "experiments/garrote/boston.hpp"
#include "experiments/garrote/experiments.hpp"
#include "experiments/garrote/random_start.hpp"

namespace tamis::experiments::garrote {
namespace {

const std::string soft = "error, soft starts", extreme = "error, extreme starts";

void measure(const Trial& trial, Recorder& record) {
  const Boston boston(*trial.data);
  for (const auto& [kind, label] : {std::pair{FieldKind::paired, "pmf"}, {FieldKind::garrote, "vg"}}) {
    FixedField field(kind, boston.X, boston.y, Boston::noise_variance, Boston::slab_variance);
    for (const auto& [start, name] : {std::pair{StartKind::soft, soft}, {StartKind::extreme, extreme}}) {
      const std::vector<double> inclusion = random_inclusion(start, boston.X.cols(), trial.seed);
      const FieldSolution solution = field.solve_from(inclusion, Boston::prior_inclusion);
      record.add(label, name, l1_distance(solution.coefficients, boston.exact));
      record.ended(label, solution.settled);
    }
  }
}

std::vector<Finding> judge(const Results& results) {
  std::vector<Finding> findings;
  for (const std::string& start : {soft, extreme}) {
    const Row* pmf = results.find("", no_coordinate, "pmf", start);
    const Row* vg = results.find("", no_coordinate, "vg", start);
    if (pmf == nullptr || vg == nullptr) continue;
    findings.push_back({start + ": pmf ends in a right or a wrong optimum, depending on the start",
                        fmt::format("from {:.4f} to {:.4f}", pmf->ours.least, pmf->ours.most),
                        pmf->ours.least < 0.01 && pmf->ours.most > 0.1});
    findings.push_back({start + ": vg does not depend on the start, with an error of order 0.001",
                        fmt::format("from {:.6f} to {:.6f}", vg->ours.least, vg->ours.most),
                        vg->ours.most - vg->ours.least < 1e-4 && vg->ours.most < 0.01});
  }
  return findings;
}

std::vector<PaperNumber> printed() {
  constexpr Index starts = 300;
  const auto cell = [](const char* method, const std::string& measure, double mean, double low, double high) {
    return PaperNumber{
        .place = {"", no_coordinate, method, measure}, .value = mean, .count = starts, .low = low, .high = high};
  };
  return {cell("pmf", soft, 0.237, 0.001, 0.454), cell("vg", soft, 0.006, 0.006, 0.006),
          cell("pmf", extreme, 0.209, 0.001, 0.454), cell("vg", extreme, 0.006, 0.006, 0.006)};
}

}  // namespace

Experiment table4() {
  return {.name = "vg.table4",
          .title = "local optima of pmf and vg on the Boston housing data",
          .source = paper + "Table 4, after Titsias & Lazaro-Gredilla (2011)",
          .shows =
              "sum |v - w| from random starts of the inclusion probabilities, between 0 and 1 (soft) or equal to "
              "either (extreme), mean and the central 95 % of the starts; data at unit spread, noise variance 0.1, "
              "prior inclusion 0.25, slab variance 1; w is the exact posterior mean, where the paper has a Gibbs "
              "sampler; all 506 rows, for which 456 the paper used is not known",
          .replicates = 300,
          .data = boston_file,
          .target = boston_target,
          .settings = {{}},
          .measure = measure,
          .paper = printed(),
          .shown = {{soft, Shown::interval}, {extreme, Shown::interval}},
          .judge = judge};
}

}  // namespace tamis::experiments::garrote
