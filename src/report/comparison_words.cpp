#include "report/comparison_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/comparison_order.hpp"
#include "report/phrases.hpp"

namespace tamis {
namespace {

// Differences of less than two standard errors may be luck of the folds.
bool clearly_above_zero(const FoldMean& difference) {
  return difference.standard_error && difference.mean > 2 * *difference.standard_error;
}

std::string about_the_best(const Comparison& comparison) {
  const ComparedMethod& best = comparison.methods[*comparison.best];
  std::string words = fmt::format("{} has the least {}: {:.4g}", best.method, comparison.error_name, best.error->mean);
  if (best.error->standard_error) words += fmt::format(" +- {:.2g}", *best.error->standard_error);
  std::vector<std::string> as_good;
  for (const std::size_t m : methods_by_error(comparison)) {
    const ComparedMethod& method = comparison.methods[m];
    if (&method == &best || !method.excess || clearly_above_zero(*method.excess)) continue;
    as_good.push_back(method.method);
  }
  if (as_good.empty()) return comparison.methods.size() > 1 ? words + ", clearly less than every other." : words + ".";
  return fmt::format("{}; not clearly worse (by less than two standard errors of the difference): {}.", words,
                     fmt::join(as_good, ", "));
}

Finding about_the_baseline(const Comparison& comparison) {
  const ComparedMethod& best = comparison.methods[*comparison.best];
  const double without = comparison.baseline_error->mean;
  const std::string words = fmt::format("Without any feature it is {:.4g}", without);
  // Nature is rarely so kind; a column that was computed from the target is.
  constexpr double too_good = 0.02;
  if (best.error->mean <= too_good * without) {
    return {words + ": an error so small asks whether some column was made from the target.", true};
  }
  if (best.error->mean < without) return {words + "."};
  return {words + ": no method predicts better than that, so what they keep is not to be trusted.", true};
}

// "iteration_limit in 2 of 11 fits" for each way to end that is not convergence.
std::string endings(const ComparedMethod& method) {
  std::map<Status, Index> counts;
  Index fits = 0;
  const auto count = [&](Status status) {
    ++fits;
    if (status != Status::converged) ++counts[status];
  };
  if (method.fit) count(method.fit->status);
  for (const FoldResult& fold : method.folds) {
    if (fold.failure.empty()) count(fold.status);
  }
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [status, times] : counts) {
    parts.push_back(fmt::format("{} in {} of {}", name_of(status), times, quantity(fits, "fit", "fits")));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Reasons of the folds that could not be judged, each once: the first fold that has it and how many more.
void add_failures(const ComparedMethod& method, std::vector<Finding>& findings) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> reasons;
  for (Index f = 0; f < std::ssize(method.folds); ++f) {
    const std::string& reason = method.folds[f].failure;
    if (reason.empty()) continue;
    auto known = std::ranges::find(reasons, reason, &std::pair<std::string, std::vector<std::size_t>>::first);
    if (known == reasons.end()) known = reasons.insert(reasons.end(), {reason, {}});
    known->second.push_back(f + 1);
  }
  if (!method.failure.empty() && method.failure != "cancelled") {
    const bool everywhere = reasons.size() == 1 && reasons[0].first == method.failure;
    findings.push_back(
        {fmt::format("{} failed{}: {}.", method.method, everywhere ? "" : " on all rows", method.failure), true});
    if (everywhere) return;
  }
  for (const auto& [reason, folds] : reasons) {
    findings.push_back({fmt::format("{} failed on {} {}: {}.", method.method, folds.size() == 1 ? "fold" : "folds",
                                    fmt::join(folds, ", "), reason),
                        true});
  }
}

}  // namespace

std::string comparison_headline(const Comparison& comparison) {
  std::string line = fmt::format("{} x {}", quantity(comparison.samples, "row", "rows"),
                                 quantity(std::ssize(comparison.features), "feature", "features"));
  if (!comparison.target.empty()) line += ", target " + comparison.target;
  if (comparison.levels.size() == 2) {
    line += fmt::format(" ({} = 0, {} = 1)", comparison.levels[0], comparison.levels[1]);
  }
  return fmt::format("{}, {}, {} folds", line, comparison.family, comparison.folds);
}

std::string error_meaning(const Comparison& comparison) {
  if (comparison.family == "bernoulli") return "share of held-out rows put into the wrong class";
  return comparison.family == "poisson" ? "mean deviance of a held-out row" : "root mean square error of held-out rows";
}

std::vector<Finding> comparison_findings(const Comparison& comparison) {
  std::vector<Finding> findings;
  if (comparison.cancelled) {
    findings.push_back({fmt::format("Cancelled after {} of {} folds: the numbers are those of the finished ones.",
                                    comparison.finished_folds, comparison.folds),
                        true});
  }
  if (comparison.best) findings.push_back({about_the_best(comparison)});
  if (comparison.best && comparison.baseline_error) findings.push_back(about_the_baseline(comparison));
  for (const ComparedMethod& method : comparison.methods) {
    add_failures(method, findings);
    const std::string ended = endings(method);
    if (!ended.empty()) findings.push_back({fmt::format("{} did not converge: {}.", method.method, ended), true});
  }
  for (const LeftOut& one : comparison.left_out) {
    findings.push_back({fmt::format("{} was left out: {}.", one.method, one.reason)});
  }
  return findings;
}

}  // namespace tamis
