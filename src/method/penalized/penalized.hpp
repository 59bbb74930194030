// lasso and elastic-net: a convex penalized loss along a path of penalties, chosen by cross-validation.
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
