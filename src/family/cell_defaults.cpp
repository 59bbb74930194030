// What factor models ask of a family, for one that says no more than what regression needs.
//
// The model of a cell is its loss at the predictor psi, and algorithms need of it
//   a quadratic model     the family's own if it is a bound, else Newton's from derivatives()
//   means over a belief   psi ~ N(mean, variance): 15-node Gauss-Hermite quadrature
//   a prior of loadings   as if one cell of value mean(0) had been seen with the loading as predictor: conjugate for an
//                         exponential family, proper for any loss that grows on both sides of it, centered at 0
//   predictions           by simulation: 2000 draws
// Right for any family, and several times slower than closed forms; the built-in families override what they know.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/scratch.hpp"
#include "linalg/gauss_hermite.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

// (lambda, nu) of Eq. 2 of Mohamed, Heller & Ghahramani as cells: p(theta) ~ exp(lambda theta - nu A(theta)) is the
// likelihood of nu cells of value lambda / nu.
class PseudoCells final : public LoadingPrior {
 public:
  PseudoCells(const Family& family, double value, double count) : LoadingPrior(value, count), family_(family) {}

  double log_density(double loading) const override { return -count() * family_.loss(value(), loading); }
  double slope(double loading) const override { return count() * at(loading).residual; }
  QuadraticModel quadratic(double loading) const override { return times_count(at(loading)); }
  QuadraticModel expected_quadratic(const NormalBelief& loading) const override {
    QuadraticModel one;
    const double x = value();
    family_.expected_quadratic(std::span(&x, 1), {std::span(&loading.mean, 1), std::span(&loading.variance, 1)}, 1,
                               std::span(&one.residual, 1), std::span(&one.weight, 1));
    return times_count(one);
  }
  double expected_log_density(const NormalBelief& loading) const override {
    double one = 0;
    const double x = value();
    family_.expected_log_density(std::span(&x, 1), {std::span(&loading.mean, 1), std::span(&loading.variance, 1)}, 1,
                                 std::span(&one, 1));
    return count() * one;
  }

 private:
  QuadraticModel at(double loading) const {
    QuadraticModel one;
    const double x = value();
    double loss = 0;
    family_.quadratic_losses(std::span(&x, 1), std::span(&loading, 1), std::span(&loss, 1), std::span(&one.residual, 1),
                             std::span(&one.weight, 1));
    return one;
  }
  QuadraticModel times_count(QuadraticModel one) const { return {count() * one.residual, count() * one.weight}; }

  const Family& family_;
};

// visit(weight of the node, predictors there) for each node over the beliefs of a line.
template <class Visit>
void visit_nodes(const Family::Beliefs& psi, const Visit& visit) {
  const Index size = std::ssize(psi.mean);
  const Scratch at(size);
  for (int node = 0; node < hermite_nodes; ++node) {
    for (Index i = 0; i < size; ++i) at[i] = psi.mean[i] + std::sqrt(psi.variance[i]) * hermite_node[node];
    visit(hermite_weight[node], at.span());
  }
}

// Slope and curvature of a bound where the predictor is `eta`: its parabola has its top at the working response.
void bound(const Family& family, std::span<const double> x, Family::Beliefs psi, std::span<double> residual,
           std::span<double> weight) {
  const Scratch working(std::ssize(x));
  family.quadratic(x, psi.mean, psi.variance, weight, working.span());
  for (Index i = 0; i < std::ssize(x); ++i) residual[i] = weight[i] * (working[i] - psi.mean[i]);
}

}  // namespace

// No limit by default: only losses of exponential growth need one, and a limit makes a loss flat beyond it.
std::unique_ptr<const Family> Family::limited(std::optional<double>, double) const { return nullptr; }

void Family::quadratic_losses(std::span<const double> x, std::span<const double> psi, std::span<double> loss,
                              std::span<double> residual, std::span<double> weight) const {
  local_losses(x, psi, loss);
  if (quadratic_is_bound()) {
    bound(*this, x, {psi, {}}, residual, weight);
  } else {
    derivatives(x, psi, residual, weight);
  }
}

// The derivatives of the mean loss in the mean of a belief are the means of the loss's derivatives (Bonnet, Price).
void Family::expected_quadratic(std::span<const double> x, Beliefs psi, double noise_precision,
                                std::span<double> residual, std::span<double> weight) const {
  if (quadratic_is_bound()) {
    bound(*this, x, psi, residual, weight);
  } else {
    const Index size = std::ssize(x);
    const Scratch slope(size), curvature(size);
    std::ranges::fill(residual, 0.0);
    std::ranges::fill(weight, 0.0);
    visit_nodes(psi, [&](double share, std::span<const double> eta) {
      derivatives(x, eta, slope.span(), curvature.span());
      for (Index i = 0; i < size; ++i) {
        residual[i] += share * slope[i];
        weight[i] += share * curvature[i];
      }
    });
  }
  if (noise_precision == 1) return;
  for (double& r : residual) r *= noise_precision;
  for (double& w : weight) w *= noise_precision;
}

// quadratic() adds up the heights of all its bounds, so each cell asks for its own: E bound = constant - w/2 E
// (working - psi)^2. What is in log p and not in the loss is taken off again.
void Family::expected_log_density(std::span<const double> x, Beliefs psi, double noise_precision,
                                  std::span<double> out) const {
  const Index size = std::ssize(x);
  if (quadratic_is_bound()) {
    const bool has_base = log_base(x, out);
    for (Index i = 0; i < size; ++i) {
      double weight = 0, working = 0;
      const double constant = quadratic(x.subspan(i, 1), psi.mean.subspan(i, 1), psi.variance.subspan(i, 1),
                                        std::span(&weight, 1), std::span(&working, 1));
      const double distance = working - psi.mean[i];
      out[i] = noise_precision *
               (constant - 0.5 * weight * (distance * distance + psi.variance[i]) - (has_base ? out[i] : 0.0));
    }
    return;
  }
  const Scratch loss(size);
  std::ranges::fill(out, 0.0);
  visit_nodes(psi, [&](double share, std::span<const double> eta) {
    local_losses(x, eta, loss.span());
    for (Index i = 0; i < size; ++i) out[i] -= noise_precision * share * loss[i];
  });
}

bool Family::log_base(std::span<const double> x, std::span<double> out) const {
  for (Index i = 0; i < std::ssize(x); ++i) out[i] = log_density(x[i], 0) + loss(x[i], 0);
  return true;
}

double Family::cell_log_density(double x, double psi, double) const { return log_density(x, psi); }

double Family::predictive_log_density(double x, const NormalBelief& psi, double noise_variance) const {
  return log_normal_mean(psi.mean, psi.variance, [&](double eta) { return cell_log_density(x, eta, noise_variance); });
}

// From one stream for all: a prediction depends on its own belief only.
Family::Forecast Family::forecast(const NormalBelief& psi, double noise_variance) const {
  std::array<double, 2000> cells;
  RandomStream random(0x666f726563617374ULL);
  double sum = 0, squares = 0;
  for (double& cell : cells) {
    cell = draw(psi.mean + std::sqrt(psi.variance) * random.normal(), noise_variance, random);
    sum += cell;
  }
  const auto count = static_cast<double>(cells.size());
  for (const double cell : cells) squares += (cell - sum / count) * (cell - sum / count);
  const auto quantile = [&](Index from_below) {
    std::nth_element(cells.begin(), cells.begin() + from_below, cells.end());
    return cells[from_below];
  };
  constexpr Index outside = 50;  // on each side
  return {mean(psi.mean), std::sqrt(squares / (count - 1)), quantile(outside),
          quantile(std::ssize(cells) - outside - 1)};
}

std::unique_ptr<const LoadingPrior> Family::loading_prior() const {
  return std::make_unique<PseudoCells>(*this, mean(0), 1);
}

// An infinite link (a binary column of zeros) is no place to begin; callers shrink the mean first where they can.
double Family::start_predictor(double mean) const {
  const double predictor = link(mean);
  return std::isfinite(predictor) ? predictor : 0;
}

// At the column's mean; 1 where that says nothing. It scales trajectories (a mass), never a
// target.
double Family::typical_curvature(double sum, double count) const {
  const double average = sum / count, predictor = start_predictor(average);
  const double y = std::isfinite(average) ? average : mean(predictor);
  double residual = 0, curvature = 0;
  derivatives(std::span(&y, 1), std::span(&predictor, 1), std::span(&residual, 1), std::span(&curvature, 1));
  return curvature > 0 && std::isfinite(curvature) ? curvature : 1;
}

}  // namespace tamis
