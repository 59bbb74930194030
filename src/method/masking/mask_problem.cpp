// Working data of bm and the way back to original units.
//
// Columns    centered (with an intercept) and of root mean square 1, whatever the user asks: em and collapsed are
//            invariant to scale, eg is not. Constant columns and rows of weight 0 are dropped.
// Response   gaussian: offset and mean subtracted, in units of its spread. Other families: as it is.
// Reported   coefficient pi beta, not beta: beta given z = 1 overstates the effect of a feature that is mostly masked
//            (error .283 against .066 for pi beta at K = 10). beta is kept as hyper["weights"].
#include "method/masking/mask_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "method/masking/mask_steps.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

// A spread below this share of the largest value is rounding error: the response is constant.
constexpr double rounding_spread = 1e-14;

// Quoted where a comma, a quote or a line end would split it.
std::string csv_cell(const std::string& name) {
  if (name.find_first_of(",\"\r\n") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

// Whether columns are standardized does not change em and collapsed, and gradient steps need it.
Problem MaskProblem::standardized(const Problem& problem) {
  Problem copy = problem;
  copy.standardize = true;
  return copy;
}

MaskProblem::MaskProblem(const Problem& problem) : problem_(standardized(problem)), scale_(problem_) {
  for (Index i = 0; i < problem.X.rows(); ++i) {
    if (scale_.weights()[i] > 0) rows_.push_back(i);
  }
  for (Index j = 0; j < problem.X.cols(); ++j) {
    if (scale_.scale(j) > 0) varying_.push_back(j);
  }
  measure_response();
}

// Divides by the largest entry before squaring: a response of 1e200 has no square.
void MaskProblem::measure_response() {
  for (const Index i : rows_) response_.push_back(problem_.y[i]);
  if (!problem_.likelihood.is_quadratic()) return;
  double size = 0;
  for (Index k = 0; k < std::ssize(rows_); ++k) {
    if (!problem_.offset.empty()) response_[k] -= problem_.offset[rows_[k]];
    size = std::max(size, std::abs(response_[k]));
    if (problem_.intercept) mean_ += scale_.weights()[rows_[k]] * response_[k];
  }
  if (size == 0) size = 1;
  double square = 0;
  for (Index k = 0; k < std::ssize(rows_); ++k) {
    response_[k] = (response_[k] - mean_) / size;
    square += scale_.weights()[rows_[k]] * response_[k] * response_[k];
  }
  const double spread = std::sqrt(square);
  unit_ = spread > rounding_spread ? size * spread : 0.0;
  if (unit_ == 0) return;
  for (double& r : response_) r /= spread;
}

MaskData MaskProblem::data(const std::vector<Index>& columns) const {
  const Index n = problem_.X.rows(), kept = std::ssize(rows_);
  MaskData data{problem_.likelihood, MaskMatrix(kept, std::ssize(columns)), response_, {}, {}, problem_.intercept};
  constexpr Index at_once = 16;
  parallel_for(data.X.cols(), at_once, [&](Index begin, Index end) {
    std::vector<double> column(n);
    for (Index k = begin; k < end; ++k) {
      scale_.X().gather(Columns::range(columns[k], 1), std::span(column));
      double* out = data.X.col(k);
      for (const Index i : rows_) *out++ = column[i];
    }
  });
  for (const Index i : rows_) {
    data.weights.push_back(problem_.weights.empty() ? 1.0 : problem_.weights[i]);
    if (!problem_.likelihood.is_quadratic() && !problem_.offset.empty()) data.offset.push_back(problem_.offset[i]);
  }
  return data;
}

// For a new row beta z has variance pi (1 - pi) beta^2, and the uncertainty of beta adds pi Var[beta]; covariances
// between weights are ignored.
void MaskProblem::fill(MaskState& state, const std::vector<Index>& columns, Fit& fit) const {
  const auto p = problem_.X.cols();
  fit.coefficients.assign(p, 0.0);
  fit.standard_deviations.assign(p, 0.0);
  std::vector<double> weights(p, 0.0), rates(p, 0.0);
  fit.intercept = mean_ + unit_ * state.intercept;
  const std::vector<double> variances = weight_variances(state);
  for (Index a = 0; a < std::ssize(state.active); ++a) {
    const MaskFeature& f = state.feature(state.active[a]);
    const Index j = columns[state.active[a]];
    const double rate = f.rate(), variance = rate * ((1 - rate) * f.beta * f.beta + variances[a]);
    rates[j] = rate;
    weights[j] = unit_ * scale_.to_original(j, f.beta);
    fit.coefficients[j] = rate * weights[j];
    fit.standard_deviations[j] = unit_ * scale_.to_original(j, std::sqrt(variance));
    fit.intercept -= fit.coefficients[j] * scale_.center(j);
  }
  // Not an inclusion probability: the share of rows in which the feature plays a part. It stays near 1 for features
  // that are kept by chance.
  fit.hyper["mask_rate"] = std::move(rates);
  fit.hyper["weights"] = std::move(weights);
  if (problem_.likelihood.has_noise()) fit.noise_variance = unit_ * unit_ / state.noise_precision;
}

std::string MaskProblem::masks_csv(const MaskState& state, const std::vector<Index>& columns) const {
  // Pruned features have masks of 0; rows of weight 0 were never seen and stay empty.
  const auto n = problem_.X.rows(), p = problem_.X.cols();
  std::vector<std::vector<double>> masks(p);
  for (const Index k : state.active) masks[columns[k]] = state.masks(k);
  std::string text;
  for (Index j = 0; j < p; ++j) {
    const std::string name = problem_.feature_names.empty() ? fmt::format("x{}", j + 1) : problem_.feature_names[j];
    if (j > 0) text += ',';
    text += csv_cell(name);
  }
  text += "\n";
  std::size_t next = 0;
  for (Index i = 0; i < n; ++i) {
    const bool counts = next < rows_.size() && rows_[next] == i;
    for (Index j = 0; j < p; ++j) {
      if (j > 0) text += ',';
      if (counts) fmt::format_to(std::back_inserter(text), "{:.6g}", masks[j].empty() ? 0.0 : masks[j][next]);
    }
    text += '\n';
    if (counts) ++next;
  }
  return text;
}

}  // namespace tamis
