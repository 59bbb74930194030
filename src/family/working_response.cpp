// The response of any family as weighted gaussian data, at the present linear predictor.
//
//   E log p(y | eta) = constant - samples / 2 sum_i w_i k_i E (working_i - eta_i)^2, or a bound; k_i: Family::quadratic
// Weights are returned with sum one and the precision of all rows together apart (total()), so that solvers written for
// gaussian data see a noise precision and normalized weights. Rows of weight 0 (held out) are never given to the
// family: their response may be NaN or not allowed.
#include "family/working_response.hpp"

#include <utility>

namespace tamis {

WorkingResponse::WorkingResponse(const Family& likelihood, std::span<const double> y, std::vector<double> weights,
                                 double samples)
    : likelihood_(likelihood),
      y_(y),
      given_(std::move(weights)),
      samples_(samples),
      response_(y.begin(), y.end()),
      weights_(given_),
      total_(samples) {
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (given_[i] == 0) continue;
    rows_.push_back(i);
    row_y_.push_back(y[i]);
    equal_ = equal_ && given_[i] == given_[rows_.front()];
  }
  for (std::vector<double>* v : {&row_mean_, &row_variance_, &row_weight_, &row_working_}) v->resize(rows_.size());
}

void WorkingResponse::update(std::span<const double> eta_mean, std::span<const double> eta_variance) {
  const auto row = [&](Index k) { return rows_[k]; };
  for (Index k = 0; k < std::ssize(rows_); ++k) {
    row_mean_[k] = eta_mean[row(k)];
    row_variance_[k] = eta_variance[row(k)];
  }
  constant_ = 0;
  // One row at a time where weights differ: quadratic() returns the sum of the constants, which must be weighted.
  const std::size_t step = equal_ ? rows_.size() : 1;
  for (Index k = 0; k < std::ssize(rows_); k += step) {
    const double constant =
        likelihood_.quadratic(std::span(row_y_).subspan(k, step), std::span(row_mean_).subspan(k, step),
                              std::span(row_variance_).subspan(k, step), std::span(row_weight_).subspan(k, step),
                              std::span(row_working_).subspan(k, step));
    constant_ -= samples_ * given_[row(k)] * constant;
  }
  response_.assign(eta_mean.begin(), eta_mean.end());  // rows of weight 0: no residual
  double sum = 0;
  for (Index k = 0; k < std::ssize(rows_); ++k) sum += weights_[row(k)] = given_[row(k)] * row_weight_[k];
  for (Index k = 0; k < std::ssize(rows_); ++k) {
    weights_[row(k)] /= sum;
    response_[row(k)] = row_working_[k];
  }
  total_ = samples_ * sum;
}

double WorkingResponse::deviance(std::span<const double> eta, std::span<const double> row_weights) const {
  double sum = 0;
  for (Index i = 0; i < std::ssize(row_weights); ++i) {
    if (row_weights[i] > 0) sum += row_weights[i] * likelihood_.deviance(y_[i], eta[i]);
  }
  return sum;
}

}  // namespace tamis
