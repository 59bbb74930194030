// The mode under point-mass spikes at several costs of a coefficient.
//
// Start      the lasso at the penalty of least cross-validation error, of the rows that are fitted: that of a fold
//            knows nothing of its held-out rows
// Noise      of a gaussian response, where it is not given: residual square of the lasso over its degrees of freedom
// Cost       the one of 32, 16, ..., 1/2 with the least held-out deviance; without folds log((1 - pi) / pi) +
//            log(2 pi slab) / 2 at the inclusion that the other spike-and-slab methods begin with
// Paper      Yen (2011), Annals of Statistics 39(3)
#include "method/mm/mm_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/numerical_failure.hpp"
#include "method/mm/point_mass_mode.hpp"
#include "search/cv_score.hpp"
#include "search/folds.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/plural.hpp"

namespace tamis {
namespace {

constexpr double costs[] = {32, 16, 8, 4, 2, 1, 0.5};
constexpr double least_noise = 1e-4;  // of the response's variance
constexpr int folds_of_start = 10;    // where the fit itself has none
constexpr double path_tolerance = 1e-6;

// Passes on the wish to stop only: the progress of a part would seem to begin again.
class StopOnly final : public Observer {
 public:
  explicit StopOnly(Observer* outer) : outer_(outer) {}
  bool cancelled() override { return outer_ != nullptr && outer_->cancelled(); }

 private:
  Observer* outer_;
};

Index count_active(const PointMassMode& mode) {
  return std::ranges::count_if(mode.b, [](double b) { return b != 0; });
}

// Some of the rows: those of positive weight.
struct Part {
  Problem problem;
  std::vector<double> weights = {};
  std::unique_ptr<ScaledProblem> scaled = {};
  std::vector<double> start = {};  // of each kept feature, on the working scale
  PointMassPrior prior = {};
};

class PointMassSearch {
 public:
  PointMassSearch(const Problem& problem, const PointMassRequest& request, const Control& control)
      : problem_(problem), request_(request), control_(control), observer_(control.observer) {
    if (!request.cost && control.validation.X == nullptr && control.folds > 1) folds_ = make_folds(problem, control);
  }

  Fit run();

 private:
  bool searches() const { return !request_.cost && (control_.validation.X != nullptr || folds_.count > 0); }
  std::unique_ptr<Part> part_without(int fold) const;
  bool begin(Part& part) const;
  Control control_of(const Problem& training) const;
  double default_cost(const Part& part) const;
  PointMassMode solve(Part& part, double cost, double tolerance, Observer* observer) const;
  Fit original(const Part& part, const PointMassMode& mode) const;
  bool score(Part& full);
  bool begin_folds(std::vector<std::unique_ptr<Part>>& parts) const;
  double held_out_error(const Part& part, int fold, const PointMassMode& mode) const;
  Fit result(Part& full, double cost, Index chosen);
  double noise_of(const Part& part, const PointMassMode& mode) const;

  const Problem& problem_;
  const PointMassRequest& request_;
  const Control& control_;
  mutable StopOnly observer_;
  Folds folds_;
  std::vector<CvScore> cv_scores_;
  std::vector<PathPoint> path_;
};

// Held-out rows get weight 0.
std::unique_ptr<Part> PointMassSearch::part_without(int fold) const {
  auto part = std::make_unique<Part>(Part{.problem = problem_});
  part->weights.assign(problem_.weights.begin(), problem_.weights.end());
  if (fold >= 0) {
    part->weights.resize(problem_.y.size(), 1.0);
    for (Index i = 0; i < std::ssize(part->weights); ++i) {
      if (folds_.fold_of_row[i] == fold) part->weights[i] = 0;
    }
  }
  part->problem.weights = part->weights;
  part->scaled = std::make_unique<ScaledProblem>(part->problem);
  return part;
}

// Given folds serve inside a training set too, where they can: rows that belong together stay together.
Control PointMassSearch::control_of(const Problem& training) const {
  Control control{.seed = control_.seed, .threads = control_.threads, .folds = control_.folds};
  control.fold_of_row = control_.fold_of_row;
  control.validation = control_.validation;
  control.observer = &observer_;
  if (control.folds == 0) control.folds = folds_of_start;
  if (control.fold_of_row.empty()) return control;
  try {
    check_given_folds(training, control.fold_of_row);
  } catch (const InvalidInput&) {
    control.fold_of_row = {};
  }
  return control;
}

// The lasso, and what follows from it. False if cancelled.
bool PointMassSearch::begin(Part& part) const {
  std::map<std::string, OptionValue> options{{"rule", std::string("min")}};
  if (request_.start_penalty) options["penalty"] = *request_.start_penalty;
  const Fit lasso = method("lasso").fit(part.problem, options, control_of(part.problem));
  if (lasso.status == Status::cancelled) return false;
  const ScaledProblem& scaled = *part.scaled;
  double kept = 0;
  for (Index k = 0; k < scaled.features(); ++k) {
    part.start.push_back(lasso.coefficients[scaled.kept()[k]] / scaled.original_coefficient(k, 1.0));
    kept += part.start.back() != 0 ? 1 : 0;
  }
  const double unit2 = scaled.unit() * scaled.unit();
  part.prior.slab_variance = request_.slab_variance ? *request_.slab_variance / unit2 : 1 / scaled.mean_curvature();
  if (!scaled.gaussian()) return true;
  if (request_.noise_variance) {
    part.prior.noise_variance = *request_.noise_variance / unit2;
    return true;
  }
  double square = 0;
  const std::vector<double> fitted = linear_predictor(lasso, part.problem.X, part.problem.offset);
  for (Index i = 0; i < std::ssize(fitted); ++i) {
    square += scaled.weights()[i] * std::pow((part.problem.y[i] - fitted[i]) / scaled.unit(), 2);
  }
  const double left = std::max(1.0, scaled.degrees_of_freedom() - kept);
  part.prior.noise_variance = std::clamp(square / left, least_noise, 1.0);
  return true;
}

double PointMassSearch::default_cost(const Part& part) const {
  const double known = problem_.likelihood.traits().row_information, information = known > 0 ? known : 1;
  const auto p = static_cast<double>(part.scaled->features());
  const double inclusion = std::min(0.25, information * part.scaled->samples() / (10 * p));
  // Of columns of unit spread, as the width of the logarithm is in deviations of the slab.
  const double slab = part.prior.slab_variance * part.scaled->mean_curvature();
  return std::max(costs[std::size(costs) - 1], 0.5 * std::log(2 * M_PI * slab) - logit(inclusion));
}

PointMassMode PointMassSearch::solve(Part& part, double cost, double tolerance, Observer* observer) const {
  part.prior.cost = cost;
  return point_mass_mode(*part.scaled, part.prior, part.start, tolerance, observer);
}

Fit PointMassSearch::original(const Part& part, const PointMassMode& mode) const {
  Fit fit;
  const std::vector<double> none(mode.b.size(), 0.0);
  part.scaled->to_original(mode.intercept, mode.b, none, none, fit);
  fit.standard_deviations.clear();
  fit.inclusion.clear();
  fit.features.resize(fit.coefficients.size());  // linear_predictor() asks for names
  return fit;
}

double PointMassSearch::held_out_error(const Part& part, int fold, const PointMassMode& mode) const {
  std::vector<double> weights(problem_.y.size(), 0.0);
  for (Index i = 0; i < std::ssize(weights); ++i) {
    if (folds_.fold_of_row[i] == fold) weights[i] = problem_.weights.empty() ? 1 : problem_.weights[i];
  }
  const Validation held_out{.X = &problem_.X, .y = problem_.y, .weights = weights, .offset = problem_.offset};
  return score_rows(problem_.likelihood, held_out, linear_predictor(original(part, mode), problem_.X)).mean;
}

// Starts of the folds; false if cancelled.
bool PointMassSearch::begin_folds(std::vector<std::unique_ptr<Part>>& parts) const {
  for (int fold = 0; fold < folds_.count; ++fold) {
    parts.push_back(part_without(fold));
    if (!begin(*parts.back())) return false;
    if (control_.observer == nullptr) continue;
    control_.observer->progress(static_cast<double>(fold + 1) / folds_.count, "starts");
    if (control_.observer->cancelled()) return false;
  }
  return true;
}

// All parts at every cost, largest first. False if cancelled.
bool PointMassSearch::score(Part& full) {
  std::vector<std::unique_ptr<Part>> parts;
  if (!begin_folds(parts)) return false;
  for (Index k = 0; k < std::ssize(costs); ++k) {
    std::vector<double> errors(folds_.count);
    PointMassMode mode;
    parallel_for(folds_.count + 1, 1, [&](Index begin, Index end) {
      for (Index f = begin - 1; f < end - 1; ++f) {
        PointMassMode found = solve(f < 0 ? full : *parts[f], costs[k], path_tolerance, nullptr);
        if (f >= 0) errors[f] = held_out_error(*parts[f], static_cast<int>(f), found);
        if (f < 0) mode = std::move(found);
      }
    });
    const Validation& held_out = control_.validation;
    cv_scores_.push_back(folds_.count > 0 ? score_folds(errors)
                                          : score_rows(problem_.likelihood, held_out,
                                                       linear_predictor(original(full, mode), *held_out.X)));
    PathPoint& point = path_.emplace_back();
    point.value = costs[k];
    point.objective = mode.objective;
    point.active = count_active(mode);
    point.certificate = mode.violation;
    point.validation_error = cv_scores_.back().mean;
    point.validation_se = cv_scores_.back().standard_error;
    if (control_.observer == nullptr) continue;
    control_.observer->progress(static_cast<double>(k + 1) / std::size(costs), "path");
    if (control_.observer->cancelled()) return false;
  }
  return true;
}

// Residual square over what the selected features leave, or the given one.
double PointMassSearch::noise_of(const Part& part, const PointMassMode& mode) const {
  const double unit2 = part.scaled->unit() * part.scaled->unit();
  if (request_.noise_variance) return *request_.noise_variance;
  double square = 0, kept = 0;
  for (const double b : mode.b) kept += b != 0 ? 1 : 0;
  for (Index i = 0; i < std::ssize(mode.fit); ++i) {
    square += part.scaled->weights()[i] * std::pow(part.scaled->response()[i] - mode.fit[i], 2);
  }
  return unit2 * square / std::max(1.0, part.scaled->degrees_of_freedom() - kept);
}

Fit PointMassSearch::result(Part& full, double cost, Index chosen) {
  const PointMassMode mode = solve(full, cost, request_.tolerance, control_.observer);
  Fit fit = original(full, mode);
  fit.features.clear();
  const Index active = count_active(mode);
  const double unit2 = full.scaled->unit() * full.scaled->unit();
  if (full.scaled->gaussian()) fit.noise_variance = noise_of(full, mode);
  fit.objective = mode.objective;
  fit.trace = mode.trace;
  fit.path = path_;
  if (!path_.empty()) {
    fit.path[chosen].objective = mode.objective;
    fit.path[chosen].active = active;
    fit.path[chosen].certificate = mode.violation;
  }
  fit.hyper["cost"] = cost;
  fit.hyper["slab_variance"] = unit2 * full.prior.slab_variance;
  fit.hyper["prior_inclusion"] =
      logistic(0.5 * std::log(2 * M_PI * full.prior.slab_variance * full.scaled->mean_curvature()) - cost);
  if (full.scaled->gaussian()) fit.hyper["assumed_noise_variance"] = unit2 * full.prior.noise_variance;
  fit.hyper["stationarity"] = mode.violation;
  fit.status = mode.cancelled ? Status::cancelled : mode.converged ? Status::converged : Status::iteration_limit;
  const std::string how = request_.cost ? "fixed"
                          : cv_scores_.empty()
                              ? "of the default prior inclusion; no cross-validation"
                              : how_chosen(cv_scores_[chosen], request_.one_standard_error, folds_.count);
  fit.message = fmt::format("{}{} selected at cost {:.4g} ({}); {} rounds, relative stationarity violation {:.1e}",
                            mode.cancelled ? "cancelled; " : "", plural(active, "feature"), cost, how,
                            mode.trace.size(), mode.violation);
  return fit;
}

Fit PointMassSearch::run() {
  const std::unique_ptr<Part> full = part_without(-1);
  if (!full->scaled->nothing_to_explain().empty()) {
    Fit fit = full->scaled->null_fit();
    fit.standard_deviations.clear();
    fit.inclusion.clear();
    return fit;
  }
  const auto stopped = [&] {
    PointMassMode nothing;
    nothing.b.assign(full->scaled->features(), 0.0);
    Fit fit = original(*full, nothing);
    fit.features.clear();
    fit.status = Status::cancelled;
    fit.message = "cancelled before the first descent";
    return fit;
  };
  if (!begin(*full)) return stopped();
  if (!searches()) return result(*full, request_.cost.value_or(default_cost(*full)), 0);
  if (!score(*full)) return stopped();
  const Index chosen = choose_by_rule(cv_scores_, request_.one_standard_error ? 1 : 0);
  return result(*full, costs[chosen], chosen);
}

}  // namespace

Fit fit_point_mass_mode(const Problem& problem, const PointMassRequest& request, const Control& control) {
  return PointMassSearch(problem, request, control).run();
}

}  // namespace tamis
