// Alternating minimization of the L1 factor model and of exponential family PCA.
//
// Model      min over V, Theta   sum over observed cells of -log p(x_nd | psi_nd) + alpha |V|_1 + ridge/2 |V|^2
//                                + beta R(Theta)                                                              Eq. 7
//            of Mohamed, Heller & Ghahramani with R = -log of the conjugate prior, or |Theta|_1 for sparse bases. With
//            a quadratic R (alpha / c, beta c^2) has the same optimum, with |Theta|_1 (alpha / c, beta c): one of the
//            two is searched. Noise variance 1: alpha is in units of the loss; over the noise variance it is in units
//            of log density. Intercepts have the conjugate prior in either case.
// Algorithm  1 every row: 3 passes of coordinate descent on a quadratic model of its loss
//                 v_k <- soft(theta_k'r + c_k v_k, alpha) / (c_k + ridge),   c_k = theta_k'W theta_k,  r = W (t - psi)
//            2 every column: one Newton step on its K + 1 loadings, by Cholesky; for R = |Theta|_1 by coordinate
//              descent with a soft threshold, and then the scale c of every factor at which alpha c |v_k|_1 +
//              beta |theta_k|_1 / c is least, c^2 = beta |theta_k|_1 / (alpha |v_k|_1), where the loss is flat
//            until the loss changes by less than `tolerance` of itself. Rows are independent given Theta, columns given
//            V.
// Descent    Where the model is a bound (gaussian: exact; bernoulli: Jaakkola & Jordan) each step lowers the loss.
//            Elsewhere a step is halved until the loss falls, at most 20 times, else not taken: the loss never rises.
// Not taken  Running coordinate descent to convergence: the model moves with the next Theta anyway. LARS or
//            second-order cone programs, as the paper suggests, solve each row exactly, which is wasted for the same
//            reason.
// Memory     psi row by row and column by column: sparse tables stay sparse.
#include "factor/point/alternating.hpp"

#include <algorithm>
#include <cmath>

#include "base/scratch.hpp"
#include "base/simd_dispatch.hpp"
#include "factor/model/line.hpp"
#include "factor/model/row_kernels.hpp"
#include "factor/sampling/loading_columns.hpp"
#include "tamis/base/logarithm.hpp"
#include "tamis/base/parallel.hpp"

namespace tamis::factor {
namespace {

constexpr Index rows_per_task = 16;
constexpr int passes = 3;          // over the factors of a row, on one quadratic model
constexpr int most_halvings = 20;  // of a step that does not lower the loss
// A factor whose loadings are 0, or a cell at the limit of its predictor, has no curvature: a step must stay finite.
constexpr double least_weight = 1e-8;

double penalty_of(const PointObjective& objective, const double* v, Index factors) {
  double size = 0, squares = 0;
  for (Index k = 0; k < factors; ++k) {
    size += std::abs(v[k]);
    squares += v[k] * v[k];
  }
  return objective.penalty * size + 0.5 * objective.ridge * squares;
}

double soft(double x, double threshold) { return x > threshold ? x - threshold : x < -threshold ? x + threshold : 0; }

// Coordinate descent on the quadratic model of a row; r = w (t - psi) is kept in step with v.
void descend(const FactorState& state, const PointObjective& objective, const double* w, double* r, double* v) {
  const Scratch curvature(state.factors);
  simd_dispatch([&] {
    for (int pass = 0; pass < passes; ++pass) {
      for (Index k = 0; k < state.factors; ++k) {
        const double* theta = state.loading_row(k);
        const RowSums sums = row_sums(theta, w, r, state.cols);
        curvature[k] = sums.curvature + least_weight;
        const double next =
            soft(sums.linear + curvature[k] * v[k], objective.penalty) / (curvature[k] + objective.ridge);
        const double change = next - v[k];
        if (change == 0) continue;
        for (Index d = 0; d < state.cols; ++d) r[d] -= change * (w[d] * theta[d]);
        v[k] = next;
      }
    }
  });
}

// A sparse v may gain and lose nonzeros in the same step. When it is shortened, coordinates that were set to 0 become
// nonzero again; the next iterations set them to 0 once the full step is accepted.
void improve_row(const Cells& cells, const PointObjective& objective, Index n, FactorState& state) {
  const Index cols = cells.cols(), factors = state.factors;
  const Scratch psi(cols), r(cols), w(cols), buffer(cols), old(factors), step(factors);
  const double* x = cells.row(n, buffer.data());
  const auto missing = cells.missing_in_row(n);
  double* v = state.score_row(n);
  state.predictor_row(n, psi.data());
  const double before =
      quadratic_line(cells, x, psi.data(), cols, missing, r.data(), w.data()) + penalty_of(objective, v, factors);
  std::copy_n(v, factors, old.data());
  descend(state, objective, w.data(), r.data(), v);
  if (cells.family().quadratic_is_bound()) return;  // the model is a bound: the loss fell
  for (Index k = 0; k < factors; ++k) step[k] = v[k] - old[k];
  double share = 1;
  for (int halving = 0; halving < most_halvings; ++halving, share *= 0.5) {
    for (Index k = 0; k < factors; ++k) v[k] = share == 1 ? v[k] : old[k] + share * step[k];
    state.predictor_row(n, psi.data());
    const double after =
        quadratic_line(cells, x, psi.data(), cols, missing, r.data(), w.data()) + penalty_of(objective, v, factors);
    if (after <= before) return;
  }
  std::copy_n(old.data(), factors, v);
}

// beta R of a column and -log p of its intercept; what is smooth of it adds its slope and the weight of a quadratic
// model to the column's normal equations.
double add_prior(const Family& family, const PointObjective& objective, const LoadingPrior& prior,
                 const FactorState& state, Index d, ColumnNormal* column) {
  double loss = 0;
  for (Index k = 0; k < state.lines(); ++k) {
    const double theta = state.loading_row(k)[d];
    const bool intercept = k == state.factors;
    if (objective.sparse_loadings && !intercept) {
      loss += objective.loading_penalty * std::abs(theta);
      continue;
    }
    const double times = intercept ? 1 : objective.loading_penalty;
    loss -= times * prior.log_density(theta);
    if (column == nullptr) continue;
    const QuadraticModel model = prior.quadratic(theta);
    column->linear()[k] += times * model.residual;
    // Where it is no bound the curvature may vanish.
    column->precision()[k * state.lines() + k] +=
        family.quadratic_is_bound() ? times * model.weight : times * model.weight + least_weight;
  }
  return loss;
}

// Minimizes theta'A theta / 2 - b'theta + penalty |theta|_1 from the theta of column d, the intercept without penalty;
// A and b are the column's. The minimum takes the place of b.
void solve_sparse(ColumnNormal& column, double penalty, const FactorState& state, Index d) {
  constexpr int most_passes = 50;
  constexpr double negligible = 1e-8;  // step, relative to the largest loading
  const Index lines = column.lines();
  double* A = column.precision();
  for (Index j = 0; j < lines; ++j) {
    for (Index i = j + 1; i < lines; ++i) A[i * lines + j] = A[j * lines + i];
  }
  const Scratch theta(lines), r(lines);  // r = b - A theta
  for (Index k = 0; k < lines; ++k) theta[k] = state.loading_row(k)[d];
  for (Index i = 0; i < lines; ++i) {
    r[i] = column.linear()[i];
    for (Index k = 0; k < lines; ++k) r[i] -= A[k * lines + i] * theta[k];
  }
  for (int pass = 0; pass < most_passes; ++pass) {
    double largest_step = 0, largest = 0;
    for (Index k = 0; k < lines; ++k) {
      const double curvature = A[k * lines + k];
      double next = 0;  // without curvature nothing opposes the penalty
      if (curvature > 0) next = soft(r[k] + curvature * theta[k], k == state.factors ? 0 : penalty) / curvature;
      const double change = next - theta[k];
      largest = std::max(largest, std::abs(next));
      if (change == 0) continue;
      largest_step = std::max(largest_step, std::abs(change));
      for (Index i = 0; i < lines; ++i) r[i] -= change * A[k * lines + i];
      theta[k] = next;
    }
    if (!(largest_step > negligible * largest)) break;
  }
  std::copy_n(theta.data(), lines, column.linear());
}

// The step to the minimum of the quadratic model with a soft threshold: b at hand is the slope at theta.
void sparse_step(ColumnNormal& column, double penalty, const FactorState& state, Index d) {
  const Index lines = column.lines();
  const double* A = column.precision();
  for (Index i = 0; i < lines; ++i) {
    for (Index k = 0; k < lines; ++k) {
      column.linear()[i] += A[std::min(i, k) * lines + std::max(i, k)] * state.loading_row(k)[d];
    }
  }
  solve_sparse(column, penalty, state, d);
  for (Index k = 0; k < lines; ++k) column.linear()[k] -= state.loading_row(k)[d];
}

// The prior is added at the present loading, as pseudo-cells: for counts its curvature e^theta vanishes at -infinity.
void improve_column(const Cells& cells, const PointObjective& objective, const LoadingPrior& prior, Index d,
                    ColumnNormal& column, FactorState& state) {
  const Index rows = cells.rows(), lines = state.lines();
  const Scratch x(rows), psi(rows), r(rows), w(rows), old(lines);
  const auto missing = cells.missing_in_column(d);
  cells.column(d, x.data());
  state.predictor_column(d, psi.data());
  double before = quadratic_line(cells, x.data(), psi.data(), rows, missing, r.data(), w.data());
  column.clear();
  column.add_all_rows(state, w.data());
  column.add_linear(state, r.data());
  before += add_prior(cells.family(), objective, prior, state, d, &column);
  for (Index k = 0; k < lines; ++k) {
    old[k] = state.loading_row(k)[d];
    column.precision()[k * lines + k] += least_weight;
  }
  if (objective.sparse_loadings) {
    sparse_step(column, objective.loading_penalty, state, d);
  } else {
    column.solve_damped();
  }
  const double* step = column.linear();
  double share = 1;
  for (int halving = 0; halving < most_halvings; ++halving, share *= 0.5) {
    for (Index k = 0; k < lines; ++k) state.loading_row(k)[d] = old[k] + share * step[k];
    if (cells.family().quadratic_is_bound()) return;
    state.predictor_column(d, psi.data());
    const double after = quadratic_line(cells, x.data(), psi.data(), rows, missing, r.data(), w.data()) +
                         add_prior(cells.family(), objective, prior, state, d, nullptr);
    if (after <= before) return;
  }
  for (Index k = 0; k < lines; ++k) state.loading_row(k)[d] = old[k];
}

}  // namespace

double point_loss(const Cells& cells, const PointObjective& objective, const FactorState& state) {
  const Index parts = (cells.rows() + rows_per_task - 1) / rows_per_task;
  std::vector<double> partial(parts, 0.0);
  parallel_for(cells.rows(), rows_per_task, [&](Index first, Index last) {
    const Scratch psi(cells.cols()), r(cells.cols()), w(cells.cols()), buffer(cells.cols());
    double sum = 0;
    for (Index n = first; n < last; ++n) {
      state.predictor_row(n, psi.data());
      sum += quadratic_line(cells, cells.row(n, buffer.data()), psi.data(), cells.cols(), cells.missing_in_row(n),
                            r.data(), w.data());
      sum += penalty_of(objective, state.score_row(n), state.factors);
    }
    partial[first / rows_per_task] = sum;
  });
  double total = 0;
  for (const double part : partial) total += part;
  const std::unique_ptr<const LoadingPrior> prior = cells.family().loading_prior();
  for (Index d = 0; d < cells.cols(); ++d) total += add_prior(cells.family(), objective, *prior, state, d, nullptr);
  return total;
}

bool StopRequest::stopped() {
  if (observer_ == nullptr || stopped_) return stopped_;
  const std::unique_lock lock(mutex_, std::try_to_lock);  // another thread asks already: its answer is seen next time
  if (lock && observer_->cancelled()) stopped_ = true;
  return stopped_;
}

void improve_scores(const Cells& cells, const PointObjective& objective, FactorState& state, StopRequest* stop) {
  parallel_for(cells.rows(), rows_per_task, [&](Index first, Index last) {
    if (stop != nullptr && stop->stopped()) return;
    for (Index n = first; n < last; ++n) improve_row(cells, objective, n, state);
  });
}

void improve_loadings(const Cells& cells, const PointObjective& objective, FactorState& state, StopRequest* stop) {
  const auto stopped = [&] { return stop != nullptr && stop->stopped(); };
  const std::unique_ptr<const LoadingPrior> prior = cells.family().loading_prior();
  if (cells.family().is_quadratic()) {
    // One solve is the optimum, and the columns share V'V, less the rows missing in each (for_each_normal_column).
    const double more = (objective.sparse_loadings ? 0 : objective.loading_penalty) - 1;
    for_each_normal_column(cells, state, 1, [&](Index d, ColumnNormal& column) {
      if (stopped()) return;
      for (Index k = 0; k < state.factors; ++k) {
        column.precision()[k * state.lines() + k] += more * prior->count();
        column.linear()[k] += more * prior->count() * prior->value();
      }
      if (objective.sparse_loadings) {
        solve_sparse(column, objective.loading_penalty, state, d);
      } else {
        column.solve();
      }
      column.store(d, state);
    });
    return;
  }
  parallel_for(cells.cols(), 4, [&](Index first, Index last) {
    ColumnNormal column(state.lines());
    for (Index d = first; d < last && !stopped(); ++d) improve_column(cells, objective, *prior, d, column, state);
  });
}

// Alternating steps move along this flat direction slowly.
void balance_scales(const PointObjective& objective, FactorState& state) {
  for (Index k = 0; k < state.factors; ++k) {
    double scores = 0, loadings = 0;
    for (Index n = 0; n < state.rows; ++n) scores += std::abs(state.score_row(n)[k]);
    for (Index d = 0; d < state.cols; ++d) loadings += std::abs(state.loading_row(k)[d]);
    const double c = std::sqrt(objective.loading_penalty * loadings / (objective.penalty * scores));
    if (!(c > 0) || !std::isfinite(c) || !std::isfinite(1 / c)) continue;
    for (Index n = 0; n < state.rows; ++n) state.score_row(n)[k] *= c;
    for (Index d = 0; d < state.cols; ++d) state.loading_row(k)[d] /= c;
  }
}

// The change is relative to the loss of all cells, not to what factors explain: on tables that are mostly noise a
// tolerance is looser than it reads.
PointEnd minimize(const Cells& cells, const PointObjective& objective, Index most_iterations, double tolerance,
                  Observer* observer, FactorState& state, std::string_view phase, std::vector<TracePoint>* trace) {
  PointEnd end;
  StopRequest stop(observer);
  end.cancelled = stop.stopped();
  if (!end.cancelled) end.loss = point_loss(cells, objective, state);
  while (end.iterations < most_iterations && !end.converged && !end.cancelled) {
    improve_scores(cells, objective, state, &stop);
    improve_loadings(cells, objective, state, &stop);
    if (objective.sparse_loadings) balance_scales(objective, state);
    end.cancelled = stop.stopped();
    if (end.cancelled) break;
    ++end.iterations;
    const double loss = point_loss(cells, objective, state);
    end.change = (end.loss - loss) / (std::abs(loss) + 1e-12);
    end.converged = std::abs(end.change) < tolerance;
    end.loss = loss;
    if (trace != nullptr) trace->push_back({end.iterations, -loss, end.change, state.active(), 0});
    if (observer != nullptr && !phase.empty()) {
      observer->progress(static_cast<double>(end.iterations) / static_cast<double>(most_iterations), phase);
    }
  }
  return end;
}

}  // namespace tamis::factor
