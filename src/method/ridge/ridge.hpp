// ridge: every feature keeps a coefficient, shrunk by a squared penalty:
//   minimize  sum_i weights_i loss(y_i, offset_i + b0 + x_i'b) + penalty/2 sum_j factor_j b_j^2
// with weights that sum to one and b on the working scale. Hoerl & Kennard (1970), Technometrics 12(1).
#pragma once

#include "tamis/method/method.hpp"

namespace tamis {

class Ridge final : public Method {
 public:
  std::string_view name() const override { return "ridge"; }
  std::string_view summary() const override {
    return "Ridge regression (L2 penalty): keeps every feature and shrinks correlated ones together";
  }
  std::vector<Field> fields() const override;
  bool uses_penalty_factors() const override { return true; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

}  // namespace tamis
