#include "method/ard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "method/ard/ard_fit.hpp"
#include "method/ard/noise_rule.hpp"
#include "method/meanfield/field_fit.hpp"

namespace tamis {
namespace {

struct ArdOptions {
  explicit ArdOptions(const Options& options)
      : noise_variance(options.maybe_real("noise_variance")),
        penalty(options.maybe_real("penalty")),
        learn_noise(options.text("noise") == "evidence"),
        paper_start(options.text("start") == "lasso"),
        nonnegative(options.boolean("nonnegative")),
        most_iterations(options.integer("iterations")),
        tolerance(options.real("tolerance")) {}

  std::optional<double> noise_variance, penalty;
  bool learn_noise, paper_start, nonnegative;
  Index most_iterations;
  double tolerance;
};

class ArdSearch {
 public:
  ArdSearch(const Problem& problem, const ArdOptions& options, const Control& control)
      : problem_(problem), options_(options), control_(control), scale_(problem), response_(problem, scale_) {}

  Fit run() {
    if (response_.constant) return null_relevance(problem_, response_);
    prepare();
    if (options_.noise_variance) {
      request_.model = {*options_.noise_variance / (response_.unit * response_.unit), options_.penalty.value_or(0)};
      noise_words_ = "given";
      fit_to(request_);
    } else if (options_.learn_noise) {
      request_.model = {0.1 * mean_square(), options_.penalty.value_or(0)};
      request_.learn_noise = true;
      noise_words_ = "by evidence";
      if (data_->features() > data_->samples()) {
        noise_words_ += ", which is degenerate when features outnumber samples: it may collapse, noise=robust does not";
      }
      fit_to(request_);
    } else {
      fit_robust();
    }
    return result();
  }

 private:
  void prepare() {
    std::vector<double> norms = column_curvature(problem_, scale_), precisions = scale_.weights();
    for (double& norm : norms) norm *= scale_.total_weight();
    for (double& weight : precisions) weight *= scale_.total_weight();
    data_.emplace(scale_.X(), std::move(precisions), problem_.intercept, response_.Y, std::span<const Index>(),
                  std::move(norms));
    model_.emplace(*data_);
    request_.paper_start = options_.paper_start;
    request_.nonnegative = options_.nonnegative;
    request_.most_iterations = options_.most_iterations;
    request_.tolerance = options_.tolerance;
  }

  double mean_square() const { return data_->response_square() / data_->degrees_of_freedom(); }

  // Polls and tells of progress: most fits end long before their limit, so the fraction approaches one and never
  // promises it.
  bool proceed() {
    ++steps_;
    if (control_.observer == nullptr) return true;
    control_.observer->progress(static_cast<double>(steps_) / static_cast<double>(steps_ + 20), "evidence");
    return !control_.observer->cancelled();
  }

  void fit_to(const RelevanceRequest& request) {
    run_ = reweighted_l1(*model_, request, [this](const RelevancePoint& point, double change, double certificate) {
      trace_.push_back({static_cast<Index>(trace_.size() + 1), cost_in_original_units(point), change,
                        static_cast<Index>(point.units.size()), certificate});
      if (control_.observer != nullptr) control_.observer->trace(trace_.back());
      return proceed();
    });
  }

  void fit_robust();
  double cost_in_original_units(const RelevancePoint& point) const {
    return point.cost + 2 * data_->degrees_of_freedom() * std::log(response_.unit);
  }
  Fit result();

  const Problem& problem_;
  const ArdOptions& options_;
  const Control& control_;
  WorkingScale scale_;
  ScaledResponse response_;
  std::optional<RelevanceData> data_;
  std::optional<Relevance> model_;
  RelevanceRequest request_;
  RelevanceRun run_;
  std::string noise_words_;
  std::vector<double> noise_path_;
  std::vector<char> allowed_;
  std::vector<TracePoint> trace_;
  Index steps_ = 0;
};

// The penalty chooses the features and with them the noise; what they are worth is then asked without it.
void ArdSearch::fit_robust() {
  request_.model.penalty = options_.penalty.value_or(multiplicity_penalty(*data_));
  const NoiseSearch search = robust_noise(*model_, request_, [this] { return proceed(); });
  noise_path_ = search.visited;
  noise_words_ = fmt::format("robust in {} rounds{}", search.visited.size(), search.settled ? "" : ", not settled");
  if (search.cancelled) {
    run_ = search.last;
    trace_.push_back({1, cost_in_original_units(run_.point), 0, static_cast<Index>(run_.point.units.size()), 0});
    return;
  }
  allowed_.assign(static_cast<std::size_t>(data_->units()), 0);
  for (const Index u : search.support) allowed_[u] = 1;
  RelevanceRequest last = request_;
  last.model = {search.noise_variance, 0};
  last.allowed = allowed_;
  fit_to(last);
  if (!search.settled && run_.status == Status::converged) run_.status = Status::iteration_limit;
  // Whom the penalty kept out is judged with it.
  RelevancePoint judged = run_.point;
  judged.model.penalty = request_.model.penalty;
  run_.certificate.inactive = model_->certificate(judged, run_.scores).inactive;
}

Fit ArdSearch::result() {
  Fit fit;
  const double threshold = std::max(options_.penalty.value_or(0), multiplicity_penalty(*data_));
  fill_relevance(fit, scale_, response_, *model_, run_, threshold);
  const double unit2 = response_.unit * response_.unit;
  fit.noise_variance = run_.point.model.noise_variance * unit2;
  fit.hyper["penalty"] = request_.model.penalty;
  if (!noise_path_.empty()) {
    for (double& noise : noise_path_) noise *= unit2;
    fit.hyper["noise_path"] = noise_path_;
  }
  fit.objective = cost_in_original_units(run_.point);
  fit.trace = std::move(trace_);
  fit.status = run_.status;
  const auto likely = std::ranges::count_if(fit.inclusion, [](double q) { return q >= 0.5; });
  fit.message = fmt::format(
      "{}{} of {} features kept, {} with inclusion of one half or more; noise variance {:.4g} ({}), cost {:.6g}, "
      "optimality to {:.1e} (kept) and {:.1e} (left out)",
      fit.status == Status::cancelled ? "cancelled; " : "", run_.point.size(), data_->features(), likely,
      *fit.noise_variance, noise_words_, fit.objective, run_.certificate.active, run_.certificate.inactive);
  return fit;
}

}  // namespace

std::vector<Field> AutomaticRelevance::fields() const {
  return {
      Field::real("noise_variance", "variance of the noise; not given: found by the rule of 'noise'", {}, 0, 1e300,
                  /*open_minimum=*/true),
      Field::choice("noise",
                    "rule for a noise that is not given: robust (least squares on the support that a multiplicity "
                    "penalty keeps), or evidence (degenerate when features outnumber samples)",
                    {"robust", "evidence"}, "robust"),
      Field::real("penalty",
                  "multiplicity penalty c: features enter at theta > 1 + c; not given: 2 log p - 1 while the robust "
                  "rule chooses features, else 0",
                  {}, 0, 1e6),
      Field::choice("start", "of reweighted L1: scale-free, or lasso (the paper's z = 1, which depends on units)",
                    {"scale-free", "lasso"}, "scale-free"),
      Field::boolean("nonnegative", "coefficients may not be negative", false),
      Field::integer("iterations", "steps at most", 100.0, 1, 1e6),
      Field::real("tolerance", "largest change of a prior variance in the last step, relative to the largest one", 1e-3,
                  1e-10, 1e-1),
  };
}

Fit AutomaticRelevance::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  return ArdSearch(problem, ArdOptions(options), control).run();
}

}  // namespace tamis
