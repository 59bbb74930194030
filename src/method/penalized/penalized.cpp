// Methods lasso and elastic-net: their options, made into a request for one path solver (penalized_path.hpp). The lasso
// is the elastic net at l1_ratio 1, where duplicated columns are joined; the elastic net shares weight between them on
// purpose.
#include "method/penalized/penalized.hpp"

#include "method/penalized/penalized_path.hpp"

namespace tamis {
namespace {

// one-se by default: the minimum of a cross-validation curve selects too many features; the largest penalty within one
// standard error is about as good at prediction (Breiman et al. 1984, and glmnet's lambda.1se).
std::vector<Field> path_fields() {
  return {
      Field::real("penalty", "fixed penalty; default: chosen along a path", {}, 0, 1e300, /*open_minimum=*/true),
      Field::integer("path_length", "number of penalties on the path", 100.0, 1, 10000),
      Field::real("path_ratio",
                  "ratio of the smallest to the largest penalty on the path; default: 0.01 if n < p, else 0.0001", {},
                  0, 1, true),
      Field::choice("rule",
                    "one-se: largest penalty whose cross-validation error is within one standard error of the minimum; "
                    "min: penalty with the minimum error",
                    {"one-se", "min"}, "one-se"),
      Field::boolean("nonnegative", "constrain coefficients to be nonnegative", false),
      Field::real("tolerance",
                  "convergence tolerance on the KKT violation of the returned solution, relative to the penalty", 1e-8,
                  1e-12, 1e-2),
  };
}

PathRequest request_of(const Options& options, double l1_ratio) {
  return {.l1_ratio = l1_ratio,
          .penalty = options.maybe_real("penalty"),
          .path_length = options.integer("path_length"),
          .path_ratio = options.maybe_real("path_ratio"),
          .one_standard_error = options.text("rule") == "one-se",
          .nonnegative = options.boolean("nonnegative"),
          .tolerance = options.real("tolerance")};
}

}  // namespace

std::vector<Field> Lasso::fields() const { return path_fields(); }

Fit Lasso::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  return fit_penalized_path(problem, request_of(options, 1.0), control);
}

std::vector<Field> ElasticNet::fields() const {
  std::vector<Field> fields = path_fields();
  fields.push_back(Field::real(
      "l1_ratio",
      "elastic net mixing parameter: 1 is the lasso; on a path it applies to the response scaled to unit variance", 0.5,
      1e-3, 1));
  return fields;
}

Fit ElasticNet::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  return fit_penalized_path(problem, request_of(options, options.real("l1_ratio")), control);
}

}  // namespace tamis
