// From fold scores to means, standard errors, paired differences, selection stability and agreement.
//
// Model      mean over K folds with standard error sd / sqrt(K). The folds share training rows, so this is too small on
//            average, and no unbiased estimate exists (Bengio & Grandvalet 2004, JMLR 5); reports call it approximate.
//            differences from the best method are paired by fold: the difficulty of a fold is common to all methods and
//            cancels, so that the standard error of the difference is often several times smaller than those of the
//            means.
// Best       lowest mean error among methods scored on all finished folds; one that failed on a hard fold would
//            otherwise win.
#include "compare/summary.hpp"

#include <cmath>
#include <limits>

namespace tamis {
namespace {

// Mean of one score over the folds that did not fail; nullopt if any of them lacks it, for a mean over other folds
// could not be compared.
template <class Score>
std::optional<FoldMean> mean_of(const ComparedMethod& method, const Score& score) {
  std::vector<double> values;
  for (const FoldResult& fold : method.folds) {
    if (!fold.failure.empty()) continue;
    const std::optional<double> value = score(fold);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return mean_over_folds(values);
}

void summarize_folds(ComparedMethod& method, Index features) {
  method.error = mean_of(method, [](const FoldResult& f) { return std::optional(f.error); });
  method.log_score = mean_of(method, [](const FoldResult& f) { return f.log_score; });
  method.coverage = mean_of(method, [](const FoldResult& f) { return f.coverage; });
  method.kept_count =
      mean_of(method, [](const FoldResult& f) { return std::optional(static_cast<double>(f.kept.size())); });
  const auto seconds = mean_of(method, [](const FoldResult& f) { return std::optional(f.seconds); });
  method.seconds = seconds ? seconds->mean : 0;
  std::vector<std::vector<Index>> sets;
  for (const FoldResult& fold : method.folds) {
    if (fold.failure.empty()) sets.push_back(fold.kept);
  }
  method.scored = std::ssize(sets);
  method.stability = selection_stability(sets, features);
}

// Difference in error from the best method, paired by fold; folds where either failed are left out.
std::optional<FoldMean> excess_over(const ComparedMethod& method, const ComparedMethod& best) {
  std::vector<double> differences;
  for (Index f = 0; f < std::min(std::ssize(method.folds), std::ssize(best.folds)); ++f) {
    if (!method.folds[f].failure.empty() || !best.folds[f].failure.empty()) continue;
    differences.push_back(method.folds[f].error - best.folds[f].error);
  }
  return mean_over_folds(differences);
}

std::optional<Index> find_best(const Comparison& comparison) {
  std::optional<Index> best;
  for (Index m = 0; m < std::ssize(comparison.methods); ++m) {
    const ComparedMethod& method = comparison.methods[m];
    if (!method.error || method.scored < comparison.finished_folds) continue;
    if (!best || method.error->mean < comparison.methods[*best].error->mean) {
      best = m;
    }
  }
  return best;
}

// Jaccard index of the sets selected on all rows; NaN where a fit on all rows is missing.
Matrix agreement_of(const std::vector<ComparedMethod>& methods) {
  const Index count = methods.size();
  Matrix agreement(count, count);
  for (Index a = 0; a < count; ++a) {
    for (Index b = 0; b < count; ++b) {
      const ComparedMethod& one = methods[a];
      const ComparedMethod& other = methods[b];
      agreement(a, b) = one.fit && other.fit ? jaccard(one.kept, other.kept) : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return agreement;
}

}  // namespace

std::optional<FoldMean> mean_over_folds(std::span<const double> values) {
  if (values.empty()) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  // Two passes: the variance of nearly equal errors would cancel in the textbook formula. One fold has no standard
  // error.
  double mean = 0, square = 0;
  for (const double value : values) mean += value / count;
  for (const double value : values) square += (value - mean) * (value - mean);
  if (values.size() < 2) return FoldMean{mean, std::nullopt};
  return FoldMean{mean, std::sqrt(square / (count - 1) / count)};
}

void summarize(Comparison& comparison) {
  const Index features = comparison.features.size();
  for (ComparedMethod& method : comparison.methods) summarize_folds(method, features);
  comparison.best = find_best(comparison);
  if (comparison.best) {
    const ComparedMethod best = comparison.methods[*comparison.best];
    for (ComparedMethod& method : comparison.methods) method.excess = excess_over(method, best);
  }
  comparison.agreement = agreement_of(comparison.methods);
}

}  // namespace tamis
