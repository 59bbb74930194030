// Means under a normal distribution by Gauss-Hermite quadrature.
#pragma once

#include <cmath>
#include <limits>

#include "tamis/base/logarithm.hpp"

namespace tamis {

inline constexpr int hermite_nodes = 15;  ///< exact for polynomials up to degree 29
inline constexpr double hermite_node[hermite_nodes] = {
    -6.3639478888298378, -5.1900935913047821, -4.1962077112690155,  -3.2890824243987664,
    -2.4324368270097581, -1.6067100690287297, -0.79912906832454811, 0.0,
    0.79912906832454811, 1.6067100690287297,  2.4324368270097581,   3.2890824243987664,
    4.1962077112690155,  5.1900935913047821,  6.3639478888298378};
inline constexpr double hermite_weight[hermite_nodes] = {
    8.5896498996331805e-10, 5.9754195979205961e-7, 5.6421464051890157e-5, 1.5673575035499571e-3,
    1.7365774492137616e-2,  8.9417795399844435e-2, 2.3246229360973222e-1, 3.1825951825951826e-1,
    2.3246229360973222e-1,  8.9417795399844435e-2, 1.7365774492137616e-2, 1.5673575035499571e-3,
    5.6421464051890157e-5,  5.9754195979205961e-7, 8.5896498996331805e-10};

/// Mean of f over N(mean, variance), for an f that is smooth on the scale of the deviation.
template <class Function>
double normal_mean(double mean, double variance, const Function& f) {
  if (!(variance > 0)) return f(mean);
  const double deviation = std::sqrt(variance);
  double sum = 0;
  for (int i = 0; i < hermite_nodes; ++i) sum += hermite_weight[i] * f(mean + deviation * hermite_node[i]);
  return sum;
}

/// Log of the mean of exp(log_f), which neither overflows nor underflows.
template <class Function>
double log_normal_mean(double mean, double variance, const Function& log_f) {
  if (!(variance > 0)) return log_f(mean);
  const double deviation = std::sqrt(variance);
  double log_sum = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < hermite_nodes; ++i) {
    log_sum = log_sum_exp(log_sum, std::log(hermite_weight[i]) + log_f(mean + deviation * hermite_node[i]));
  }
  return log_sum;
}

}  // namespace tamis
