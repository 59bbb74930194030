// Scores and missing cells of rows that a factor model has not seen.
//
// Model      loadings, intercepts, noise and hyperparameters fixed at what the model file holds; the row's scores v
//            have the file's prior. What is wanted is p(v | x) of one row, and with it the predictor of each missing
//            cell.
// Algorithm  mean field over the scores of one row at a time, q(v) = prod_k q_k(v_k):
//              1 quadratic model of the row's expected log likelihood at q        (Family::expected_quadratic)
//              2 each q_k in turn: the exact posterior of v_k under it             (ScorePrior::posterior)
//              until no mean moves by more than 1e-11 of its size and spread, at most 500 times.
//            A gaussian row needs no new quadratic model, a bernoulli one gets the tightest bound, others Newton's.
// Prior l1   has no distribution: q_k is the minimizer of the penalized loss, with the penalty that was used in the
//            fit.
// Hazard     The result of coordinate updates depends on where they begin; every row begins at its prior, so that a row
//            is explained the same in whatever table it comes.
// Not taken  A chain per row would be exact in the limit, but its answer would depend on a seed and take hundreds of
//            sweeps. What mean field loses are posterior correlations between scores: intervals are a little narrow.
#include "tamis/factor/new_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/scratch.hpp"
#include "design/sparse_structure.hpp"
#include "factor/model/cells.hpp"
#include "factor/model/predictive.hpp"
#include "factor/model/score_posterior.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

using factor::Cells;
using factor::ScorePosterior;
using factor::ScorePrior;

constexpr Index rows_per_task = 16;
constexpr int most_sweeps = 500;
// Change of any score over its size and spread. Coordinate updates converge linearly: with factors correlated at .999
// the error is a thousand times the last change.
constexpr double convergence_tolerance = 1e-11;

Index rows_of(const FactorProblem& data) { return data.sparse != nullptr ? data.sparse->rows : data.dense.rows; }
Index cols_of(const FactorProblem& data) { return data.sparse != nullptr ? data.sparse->cols : data.dense.cols; }

// Cells divided by the noise deviation of their column, loadings and intercepts likewise: all columns then have noise
// variance 1, and the functions of a family need no variance per column. A family without noise is left as it is. A
// noise variance of 0 (a table that was explained exactly) is taken as 1e-300.
class ScaledData {
 public:
  ScaledData(const FactorFit& fit, const FactorProblem& data) {
    for (const double variance : fit.noise_variances) scale_.push_back(std::sqrt(std::max(variance, 1e-300)));
    if (scale_.empty()) scale_.assign(fit.columns.size(), 1.0);
    problem_.family = fit.family;
    problem_.standardize = false;
    problem_.column_names = fit.columns;
    problem_.largest_log_rate = fit.largest_log_rate;
    if (data.sparse != nullptr) {
      check_structure(*data.sparse);
      sparse_ = *data.sparse;
      for (Index d = 0; d < sparse_.cols; ++d) {
        for (Index e = sparse_.starts[d]; e < sparse_.starts[d + 1]; ++e) sparse_.values[e] /= scale_[d];
      }
      problem_.sparse = &sparse_;
      return;
    }
    dense_ = Matrix(data.dense.rows, data.dense.cols);
    for (Index d = 0; d < dense_.cols(); ++d) {
      const double spread = scale_[d];
      std::ranges::transform(data.dense.column(d), dense_.col(d), [&](double x) { return x / spread; });
    }
    problem_.dense = dense_.view();
  }

  const FactorProblem& problem() const { return problem_; }
  double scale(Index d) const { return scale_[d]; }

 private:
  std::vector<double> scale_;
  Matrix dense_;
  SparseColumns sparse_;
  FactorProblem problem_;
};

// Mean field for the scores of one row at a time. Cost of a sweep: K D.
class RowField {
 public:
  RowField(const FactorFit& fit, const ScaledData& data, const Cells& cells)
      : cells_(cells), factors_(fit.factors), cols_(cells.cols()), loadings_(factors_ * cols_) {
    for (Index k = 0; k < factors_; ++k) {
      priors_.emplace_back(fit, k);
      for (Index d = 0; d < cols_; ++d) loading_row(k)[d] = fit.loadings(k, d) / data.scale(d);
    }
    intercept_.assign(cols_, 0.0);
    for (Index d = 0; d < std::ssize(fit.intercept); ++d) {
      intercept_[d] = fit.intercept[d] / data.scale(d);
    }
  }

  void explain(Index n, std::span<ScorePosterior> belief) const {
    const Scratch mean(cols_), variance(cols_), r(cols_), w(cols_), buffer(cols_);
    const double* x = cells_.row(n, buffer.data());
    for (Index k = 0; k < std::ssize(belief); ++k) belief[k] = priors_[k].posterior(0, 0);
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      predictor(belief, mean.data(), variance.data());
      expected_quadratic(n, x, mean.data(), variance.data(), r.data(), w.data());
      if (improve(r.data(), w.data(), belief) < convergence_tolerance) return;
    }
  }

  // Var psi = sum_k Var(v_k) theta_k^2, as scores are independent under q and loadings are fixed.
  factor::Belief cell(std::span<const ScorePosterior> belief, Index d) const {
    factor::Belief psi{intercept_[d], 0};
    for (Index k = 0; k < factors_; ++k) {
      const double theta = loading_row(k)[d];
      psi.mean += belief[k].mean * theta;
      psi.variance += belief[k].variance * theta * theta;
    }
    return psi;
  }

 private:
  void predictor(std::span<const ScorePosterior> belief, double* mean, double* variance) const {
    std::copy(intercept_.begin(), intercept_.end(), mean);
    std::fill_n(variance, cols_, 0.0);
    for (Index k = 0; k < factors_; ++k) {
      const ScorePosterior& v = belief[k];
      const double* theta = loading_row(k);
      for (Index d = 0; d < cols_; ++d) {
        mean[d] += v.mean * theta[d];
        variance[d] += v.variance * theta[d] * theta[d];
      }
    }
  }

  double* loading_row(Index k) { return loadings_.data() + k * cols_; }
  const double* loading_row(Index k) const { return loadings_.data() + k * cols_; }

  // Slope r and curvature w of every cell's expected log density in its predictor.
  void expected_quadratic(Index n, const double* x, const double* mean, const double* variance, double* r,
                          double* w) const {
    cells_.family().expected_quadratic(span_of(x, cols_), {span_of(mean, cols_), span_of(variance, cols_)}, 1,
                                       span_of(r, cols_), span_of(w, cols_));
    for (const std::int32_t d : cells_.missing_in_row(n)) r[d] = w[d] = 0;
  }

  // One update of every score; returns the largest change of a mean over its size and spread. r, the slope of the row's
  // log density in psi, is kept in step with v: r_d -= w_d theta_kd (new - old).
  double improve(double* r, double* w, std::span<ScorePosterior> belief) const {
    double largest = 0;
    for (Index k = 0; k < factors_; ++k) {
      const double* theta = loading_row(k);
      ScorePosterior& v = belief[k];
      double linear = 0, curvature = 0, steepest = 0;
      for (Index d = 0; d < cols_; ++d) {
        linear += r[d] * theta[d];
        curvature += w[d] * theta[d] * theta[d];
        steepest = std::max(steepest, std::abs(theta[d]));
      }
      ScorePosterior next = priors_[k].posterior(linear + curvature * v.mean, curvature);
      double step = next.mean - v.mean;
      if (!cells_.family().quadratic_is_bound() && std::abs(step) * steepest > 1) {
        // No predictor moves by more than 1: there the quadratic model of an exponential is 8 % short, at 3 it is more
        // than half short, and a Newton step from a tiny rate may be of hundreds.
        step = std::copysign(1 / steepest, step);
        next.mean = v.mean + step;
      }
      for (Index d = 0; d < cols_; ++d) r[d] -= w[d] * theta[d] * step;
      largest = std::max(largest, std::abs(step) / (std::abs(next.mean) + std::sqrt(next.variance) + 1e-300));
      v = next;
    }
    return largest;
  }

  const Cells& cells_;
  Index factors_, cols_;
  std::vector<double> loadings_;  // factors x cols, row by row, in units of the noise
  std::vector<double> intercept_;
  std::vector<ScorePrior> priors_;
};

// A file may lack what a model can be shown and compared without; new rows need it.
void check_model(const FactorFit& fit) {
  const Index factors = fit.factors;
  const bool complete = std::ssize(fit.factor_rates) == factors && std::ssize(fit.factor_means) == factors &&
                        std::ssize(fit.factor_variances) == factors &&
                        (!family(fit.family).has_noise() || fit.noise_variances.size() == fit.columns.size());
  if (!complete)
    throw InvalidInput(
        "model: prior parameters of the factors or noise variances of the columns are missing; fit the model again");
}

void check_columns(const FactorFit& fit, const FactorProblem& data) {
  if (cols_of(data) == std::ssize(fit.columns) && rows_of(data) > 0) return;
  throw InvalidInput(
      fmt::format("data: received {} rows and {} columns; expected at least 1 row and {} columns, as in the model",
                  rows_of(data), cols_of(data), fit.columns.size()));
}

bool has_spike(const FactorFit& fit) { return fit.prior == "spike-slab" || fit.prior == "vb"; }

std::vector<PredictedCell> predict(const ScaledData& data, const Cells& cells, const RowField& field,
                                   std::span<const ScorePosterior> beliefs, Index factors) {
  factor::PredictiveTally tally(cells, cells.targets(true));
  tally.set(1, [&](const factor::TargetCell& cell) {
    const Index first = cell.row * factors;
    return field.cell(beliefs.subspan(first, factors), cell.column);
  });
  std::vector<PredictedCell> found = tally.predictions();
  for (PredictedCell& cell : found) {
    const double unit = data.scale(cell.column);
    for (double* number : {&cell.mean, &cell.sd, &cell.lower, &cell.upper}) *number *= unit;
  }
  return found;
}

}  // namespace

FactorRows explain_rows(const FactorFit& fit, const FactorProblem& data, const FactorControl& control) {
  check_model(fit);
  check_columns(fit, data);
  FactorRows out;
  with_threads(control.threads, [&] {
    const ScaledData scaled(fit, data);
    const Cells cells(scaled.problem());
    const RowField field(fit, scaled, cells);
    const Index factors = fit.factors;
    std::vector<ScorePosterior> beliefs(cells.rows() * factors);
    parallel_for(cells.rows(), rows_per_task, [&](Index first, Index last) {
      for (Index n = first; n < last; ++n) {
        field.explain(n, std::span(beliefs).subspan(n * factors, factors));
      }
    });
    out.scores = Matrix(cells.rows(), fit.factors);
    if (has_spike(fit)) out.inclusion = Matrix(cells.rows(), fit.factors);
    for (Index n = 0; n < cells.rows(); ++n) {
      for (Index k = 0; k < fit.factors; ++k) {
        const ScorePosterior& v = beliefs[n * fit.factors + k];
        out.scores(n, k) = v.mean;
        if (has_spike(fit)) out.inclusion(n, k) = v.inclusion;
      }
    }
    out.cells = predict(scaled, cells, field, beliefs, fit.factors);
  });
  return out;
}

// predicted_mean(), not mean(): of the plain family, without the limit of rates that the fit worked with.
Matrix means_of_scores(const FactorFit& fit, ConstMatrixView scores) {
  if (scores.cols != fit.factors) {
    throw InvalidInput(fmt::format("scores: received {} columns for {} factors", scores.cols, fit.factors));
  }
  const Family& own = family(fit.family);
  Matrix means(scores.rows, std::ssize(fit.columns));
  for (Index d = 0; d < means.cols(); ++d) {
    for (Index n = 0; n < means.rows(); ++n) {
      double psi = fit.intercept.empty() ? 0 : fit.intercept[d];
      for (Index k = 0; k < fit.factors; ++k) psi += scores(n, k) * fit.loadings(k, d);
      means(n, d) = own.predicted_mean(psi);
    }
  }
  return means;
}

}  // namespace tamis
