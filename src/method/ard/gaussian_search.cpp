// ard for a gaussian response: which noise variance, which penalty, which start.
//
// given     minimize the cost at this noise; optionally annealed: the cost has fewer local minima at a large noise, so
//           the noise falls geometrically and each minimum starts the next.
// evidence  noise and gammas maximize the evidence together. Degenerate when p > n: the evidence grows without bound as
//           the noise goes to 0 (6 of 6 runs collapsed at p = 3n), which the message says.
// robust    (default) a penalty on the number of features selects, least squares on the selection gives the noise
//           (robust_noise.hpp); the gammas of the selected features are then fitted without the penalty.
//
// All numbers inside are in units of the scaled response; result() converts. Scaling y by u adds 2 dof log u to the
// cost.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "method/ard/ard_fit.hpp"
#include "method/ard/ard_search.hpp"
#include "method/ard/robust_noise.hpp"
#include "method/ard/search_trace.hpp"
#include "problem/null_fit.hpp"

namespace tamis {
namespace {

// Annealing starts at this share of the mean square and lowers the noise by this factor, with so many iterations at
// each level. Success in noiseless recovery (n = 50, p = 100, 20 true): .98 annealed, .88 at once.
constexpr double anneal_from = 0.1;
constexpr double anneal_factor = 0.6;
constexpr Index anneal_steps = 3;

// Standardization holds weights that sum to 1; the evidence needs counts of observations.
std::vector<double> precisions_of(const Standardization& scale) {
  std::vector<double> precisions = scale.weights();
  for (double& weight : precisions) weight *= scale.total_weight();
  return precisions;
}

std::vector<double> norms_of(const Problem& problem, const Standardization& scale) {
  std::vector<double> norms = column_curvature(problem, scale);
  for (double& norm : norms) norm *= scale.total_weight();
  return norms;
}

// data_ and model_ exist from run() on, unless the response is constant. run_ is the last stage's result in scaled
// units; noise_path_ the noise variances visited before it, in the same units.
class GaussianSearch {
 public:
  GaussianSearch(const Problem& problem, const ArdOptions& options, const Control& control)
      : problem_(problem), options_(options), log_(control), scale_(problem), response_(problem, scale_) {}

  Fit run() {
    if (response_.constant) return null_relevance(problem_, response_);
    data_.emplace(scale_.X(), precisions_of(scale_), problem_.intercept, response_.Y, problem_.groups,
                  norms_of(problem_, scale_));
    model_.emplace(*data_);
    request_ = options_.request();
    request_.model.penalty = options_.penalty.value_or(0);
    if (options_.noise_variance) {
      request_.model.noise_variance = *options_.noise_variance / (response_.group * response_.group);
      noise_description_ = "given";
      options_.anneal ? fit_annealed() : fit_to(request_);
    } else if (options_.learn_noise) {
      fit_by_evidence();
    } else {
      fit_robust();
    }
    return result();
  }

 private:
  double mean_square() const {
    return data_->response_square() / (static_cast<double>(data_->targets()) * data_->degrees_of_freedom());
  }
  double cost_in_original_units(const RelevancePoint& point) const {
    return point.cost + 2 * data_->degrees_of_freedom() * std::log(response_.group);
  }
  void fit_to(const RelevanceRequest& request);
  void fit_annealed();
  void fit_by_evidence();
  void fit_robust();
  Fit result();

  const Problem& problem_;
  const ArdOptions& options_;
  SearchLog log_;
  Standardization scale_;
  ScaledResponse response_;
  std::optional<RelevanceData> data_;
  std::optional<Relevance> model_;
  RelevanceRequest request_;
  RelevanceRun run_;
  std::string noise_description_;
  std::vector<double> noise_path_;
  std::vector<char> allowed_;
};

void GaussianSearch::fit_to(const RelevanceRequest& request) {
  log_.restart();
  run_ = run_algorithm(
      options_.algorithm, *model_, request, [this](const RelevancePoint& point, double change, double certificate) {
        return log_.record(cost_in_original_units(point), change, std::ssize(point.feature_groups), certificate);
      });
  if (log_.trace().empty()) {  // it began where it ended
    log_.record(cost_in_original_units(run_.point), 0, std::ssize(run_.point.feature_groups), run_.certificate.active);
  }
}

// From a large noise, where minima are few, to the given one. A level is not solved to the end: three iterations track
// the minimum, which moves little from one level to the next.
void GaussianSearch::fit_annealed() {
  RelevanceRequest annealed = request_;
  annealed.refine_coordinates = false;
  annealed.max_iterations = anneal_steps;
  RelevancePoint from;
  for (double noise = anneal_from * mean_square(); noise > request_.model.noise_variance; noise *= anneal_factor) {
    noise_path_.push_back(noise);
    annealed.model.noise_variance = noise;
    annealed.from = noise_path_.size() > 1 ? &from : nullptr;
    run_ = run_algorithm(options_.algorithm, *model_, annealed,
                         [this](const RelevancePoint&, double, double) { return log_.proceed(); });
    from = run_.point;
    if (run_.status == Status::cancelled || !from.numerically_valid) break;
  }
  // A cancelled run is reported at the noise it reached: no certificate at the final noise exists.
  noise_description_ = fmt::format("given, annealed over {} levels", noise_path_.size());
  if (run_.status == Status::cancelled) {
    log_.record(cost_in_original_units(run_.point), 0, std::ssize(run_.point.feature_groups), 0);
    return;
  }
  RelevanceRequest final_request = request_;
  final_request.from = noise_path_.empty() ? nullptr : &from;
  fit_to(final_request);
}

void GaussianSearch::fit_by_evidence() {
  request_.model.noise_variance = anneal_from * mean_square();
  request_.learn_noise = true;
  noise_description_ = "by maximum evidence";
  if (data_->features() > data_->samples()) {
    noise_description_ +=
        ", unreliable with more features than samples, where it may collapse to zero; noise=robust avoids this";
  }
  fit_to(request_);
}

// The penalty selects the features and thereby the noise. It also shrinks the gammas of what it keeps, so the final fit
// runs on the selected features at penalty 0.
void GaussianSearch::fit_robust() {
  request_.model.penalty = options_.penalty.value_or(multiplicity_penalty(*data_));
  const NoiseSearch search = robust_noise(*model_, request_, [this] { return log_.proceed(); });
  noise_path_ = search.visited;
  noise_description_ =
      fmt::format("robust rule, {} iterations{}", search.visited.size(), search.converged ? "" : ", not converged");
  if (search.cancelled) {
    run_ = search.last;
    log_.record(cost_in_original_units(run_.point), 0, std::ssize(run_.point.feature_groups), 0);
    return;
  }
  allowed_.assign(data_->feature_groups(), 0);
  for (const Index u : search.support) allowed_[u] = 1;
  RelevanceRequest last = request_;
  last.model = {search.noise_variance, 0};
  last.allowed = allowed_;
  fit_to(last);
  if (!search.converged && run_.status == Status::converged) run_.status = Status::iteration_limit;
  // Excluded features are certified by the rule that excluded them: |q|^2 <= z with the penalty's slope.
  RelevancePoint penalized_point = run_.point;
  penalized_point.model.penalty = request_.model.penalty;
  run_.certificate.inactive = model_->certificate(penalized_point, run_.scores).inactive;
}

Fit GaussianSearch::result() {
  Fit fit;
  const double threshold = std::max(options_.penalty.value_or(0), multiplicity_penalty(*data_));
  fill_relevance(fit, {problem_, scale_, response_, *model_, run_, threshold});
  const double unit2 = response_.group * response_.group;
  fit.noise_variance = run_.point.model.noise_variance * unit2;
  fit.hyper["penalty"] = request_.model.penalty;
  if (problem_.intercept) fit.hyper["intercept_variance"] = *fit.noise_variance / scale_.total_weight();
  if (!noise_path_.empty()) {
    for (double& noise : noise_path_) noise *= unit2;
    fit.hyper["noise_path"] = noise_path_;
  }
  fit.objective = cost_in_original_units(run_.point);
  fit.trace = std::move(log_.trace());
  fit.status = run_.status;
  fit.message =
      relevance_message(fit, run_, fmt::format("noise variance {:.4g} ({})", *fit.noise_variance, noise_description_));
  judge_left_out(fit, run_, options_.algorithm);
  return fit;
}

}  // namespace

Fit fit_gaussian_relevance(const Problem& problem, const ArdOptions& options, const Control& control) {
  return GaussianSearch(problem, options, control).run();
}

}  // namespace tamis
