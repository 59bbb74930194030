// Moves out of local optima of single-feature updates: two features that hide each other (correlated, with effects that
// cancel) enter or leave together, and one that took the place of its correlated neighbor is exchanged for it.
#pragma once

#include <functional>
#include <vector>

#include "method/mean_field/mean_field_sweep.hpp"

namespace tamis {

/// Two members that would be better off otherwise, each in or out.
struct PairMove {
  struct Side {
    Index member;
    bool in;
    double weight;  ///< when in
  };
  Side first, second;
  double gain;  ///< of free energy, estimated with every inclusion probability rounded to 0 or 1
};

/// The most promising pair moves, best first.
std::vector<PairMove> pair_moves(const MeanFieldSweep& field, const MeanFieldParameters& hyper, double samples);

/// Tries pair moves on a converged field: after each, `solve_working_set` converges again; the move is undone if that
/// fails or the `objective` (smaller is better) has not fallen. Returns whether one was kept.
bool improve_by_pairs(MeanFieldSweep& field, MeanFieldParameters& hyper, double samples,
                      const std::function<bool()>& solve_working_set, const std::function<double()>& objective);

}  // namespace tamis
