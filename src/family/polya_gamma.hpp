// Polya-Gamma variables: with omega ~ PG(shape, eta) a logistic likelihood becomes a normal one,
//   e^(eta a) / (1 + e^eta)^shape = 2^-shape e^(eta (a - shape/2)) E[exp(-omega eta^2 / 2)],  omega ~ PG(shape, 0),
// so samplers draw omega | eta and then coefficients as in weighted least squares. Polson, Scott & Windle,
// JASA 108 (2013).
#pragma once

#include "tamis/base/random.hpp"

namespace tamis {

/// One draw of PG(shape, tilt); shape > 0, tilt finite. Exact for whole shapes up to 16 (Devroye's alternating series,
/// one for each unit). Other shapes by the defining sum of gammas: its first terms as they are, the rest as one gamma
/// variable of the same mean and variance.
double draw_polya_gamma(double shape, double tilt, RandomStream& random);

/// shape tanh(tilt/2) / (2 tilt), and shape/4 at 0.
double polya_gamma_mean(double shape, double tilt);
double polya_gamma_variance(double shape, double tilt);

}  // namespace tamis
