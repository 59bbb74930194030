// Selected features of a Fit, by three rules.
//
// Threshold  inclusion probability >= threshold; at 0.5 the median probability model (Barbieri & Berger 2004, Ann.
//            Stat. 32(3)). Methods without inclusion probabilities select their nonzero coefficients at any threshold.
// FDR        the largest set, in decreasing probability, whose posterior expected false discovery rate, the mean of 1 -
//            inclusion over the set, is at most `fdr` (Newton, Noueiry, Sarkar & Ahlquist 2004, Biostatistics 5(2)).
// Top        the k strongest.
// Order      decreasing inclusion, then decreasing |effect|, then position: the same on every machine.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "tamis/base/error.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {
namespace {

// Standardized effect |coefficient| * sd(x_j): comparable between features of different units. |coefficient| if the
// model file has no spreads.
double effect_of(const Fit& fit, const Selected& s) {
  const Index j = s.feature;
  const bool known = fit.feature_spreads.size() == fit.coefficients.size() && std::isfinite(fit.feature_spreads[j]);
  return std::abs(s.coefficient) * (known ? fit.feature_spreads[j] : 1.0);
}

// Candidates of every rule, strongest first. A pruned feature (zero coefficient, and zero inclusion where inclusion is
// defined) is never selected, also not at threshold 0.
std::vector<Selected> candidates(const Fit& fit) {
  const bool has_inclusion = !fit.inclusion.empty();
  if (has_inclusion && fit.inclusion.size() != fit.coefficients.size()) {
    throw InvalidInput(fmt::format("select: the model has {} inclusion probabilities for {} coefficients",
                                   fit.inclusion.size(), fit.coefficients.size()));
  }
  std::vector<Selected> kept;
  for (Index j = 0; j < std::ssize(fit.coefficients); ++j) {
    const double coefficient = fit.coefficients[j];
    const double inclusion = has_inclusion ? fit.inclusion[j] : (coefficient != 0 ? 1.0 : 0.0);
    if (inclusion > 0 || coefficient != 0) kept.push_back({j, inclusion, coefficient});
  }
  const auto effect = [&](const Selected& s) { return effect_of(fit, s); };
  std::sort(kept.begin(), kept.end(), [&](const Selected& a, const Selected& b) {
    return std::tuple(-a.inclusion, -effect(a), a.feature) < std::tuple(-b.inclusion, -effect(b), b.feature);
  });
  return kept;
}

void check_share(std::string_view name, double value) {
  if (!(value >= 0 && value <= 1)) {
    throw InvalidOption(fmt::format("{}: received {}; expected a number between 0 and 1", name, value));
  }
}

}  // namespace

std::vector<Selected> select_by_threshold(const Fit& fit, double threshold) {
  check_share("threshold", threshold);
  std::vector<Selected> chosen = candidates(fit);
  std::erase_if(chosen, [&](const Selected& s) { return s.inclusion < threshold; });
  return chosen;
}

std::vector<Selected> select_by_fdr(const Fit& fit, double fdr) {
  check_share("fdr", fdr);
  if (fit.inclusion.empty() && !fit.features.empty()) {
    throw InvalidOption(
        fmt::format("fdr: method '{}' has no inclusion probabilities to control the false discovery rate with; use "
                    "--top K or fit a method with inclusion probabilities",
                    fit.method));
  }
  std::vector<Selected> chosen = candidates(fit);
  // The mean of 1 - inclusion does not decrease down the sorted list, so the first violation is the end of the largest
  // set.
  double expected_false = 0;
  std::size_t count = 0;
  for (; count < chosen.size(); ++count) {
    expected_false += 1 - chosen[count].inclusion;
    if (expected_false > fdr * static_cast<double>(count + 1)) break;
  }
  chosen.resize(count);
  return chosen;
}

std::vector<Selected> select_top(const Fit& fit, Index k) {
  if (k < 0) throw InvalidOption(fmt::format("top: received {}; expected a nonnegative integer", k));
  std::vector<Selected> chosen = candidates(fit);
  if (std::ssize(chosen) > k) chosen.resize(k);
  return chosen;
}

}  // namespace tamis
