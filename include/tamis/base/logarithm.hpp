// Probabilities in the log domain. Every function is finite wherever its true value is, and keeps its relative
// accuracy at both ends: logistic(-700) is 1e-304 and not 0, log1pexp(-40) is e^-40 and not 0.
#pragma once

#include <span>

namespace tamis {

/// 1 / (1 + e^-x)
double logistic(double x);
/// log(p / (1 - p)); -infinity at 0, +infinity at 1.
double logit(double probability);
/// log(1 + e^x)
double log1pexp(double x);
/// log(logistic(x)) = -log1pexp(-x)
double log_logistic(double x);
/// log(1 - e^x) for x <= 0: the log of the complement of a probability given by its log.
double log1mexp(double x);
/// log(e^a + e^b)
double log_sum_exp(double a, double b);
/// log of the sum of e^x; -infinity for none.
double log_sum_exp(std::span<const double> x);
/// p log p, 0 at 0.
double x_log_x(double p);
/// Entropy in nats of a coin whose probability has this logit.
double bernoulli_entropy(double logit);

}  // namespace tamis
