#include "experiments/garrote/one_feature.hpp"

#include <algorithm>
#include <cmath>

#include "tamis/base/index.hpp"
#include "tamis/base/logarithm.hpp"

namespace tamis::experiments::garrote {
namespace {

// Zero of a function that changes its sign between the ends, to the last bit.
template <class Function>
double bisect(double low, double high, const Function& f) {
  const bool rises = f(low) < 0;
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    ((f(middle) < 0) == rises ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// The field that acts on m besides gamma: (p/2) rho / (1 - rho m), from Eq. 15.
double field(const OneFeature& problem, double m) {
  return 0.5 * problem.samples * problem.correlation / (1 - problem.correlation * m);
}

// gamma for which m is a solution: Eq. 19.
double gamma_of(const OneFeature& problem, double m) { return logit(m) - field(problem, m); }

// Where f(m) touches the diagonal: the roots of Eq. 17.
struct Touching {
  double low = 0;
  double high = 0;
};
std::optional<Touching> touching(const OneFeature& problem) {
  const double rho = problem.correlation, half = 0.5 * problem.samples;
  const double a = (1 + half) * rho * rho, b = 2 * rho + half * rho * rho;
  const double discriminant = b * b - 4 * a;
  if (!(discriminant > 0)) return std::nullopt;
  const double root = std::sqrt(discriminant);
  return Touching{(b - root) / (2 * a), (b + root) / (2 * a)};
}

}  // namespace

std::vector<double> OneFeature::solutions(double gamma) const {
  const auto miss = [&](double t) { return t - gamma - field(*this, logistic(t)); };
  // All solutions lie between the log odds that the field at m = 0 and at m = 1 gives; between the turning points of
  // `miss` it rises, falls and rises again.
  std::vector<double> ends = {gamma + field(*this, 0) - 1};
  if (const auto touch = touching(*this)) ends.insert(ends.end(), {logit(touch->low), logit(touch->high)});
  ends.push_back(gamma + field(*this, 1) + 1);
  std::sort(ends.begin(), ends.end());
  std::vector<double> found;
  for (Index k = 1; k < std::ssize(ends); ++k) {
    if ((miss(ends[k - 1]) < 0) != (miss(ends[k]) < 0)) found.push_back(bisect(ends[k - 1], ends[k], miss));
  }
  return found;
}

double OneFeature::free_energy(double log_odds, double gamma) const {
  const double m = logistic(log_odds);
  return 0.5 * samples * std::log1p(-correlation * m) - gamma * m - bernoulli_entropy(log_odds);  // Eq. 7
}

double OneFeature::best_inclusion(double gamma) const {
  const std::vector<double> all = solutions(gamma);
  const double best = *std::min_element(
      all.begin(), all.end(), [&](double a, double b) { return free_energy(a, gamma) < free_energy(b, gamma); });
  return logistic(best);
}

std::optional<OneFeature::Range> OneFeature::coexistence() const {
  const auto touch = touching(*this);
  if (!touch) return std::nullopt;
  const double first = gamma_of(*this, touch->low), second = gamma_of(*this, touch->high);
  return Range{std::min(first, second), std::max(first, second)};
}

double OneFeature::switch_gamma() const {
  const auto range = coexistence();
  if (!range) return gamma_of(*this, 0.5);
  // dF/dgamma is -m, so the difference of the two minima rises with gamma.
  const auto difference = [&](double gamma) {
    const std::vector<double> all = solutions(gamma);
    if (all.size() < 3) return gamma - 0.5 * (range->lower + range->upper);  // rounding at the ends of the range
    return free_energy(all.front(), gamma) - free_energy(all.back(), gamma);
  };
  return bisect(range->lower, range->upper, difference);
}

double OneFeature::exact_switch_gamma() const { return 0.5 * samples * std::log1p(-correlation); }

double critical_correlation(double samples) { return 4 / samples * (std::sqrt(1 + 0.5 * samples) - 1); }

double critical_gamma(double samples) {
  const OneFeature problem{samples, critical_correlation(samples)};
  const double rho = problem.correlation, half = 0.5 * samples;
  return gamma_of(problem, (2 * rho + half * rho * rho) / (2 * (1 + half) * rho * rho));  // the double root of Eq. 17
}

}  // namespace tamis::experiments::garrote
