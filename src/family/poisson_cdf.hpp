// How likely a poisson count is to stay below a number, however large both are.
#pragma once

namespace tamis {

/// P(Y <= count) for Y ~ Poisson(rate), rate >= 0 and finite; 0 for a negative count.
double poisson_cdf(double count, double rate);

}  // namespace tamis
