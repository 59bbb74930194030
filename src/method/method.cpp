// Method::fit: the one gate through which every fit of every method passes.
//
// Order      options -> problem checks -> feature checks -> offset and response shifts -> local_fit -> finite check ->
//            comparison with the null model -> shifts undone -> bookkeeping. A method's local_fit may rely on all of
//            it: sizes agree, numbers are finite where they count, options are in range, and a large common level of
//            offset or response is gone.
// Errors     what the caller can correct (input, options) is thrown before any work; what arithmetic does to a valid
//            problem ends as a Fit with status numerical_failure and a reason, never as an exception.
// Untrusted  everything in Problem and Control: files, Python and the command line all end here.
#include "tamis/method/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <utility>

#include "base/numerical_failure.hpp"
#include "fit/set_candidates.hpp"
#include "method/component_checks.hpp"
#include "problem/alternatives.hpp"
#include "problem/column_moments_cache.hpp"
#include "problem/feature_checks.hpp"
#include "problem/finite_check.hpp"
#include "problem/null_check.hpp"
#include "problem/offset_shift.hpp"
#include "problem/response_shift.hpp"
#include "search/folds.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/plural.hpp"
#include "tamis/design/decorators.hpp"
#include "tamis/version.hpp"

namespace tamis {
namespace {

void check_length(std::string_view what, std::span<const double> v, Index expected) {
  if (!v.empty() && std::ssize(v) != expected) {
    throw InvalidInput(fmt::format("{}: received {} values; expected {}", what, v.size(), expected));
  }
}

std::string number_text(double x) {
  return std::isnan(x) ? "NaN" : std::isinf(x) ? "infinite" : fmt::format("{:g}", x);
}

// Written so that NaN fails: !(w >= 0).
void check_weights(std::span<const double> weights) {
  double total = 0;
  for (Index i = 0; i < std::ssize(weights); ++i) {
    if (!(weights[i] >= 0) || !std::isfinite(weights[i])) {
      throw InvalidInput(
          fmt::format("weights: row {} is {}; expected a finite, nonnegative number", i + 1, number_text(weights[i])));
    }
    total += weights[i];
  }
  if (!weights.empty() && total <= 0)
    throw InvalidInput("weights: all weights are zero; at least one row needs a positive weight");
}

// Of rows that are fitted. A double holds 16 digits: next to a weight of 1e12 a row of weight 1 keeps four of them in
// any sum, and solvers need some for their own tolerance. The limits 1e+-100 leave room for squares.
void check_reach_of_weights(std::span<const double> weights) {
  constexpr double furthest_apart = 1e12, largest = 1e100, smallest = 1e-100;
  const Index none = std::ssize(weights);
  Index least = none, most = none;
  for (Index i = 0; i < std::ssize(weights); ++i) {
    if (weights[i] == 0) continue;
    if (least == none || weights[i] < weights[least]) least = i;
    if (most == none || weights[i] > weights[most]) most = i;
  }
  if (most == none) return;
  if (weights[most] / weights[least] > furthest_apart) {
    throw InvalidInput(
        fmt::format("weights: row {} is {:g} and row {} is {:g}; the ratio of positive weights may be at most {:g}; "
                    "give weight 0 to rows that should not count",
                    most + 1, weights[most], least + 1, weights[least], furthest_apart));
  }
  for (const Index i : {most, least}) {
    if (weights[i] >= smallest && weights[i] <= largest) continue;
    throw InvalidInput(fmt::format(
        "weights: row {} is {:g}; expected 0 or a value from {:g} to {:g}; multiply all weights by a common factor",
        i + 1, weights[i], smallest, largest));
  }
}

// Gaussian offsets are squared like responses. Those of other families are log odds or log rates: beyond 1000 no data
// could balance them, and exp overflows.
void check_offset(std::span<const double> offset, const Family& likelihood) {
  constexpr double largest_logarithm = 1000;
  const double largest = likelihood.traits().largest_offset;
  for (Index i = 0; i < std::ssize(offset); ++i) {
    if (std::abs(offset[i]) <= largest) continue;
    throw InvalidInput(fmt::format("offset: row {} is {}; family {} takes offsets up to {:g} in absolute value; {}",
                                   i + 1, number_text(offset[i]), likelihood.name(), largest,
                                   !std::isfinite(offset[i]) ? "correct or remove this row"
                                   : largest > largest_logarithm
                                       ? "rescale the response and the offset"
                                       : "offsets are on the scale of log odds or log rates"));
  }
}

// A family is refused by what it lacks, never by its name: a family that a program adds is tried by every method that
// asks no more than its loss.
void check_family(const Method& method, const Family& family) {
  const std::string missing = method.lacks(family);
  if (missing.empty()) return;
  std::vector<std::string_view> able;
  for (const Method* each : methods()) {
    if (each->lacks(family).empty()) able.push_back(each->name());
  }
  throw InvalidOption(fmt::format(
      "method {} does not support family {}: it needs {}{}", method.name(), family.name(), missing,
      able.empty() ? "" : fmt::format("; {} {} it", joined(able), able.size() == 1 ? "supports" : "support")));
}

// For the remedy of a message: from the registry, so that a new method is named without a change here.
std::vector<std::string_view> names_of_penalized() {
  std::vector<std::string_view> names;
  for (const Method* each : methods()) {
    if (each->uses_penalty_factors()) names.push_back(each->name());
  }
  return names;
}

// NaN: not given.
void check_feature_priors(const Method& method, std::span<const double> priors, Index features) {
  if (priors.empty()) return;
  if (!method.uses_feature_priors()) {
    std::vector<std::string_view> able;
    for (const Method* each : methods()) {
      if (each->uses_feature_priors()) able.push_back(each->name());
    }
    throw InvalidOption(
        fmt::format("feature_priors: method {} does not use them; use {}", method.name(), joined(able, "or")));
  }
  check_length("feature_priors", priors, features);
  for (Index j = 0; j < std::ssize(priors); ++j) {
    if (std::isnan(priors[j]) || (priors[j] >= 0 && priors[j] <= 1)) continue;
    throw InvalidInput(fmt::format("feature_priors: feature {} has {}; expected a probability from 0 to 1", j + 1,
                                   number_text(priors[j])));
  }
}

void check_groups(std::span<const Index> groups, Index features) {
  if (groups.empty()) return;
  if (std::ssize(groups) != features) {
    throw InvalidInput(fmt::format("groups: received {} group indices for {} columns", groups.size(), features));
  }
  // Consecutive indices, so that methods may use a group as an index without a map.
  std::vector<char> used(groups.size(), 0);
  for (const Index group : groups) {
    if (group < 0 || group >= features) {
      throw InvalidInput(fmt::format("groups: received group index {}; expected consecutive indices from 0", group));
    }
    used[group] = 1;
  }
  if (!std::ranges::is_sorted(used, std::greater<>()))
    throw InvalidInput("groups: group indices have gaps; expected consecutive indices from 0");
}

// Several targets share one set of selected features, which needs one curvature for all: a quadratic loss.
void check_more_responses(const Method& method, const Problem& problem) {
  const ConstMatrixView& more = problem.more_responses;
  if (more.cols == 0) return;
  if (!method.takes_several_targets() || !problem.likelihood.is_quadratic()) {
    throw InvalidOption(fmt::format("target: method {} takes one target for family {}; received {}", method.name(),
                                    problem.likelihood.name(), more.cols + 1));
  }
  if (more.rows != problem.X.rows()) {
    throw InvalidInput(fmt::format("response: received {} values for {} rows of X", more.rows, problem.X.rows()));
  }
  if (!problem.more_targets.empty() && std::ssize(problem.more_targets) != more.cols) {
    throw InvalidInput(
        fmt::format("target: received {} names for {} additional responses", problem.more_targets.size(), more.cols));
  }
  for (Index l = 0; l < more.cols; ++l) problem.likelihood.check(more.column(l), problem.weights);
}

// In an order in which a user can act: shapes, then what the method cannot do, then values row by row. One pass over y
// and the weights; X itself is checked afterwards, with the moments of its columns.
void check_problem(const Method& method, const Problem& problem, const Control& control) {
  const Index n = problem.X.rows();
  const Index p = problem.X.cols();
  if (n == 0 || p == 0)
    throw InvalidInput(fmt::format("X: received {} rows and {} columns; expected at least 1 of each", n, p));
  if (std::ssize(problem.y) != n) {
    throw InvalidInput(fmt::format("response: received {} values for {} rows of X", problem.y.size(), n));
  }
  check_family(method, problem.likelihood);
  if (!problem.penalty_factors.empty() && !method.uses_penalty_factors()) {
    throw InvalidOption(fmt::format("penalty_factors: method {} does not use them; use one of {}", method.name(),
                                    fmt::join(names_of_penalized(), ", ")));
  }
  check_feature_priors(method, problem.feature_priors, p);
  if (!problem.groups.empty() && !method.uses_groups()) {
    throw InvalidOption(fmt::format("groups: method {} does not support groups of features", method.name()));
  }
  check_groups(problem.groups, p);
  check_components(method, problem);
  check_more_responses(method, problem);
  if (!method.is_sampler() && (!control.checkpoint.empty() || control.draws != nullptr)) {
    throw InvalidOption(fmt::format("{}: method {} is not a sampler; use method bvs or gibbs",
                                    control.checkpoint.empty() ? "draws" : "checkpoint", method.name()));
  }
  check_length("weights", problem.weights, n);
  check_length("offset", problem.offset, n);
  check_length("penalty_factors", problem.penalty_factors, p);
  check_weights(problem.weights);
  check_reach_of_weights(problem.weights);
  check_offset(problem.offset, problem.likelihood);
  for (const double factor : problem.penalty_factors) {
    if (!(factor >= 0))
      throw InvalidInput(fmt::format("penalty_factors: received {}; expected a nonnegative number", factor));
  }
  if (!problem.feature_names.empty() && std::ssize(problem.feature_names) != p) {
    throw InvalidInput(fmt::format("feature_names: received {} names for {} columns", problem.feature_names.size(), p));
  }
  // After the weights: values of rows of weight 0 are not checked.
  problem.likelihood.check(problem.y, problem.weights);
  const Validation& held_out = control.validation;
  if (held_out.X != nullptr) {
    if (held_out.X->cols() != p) {
      throw InvalidInput(
          fmt::format("validation: received {} columns; expected {}, as in the training data", held_out.X->cols(), p));
    }
    if (std::ssize(held_out.y) != held_out.X->rows() || held_out.y.empty()) {
      throw InvalidInput(
          fmt::format("validation: received {} responses for {} rows", held_out.y.size(), held_out.X->rows()));
    }
    check_length("validation weights", held_out.weights, held_out.X->rows());
    check_length("validation offset", held_out.offset, held_out.X->rows());
    check_weights(held_out.weights);
  }
  if (!control.fold_of_row.empty()) check_given_folds(problem, control.fold_of_row);
  if (control.folds < 0 || control.folds == 1) {
    throw InvalidOption(fmt::format(
        "cross-validation: received {} folds; expected 0 (no cross-validation) or at least 2", control.folds));
  }
}

// Mean and spread of every feature in the model: new data need the means to impute missing values, and the spreads make
// coefficients comparable. NaN for the others: a model of ten features among a million should not list a million means.
void record_features(const ColumnMoments& moments, Fit& fit) {
  fit.feature_means.assign(fit.coefficients.size(), std::nan(""));
  fit.feature_spreads = fit.feature_means;
  for (Index j = 0; j < std::ssize(fit.coefficients); ++j) {
    const bool varies = !fit.standard_deviations.empty() && fit.standard_deviations[j] != 0;
    if (fit.coefficients[j] == 0 && !varies) continue;
    fit.feature_means[j] = moments.mean[j];
    fit.feature_spreads[j] = moments.deviation[j];
  }
}

// What the inclusion probabilities are, which features could stand in for selected ones, and where the draws cannot
// tell features apart.
void record_certainty(const Method& method, const Problem& problem, const Control& control, Fit& fit) {
  const InclusionKind kind = method.inclusion_kind();
  fit.inclusion_kind = fit.inclusion.empty()         ? InclusionKind::none
                       : kind == InclusionKind::none ? InclusionKind::unknown
                                                     : kind;
  const ModelDraws draws = std::exchange(fit.model_draws, {});
  if (!control.correlations || fit.status == Status::numerical_failure) return;
  fit.alternatives = find_alternatives(problem, fit);
  if (draws.weights.empty() || fit.inclusion.empty()) return;
  const StandardizedDesign standardized(problem.X, ColumnMomentsCache::of(problem));
  fit.set_candidates = set_candidates(standardized, problem.weights, draws, fit.inclusion);
  const auto level = fit.options.find("level");
  const double* given = level == fit.options.end() ? nullptr : std::get_if<double>(&level->second);
  fit.credible_sets = given != nullptr ? credible_sets(fit.set_candidates, *given) : credible_sets(fit.set_candidates);
}

}  // namespace

std::vector<std::string> feature_names(const Problem& problem) {
  if (!problem.feature_names.empty()) return problem.feature_names;
  std::vector<std::string> names;
  names.reserve(problem.X.cols());
  for (Index j = 0; j < problem.X.cols(); ++j) names.push_back(fmt::format("x{}", j + 1));
  return names;
}

std::vector<std::string_view> supported_families(const Method& method) {
  std::vector<std::string_view> names;
  for (const Family* each : families()) {
    if (method.lacks(*each).empty()) names.push_back(each->name());
  }
  return names;
}

std::string Method::estimator() const {
  std::string words;
  bool starts_word = true;
  for (const char c : name()) {
    if (c != '-') words += starts_word && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    starts_word = c == '-';
  }
  return words;
}

std::string Method::lacks(const Family& /*family*/) const { return ""; }

std::vector<std::string_view> Method::families() const { return supported_families(*this); }

Fit Method::fit(const Problem& problem, const std::map<std::string, OptionValue>& options,
                const Control& wanted) const {
  const std::vector<Field> known = fields();
  // Options first: a misspelled one should not cost a pass over the data.
  const Options checked(name(), known, options);
  Control control = wanted;
  Fit result;
  with_threads(control.threads, [&] {
    check_problem(*this, problem, control);
    // Column moments in parallel, once for checks, standardization and the record below.
    const ColumnMomentsCache once(problem);
    check_features(problem, once.moments());
    // Given folds say how many they are; every method reads the number from here.
    if (!control.fold_of_row.empty()) control.folds = make_folds(problem, control).count;
    const auto start = std::chrono::steady_clock::now();
    const OffsetShift level(problem, control);
    const ResponseShift centered(level.problem(), level.control());
    try {
      result = local_fit(centered.problem(), checked, centered.control());
      // Only this one: options that the method refuses, bugs and lack of memory must reach the caller.
    } catch (const NumericalFailure& trouble) {
      result = failed_fit(*this, problem, trouble.what());
    }
    // Before the shifts are undone: a fit that is reset to 0 is then left with the level that was taken off.
    drop_non_finite(*this, problem, result);
    refuse_worse_than_null(centered.problem(), result);
    centered.move_back(result);
    level.move_back(result);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    record_features(once.moments(), result);
    for (const auto& [key, value] : checked.values()) result.options.emplace(key, value);
    record_certainty(*this, problem, control, result);
  });
  result.library_version = version;
  result.method = name();
  result.family = problem.likelihood.name();
  // With these and the options the fit can be repeated from its file.
  result.options["seed"] = static_cast<double>(control.seed);
  result.options["folds"] = static_cast<double>(control.folds);
  result.options["intercept"] = problem.intercept;
  result.options["standardize"] = problem.standardize;
  result.samples = problem.X.rows();
  result.features = feature_names(problem);
  return result;
}

}  // namespace tamis
