// capped-l1: an L1 penalty that stops growing at a cap, so that small coefficients are thresholded and large ones are
// not shrunk:
//   minimize  sum_i weights_i loss(y_i, offset_i + b0 + x_i'b) + penalty sum_j factor_j min(|b_j|, cap)
// Not convex: a stationary point is found by GIST from the lasso's solution at the same penalty, which makes it the
// later stages of Zhang's multi-stage relaxation. Zhang (2010), JMLR 11; Gong et al. (2013), ICML.
#pragma once

#include "tamis/method/method.hpp"

namespace tamis {

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

}  // namespace tamis
