// Findings of a method comparison in sentences, shared by text and page.
//
// Rules      best method: lowest mean error; others within two standard errors of the paired difference are named as
//            comparable. Two standard errors are a convention, not a test: folds share training rows.
//            null model: no better than an intercept: caution; error below 2 % of it: suspected leakage.
//            every failure and every fit that did not converge is named with its folds and status.
// Invariant  a sentence is never about a method without scores, and a comparison that was cancelled says so first.
// Example    lasso has the lowest RMSE: 54.6 (standard error 1.2); within two standard errors of the paired difference:
//            vg, ridge.
//            The null model without features has RMSE 77.1.
#include "report/comparison_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/comparison_order.hpp"
#include "report/phrases.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

// More than two standard errors of the paired difference above zero.
bool clearly_above_zero(const FoldMean& difference) {
  return difference.standard_error && difference.mean > 2 * *difference.standard_error;
}

// The paired difference decides, not the overlap of the methods' own standard errors.
std::string about_the_best(const Comparison& comparison) {
  const ComparedMethod& best = comparison.methods[*comparison.best];
  std::string words =
      fmt::format("{} has the lowest {}: {:.4g}", best.method, error_words(comparison), best.error->mean);
  if (best.error->standard_error) words += fmt::format(" (standard error {:.2g})", *best.error->standard_error);
  std::vector<std::string> as_good;
  bool others = false;
  for (const std::size_t m : methods_by_error(comparison)) {
    const ComparedMethod& method = comparison.methods[m];
    if (&method == &best || !method.excess) continue;
    others = true;
    if (clearly_above_zero(*method.excess)) continue;
    as_good.push_back(method.method);
  }
  if (as_good.empty())
    return others ? words + "; all others are worse by more than two standard errors of the paired difference."
                  : words + ".";
  return fmt::format("{}; within two standard errors of the paired difference: {}.", words, fmt::join(as_good, ", "));
}

Finding about_the_baseline(const Comparison& comparison) {
  const ComparedMethod& best = comparison.methods[*comparison.best];
  const double without = comparison.baseline_error->mean;
  const std::string words =
      fmt::format("The null model without features has {} {:.4g}", error_words(comparison), without);
  // Error below 2 % of the null model's: rare in observed data, common for a column computed from the target.
  constexpr double too_good = 0.02;
  if (best.error->mean <= too_good * without) {
    return {
        fmt::format(
            "{}; the much smaller error of {} suggests leakage: check whether a column was derived from the target.",
            words, best.method),
        true};
  }
  if (best.error->mean < without) return {words + "."};
  return {words + "; no method predicts better, so the selected features should not be relied on.", true};
}

// "iteration_limit in 2 of 11 fits" for each status other than converged.
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

// Distinct reasons of failure, each with its folds; a method that fails everywhere for one reason has one sentence.
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

std::string error_words(const Comparison& comparison) {
  return std::string(family(comparison.family).words().error_label);
}

std::string error_meaning(const Comparison& comparison) { return std::string(family(comparison.family).words().error); }

std::vector<Finding> comparison_findings(const Comparison& comparison) {
  std::vector<Finding> findings;
  if (comparison.cancelled) {
    findings.push_back({fmt::format("Cancelled after {} of {} folds; results use the finished folds only.",
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
    findings.push_back({fmt::format("{} was skipped: {}.", one.method, one.reason)});
  }
  return findings;
}

}  // namespace tamis
