// garrote: Breiman's non-negative garrote. Each coefficient of a first estimate is shrunk by a factor of its own.
//
// Model      min over c >= 0, b0  sum_i w_i loss(y_i, offset_i + b0 + sum_j c_j b_j x_ij) + penalty sum_j c_j
//            with b the first estimate and weights that sum to one; the coefficients are c_j b_j
// Algorithm  a lasso whose coefficients may not change sign (garrote_path.cpp); every solution carries a duality gap
// Papers     Breiman (1995), Technometrics 37(4); Yuan & Lin (2007), JRSS B 69(2), other first estimates; Makalic &
//            Schmidt (2011), LNCS 7106, logistic regression
#include "method/penalized/garrote_path.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

class NonnegativeGarrote final : public Method {
 public:
  std::string_view name() const override { return "garrote"; }
  std::string estimator() const override { return "NonnegativeGarrote"; }
  std::string_view summary() const override {
    return "Non-negative garrote: shrinks each coefficient of least squares, ridge or lasso by a factor of its own";
  }
  std::vector<Field> fields() const override;

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> NonnegativeGarrote::fields() const {
  return {
      Field::choice(
          "start",
          "estimate that is shrunk; auto: least-squares for a quadratic loss with at least twice as many rows "
          "as features, else ridge",
          {"auto", "least-squares", "ridge", "lasso"}, "auto"),
      Field::real("start_penalty",
                  "penalty of the ridge or lasso start; default: chosen by cross-validation, inside each fold anew", {},
                  0, 1e300, /*open_minimum=*/true),
      Field::real("penalty", "fixed penalty on the sum of the shrinkage factors; default: chosen along a path", {}, 0,
                  1e300, true),
      Field::integer("path_length", "number of penalties on the path", 100.0, 1, 10000),
      Field::real("path_ratio",
                  "ratio of the smallest to the largest penalty on the path; default: 0.0001 if n < p, else 1e-6", {},
                  0, 1, true),
      Field::choice("rule",
                    "one-se: largest penalty whose cross-validation error is within one standard error of the minimum; "
                    "min: penalty with the minimum error",
                    {"one-se", "min"}, "one-se"),
      Field::real("tolerance",
                  "convergence tolerance on the KKT violation of the returned solution, relative to the penalty", 1e-8,
                  1e-12, 1e-2),
  };
}

Fit NonnegativeGarrote::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  GarroteRequest request{.start_penalty = options.maybe_real("start_penalty"),
                         .penalty = options.maybe_real("penalty"),
                         .path_length = options.integer("path_length"),
                         .path_ratio = options.maybe_real("path_ratio"),
                         .one_standard_error = options.text("rule") == "one-se",
                         .tolerance = options.real("tolerance")};
  for (const GarroteStart start : {GarroteStart::least_squares, GarroteStart::ridge, GarroteStart::lasso}) {
    if (options.text("start") == name_of(start)) request.start = start;
  }
  return fit_garrote_path(problem, request, control);
}

}  // namespace

const Method& garrote() {
  static const NonnegativeGarrote method;
  return method;
}

}  // namespace tamis
