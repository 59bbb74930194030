// Words on the certainty of a selection.
//
// Figures    of `approximate_words`: pooled over vg, pmf, ard, flas and ep with their default options on simulated
//            data, n = 200, p = 1000, ten true features, ten data sets of each design; features reported at inclusion
//            0.99 or above. Measured by bench/inclusion_calibration.py; docs/certainty.md has them by method and
//            design.
// Sets       "matters" is: has a nonzero coefficient in the model. The purity is the smallest absolute correlation.
#include "report/certainty_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/phrases.hpp"

namespace tamis {
namespace {

// Shares of true features among those at 0.99 or above: AR(.9) and genotype designs, and independent features.
constexpr double true_where_correlated = 0.56, true_where_independent = 0.97;

constexpr Index most_named = 3;  // of the features that may stand in for one

// 0.996 is not 1.00, and no correlation below 1 looks like it.
std::string two_digits(double share) {
  if (share < 1 && share > 0.99) return "above 0.99";
  return fmt::format("{:.2f}", share);
}

bool in_one_set(const Fit& fit, Index a, Index b) {
  return std::ranges::any_of(fit.credible_sets, [&](const CredibleSet& set) {
    return std::ranges::count(set.features, a) > 0 && std::ranges::count(set.features, b) > 0;
  });
}

}  // namespace

bool is_approximate(const Fit& fit) { return fit.inclusion_kind == InclusionKind::approximate; }

std::string inclusion_title(const Fit& fit) { return is_approximate(fit) ? "approx. inclusion" : "inclusion"; }

// Both figures in any case: correlated features that are selected both are no alternatives.
std::string approximate_words(const Fit& fit) {
  return fmt::format(
      "The inclusion probabilities of {} are approximate{} in simulations with correlated features {:.0f}% of those "
      "that approximate methods reported at 0.99 or above were true ({:.0f}% with independent features).",
      short_name(fit.method),
      fit.alternatives.empty() ? ":" : ", and features are correlated here:", 100 * true_where_correlated,
      100 * true_where_independent);
}

std::string set_words(const CredibleSet& set, std::string_view single) {
  const Index size = std::ssize(set.features);
  const std::string probability = two_digits(set.probability);
  if (size == 1) return fmt::format("{} matters (probability {}).", single, probability);
  const std::string which = size == 2 ? "these 2 features" : fmt::format("these {} features", with_commas(size));
  if (set.purity == 1) {
    return fmt::format("One of {} matters (probability {}); the data cannot tell which: their columns are equal.",
                       which, probability);
  }
  return fmt::format("One of {} matters (probability {}); the data cannot tell which: they are correlated at {}{}.",
                     which, probability, two_digits(set.purity), size == 2 || set.purity > 0.99 ? "" : " or above");
}

std::vector<std::string> alternative_words(const Fit& fit) {
  std::vector<std::string> lines;
  for (auto from = fit.alternatives.begin(); from != fit.alternatives.end();) {
    const auto to = std::find_if(from, fit.alternatives.end(), [&](const auto& one) { return one.with != from->with; });
    std::string names;
    Index shown = 0, more = 0;
    for (auto one = from; one != to; ++one) {
      if (in_one_set(fit, one->feature, one->with)) continue;
      if (shown == most_named) {
        ++more;
        continue;
      }
      ++shown;
      const double r = one->correlation;
      names +=
          fmt::format("{}{} ({}{})", names.empty() ? "" : ", ", short_name(fit.features[one->feature]),
                      r < 0 ? "-" : "", std::abs(r) == 1 ? "1" : fmt::format("{:.2f}", std::min(std::abs(r), .99)));
    }
    if (more > 0) names += fmt::format(" and {} more", more);
    if (!names.empty())
      lines.push_back(fmt::format("{}: {} may stand in", short_name(fit.features[from->with]), names));
    from = to;
  }
  return lines;
}

std::string member_words(const Fit& fit, const CredibleSet& set, Index most) {
  const Index size = std::ssize(set.features);
  const Index shown = size <= most + 1 ? size : most;
  std::string words;
  for (Index k = 0; k < shown; ++k) {
    if (k > 0) words += k + 1 == size ? " and " : ", ";
    words += fmt::format("{} ({})", short_name(fit.features[set.features[k]]), share_words(set.inclusion[k]));
  }
  if (size > shown) words += fmt::format(" and {} others", with_commas(size - shown));
  return words;
}

}  // namespace tamis
