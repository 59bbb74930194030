// lasso and elastic-net: convex penalized loss along a path of penalties, chosen by cross-validation.
//
// Model      min  sum_i weights_i loss(y_i, offset_i + b0 + x_i'b) + penalty sum_j factor_j (a |b_j| + (1 - a)/2 b_j^2)
//            with weights that sum to one and b on the standardized columns; a = 1: lasso, a < 1: elastic net
// Algorithm  penalized_path.cpp; every solution carries a duality gap. Duplicated columns are
//            joined at a = 1; the elastic net shares weight between them on purpose
// Papers     Tibshirani (1996), JRSS B 58(1), lasso; Zou & Hastie (2005), JRSS B 67(2), elastic net
#include "method/penalized/penalized_path.hpp"
#include "tamis/method/method.hpp"

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

class Lasso final : public Method {
 public:
  std::string_view name() const override { return "lasso"; }
  std::string_view summary() const override {
    return "L1-penalized regression (lasso): regularization path with duality-gap certificates";
  }
  std::vector<Field> fields() const override;
  bool uses_penalty_factors() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> Lasso::fields() const { return path_fields(); }

Fit Lasso::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  return fit_penalized_path(problem, request_of(options, 1.0), control);
}

class ElasticNet final : public Method {
 public:
  std::string_view name() const override { return "elastic-net"; }
  std::string_view summary() const override {
    return "Elastic net (L1 and L2 penalties): keeps groups of correlated features together";
  }
  std::vector<Field> fields() const override;
  bool uses_penalty_factors() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

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

}  // namespace

const Method& lasso() {
  static const Lasso method;
  return method;
}

const Method& elastic_net() {
  static const ElasticNet method;
  return method;
}

}  // namespace tamis
