// Moves of two correlated features at once, to leave the local optima of coordinate ascent.
//
// Two correlated features hide each other from single-feature updates in two ways: one stands in for the other (swap),
// or both matter with effects that cancel, so that neither gains by entering alone (joint entry or exit).
//
// Algorithm  1 with every indicator rounded to 0 or 1 and all other features fixed, the change of free energy by a move
//              has a closed form. With c the correlations with the residual without both, and K their 2 x 2 Gram matrix
//              with the slab's ridge on the diagonal, relative to both out,
//                one in: cost_a - beta n c_a^2 / (2 K_aa)      both in: cost_a + cost_b - beta n c'K^-1 c / 2
//            2 the most promising few are tried in turn: make the move, sweep to convergence, keep it if the objective
//              has fallen, otherwise restore the state
// Candidates pairs with at least one member in, and among those out the 64 that gain most alone; only pairs correlated
//            by 0.1 or more: for the others single-feature updates see the same optimum
// Invariant  the objective falls by at least least_fall with every move that is kept, and at most most_kept are
#include "method/mean_field/pair_moves.hpp"

#include <algorithm>
#include <cmath>

namespace tamis {
namespace {

constexpr Index most_excluded = 64;        // excluded features that are paired with each other: 2016 pairs
constexpr double least_correlation = 0.1;  // of two features for one to stand in for the other, or to hide it
constexpr double least_gain = 0.1;         // estimated fall of F, below which a solve is not worth its time
constexpr double least_fall = 1e-3;        // of the objective; a smaller one is within the sweeps' convergence error
constexpr Index most_tries = 4;            // estimates that fail before the search gives up: each costs a solve
constexpr int most_kept = 8;
constexpr double surely_in = 20, surely_out = -1e3;  // log odds

// Quantities of one member in the closed forms of the head.
struct SingleFeature {
  double cost = 0;       // of being in
  double curvature = 0;  // with the slab's part; 0: a column that says nothing
  double gain = 0;       // of being in, given everyone else as they are, without the cost
};

class PairSearch {
 public:
  PairSearch(const MeanFieldSweep& field, const MeanFieldParameters& hyper, double samples)
      : field_(field), precision_(hyper.noise_precision * samples), single_(field.size()) {
    double last = -1;
    SpikeSlab::Terms terms{};
    for (Index k = 0; k < field.size(); ++k) {
      const double chi = field.curvature(k);
      if (!(chi > 0)) continue;
      if (chi != last) terms = hyper.prior.terms(precision_ * chi);
      last = chi;
      const double c = field.correlations()[k] + chi * field.coefficients()[k];
      const double curvature = chi / terms.shrinkage;
      single_[k] = {-terms.prior_logit, curvature, 0.5 * precision_ * c * c / curvature};
      (is_in(k) ? in_ : out_).push_back(k);
    }
  }

  std::vector<PairMove> run() {
    for (const Index a : in_) {
      const std::span<const double> products = field_.products(a);
      const double bar = least_correlation * least_correlation * single_[a].curvature;
      for (Index b = 0; b < field_.size(); ++b) {
        const bool seen = is_in(b) && b >= a;
        if (products[b] * products[b] > bar * single_[b].curvature && !seen) evaluate(a, b);
      }
    }
    if (std::ssize(out_) > most_excluded) {
      const auto gain = [&](Index k) { return single_[k].gain; };
      std::ranges::nth_element(out_, out_.begin() + most_excluded, std::ranges::greater(), gain);
      out_.resize(most_excluded);
    }
    for (Index s = 0; s < std::ssize(out_); ++s) {
      const std::span<const double> products = field_.products(out_[s]);
      const double bar = least_correlation * least_correlation * single_[out_[s]].curvature;
      for (Index t = 0; t < s; ++t) {
        const double product = products[out_[t]];
        if (product * product > bar * single_[out_[t]].curvature) evaluate(out_[s], out_[t]);
      }
    }
    std::ranges::sort(found_, std::ranges::greater(), &PairMove::gain);
    if (std::ssize(found_) > most_tries) found_.resize(most_tries);
    return std::move(found_);
  }

 private:
  bool is_in(Index k) const { return field_.inclusion()[k] > 0.5; }

  // Swap (one in, one out) or joint entry or exit (both alike): moves that change both indicators. Those of one alone
  // are coordinate updates and have been made. Near-collinear pairs have no reliable joint optimum and are left out.
  void evaluate(Index a, Index b) {
    if (!(single_[b].curvature > 0)) return;
    const double product = field_.products(a)[b];
    const double curvature_a = single_[a].curvature, curvature_b = single_[b].curvature;
    const double cost_a = single_[a].cost, cost_b = single_[b].cost;
    const auto without_both = [&](Index x, Index y) {
      return field_.correlations()[x] + field_.curvature(x) * field_.coefficients()[x] +
             product * field_.coefficients()[y];
    };
    const double ca = without_both(a, b), cb = without_both(b, a);
    const bool a_in = is_in(a), b_in = is_in(b);
    double wa = ca / curvature_a, wb = cb / curvature_b, gain = 0;
    if (a_in != b_in) {
      const double only_a = cost_a - 0.5 * precision_ * ca * wa, only_b = cost_b - 0.5 * precision_ * cb * wb;
      gain = a_in ? only_a - only_b : only_b - only_a;
    } else {
      const double determinant = curvature_a * curvature_b - product * product;
      if (determinant < 1e-6 * curvature_a * curvature_b) return;
      wa = (ca * curvature_b - cb * product) / determinant;
      wb = (cb * curvature_a - ca * product) / determinant;
      const double both = cost_a + cost_b - 0.5 * precision_ * (ca * wa + cb * wb);
      gain = a_in ? both : -both;
    }
    if (gain > least_gain) found_.push_back({{a, !a_in, wa}, {b, !b_in, wb}, gain});
  }

  const MeanFieldSweep& field_;
  double precision_;
  std::vector<SingleFeature> single_;
  std::vector<Index> in_, out_;
  std::vector<PairMove> found_;
};

// Log odds far from 0 on either side; the sweeps that follow give the member its own.
void make(MeanFieldSweep& field, const PairMove::Side& side, double variance) {
  field.move_member(side.member, side.in ? surely_in : surely_out, side.weight, variance);
}

}  // namespace

std::vector<PairMove> pair_moves(const MeanFieldSweep& field, const MeanFieldParameters& hyper, double samples) {
  return PairSearch(field, hyper, samples).run();
}

// The estimate ranks, the objective decides: with m rounded and the others fixed an estimate may promise what sweeps do
// not keep. A move that is kept voids all estimates, so the search starts over.
bool improve_by_pairs(MeanFieldSweep& field, MeanFieldParameters& hyper, double samples,
                      const std::function<bool()>& solve_working_set, const std::function<double()>& objective) {
  int kept = 0;
  for (bool improved = true; improved && kept < most_kept;) {
    improved = false;
    const std::vector<PairMove> moves = pair_moves(field, hyper, samples);
    if (moves.empty()) break;
    const MeanFieldSweep::State before = field.state();
    const MeanFieldParameters hyper_before = hyper;
    const double best = objective();
    for (const PairMove& move : moves) {
      for (const PairMove::Side& side : {move.first, move.second}) make(field, side, field.variances()[side.member]);
      improved = solve_working_set() && objective() < best - least_fall;
      if (improved) break;
      field.restore(before);
      hyper = hyper_before;
    }
    kept += improved ? 1 : 0;
  }
  return kept > 0;
}

}  // namespace tamis
