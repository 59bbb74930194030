// Simulations for Wipf & Nagarajan, "A new view of automatic relevance determination" (NIPS 2007): sparse vectors
// under an overcomplete gaussian dictionary. The paper shows one picture (Fig. 1) and names its extensions; the
// sizes beyond it are the usual ones of the recovery literature.
#include <cmath>

#include "experiments/generators.hpp"

namespace tamis::experiments {
namespace {

const std::string paper = "Wipf & Nagarajan (2007), A new view of automatic relevance determination, ";

// Standard normal coefficients at random places, the same places for every response.
void set_random_coefficients(Simulation& out, Index p, Index count, Index responses, bool nonnegative) {
  out.truth.coefficients = Matrix(p, responses);
  out.truth.support = random_places(out, p, count);
  for (Index t = 0; t < responses; ++t) {
    RandomStream values = stream(out.seed, Part::truth, Purpose::sizes, t);
    for (const Index j : out.truth.support) {
      const double value = values.normal();
      out.truth.coefficients(j, t) = nonnegative ? std::abs(value) : value;
    }
  }
}

void draw(const Parameters& parameters, Simulation& out, Index responses, bool nonnegative) {
  const Index p = parameters.whole("p");
  set_random_coefficients(out, p, parameters.whole("active"), responses, nonnegative);
  out.truth.noise_variance = parameters.real("noise_variance");
  draw_columns(out, parameters, [&](Index n, Part part) { return normal_columns(n, p, out.seed, part); });
  add_gaussian_responses(out);
}

void draw_single(const Parameters& parameters, Simulation& out) { draw(parameters, out, 1, false); }
void draw_nonnegative(const Parameters& parameters, Simulation& out) { draw(parameters, out, 1, true); }
void draw_several(const Parameters& parameters, Simulation& out) {
  draw(parameters, out, parameters.whole("responses"), false);
}

std::vector<DesignParameter> recovery(double n, double p, double count, double noise, double test) {
  return join(sizes(n, 0, test), {features(p), active(count), noise_variance(noise)});
}

}  // namespace

std::vector<DesignEntry> relevance_designs() {
  return {
      {{"ard.recovery", "noiseless recovery of 20 of 100 coefficients from 50 measurements",
        paper + "overcomplete recovery", "gaussian", recovery(50, 100, 20, 0, 0)},
       draw_single},
      {{"ard.recovery-wide", "noiseless recovery of 15 of 250 coefficients from 50 measurements",
        paper + "overcomplete recovery", "gaussian", recovery(50, 250, 15, 0, 0)},
       draw_single},
      {{"ard.local-minima", "nine of eleven coefficients from ten measurements: a line of feasible solutions",
        paper + "Fig. 1 (right)", "gaussian", recovery(10, 11, 9, 0, 0)},
       draw_single},
      {{"ard.nonnegative", "noiseless recovery of positive coefficients", paper + "section 4", "gaussian",
        recovery(50, 100, 20, 0, 0)},
       draw_nonnegative},
      {{"ard.responses", "several responses that share their support", paper + "section 4 (Eq. 20)", "gaussian",
        join(recovery(25, 100, 10, 0, 0), {{"responses", "number of responses", 4, 1, 1000, true}})},
       draw_several},
      {{"ard.noisy", "20 of 500 coefficients from 200 noisy samples", paper + "regression with noise", "gaussian",
        recovery(200, 500, 20, 1, 1000)},
       draw_single},
  };
}

}  // namespace tamis::experiments
