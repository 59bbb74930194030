#include "method/ard/ard_fit.hpp"

#include <algorithm>
#include <cmath>

#include "tamis/base/logarithm.hpp"

namespace tamis {
namespace {

// A response whose spread is below this share of its size is constant but for rounding.
constexpr double rounding_spread = 1e-13;
// The joint posterior is kept up to so many features; beyond, only the deviations.
constexpr Index most_joint = 500;

// Packed lower triangle of the joint posterior covariance, in the order of the features, on the original scale.
std::vector<double> packed_covariance(const Relevance& model, const RelevancePoint& point, const WorkingScale& scale,
                                      double unit) {
  const Matrix covariance = model.covariance(point);
  std::vector<Index> order(static_cast<std::size_t>(point.size()));
  for (std::size_t a = 0; a < order.size(); ++a) order[a] = static_cast<Index>(a);
  std::ranges::sort(order, {}, [&](Index a) { return point.features[a]; });
  std::vector<double> packed;
  for (std::size_t b = 0; b < order.size(); ++b) {
    for (std::size_t a = b; a < order.size(); ++a) {
      const double half = scale.to_original(point.features[order[a]], unit * covariance(order[a], order[b]));
      packed.push_back(scale.to_original(point.features[order[b]], unit * half));
    }
  }
  return packed;
}

}  // namespace

ScaledResponse::ScaledResponse(const Problem& problem, const WorkingScale& scale) : Y(problem.X.rows(), 1) {
  const std::vector<double>& weights = scale.weights();
  double size = 0;
  for (Index i = 0; i < Y.rows(); ++i) {
    Y(i, 0) = problem.y[i] - (problem.offset.empty() ? 0.0 : problem.offset[i]);
    if (problem.intercept) centre += weights[i] * Y(i, 0);
  }
  for (Index i = 0; i < Y.rows(); ++i) {
    if (weights[i] > 0) size = std::max(size, std::abs(Y(i, 0)));
  }
  if (size == 0) size = 1;
  double square = 0;
  for (double& y : Y.column(0)) y = (y - centre) / size;
  for (Index i = 0; i < Y.rows(); ++i) square += weights[i] * Y(i, 0) * Y(i, 0);
  constant = std::sqrt(square) <= rounding_spread;
  unit = constant ? size : size * std::sqrt(square);
  if (constant) return;
  // A row of weight 0 says nothing, whatever it holds.
  for (Index i = 0; i < Y.rows(); ++i) Y(i, 0) = weights[i] > 0 ? Y(i, 0) / std::sqrt(square) : 0.0;
}

double evidence_gain(double theta) { return theta > 1 ? 0.5 * (theta - 1 - std::log(theta)) : 0.0; }

double inclusion_of(double theta, double penalty) {
  return logistic(evidence_gain(theta) - evidence_gain(1 + penalty));
}

// Leaving a feature out turns z into z / (1 - gamma z) and q into q / (1 - gamma z); 1 - gamma z is what the posterior
// leaves of the prior variance, and is known without a difference.
std::vector<double> leave_one_out(const Relevance& model, const RelevancePoint& point, const RelevanceScores& scores) {
  std::vector<double> theta(scores.z.size(), 0.0);
  for (std::size_t u = 0; u < theta.size(); ++u) {
    if (model.data().unit_norms()[u] > 0) theta[u] = scores.pull[u] / scores.z[u];
  }
  Index a = 0;
  for (const Index u : point.units) {
    const auto size = static_cast<Index>(model.data().members(u).size());
    double remaining = 0;
    for (Index l = 0; l < size; ++l) remaining += point.remaining[a + l] / static_cast<double>(size);
    theta[u] /= remaining;
    a += size;
  }
  return theta;
}

void fill_relevance(Fit& fit, const WorkingScale& scale, const ScaledResponse& response, const Relevance& model,
                    const RelevanceRun& run, double penalty) {
  const RelevanceData& data = model.data();
  const RelevancePoint& point = run.point;
  const auto p = static_cast<std::size_t>(data.features());
  const std::vector<double> unit_theta = leave_one_out(model, point, run.scores);
  std::vector<double> gamma(p, 0.0), theta(p);
  for (std::size_t j = 0; j < p; ++j) theta[j] = unit_theta[data.unit_of(static_cast<Index>(j))];
  fit.coefficients.assign(p, 0.0);
  fit.standard_deviations.assign(p, 0.0);
  fit.inclusion.assign(p, 0.0);
  fit.intercept = response.centre + response.unit * data.target_means()[0];
  for (Index a = 0; a < point.size(); ++a) {
    const Index j = point.features[a];
    const auto original = [&](double b) { return scale.to_original(j, response.unit * b); };
    fit.coefficients[j] = original(point.mean(a, 0));
    fit.standard_deviations[j] = original(std::sqrt(point.feature_gamma[a] * point.remaining[a]));
    fit.intercept -= fit.coefficients[j] * scale.centre(j);
    fit.inclusion[j] = inclusion_of(theta[j], penalty);
    gamma[j] = std::pow(original(std::sqrt(point.feature_gamma[a])), 2);
  }
  if (point.size() <= most_joint && !point.constrained) {
    fit.hyper["covariance"] = packed_covariance(model, point, scale, response.unit);
  }
  fit.hyper["gamma"] = std::move(gamma);
  fit.hyper["theta"] = std::move(theta);
  fit.hyper["certificate"] = run.certificate.worst();
  fit.hyper["certificate_active"] = run.certificate.active;
  fit.hyper["certificate_inactive"] = run.certificate.inactive;
}

Fit null_relevance(const Problem& problem, const ScaledResponse& response) {
  Fit fit;
  const auto p = static_cast<std::size_t>(problem.X.cols());
  fit.coefficients.assign(p, 0.0);
  fit.standard_deviations.assign(p, 0.0);
  fit.inclusion.assign(p, 0.0);
  fit.intercept = response.centre;
  fit.noise_variance = 0;
  fit.hyper["gamma"] = std::vector<double>(p, 0.0);
  fit.hyper["theta"] = std::vector<double>(p, 0.0);
  fit.trace.push_back({1, 0, 0, 0, 0});
  fit.message = "no feature kept: the response does not vary, so no feature can explain it";
  return fit;
}

}  // namespace tamis
