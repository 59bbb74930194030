// Figure 5: precision, recall and F1 of pruning, against the number of features.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "experiments/masking/experiments.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::masking {
namespace {

constexpr std::array<double, 4> sizes = {10, 30, 50, 100};
// The lasso at both rules of cross-validation, and with an intercept: the paper does not say which it has.
struct LassoKind {
  const char* label;
  const char* rule;
  bool intercept;
};
constexpr std::array<LassoKind, 4> lassos = {{{"lasso", "min", false},
                                              {"lasso (one-se)", "one-se", false},
                                              {"lasso (intercept)", "min", true},
                                              {"lasso (one-se, intercept)", "one-se", true}}};
constexpr const char* elimination = "BIC elimination";
constexpr std::array<const char*, 8> methods = {
    "bm", "bm (hybrid)", "ard", lassos[0].label, lassos[1].label, lassos[2].label, lassos[3].label, elimination};
const std::string precision = "precision", recall = "recall", f1 = "F1";

// Of the features that are pruned: section 5.3.2.
void record_pruning(Recorder& record, const char* method, const std::vector<double>& b, const Truth& truth) {
  double irrelevant = 0, pruned = 0, both = 0;
  for (Index j = 0; j < std::ssize(b); ++j) {
    const bool is_irrelevant = truth.coefficients(j, 0) == 0;
    irrelevant += is_irrelevant;
    pruned += b[j] == 0;
    both += is_irrelevant && b[j] == 0;
  }
  if (pruned > 0) record.add(method, precision, both / pruned);
  record.add(method, recall, both / irrelevant);
  record.add(method, f1, 2 * both / (irrelevant + pruned));
}

void measure(const Trial& trial, Recorder& record) {
  const Simulation drawn = simulate(trial.setting.design, trial.seed, trial.setting.parameters);
  const auto fit = [&](const char* label, const char* method, const std::map<std::string, OptionValue>& options) {
    record_pruning(record, label, plain_coefficients(trial, record, drawn, label, method, options), drawn.truth);
  };
  fit(methods[0], "bm", {});
  fit(methods[1], "bm", {{"algorithm", std::string("hybrid")}, {"switch_after", 500.0}, {"max_iterations", 2000.0}});
  fit(methods[2], "ard", {{"noise_variance", unbiased_noise(drawn.train)}});
  for (const LassoKind& kind : lassos) {
    const std::map<std::string, OptionValue> options{{"rule", std::string(kind.rule)}};
    record_pruning(record, kind.label,
                   plain_coefficients(trial, record, drawn, kind.label, "lasso", options, 10, kind.intercept),
                   drawn.truth);
  }
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  record_pruning(record, elimination, backward_elimination(drawn.train, unknown), drawn.truth);
}

std::vector<Finding> check_claims(const Results& results) {
  const auto value = [&](const char* method, double p, const std::string& what) {
    return results.value("", p, method, what);
  };
  const auto list = [&](const char* method, const std::string& what) {
    return fmt::format("{} {:.3f}/{:.3f}/{:.3f}/{:.3f}", method, value(method, 10, what), value(method, 30, what),
                       value(method, 50, what), value(method, 100, what));
  };
  const auto best_lasso = [&](double p, const std::string& what) {
    double best = 0;
    for (const LassoKind& kind : lassos) best = std::max(best, value(kind.label, p, what));
    return best;
  };
  const auto best_of_three = [&](const char* bm) {
    return std::ranges::all_of(sizes, [&](double p) {
      return value(bm, p, f1) > value("ard", p, f1) && value(bm, p, f1) > best_lasso(p, f1);
    });
  };
  const auto all = [&](const std::string& what) {
    std::string words = what + " at 10/30/50/100 features: ";
    for (const char* method : methods) words += list(method, what) + ", ";
    return words.substr(0, words.size() - 2);
  };
  return {
      {"BM has the highest F1 at every number of features (the paper's hybrid)", all(f1), best_of_three("bm (hybrid)")},
      {"the same for the collapsed algorithm", list("bm", f1), best_of_three("bm")},
      {"BM has the highest recall, and slightly lower precision than ARD and the lasso",
       all(recall) + "; " + all(precision),
       std::ranges::all_of(sizes,
                           [&](double p) {
                             return value("bm (hybrid)", p, recall) > value("ard", p, recall) &&
                                    value("bm (hybrid)", p, recall) > best_lasso(p, recall);
                           })},
      {"(not in the paper) BM prunes better than greedy backward elimination by BIC",
       list("bm", f1) + ", " + list("BIC elimination", f1),
       std::ranges::all_of(sizes, [&](double p) { return value("bm", p, f1) > value("BIC elimination", p, f1); })}};
}

Picture picture(const Results& results) {
  Picture out{.title = "Pruning of irrelevant features", .panels = {}, .columns = 3, .panel_width = 330};
  for (const std::string& what : {precision, recall, f1}) {
    Panel panel{.title = what, .x = {.label = "features"}, .y = {.label = what, .maximum = 1.0}};
    Index color = 0;
    for (const char* method : methods) {
      panel.series.push_back(curve(results, "", method, what, {.mark = Mark::line_and_points, .color = color++}));
    }
    out.panels.push_back(std::move(panel));
  }
  return out;
}

std::vector<Setting> settings() {
  std::vector<Setting> all;
  all.reserve(sizes.size());
  for (const double p : sizes) {
    all.push_back({.x = p, .design = fmt::format("bm.k{:g}", p), .parameters = {{"test", 0}}});
  }
  return all;
}

}  // namespace

Experiment figure5() {
  return {.name = "bm.fig5",
          .title = "precision, recall and F1 of pruning",
          .source = paper + "Fig. 5",
          .shows =
              "how well irrelevant features are pruned, half of K features, 20 K samples, noise variance .2 unknown: "
              "bm collapsed and hybrid (em for 500 iterations, then eg, 2000 at most), ard at the unbiased noise "
              "variance, the lasso by 10-fold cross-validation at both rules (min, and one "
              "standard error) without and with intercept; greedy backward elimination by BIC for comparison; the "
              "paper prints no numbers",
          .replicates = 100,
          .coordinate = "features",
          .settings = settings(),
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::masking
