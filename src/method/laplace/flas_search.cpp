// Options of a flas fit, and its cross-validations: over the paper's grid of variances, and of the prior inclusion.
//
// Inclusion  not gaussian: .35 (or sqrt(n / p) if smaller), .1, .03 and .01, of least held-out deviance by five folds,
//            the same for all; the other hyperparameters by evidence, or as given. Learned by evidence, the share of
//            features in the slab falls too far (the paper's simulation at n = 60: test error .066 -> .169).
// Grid       r0 in 1e-6 .. 1e-3, r1 in 1 .. 5, in the units of the response, as in the paper's experiments. Every pair
//            is fitted on every fold from scratch: the evidence search needs a single fit and is the default.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "method/laplace/flas_fit.hpp"
#include "search/cv_score.hpp"
#include "search/folds.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis {

namespace {

std::optional<SelectionPrior> selection_prior(const Options& options) {
  const std::optional<double> a = options.maybe_real("selection_a"), b = options.maybe_real("selection_b");
  if (!a && !b) return {};
  if (!a || !b) {
    throw InvalidOption(fmt::format("{}: received without {}; expected both parameters of the Beta prior",
                                    a ? "selection_a" : "selection_b", a ? "selection_b" : "selection_a"));
  }
  if (options.maybe_real("prior_inclusion")) {
    throw InvalidOption(
        fmt::format("prior_inclusion: received together with selection_a and selection_b, whose mean {:.3g} is the "
                    "prior inclusion; remove prior_inclusion or both others",
                    *a / (*a + *b)));
  }
  if (options.text("variant") == "joint" && std::min(*a, *b) < 1) {
    throw InvalidOption(fmt::format(
        "{}: received {:.3g}; expected at least 1 with variant = joint, whose objective has no minimum otherwise; use "
        "variant = marginal",
        *a < 1 ? "selection_a" : "selection_b", *a < 1 ? *a : *b));
  }
  return SelectionPrior{*a, *b};
}

NystromSets nystrom_sets(const Options& options) {
  NystromSets sets;
  for (const std::string name : {"nystrom_sets", "nystrom_columns"}) {
    if (!options.has(name)) continue;
    if (options.text("hessian") != "nystrom") {
      throw InvalidOption(fmt::format("{}: received with hessian = {}; expected hessian = nystrom; set it or remove {}",
                                      name, options.text("hessian"), name));
    }
    (name == "nystrom_sets" ? sets.count : sets.columns) = options.integer(name);
    sets.given = true;
  }
  return sets;
}

}  // namespace

FlasRequest::FlasRequest(const Options& options, const Problem& problem)
    : joint(options.text("variant") == "joint"),
      start_at_ridge(options.text("start") == "ridge"),
      collapsed(options.text("inclusion") == "collapsed"),
      by_cross_validation(options.text("search") == "cv"),
      prior_inclusion(options.maybe_real("prior_inclusion")),
      spike_variance(options.maybe_real("spike_variance")),
      slab_variance(options.maybe_real("slab_variance")),
      selection(selection_prior(options)),
      nystrom(nystrom_sets(options)),
      tolerance(options.real("tolerance")) {
  if (const std::optional<double> precision = options.maybe_real("noise_precision")) {
    if (!problem.likelihood.has_noise()) {
      throw InvalidOption(fmt::format("noise_precision: family {} has no noise variance; remove this option",
                                      problem.likelihood.name()));
    }
    noise_variance = 1 / *precision;
  }
  if (selection) prior_inclusion = selection->inclusion();
  if (prior_inclusion && *prior_inclusion >= 1) {
    throw InvalidOption("prior_inclusion: received 1; expected a value below 1");
  }
  if (spike_variance && slab_variance && *spike_variance >= *slab_variance) {
    throw InvalidOption(fmt::format("spike_variance: received {:.3g}; expected less than slab_variance ({:.3g})",
                                    *spike_variance, *slab_variance));
  }
  const std::string& kind = options.text("hessian");
  if (kind == "dual") hessian = HessianKind::dual;
  if (kind == "landmark") hessian = HessianKind::landmark;
  if (kind == "nystrom") hessian = HessianKind::nystrom;
  if (kind == "full") hessian = HessianKind::full;
}

namespace {

// The paper's grid for cross-validation, in units of the response.
constexpr double paper_spikes[] = {1e-6, 1e-5, 1e-4, 1e-3};
constexpr double paper_slabs[] = {1, 2, 3, 4, 5};

constexpr double inclusions[] = {0.1, 0.03, 0.01};  // beside the default of dense models
constexpr int folds_of_inclusion = 5;

// The mean held-out deviance of requests: on the validation data, or on every fold.
class HeldOut {
 public:
  HeldOut(const Problem& problem, const Control& control) : problem_(problem), control_(control) {
    if (control.validation.X == nullptr) folds_ = make_folds(problem, control);
  }

  bool is_possible() const { return control_.validation.X != nullptr || folds_.count > 0; }

  double deviance(const FlasRequest& request) const {
    // Inner fits neither report progress nor cross-validate.
    const Control quiet{.seed = control_.seed, .folds = 0};
    if (control_.validation.X != nullptr) {
      const Fit fit = fit_flas_once(problem_, request, quiet);
      return score_rows(problem_.likelihood, control_.validation, predictor(fit, *control_.validation.X)).mean;
    }
    std::vector<double> errors(folds_.count);
    parallel_for(folds_.count, 1, [&](Index begin, Index end) {
      for (Index fold = begin; fold < end; ++fold) {
        errors[fold] = score_fold(folds_, static_cast<int>(fold), request, quiet);
      }
    });
    return score_folds(errors).mean;
  }

 private:
  // Of a fit whose features have no names yet; offsets are added by the scoring function.
  static std::vector<double> predictor(const Fit& fit, const Design& X) {
    std::vector<double> eta(X.rows(), fit.intercept);
    X.multiply_add(X.all(), std::span<const double>(fit.coefficients), std::span<double>(eta));
    return eta;
  }

  // A subset of the rows of a problem, copied.
  struct Rows {
    std::vector<Index> rows;
    std::vector<double> y, weights, offset;
    void add(const Problem& from, std::size_t i) {
      rows.push_back(i);
      y.push_back(from.y[i]);
      if (!from.weights.empty()) weights.push_back(from.weights[i]);
      if (!from.offset.empty()) offset.push_back(from.offset[i]);
    }
  };

  double score_fold(const Folds& folds, int fold, const FlasRequest& request, const Control& quiet) const {
    Rows training, held_out;
    for (Index i = 0; i < std::ssize(problem_.y); ++i) {
      (folds.fold_of_row[i] == fold ? held_out : training).add(problem_, i);
    }
    // Folds are real subsets of rows here, unlike on the paths of other methods: the eigenbasis depends on the rows.
    const RowSubsetDesign X(problem_.X, training.rows), Z(problem_.X, held_out.rows);
    const Problem part{.X = X,
                       .y = training.y,
                       .likelihood = problem_.likelihood,
                       .weights = training.weights,
                       .offset = training.offset,
                       .intercept = problem_.intercept,
                       .standardize = problem_.standardize};
    const Fit fit = fit_flas_once(part, request, quiet);
    const Validation validation{.X = &Z, .y = held_out.y, .weights = held_out.weights, .offset = held_out.offset};
    return score_rows(problem_.likelihood, validation, predictor(fit, Z)).mean;
  }

  const Problem& problem_;
  const Control& control_;
  Folds folds_;
};

// The candidate of least held-out deviance, the first of equals.
FlasRequest best_of(const std::vector<FlasRequest>& candidates, const HeldOut& held_out) {
  FlasRequest best = candidates.front();
  double least = std::numeric_limits<double>::infinity();
  for (const FlasRequest& tried : candidates) {
    const double error = held_out.deviance(tried);
    if (!(error < least)) continue;
    least = error;
    best = tried;
  }
  return best;
}

// A variance that the user gives is a grid of one value.
std::vector<FlasRequest> variance_grid(FlasRequest request) {
  const auto choices = [](std::optional<double> given, std::span<const double> grid) {
    return given ? std::vector{*given} : std::vector(grid.begin(), grid.end());
  };
  request.by_cross_validation = false;
  std::vector<FlasRequest> grid;
  for (const double spike : choices(request.spike_variance, paper_spikes)) {
    for (const double slab : choices(request.slab_variance, paper_slabs)) {
      if (!(spike < slab)) continue;
      grid.push_back(request);
      grid.back().spike_variance = spike;
      grid.back().slab_variance = slab;
    }
  }
  if (grid.empty()) grid.push_back(request);
  return grid;
}

// The default first; only what is sparser is worth a try beside it.
std::vector<FlasRequest> inclusion_grid(const FlasRequest& request, const Problem& problem) {
  std::vector<FlasRequest> grid{request};
  const double dense = default_inclusion(static_cast<double>(problem.X.rows()), static_cast<double>(problem.X.cols()));
  for (const double inclusion : inclusions) {
    if (inclusion >= dense) continue;
    grid.push_back(request);
    grid.back().prior_inclusion = inclusion;
    grid.back().inclusion_is_tuned = true;
  }
  return grid;
}

// Variances are searched in every fold again: at those that the evidence chose on all rows the held-out rows would have
// had their say, and sparse priors win too often (the paper's simulation at n = 60: test error .129 -> .157).
Fit fit_with_tuned_inclusion(const Problem& problem, const FlasRequest& request, const Control& control) {
  Control five = control;
  if (control.fold_of_row.empty()) five.folds = std::min(control.folds, folds_of_inclusion);
  const HeldOut held_out(problem, five);
  const std::vector<FlasRequest> grid = inclusion_grid(request, problem);
  if (!held_out.is_possible() || grid.size() == 1) return fit_flas_once(problem, request, control);
  const Control quiet{.seed = control.seed, .folds = 0};
  Fit best;
  double least = std::numeric_limits<double>::infinity();
  bool cancelled = false;
  for (Index k = 0; k < std::ssize(grid) && !cancelled; ++k) {
    Fit fit = fit_flas_once(problem, grid[k], quiet);
    const bool is_null = std::get<double>(fit.hyper.at("slab_variance")) == 0;
    const double error = is_null ? 0.0 : held_out.deviance(grid[k]);
    if (k == 0 || error < least) {
      least = error;
      best = std::move(fit);
    }
    if (is_null) break;  // there is nothing to explain
    if (control.observer == nullptr) continue;
    control.observer->progress(static_cast<double>(k + 1) / static_cast<double>(grid.size()), "search");
    cancelled = control.observer->cancelled();
  }
  for (const TracePoint& point : best.trace) {
    if (control.observer != nullptr) control.observer->trace(point);
  }
  if (cancelled) {
    best.status = Status::cancelled;
    best.message = "cancelled; " + best.message;
  } else if (std::isfinite(least) && least > 0) {
    best.message += fmt::format("; prior inclusion {:.3g} by {} deviance {:.4g}",
                                std::get<double>(best.hyper.at("prior_inclusion")),
                                control.validation.X != nullptr ? "validation" : "cross-validated", least);
  }
  return best;
}

}  // namespace

Fit fit_flas(const Problem& problem, const FlasRequest& request, const Control& control) {
  const bool can_search = control.validation.X != nullptr || control.folds > 1;
  if (!can_search) return fit_flas_once(problem, request, control);
  if (request.by_cross_validation) {
    if (request.spike_variance && request.slab_variance) return fit_flas_once(problem, request, control);
    return fit_flas_once(problem, best_of(variance_grid(request), HeldOut(problem, control)), control);
  }
  // The ridge start is the paper's, at its own prior.
  const bool tunes = !request.prior_inclusion && !problem.likelihood.is_quadratic() && !request.start_at_ridge;
  return tunes ? fit_with_tuned_inclusion(problem, request, control) : fit_flas_once(problem, request, control);
}

}  // namespace tamis
