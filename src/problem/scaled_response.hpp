// A problem as the spike-and-slab methods see it: the columns that vary, on the working scale; a gaussian response less
// offset and mean, in units of its own spread, so that nothing over- or underflows. Shared by gibbs and ep.
#pragma once

#include <span>
#include <vector>

#include "problem/standardization.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

class ScaledProblem {
 public:
  /// Throws InvalidInput if squares of the columns overflow. The problem must outlive it.
  explicit ScaledProblem(const Problem& problem);

  const Design& X() const { return scale_.X(); }
  /// Columns of X() that vary; `features()` is their number.
  const std::vector<Index>& kept() const { return kept_; }
  Index features() const { return std::ssize(kept_); }
  Index rows() const { return problem_.X.rows(); }
  const Family& family() const { return problem_.likelihood; }
  bool gaussian() const { return problem_.likelihood.is_quadratic(); }
  bool has_intercept() const { return problem_.intercept; }

  /// How often each row counts; their sum is `samples()`.
  std::span<const double> weights() const { return weights_; }
  double samples() const { return scale_.total_weight(); }
  /// Of gaussian noise: samples less the intercept, which is integrated out.
  double degrees_of_freedom() const { return samples() - (problem_.intercept ? 1 : 0); }
  /// Gaussian: working response of unit mean square (or zeros); others: y as it is.
  std::span<const double> response() const { return response_; }
  /// Added to the predictor; empty for gaussian responses, which have it subtracted.
  std::span<const double> offset() const { return gaussian() ? std::span<const double>() : problem_.offset; }
  /// Sum of weights times squares of each kept column.
  std::span<const double> curvature() const { return curvature_; }
  /// Mean of the squared features: what a unit coefficient explains.
  double mean_curvature() const;

  /// One unit of the response here, in original units; 1 for other families.
  double unit() const { return unit_; }
  /// What turns the log density of the working response into that of the original one.
  double log_density_shift() const;
  /// Why no feature can play a part, or "".
  std::string_view nothing_to_explain() const;
  /// The model without features.
  Fit null_fit() const;

  /// Intercept, coefficients, deviations and inclusion of the kept features, on the original scale.
  void to_original(double intercept, std::span<const double> mean, std::span<const double> deviation,
                   std::span<const double> inclusion, Fit& fit) const;
  /// One vector over all columns: `values` at the kept features, `fill` elsewhere.
  std::vector<double> scatter(std::span<const double> values, double fill) const;
  /// A working coefficient of kept feature k on the original scale, and how much of the intercept it takes.
  double original_coefficient(Index k, double working) const;
  /// What was taken off kept feature k.
  double center(Index k) const { return scale_.center(kept_[k]); }
  /// No coefficients: all of them 0.
  double original_intercept(double working, std::span<const double> original_coefficients_of_kept) const;

 private:
  void center_response();

  const Problem& problem_;
  Standardization scale_;
  std::vector<Index> kept_;
  std::vector<double> weights_;
  std::vector<double> response_;
  std::vector<double> curvature_;
  double mean_ = 0;  // of y - offset, original units, gaussian only
  double unit_ = 1;
  bool constant_ = false;
};

}  // namespace tamis
