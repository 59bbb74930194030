// Cross-validation of several methods on the same folds.
//
// Algorithm  1 fit every method on all rows (what a user would get; also the estimate of its time for the progress bar)
//            2 for each fold: copy training and held-out rows, fit every method on the first, score it on the second
//            3 score the null model (intercept only) on the same folds
//            4 summarize over folds; paired differences from the best method; calibration on the pooled held-out rows
// Nested CV  a method that chooses its tuning parameter does so by its own cross-validation inside the training rows.
//            The outer folds are drawn from a random stream of their own (FoldDraw::comparison), so that no inner fold
//            coincides with an outer one.
// Invariant  a fold counts only if all methods have been run on it: means and paired differences of the methods are
//            over the same folds. A method that throws is reported as a failure of this fold and the others go on.
// Order      folds outermost, so that a cancelled comparison has complete folds to show; methods run one after another,
//            each with all threads, so that `seconds` is comparable.
#include "tamis/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <new>
#include <set>

#include "compare/calibration.hpp"
#include "compare/held_out_scores.hpp"
#include "compare/part.hpp"
#include "compare/progress.hpp"
#include "compare/summary.hpp"
#include "search/folds.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/version.hpp"

namespace tamis {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void check_request(const Problem& problem, const std::vector<Contender>& contenders, int folds,
                   const Control& control) {
  if (contenders.empty()) throw InvalidOption("compare: received no methods; expected at least one");
  if (folds < 2) throw InvalidOption(fmt::format("compare: received {} folds; expected at least 2", folds));
  if (control.validation.X != nullptr || !control.checkpoint.empty() || control.draws != nullptr ||
      !control.fold_of_row.empty()) {
    throw InvalidOption("compare: validation data, checkpoints, draws and given folds are not supported; remove them");
  }
  if (problem.more_responses.cols > 0) {
    throw InvalidOption(fmt::format("compare: received {} targets; expected one", problem.more_responses.cols + 1));
  }
  std::set<std::string> named;
  for (const Contender& contender : contenders) {
    const Method& known = method(contender.method);
    if (!named.insert(contender.method).second) {
      throw InvalidOption(fmt::format("compare: method '{}' is listed twice", contender.method));
    }
    // Options are checked here, before any fit: an unknown name would otherwise appear after the first fold of the
    // previous method.
    static_cast<void>(Options(known.name(), known.fields(), contender.options));
  }
}

// Errors of the data: thrown at once, instead of being recorded as the failure of every method in every fold.
void check_data(const Problem& problem) {
  const Index n = problem.X.rows();
  if (std::ssize(problem.y) != n) {
    throw InvalidInput(fmt::format("response: received {} values for {} rows of X", problem.y.size(), n));
  }
  for (const auto& [name, values] : {std::pair{"weights", problem.weights}, std::pair{"offset", problem.offset}}) {
    if (!values.empty() && std::ssize(values) != n) {
      throw InvalidInput(fmt::format("{}: received {} values for {} rows of X", name, values.size(), n));
    }
  }
  problem.likelihood.check(problem.y, problem.weights);
}

Folds outer_folds(const Problem& problem, int wanted, std::uint64_t seed) {
  Folds folds = make_folds(problem, wanted, seed, FoldDraw::comparison);
  if (folds.count >= 2) return folds;
  const Family::Response response = problem.likelihood.traits().response;
  throw InvalidInput(fmt::format("compare: too few rows for cross-validation; expected at least 3 rows{}",
                                 response == Family::Response::binary  ? " and 2 of each class"
                                 : response == Family::Response::count ? " and 2 positive counts"
                                                                       : ""));
}

class Comparer {
 public:
  Comparer(const Problem& problem, const std::vector<Contender>& contenders, const Folds& folds, const Control& control)
      : problem_(problem),
        contenders_(contenders),
        folds_(folds),
        control_(control),
        progress_(control.observer, contenders.size(), folds.count) {
    control_.observer = &progress_;
    describe();
  }

  Comparison run() {
    const auto start = std::chrono::steady_clock::now();
    fit_all_rows();
    for (int fold = 0; fold < folds_.count && !result_.cancelled; ++fold) score_fold(fold);
    result_.baseline_error = mean_over_folds(baseline_errors_);
    // A gaussian response that is constant in a training part has no spread, hence no density.
    if (baseline_log_scores_.size() == baseline_errors_.size()) {
      result_.baseline_log_score = mean_over_folds(baseline_log_scores_);
    }
    summarize(result_);
    calibrate();
    result_.seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  void describe();
  Part rows_where(int fold, bool held_out) const;
  std::optional<Fit> fit_one(std::size_t m, const Problem& problem, int fold, std::string& failure);
  void fit_all_rows();
  void score_fold(int fold);
  void score_baseline(const Part& training, const Part& held_out);
  void record(std::size_t m, const Part& held_out, HeldOutScores&& scored);
  void calibrate();

  const Problem& problem_;
  const std::vector<Contender>& contenders_;
  const Folds& folds_;
  Control control_;
  SequentialProgress progress_;
  Comparison result_;
  std::vector<std::vector<double>> predictors_;  // of each method, of each row, by the fit that did not see it
  std::vector<double> baseline_errors_;
  std::vector<double> baseline_log_scores_;
};

// NaN until a fold has predicted the row.
void Comparer::describe() {
  const std::vector<double> unknown(problem_.y.size(), std::numeric_limits<double>::quiet_NaN());
  result_.library_version = version;
  result_.family = problem_.likelihood.name();
  result_.error_name = problem_.likelihood.words().error_name;
  result_.samples = problem_.X.rows();
  result_.features = feature_names(problem_);
  result_.seed = control_.seed;
  result_.folds = folds_.count;
  result_.fold_of_row = folds_.fold_of_row;
  for (const Contender& contender : contenders_) {
    ComparedMethod& row = result_.methods.emplace_back();
    row.method = contender.method;
    row.options = contender.options;
    row.predicted = unknown;
    if (problem_.likelihood.has_noise()) row.predicted_sd = unknown;
    predictors_.push_back(unknown);
  }
}

Part Comparer::rows_where(int fold, bool held_out) const {
  std::vector<Index> rows;
  for (Index i = 0; i < std::ssize(folds_.fold_of_row); ++i) {
    const int own = folds_.fold_of_row[i];
    if (own >= 0 && (own == fold) == held_out) rows.push_back(i);
  }
  return Part(problem_, std::move(rows));
}

// nullopt with the reason if the method throws, or if the run was cancelled: a fit that was stopped early is not
// comparable. Every std::exception is caught, since one method that needs too much memory must not lose the results of
// the others.
std::optional<Fit> Comparer::fit_one(std::size_t m, const Problem& problem, int fold, std::string& failure) {
  const auto start = std::chrono::steady_clock::now();
  progress_.begin(m, fold);
  std::optional<Fit> fit;
  try {
    Control control = control_;
    control.correlations = fold < 0;
    fit = method(contenders_[m].method).fit(problem, contenders_[m].options, control);
    if (fit->status == Status::cancelled || progress_.cancelled()) {
      result_.cancelled = true;
      failure = "cancelled";
      fit.reset();
    }
  } catch (const std::bad_alloc&) {
    failure = "out of memory";
  } catch (const std::exception& error) {
    failure = error.what();
  }
  progress_.end(seconds_since(start));
  return fit;
}

void Comparer::fit_all_rows() {
  for (Index m = 0; m < std::ssize(contenders_); ++m) {
    ComparedMethod& row = result_.methods[m];
    if (result_.cancelled) {
      row.failure = "cancelled";
      continue;
    }
    Problem problem = problem_;
    problem.groups = contenders_[m].groups;
    // Fold -1: all rows.
    row.fit = fit_one(m, problem, -1, row.failure);
    if (row.fit) row.kept = kept_by(*row.fit);
  }
}

void Comparer::score_fold(int fold) {
  std::optional<Part> training, held_out;
  with_threads(control_.threads, [&] {
    training.emplace(rows_where(fold, false));
    held_out.emplace(rows_where(fold, true));
  });
  std::vector<HeldOutScores> scored(contenders_.size());
  for (Index m = 0; m < std::ssize(contenders_); ++m) {
    std::string failure;
    const auto fit = fit_one(m, training->problem(problem_, contenders_[m].groups), fold, failure);
    if (result_.cancelled) return;  // the fold does not count: others have not had it
    if (fit) {
      scored[m] = score_held_out(*fit, problem_.likelihood, *held_out);
    } else {
      scored[m].result.failure = failure;
    }
  }
  for (Index m = 0; m < std::ssize(contenders_); ++m) record(m, *held_out, std::move(scored[m]));
  score_baseline(*training, *held_out);
  ++result_.finished_folds;
}

void Comparer::score_baseline(const Part& training, const Part& held_out) {
  const FoldResult scores =
      score_held_out(fit_null_model(training.problem(problem_, {})), problem_.likelihood, held_out).result;
  if (!scores.failure.empty()) return;
  baseline_errors_.push_back(scores.error);
  if (scores.log_score) baseline_log_scores_.push_back(*scores.log_score);
}

// Held-out predictions go to the positions of their rows in the data, so that the folds together give one prediction
// per row. Failed folds leave NaN, which calibrate() skips.
void Comparer::record(std::size_t m, const Part& held_out, HeldOutScores&& scored) {
  ComparedMethod& row = result_.methods[m];
  if (scored.result.failure.empty()) {
    for (Index k = 0; k < std::ssize(held_out.rows); ++k) {
      const Index i = held_out.rows[k];
      predictors_[m][i] = scored.predictor[k];
      row.predicted[i] = scored.mean[k];
      if (!row.predicted_sd.empty()) row.predicted_sd[i] = scored.sd[k];
    }
  }
  row.folds.push_back(std::move(scored.result));
}

// Calibration on all held-out rows pooled: with ten folds of a few hundred rows a bin of one fold would hold two or
// three. Quadratic families have an interval, bernoulli has bins and a slope, poisson has neither (a discrete
// distribution has no central interval of exactly nominal coverage).
void Comparer::calibrate() {
  for (Index m = 0; m < std::ssize(contenders_); ++m) {
    ComparedMethod& row = result_.methods[m];
    std::vector<double> y, mean, sd, predictor, weights;
    for (Index i = 0; i < std::ssize(problem_.y); ++i) {
      if (std::isnan(row.predicted[i])) continue;
      y.push_back(problem_.y[i]);
      mean.push_back(row.predicted[i]);
      if (!row.predicted_sd.empty()) sd.push_back(row.predicted_sd[i]);
      predictor.push_back(predictors_[m][i]);
      weights.push_back(problem_.weights.empty() ? 1.0 : problem_.weights[i]);
    }
    if (problem_.likelihood.is_quadratic()) row.calibration = interval_coverage(y, mean, sd, weights);
    if (!problem_.likelihood.is_binary()) continue;
    row.calibration = reliability(y, mean, weights);
    row.calibration_error = calibration_error(row.calibration);
    row.calibration_slope = calibration_slope(problem_.likelihood, y, predictor, weights);
  }
}

}  // namespace

Comparison compare(const Problem& problem, const std::vector<Contender>& contenders, int folds,
                   const Control& control) {
  check_request(problem, contenders, folds, control);
  check_data(problem);
  const Folds outer = outer_folds(problem, folds, control.seed);
  return Comparer(problem, contenders, outer, control).run();
}

}  // namespace tamis
