// lasso and elastic-net: convex penalized loss along a path of penalties, chosen by cross-validation.
//   minimize  sum_i weights_i loss(y_i, offset_i + b0 + x_i'b) + penalty sum_j factor_j (a |b_j| + (1 - a)/2 b_j^2)
// with weights that sum to one and b on the standardized columns. a = 1: lasso, Tibshirani (1996), JRSS B 58(1); a < 1:
// elastic net, Zou & Hastie (2005), JRSS B 67(2). Every solution carries a duality gap.
#pragma once

#include "tamis/method/method.hpp"

namespace tamis {

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

}  // namespace tamis
