// Steps that a mean field, which looks at one feature at a time, cannot see: two features that hide each other
// (correlated, with effects that cancel) enter or leave together, and one that took the place of its correlated
// neighbor yields it.
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
  double gain;  ///< of free energy, by an estimate with every coin either in or out
};

/// The most promising pair moves, best first.
std::vector<PairMove> pair_moves(const MeanFieldSweep& field, const MeanFieldParameters& hyper, double samples);

/// Tries pair moves on a settled field: each is made, the field `settle`s again, and if that fails or the `objective`
/// (smaller is better) has not fallen it is taken back. Returns whether one was kept.
bool improve_by_pairs(MeanFieldSweep& field, MeanFieldParameters& hyper, double samples,
                      const std::function<bool()>& settle_working_set, const std::function<double()>& objective);

}  // namespace tamis
