// A fitted model on data: prediction scores, calibration groups, and correlations of selected features.
//
// Scores     RMSE, R squared = 1 - sum r^2 / sum (y - mean)^2, coverage of the 95 % intervals, accuracy at probability
//            0.5.
// Calibration groups of equal size by predicted probability, at least 8 rows each; observed frequencies with Wilson's
// interval, which stays in [0, 1] and is not empty at frequencies 0 and 1, as the normal approximation is.
// Correlation the strongest selected features (at most 100) against all columns: standardized selected columns Z, then
// X'Z in one pass over X, O(n p k) without a p x p matrix. Pairs of |r| >= 0.8 are reported: their separate effects are
// hard to estimate, and selection between them is arbitrary.
#include "report/data_check.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tamis/family/family.hpp"

namespace tamis {
namespace {

constexpr Index most_selected = 100;  // features whose correlations are looked at

// Means and Euclidean norms of the centered columns, one pass each; sparse columns are not centered explicitly.
struct Moments {
  std::vector<double> means;
  std::vector<double> lengths;
};

Moments moments_of(const Design& X) {
  const auto n = static_cast<double>(X.rows());
  Matrix ones(X.rows(), 1), sums(X.cols(), 1);
  for (double& value : ones.column(0)) value = 1;
  X.transpose_multiply(X.all(), ones, sums);
  Moments moments{std::vector<double>(X.cols()), std::vector<double>(X.cols())};
  X.squared_norms(X.all(), {}, moments.lengths);
  for (Index j = 0; j < std::ssize(moments.means); ++j) {
    moments.means[j] = sums(j, 0) / n;
    const double squares = moments.lengths[j], about_mean = squares - n * moments.means[j] * moments.means[j];
    // sum x^2 - n mean^2 cancels: below 1e-12 of sum x^2 it is rounding, and the column is constant.
    moments.lengths[j] = about_mean > 1e-12 * squares ? std::sqrt(about_mean) : 0;
  }
  return moments;
}

// R squared is left out for a constant response, where it is 0/0. Interval coverage only where predict() gives
// intervals.
void score_response(const Fit& fit, const ReportData& data, DataCheck& check) {
  const std::vector<double>& y = data.y;
  const auto n = static_cast<double>(y.size());
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double squares = 0, total = 0, inside = 0, right = 0;
  const bool intervals = check.prediction.lower.size() == y.size();
  for (Index i = 0; i < std::ssize(y); ++i) {
    const double residual = y[i] - check.prediction.mean[i];
    check.residuals.push_back(residual);
    squares += residual * residual;
    total += (y[i] - mean) * (y[i] - mean);
    if (intervals) inside += y[i] >= check.prediction.lower[i] && y[i] <= check.prediction.upper[i];
    right += (check.prediction.mean[i] >= 0.5 ? 1 : 0) == y[i];
  }
  check.root_mean_square = std::sqrt(squares / n);
  if (total > 0) check.explained = 1 - squares / total;
  if (intervals) check.covered = inside / n;
  if (!family(fit.family).is_binary()) return;
  check.labels_right = right / n;
  check.calibration = calibration_groups(check.prediction.mean, y);
}

}  // namespace

std::vector<Correlation> notable_correlations(const Design& X, const std::vector<Selected>& selected) {
  const Index count = std::min(most_selected, std::ssize(selected));
  if (count == 0 || X.rows() < 3) return {};
  const Moments moments = moments_of(X);
  std::vector<Index> chosen;
  std::vector<bool> is_selected(X.cols());
  for (const Selected& one : selected) is_selected[one.feature] = true;
  for (Index k = 0; k < count; ++k) chosen.push_back(selected[k].feature);
  // Z has unit norm and mean zero, so that X'Z / |x_j - mean_j| is the correlation: sum z = 0 makes centering of x_j
  // unnecessary.
  Matrix Z(X.rows(), count), products(X.cols(), count);
  X.gather(chosen, Z);
  for (Index k = 0; k < count; ++k) {
    const Index j = chosen[k];
    const double factor = moments.lengths[j] > 0 ? 1 / moments.lengths[j] : 0;
    for (double& z : Z.column(k)) z = (z - moments.means[j]) * factor;
  }
  X.transpose_multiply(X.all(), Z, products);
  std::vector<Correlation> found;
  for (Index k = 0; k < count; ++k) {
    for (Index j = 0; j < X.cols(); ++j) {
      const Index own = chosen[k];
      const Index at = j;
      // Pairs of two selected features are found twice; the one with the smaller index first is kept.
      if (j == own || moments.lengths[at] == 0 || (is_selected[at] && j < own)) continue;
      const double value = std::clamp(products(j, k) / moments.lengths[at], -1.0, 1.0);
      if (std::abs(value) >= DataCheck::notable) found.push_back({own, j, is_selected[at], value});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Correlation& a, const Correlation& b) { return std::abs(a.value) > std::abs(b.value); });
  return found;
}

std::vector<CalibrationGroup> calibration_groups(const std::vector<double>& probability, const std::vector<double>& y) {
  const Index n = std::ssize(y);
  constexpr Index least_rows = 8, most_groups = 10;
  const Index groups = std::clamp<Index>(n / least_rows, 1, most_groups);
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return probability[a] < probability[b]; });
  std::vector<CalibrationGroup> result;
  for (Index g = 0; n > 0 && g < groups; ++g) {
    CalibrationGroup group;
    for (Index k = g * n / groups; k < (g + 1) * n / groups; ++k) {
      group.predicted += probability[order[k]];
      group.observed += y[order[k]];
      ++group.rows;
    }
    const auto rows = static_cast<double>(group.rows);
    group.predicted /= rows;
    group.observed /= rows;
    constexpr double z = 1.959963984540054;  // normal quantile of 0.975
    // Wilson (1927): the values q with |observed - q| <= z sqrt(q (1 - q) / rows).
    const double center = (group.observed + z * z / (2 * rows)) / (1 + z * z / rows);
    const double half =
        z / (1 + z * z / rows) * std::sqrt(group.observed * (1 - group.observed) / rows + z * z / (4 * rows * rows));
    group.lower = std::max(0.0, center - half);
    group.upper = std::min(1.0, center + half);
    result.push_back(group);
  }
  return result;
}

std::optional<double> data_error(const Fit& fit, const ReportData& data) {
  if (data.y.empty()) return std::nullopt;
  const std::vector<double> eta = linear_predictor(fit, *data.X, data.offset);
  const Family& likelihood = family(fit.family);
  double sum = 0;
  for (Index i = 0; i < std::ssize(eta); ++i) sum += likelihood.deviance(data.y[i], eta[i]);
  return sum / static_cast<double>(eta.size());
}

// Selected features as in the model's own sheet: inclusion probability at least 0.5.
DataCheck check_data(const Fit& fit, const ReportData& data) {
  DataCheck check;
  check.prediction = predict(fit, *data.X, data.offset);
  if (!data.y.empty()) score_response(fit, data, check);
  check.correlations = notable_correlations(*data.X, select_by_threshold(fit, 0.5));
  return check;
}

}  // namespace tamis
