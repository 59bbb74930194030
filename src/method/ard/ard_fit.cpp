// From the minimum of the ard cost to a Fit: response scaling before, original units, inclusion and message after.
//
// Model      y = X b + noise, b_j ~ N(0, gamma_j); gamma at a minimum of the cost (relevance.hpp), b its posterior mean
//            given gamma (Wipf & Nagarajan 2007, Eq. 3).
// Inclusion  gamma_j > 0 is not selection: under an orthogonal null a feature keeps gamma > 0 with probability
//            P(chi2_1 > 1) = 0.32. So features are ranked by theta_j = q^2/s with their own gamma left out, and the
//            reported number is a logistic of the gain in log evidence. It ranks features; it is no posterior
//            probability.
// Scaling    the response is centered and divided by its spread before anything is squared, so that responses of 1e200
//            or 1e-200 neither overflow nor underflow; gamma and the noise variance scale back with the square.
// Limits     deviations are conditional on gamma: they ignore that features were selected (95 % bands of the linear
//            predictor cover about 84 %).
#include "method/ard/ard_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tamis/base/logarithm.hpp"
#include "tamis/base/plural.hpp"

namespace tamis {
namespace {

// A spread below this share of the largest value is rounding error: the response is constant.
constexpr double rounding_spread = 1e-13;
// The joint covariance is stored up to this many features (k (k + 1) / 2 numbers in the model file); beyond, only the
// standard deviations are.
constexpr Index max_joint = 500;

// Packed lower triangle of the joint posterior covariance, in the order of the features, on the original scale.
std::vector<double> packed_covariance(const Relevance& model, const RelevancePoint& point, const Standardization& scale,
                                      double group) {
  const Matrix covariance = model.covariance(point);
  std::vector<Index> order(point.size());
  for (Index a = 0; a < std::ssize(order); ++a) order[a] = a;
  std::ranges::sort(order, {}, [&](Index a) { return point.features[a]; });
  std::vector<double> packed;
  for (Index b = 0; b < std::ssize(order); ++b) {
    for (Index a = b; a < std::ssize(order); ++a) {
      const double half = scale.to_original(point.features[order[a]], group * covariance(order[a], order[b]));
      packed.push_back(scale.to_original(point.features[order[b]], group * half));
    }
  }
  return packed;
}

}  // namespace

// Two divisions instead of one: first by the largest value, because the sum of squares of the raw values may overflow,
// then by the root mean square. All targets share one scale, since they share the noise variance and the gammas.
ScaledResponse::ScaledResponse(const Problem& problem, const Standardization& scale)
    : Y(problem.X.rows(), 1 + problem.more_responses.cols), centers(Y.cols(), 0.0) {
  const std::vector<double>& weights = scale.weights();
  double size = 0, square = 0;
  for (Index l = 0; l < Y.cols(); ++l) {
    for (Index i = 0; i < Y.rows(); ++i) {
      Y(i, l) = (l == 0 ? problem.y[i] : problem.more_responses(i, l - 1)) -
                (problem.offset.empty() ? 0.0 : problem.offset[i]);
      if (problem.intercept) centers[l] += weights[i] * Y(i, l);
      if (weights[i] > 0) size = std::max(size, std::abs(Y(i, l)));
    }
  }
  if (size == 0) size = 1;
  for (Index l = 0; l < Y.cols(); ++l) {
    for (Index i = 0; i < Y.rows(); ++i) {
      // Rows of weight 0 may hold NaN or huge values, and 0 times those would reach every sum.
      Y(i, l) = weights[i] > 0 ? (Y(i, l) - centers[l]) / size : 0.0;
      square += weights[i] * Y(i, l) * Y(i, l) / static_cast<double>(Y.cols());
    }
  }
  constant = std::sqrt(square) <= rounding_spread;
  group = constant ? size : size * std::sqrt(square);
  if (constant) return;
  for (Index l = 0; l < Y.cols(); ++l) {
    for (double& y : Y.column(l)) y /= std::sqrt(square);
  }
}

// Maximum over gamma of the change in log evidence of one feature, -1/2 log(1 + gamma s) + 1/2 q^2 gamma / (1 + gamma
// s), attained at gamma = (q^2 - s) / s^2 (Tipping & Faul 2003).
double evidence_gain(double theta) { return theta > 1 ? 0.5 * (theta - 1 - std::log(theta)) : 0.0; }

double inclusion_of(double theta, double penalty) {
  return logistic(evidence_gain(theta) - evidence_gain(1 + penalty));
}

// Leaving feature j out turns z into s = z / (1 - gamma z) and q into q / (1 - gamma z), so theta = (q^2/z) / (1 -
// gamma z). The denominator is posterior over prior variance, which the posterior holds to full accuracy: computing 1 -
// gamma z here would cancel for a strong feature. A group uses the mean over its members.
std::vector<double> leave_one_out(const Relevance& model, const RelevancePoint& point, const RelevanceScores& scores) {
  std::vector<double> theta(scores.z.size(), 0.0);
  for (Index u = 0; u < std::ssize(theta); ++u) {
    if (model.data().group_norms()[u] > 0) theta[u] = scores.q_squared[u] / scores.z[u];
  }
  Index a = 0;
  for (const Index u : point.feature_groups) {
    const Index size = model.data().members(u).size();
    double remaining = 0;
    for (Index l = 0; l < size; ++l) remaining += point.remaining[a + l] / static_cast<double>(size);
    theta[u] /= remaining;
    a += size;
  }
  return theta;
}

namespace {

// Intercept, coefficients and deviations of target l.
TargetFit target_of(const RelevanceResult& result, Index l) {
  const RelevancePoint& point = result.run.point;
  const RelevanceData& data = result.model.data();
  TargetFit one;
  one.coefficients.assign(data.features(), 0.0);
  one.standard_deviations.assign(data.features(), 0.0);
  one.intercept = result.response.centers[l];
  if (result.response.Y.cols() > 0) one.intercept += result.response.group * data.target_means()[l];
  for (Index a = 0; a < point.size(); ++a) {
    const Index j = point.features[a];
    const auto original = [&](double b) { return result.scale.to_original(j, result.response.group * b); };
    one.coefficients[j] = original(point.mean(a, l));
    one.standard_deviations[j] = original(std::sqrt(point.feature_gamma[a] * point.remaining[a]));
    one.intercept -= one.coefficients[j] * result.scale.center(j);
  }
  return one;
}

void fill_targets(Fit& fit, const RelevanceResult& result) {
  TargetFit first = target_of(result, 0);
  fit.intercept = first.intercept;
  fit.coefficients = std::move(first.coefficients);
  fit.standard_deviations = std::move(first.standard_deviations);
  for (Index l = 1; l < result.model.data().targets(); ++l) {
    fit.more_targets.push_back(target_of(result, l));
    const std::vector<std::string>& names = result.problem.more_targets;
    fit.more_targets.back().target = names.empty() ? "target " + std::to_string(l + 1) : names[l - 1];
  }
}

}  // namespace

void fill_relevance(Fit& fit, const RelevanceResult& result) {
  const RelevanceData& data = result.model.data();
  const RelevancePoint& point = result.run.point;
  const Index p = data.features();
  fill_targets(fit, result);
  const std::vector<double> group_theta = leave_one_out(result.model, point, result.run.scores);
  std::vector<double> gamma(p, 0.0), theta(p);
  for (Index j = 0; j < p; ++j) theta[j] = group_theta[data.group_of(j)];
  fit.inclusion.assign(p, 0.0);
  for (Index a = 0; a < point.size(); ++a) {
    const Index j = point.features[a];
    // The nonnegativity constraint holds this coefficient at zero although its gamma is positive.
    if (point.mean(a, 0) == 0 && point.constrained) continue;
    fit.inclusion[j] = inclusion_of(theta[j], result.penalty);
    gamma[j] = std::pow(result.scale.to_original(j, result.response.group * std::sqrt(point.feature_gamma[a])), 2);
  }
  // A constrained coefficient has no normal posterior, and a point solved in sample space holds no factor of S.
  if (point.size() <= max_joint && !point.constrained && !point.by_samples) {
    fit.hyper["covariance"] = packed_covariance(result.model, point, result.scale, result.response.group);
  }
  fit.hyper["gamma"] = std::move(gamma);
  fit.hyper["theta"] = std::move(theta);
  fit.hyper["certificate"] = result.run.certificate.worst();
  fit.hyper["certificate_active"] = result.run.certificate.active;
  fit.hyper["certificate_inactive"] = result.run.certificate.inactive;
}

std::string relevance_message(const Fit& fit, const RelevanceRun& run, const std::string& about) {
  const auto likely = std::ranges::count_if(fit.inclusion, [](double q) { return q >= 0.5; });
  return fmt::format(
      "{}{} of {} retained, {} with inclusion probability 0.5 or above; {}, cost {:.6g}, optimality conditions "
      "violated by {:.1e} (retained) and {:.1e} (pruned)",
      fit.status == Status::cancelled ? "cancelled; " : "", run.point.size(),
      plural(std::ssize(fit.coefficients), "feature"), likely, about, fit.objective, run.certificate.active,
      run.certificate.inactive);
}

void judge_left_out(Fit& fit, const RelevanceRun& run, std::string_view algorithm) {
  constexpr double optimal_enough = 1e-2;
  const bool takes_back = algorithm == "reweighted-l1" || algorithm == "sequential";
  if (takes_back || fit.status != Status::converged || !(run.certificate.inactive > optimal_enough)) return;
  fit.status = Status::stalled;
  fit.message += fmt::format(
      "; algorithm {} cannot take back features that it left out, and some of them should enter (violation {:.2g}): "
      "use "
      "algorithm reweighted-l1",
      algorithm, run.certificate.inactive);
}

Fit null_relevance(const Problem& problem, const ScaledResponse& response) {
  Fit fit;
  // Every coefficient is zero exactly; the evidence has no maximum in the noise variance, which is reported as 0.
  const Index p = problem.X.cols();
  fit.coefficients.assign(p, 0.0);
  fit.standard_deviations.assign(p, 0.0);
  fit.inclusion.assign(p, 0.0);
  fit.intercept = response.centers[0];
  for (Index l = 1; l < std::ssize(response.centers); ++l) {
    const std::string name =
        problem.more_targets.empty() ? "target " + std::to_string(l + 1) : problem.more_targets[l - 1];
    fit.more_targets.push_back({name, response.centers[l], fit.coefficients, fit.standard_deviations});
  }
  fit.noise_variance = 0;
  fit.hyper["gamma"] = std::vector<double>(p, 0.0);
  fit.hyper["theta"] = std::vector<double>(p, 0.0);
  fit.trace.push_back({1, 0, 0, 0, 0});
  fit.message = "no features selected because the response is constant";
  return fit;
}

}  // namespace tamis
