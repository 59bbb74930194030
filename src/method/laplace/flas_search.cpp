// Options of a flas fit, and the cross-validation over the paper's grid of variances.
//
// Grid       r0 in 1e-6 .. 1e-3, r1 in 1 .. 5, in the units of the response, as in the paper's experiments. Every pair
//            is fitted on every fold from scratch: the evidence search needs a single fit and is the default.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "method/laplace/flas_fit.hpp"
#include "search/cv_score.hpp"
#include "search/folds.hpp"
#include "tamis/base/error.hpp"
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

// One mean held-out deviance for each pair of variances: on the validation data, or on every fold.
class GridSearch {
 public:
  GridSearch(const Problem& problem, const FlasRequest& request, const Control& control)
      : problem_(problem), request_(request), control_(control) {
    request_.by_cross_validation = false;
  }

  FlasRequest best() {
    FlasRequest chosen = request_;
    double least = std::numeric_limits<double>::infinity();
    // A variance that the user gives is a grid of one value.
    for (const double spike : choices(request_.spike_variance, paper_spikes)) {
      for (const double slab : choices(request_.slab_variance, paper_slabs)) {
        if (!(spike < slab)) continue;
        FlasRequest tried = request_;
        tried.spike_variance = spike;
        tried.slab_variance = slab;
        const double error = evaluate(tried);
        if (error < least) {
          least = error;
          chosen = tried;
        }
      }
    }
    return chosen;
  }

 private:
  static std::vector<double> choices(std::optional<double> given, std::span<const double> grid) {
    return given ? std::vector{*given} : std::vector(grid.begin(), grid.end());
  }

  // Of a fit whose features have no names yet; offsets are added by the scoring function.
  static std::vector<double> predictor(const Fit& fit, const Design& X) {
    std::vector<double> eta(X.rows(), fit.intercept);
    X.multiply_add(X.all(), std::span<const double>(fit.coefficients), std::span<double>(eta));
    return eta;
  }

  double evaluate(const FlasRequest& request) const {
    // Inner fits neither report progress nor cross-validate.
    Control quiet{.seed = control_.seed, .folds = 0};
    if (control_.validation.X != nullptr) {
      const Fit fit = fit_flas_once(problem_, request, quiet);
      return score_rows(problem_.likelihood, control_.validation, predictor(fit, *control_.validation.X)).mean;
    }
    const Folds folds = make_folds(problem_, control_);
    std::vector<double> errors(folds.count);
    for (int fold = 0; fold < folds.count; ++fold) {
      errors[fold] = score_fold(folds, fold, request, quiet);
    }
    return score_folds(errors).mean;
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
  FlasRequest request_;
  const Control& control_;
};

}  // namespace

Fit fit_flas(const Problem& problem, const FlasRequest& request, const Control& control) {
  const bool searches = request.by_cross_validation && !(request.spike_variance && request.slab_variance) &&
                        (control.validation.X != nullptr || control.folds > 1);
  if (!searches) return fit_flas_once(problem, request, control);
  return fit_flas_once(problem, GridSearch(problem, request, control).best(), control);
}

}  // namespace tamis
