// The variational garrote with one feature, where everything is a curve: section 4 and appendix A of Kappen & Gomez
// (2014). `correlation` is rho, the squared correlation of input and output, in (0, 1).
#pragma once

#include <optional>
#include <vector>

namespace tamis::experiments::garrote {

struct OneFeature {
  double samples = 100;
  double correlation = 0.5;

  /// Solutions of m = f(m) (Eq. 15) as log odds of m, rising: one, or three of which the middle one is a maximum of F.
  std::vector<double> solutions(double gamma) const;
  /// F at these log odds of m, with the best weight and noise; up to a constant that depends on neither m nor gamma.
  double free_energy(double log_odds, double gamma) const;
  /// The solution of least F, as m.
  double best_inclusion(double gamma) const;

  /// Between these gammas (Eq. 19) two solutions coexist; nothing if they never do.
  struct Range {
    double lower = 0;
    double upper = 0;
  };
  std::optional<Range> coexistence() const;
  /// Where the best solution changes from m < 1/2 to m > 1/2: equal F where two coexist, else m = 1/2.
  double switch_gamma() const;
  /// Where the exact MAP solution changes from s = 0 to s = 1. The paper has -samples correlation / 2, which forgets
  /// that the noise is estimated anew on each side.
  double exact_switch_gamma() const;
};

/// rho* (Eq. 18): below it the solution is unique for every gamma.
double critical_correlation(double samples);
/// gamma* at that point, from Eq. 19 without the approximation of Eq. 20.
double critical_gamma(double samples);

}  // namespace tamis::experiments::garrote
