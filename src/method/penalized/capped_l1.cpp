// capped-l1: an L1 penalty that stops growing at a cap, so that small coefficients are thresholded and large ones are
// not shrunk.
//
// Model      min  sum_i weights_i loss(y_i, offset_i + b0 + x_i'b) + penalty sum_j factor_j min(|b_j|, cap)
// Algorithm  not convex: a stationary point, certified as such, is found by GIST from the lasso's solution at the same
//            penalty, which makes it the later stages of Zhang's multi-stage relaxation (capped_search.cpp)
// Papers     Zhang (2010), JMLR 11; Gong et al. (2013), ICML
#include "method/penalized/capped_search.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

class CappedL1 final : public Method {
 public:
  std::string_view name() const override { return "capped-l1"; }
  std::string_view summary() const override {
    return "Capped L1 penalty (nonconvex): thresholds small coefficients, leaves large ones unshrunk";
  }
  std::vector<Field> fields() const override;
  bool uses_penalty_factors() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> CappedL1::fields() const {
  return {
      Field::real("penalty", "fixed penalty; default: chosen along a path", {}, 0, 1e300, /*open_minimum=*/true),
      Field::real("cap",
                  "absolute value of a coefficient (standardized columns) above which the penalty is constant; "
                  "default: 2 * penalty / curvature of the null model's loss (1 for family gaussian)",
                  {}, 0, 1e300, true),
      Field::integer("path_length", "number of penalties on the path", 100.0, 1, 10000),
      Field::real("path_ratio",
                  "ratio of the smallest to the largest penalty on the path; default: 0.01 if n < p, else 0.0001", {},
                  0, 1, true),
      Field::choice("rule",
                    "one-se: largest penalty whose cross-validation error is within one standard error of the minimum; "
                    "min: penalty with the minimum error",
                    {"one-se", "min"}, "one-se"),
      Field::boolean("nonnegative", "constrain coefficients to be nonnegative", false),
      Field::real(
          "tolerance",
          "convergence tolerance on the stationarity violation of the returned solution, relative to the penalty", 1e-8,
          1e-12, 1e-2),
  };
}

Fit CappedL1::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  const CappedRequest request{.penalty = options.maybe_real("penalty"),
                              .cap = options.maybe_real("cap"),
                              .path_length = options.integer("path_length"),
                              .path_ratio = options.maybe_real("path_ratio"),
                              .one_standard_error = options.text("rule") == "one-se",
                              .nonnegative = options.boolean("nonnegative"),
                              .tolerance = options.real("tolerance")};
  return fit_capped_path(problem, request, control);
}

}  // namespace

const Method& capped_l1() {
  static const CappedL1 method;
  return method;
}

}  // namespace tamis
