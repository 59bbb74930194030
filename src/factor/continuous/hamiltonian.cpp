// One Hamiltonian proposal: leapfrog with a diagonal mass, then Metropolis. Neal (2011), Handbook of MCMC, ch. 5.
//
//   p ~ N(0, M);  L times: p += e/2 grad, q += e p / M, p += e/2 grad;  accept with min(1, exp(H_before - H_after))
// A coordinate that leaves q >= 0 is reflected with its momentum, (q, p) -> (-q, -p): this keeps volume, is its own
// inverse and leaves the kinetic energy alone. After one reflection q is inside, however far it went.
#include "factor/continuous/hamiltonian.hpp"

#include <algorithm>
#include <cmath>

#include "base/scratch.hpp"

namespace tamis::factor {
namespace {

double kinetic(std::span<const double> momentum, std::span<const double> mass) {
  double sum = 0;
  for (Index k = 0; k < std::ssize(mass); ++k) sum += momentum[k] * momentum[k] / mass[k];
  return 0.5 * sum;
}

}  // namespace

double draw_hamiltonian(const LogDensity& target, std::span<const double> mass, const Trajectory& trajectory,
                        std::span<double> q, RandomStream& random) {
  const Index size = q.size();
  const Scratch old(size), p(size), gradient(size);
  std::copy(q.begin(), q.end(), old.data());
  // Uniform in +-20 %: a fixed step times L may match a period of the posterior, where a trajectory returns to its
  // start and the chain does not move.
  const double step = trajectory.step * (0.8 + 0.4 * random.uniform01());
  random.normals(p.span());
  for (Index k = 0; k < size; ++k) p[k] *= std::sqrt(mass[k]);
  const double before = target(q, gradient.span()) - kinetic(p.span(), mass);
  double height = 0;
  for (Index i = 0; i < trajectory.steps; ++i) {
    for (Index k = 0; k < size; ++k) {
      const Index c = k;
      p[k] += 0.5 * step * gradient[k];
      q[c] += step * p[k] / mass[c];
      if (trajectory.walls && q[c] < 0) {
        q[c] = -q[c];
        p[k] = -p[k];
      }
    }
    height = target(q, gradient.span());
    for (Index k = 0; k < size; ++k) p[k] += 0.5 * step * gradient[k];
  }
  const double log_ratio = height - kinetic(p.span(), mass) - before;
  // A trajectory that ran away is NaN or infinite: refused.
  const double acceptance = std::isfinite(log_ratio) ? std::min(1.0, std::exp(log_ratio)) : 0;
  if (random.uniform01() >= acceptance) std::copy_n(old.data(), size, q.begin());
  return acceptance;
}

}  // namespace tamis::factor
