#include "family/gaussian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "family/response.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/index.hpp"

namespace tamis {
namespace {

constexpr double log_normalizer = 0.91893853320467274178;  // log(2 pi) / 2

}  // namespace

void Gaussian::check(std::span<const double> y, std::span<const double> weights) const {
  check_response_is_finite(y, weights);
  // Beyond it a sum of squares, hence every variance, is infinite.
  constexpr double largest = 1e150;
  for (Index i = 0; i < std::ssize(y); ++i) {
    if (counts(weights, i) && std::abs(y[i]) > largest) {
      throw InvalidInput(
          fmt::format("response: row {} is {:g}; numbers beyond {:g} have no finite variance; write the "
                      "response in a larger unit",
                      i + 1, y[i], largest));
    }
  }
}

double Gaussian::quadratic(std::span<const double> y, std::span<const double>, std::span<const double>,
                           std::span<double> weights, std::span<double> working) const {
  std::fill(weights.begin(), weights.end(), 1.0);
  std::copy(y.begin(), y.end(), working.begin());
  return -log_normalizer * static_cast<double>(y.size());
}

double Gaussian::log_density(double y, double eta) const { return -log_normalizer - loss(y, eta); }

double Gaussian::loss(double y, double eta) const { return 0.5 * (y - eta) * (y - eta); }

void Gaussian::derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                           std::span<double> curvature) const {
  for (Index i = 0; i < std::ssize(y); ++i) residual[i] = y[i] - eta[i];
  std::fill(curvature.begin(), curvature.end(), 1.0);
}

// Attained at eta = y - residual.
double Gaussian::conjugate(double y, double residual) const { return residual * (0.5 * residual - y); }

double Gaussian::mean(double eta) const { return eta; }

double Gaussian::link(double mean) const { return mean; }

double Gaussian::deviance(double y, double eta) const { return (y - eta) * (y - eta); }

void Gaussian::local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const {
  for (Index i = 0; i < std::ssize(y); ++i) out[i] = 0.5 * (y[i] - eta[i]) * (y[i] - eta[i]);
}

}  // namespace tamis
