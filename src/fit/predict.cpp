// Predictions from a Fit: mean of the response, and prediction intervals where the family has them.
//
// Model      mean = g^-1(offset + intercept + x'b), coefficients on the scale of the data.
//            gaussian: y ~ N(mean, noise variance + v(x)), intervals mean +- 1.96 sd;
//              v(x) = (x - m)' Cov (x - m) + var(intercept), if the model holds the joint posterior covariance (hyper
//              "covariance"),
//              v(x) = sum_j (x_j - m_j)^2 sd_j^2 otherwise, as if coefficients were independent a posteriori,
//            with m the training means if there is an intercept, else 0: the intercept absorbs what a change of b does
//            at the mean, so that uncertainty is smallest there. Missing parts (no sd, no noise variance) are zero.
//              An effect of the rows themselves (a kernel among the components of the prior) is 0 on average for a new
//              row that is not related to those of the fit; v(x) has its prior variance (hyper "row_effect_variance").
//            poisson: quantiles of Poisson(rate) at 2.5 % and 97.5 %, without the uncertainty of the coefficients.
//            bernoulli: probabilities only.
//            A fit with draws is averaged over them instead (predict_by_draws.cpp).
// Cost       O(n k) for k nonzero coefficients, O(n k^2) with a joint covariance; other columns of X are not touched.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "fit/predict_by_draws.hpp"
#include "tamis/base/error.hpp"
#include "tamis/design/decorators.hpp"
#include "tamis/family/family.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {
namespace {

// Positions of nonzero entries: the cost of a prediction is that of the selected features, not of all.
std::vector<Index> nonzero_positions(std::span<const double> values) {
  std::vector<Index> positions;
  for (Index j = 0; j < std::ssize(values); ++j) {
    if (values[j] != 0) positions.push_back(j);
  }
  return positions;
}

void check_shapes(const Fit& fit, const Design& X, std::span<const double> offset) {
  if (fit.coefficients.size() != fit.features.size()) {
    throw InvalidInput(fmt::format("predict: the model has {} coefficients for {} features", fit.coefficients.size(),
                                   fit.features.size()));
  }
  if (X.cols() != std::ssize(fit.features)) {
    throw InvalidInput(
        fmt::format("predict: received {} columns; expected {}, as in the model; match columns to features by name",
                    X.cols(), fit.features.size()));
  }
  if (!offset.empty() && std::ssize(offset) != X.rows()) {
    throw InvalidInput(fmt::format("predict: received {} offsets for {} rows", offset.size(), X.rows()));
  }
}

// sum_i += ((x_ij - center) sd)^2. Sparse columns: the value of the implicit zeros for all rows, then the difference at
// the stored entries, so that the cost is O(n + stored) without densifying the column.
void add_squares(const Design& X, Index j, double center, double sd, std::span<double> scratch, std::span<double> sum) {
  const auto square = [&](double x) { return (x - center) * sd * (x - center) * sd; };
  const auto view = X.column(j);
  if (view && view->rows != nullptr && view->center == 0) {
    const double elsewhere = square(0);
    if (elsewhere != 0) {
      for (double& s : sum) s += elsewhere;
    }
    for (Index k = 0; k < view->count; ++k) {
      sum[view->rows[k]] += square(view->values[k] * view->factor) - elsewhere;
    }
    return;
  }
  X.gather(Columns::range(j, 1), scratch);
  for (Index i = 0; i < std::ssize(sum); ++i) sum[i] += square(scratch[i]);
}

// Whether posterior deviations refer to centered features. Model files of older versions have no means; theirs are
// taken about zero, which is conservative (too wide).
bool is_centered(const Fit& fit) {
  const auto intercept = fit.options.find("intercept");
  return (intercept == fit.options.end() || intercept->second != OptionValue(false)) &&
         fit.feature_means.size() == fit.features.size();
}

// hyper["covariance"]: lower triangle by columns, over the features with a standard deviation; nullptr if the model has
// none. Its length is checked here, since predict() also gets models that were not read by read_json.cpp.
const std::vector<double>* joint_covariance(const Fit& fit, std::size_t kept) {
  const auto found = fit.hyper.find("covariance");
  if (found == fit.hyper.end()) return nullptr;
  const auto* packed = std::get_if<std::vector<double>>(&found->second);
  if (packed == nullptr || packed->size() != kept * (kept + 1) / 2 || fit.feature_means.size() != fit.features.size()) {
    throw InvalidInput(fmt::format(
        "predict: the covariance in the model does not match its {} features with a standard deviation", kept));
  }
  return packed;
}

// variance_i += (x_i - mean)' Cov (x_i - mean), in slices of 1024 rows: the dense copy of the selected columns stays in
// the cache, whatever the number of rows. Off-diagonal entries of the symmetric matrix count twice.
void add_joint_variance(const Fit& fit, const Design& X, const std::vector<Index>& kept,
                        const std::vector<double>& packed, std::span<double> variance) {
  constexpr Index slice = 1024;
  const bool centered = is_centered(fit);
  for (Index first = 0; first < X.rows(); first += slice) {
    std::vector<Index> rows(std::min(slice, X.rows() - first));
    std::iota(rows.begin(), rows.end(), first);
    Matrix Z(std::ssize(rows), std::ssize(kept));
    RowSubsetDesign(X, std::move(rows)).gather(kept, Z);
    const double* entry = packed.data();
    for (Index b = 0; b < Z.cols(); ++b) {
      for (double& z : Z.column(b)) z -= centered ? fit.feature_means[kept[b]] : 0.0;
    }
    for (Index b = 0; b < Z.cols(); ++b) {
      for (Index a = b; a < Z.cols(); ++a) {
        const double twice = (a == b ? 1 : 2) * *entry++;
        for (Index i = 0; i < Z.rows(); ++i) variance[first + i] += twice * Z(i, a) * Z(i, b);
      }
    }
  }
}

// Predictive variance of every row.
std::vector<double> predictive_variance(const Fit& fit, const Design& X) {
  const Index n = X.rows();
  double alike = fit.noise_variance.value_or(0.0);  // in every row
  if (const auto effect = fit.hyper.find("row_effect_variance"); effect != fit.hyper.end()) {
    if (const double* value = std::get_if<double>(&effect->second)) alike += *value;
  }
  std::vector<double> variance(n, alike);
  if (fit.standard_deviations.empty()) return variance;
  if (fit.standard_deviations.size() != fit.features.size()) {
    throw InvalidInput(fmt::format("predict: the model has {} standard deviations for {} features",
                                   fit.standard_deviations.size(), fit.features.size()));
  }
  const std::vector<Index> kept = nonzero_positions(fit.standard_deviations);
  // The intercept is independent of the centered coefficients under a flat prior: its variance is added once.
  if (const std::vector<double>* packed = joint_covariance(fit, kept.size())) {
    if (const auto flat = fit.hyper.find("intercept_variance"); flat != fit.hyper.end()) {
      if (const double* value = std::get_if<double>(&flat->second)) std::ranges::fill(variance, variance[0] + *value);
    }
    add_joint_variance(fit, X, kept, *packed, variance);
    return variance;
  }
  std::vector<double> scratch(n);
  for (const Index j : kept) {
    const Index at = j;
    const double mean = is_centered(fit) && std::isfinite(fit.feature_means[at]) ? fit.feature_means[at] : 0.0;
    add_squares(X, j, mean, fit.standard_deviations[at], scratch, variance);
  }
  return variance;
}

// Where the family has noise, its variance plus that of the predictor; NaN, which is not used, elsewhere.
std::vector<double> variance_of(const Fit& fit, const Family& family, const Design& X) {
  if (!family.has_noise()) return std::vector<double>(X.rows(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> variance = predictive_variance(fit, X);
  for (double& value : variance) value = std::max(0.0, value);  // rounding may leave less than nothing
  return variance;
}

}  // namespace

std::vector<double> linear_predictor(const Fit& fit, const Design& X, std::span<const double> offset) {
  check_shapes(fit, X, offset);
  std::vector<double> eta(X.rows(), fit.intercept);
  const std::vector<Index> kept = nonzero_positions(fit.coefficients);
  std::vector<double> values;
  values.reserve(kept.size());
  for (const Index j : kept) values.push_back(fit.coefficients[j]);
  if (!kept.empty()) X.multiply_add(kept, std::span<const double>(values), std::span<double>(eta));
  for (Index i = 0; i < std::ssize(offset); ++i) eta[i] += offset[i];
  return eta;
}

// One Fit per target; options, features and status are shared by all of them.
std::vector<Fit> split_targets(const Fit& fit) {
  std::vector<Fit> fits(1, fit);
  fits.front().more_targets.clear();
  for (const TargetFit& other : fit.more_targets) {
    Fit& one = fits.emplace_back(fits.front());
    one.target = other.target;
    one.intercept = other.intercept;
    one.coefficients = other.coefficients;
    one.standard_deviations = other.standard_deviations;
  }
  return fits;
}

Prediction predict(const Fit& fit, const Design& X, std::span<const double> offset, double level) {
  const Family& family = tamis::family(fit.family);
  if (!(level > 0 && level < 1)) {
    throw InvalidOption(fmt::format("predict: received level {}; expected a number between 0 and 1", level));
  }
  if (fit.draws.size() > 0) {
    check_shapes(fit, X, offset);
    return predict_by_draws(fit, family, X, offset, level);
  }
  Prediction prediction;
  prediction.mean = linear_predictor(fit, X, offset);
  for (double& value : prediction.mean) value = family.predicted_mean(value);
  if (family.is_binary()) return prediction;
  const std::vector<double> variance = variance_of(fit, family, X);
  for (Index i = 0; i < std::ssize(variance); ++i) {
    const Family::Interval inside = family.interval(prediction.mean[i], variance[i], level);
    if (family.has_noise()) prediction.sd.push_back(std::sqrt(variance[i]));
    prediction.lower.push_back(inside.lower);
    prediction.upper.push_back(inside.upper);
  }
  return prediction;
}

}  // namespace tamis
