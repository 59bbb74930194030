// One Markov chain over the posterior of a spike-and-slab regression. A sweep draws each feature's indicator and
// coefficient together given all the others (the coefficient integrated out of the indicator's odds), then the
// hyperparameters that are not fixed, from their conjugate conditionals. Bernoulli responses by Polya-Gamma variables.
//
// A sweep draws from a random stream of its own (seed, chain, iteration): a chain is a function of its state and the
// number of the iteration, whatever ran before or beside it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/checkpoint.hpp"
#include "prior/hyper_prior.hpp"
#include "problem/scaled_response.hpp"
#include "tamis/base/random.hpp"

namespace tamis {

/// Everything that the next sweep depends on.
struct ChainState {
  SpikeSlabHyper hyper;
  double intercept = 0;              ///< working scale; gaussian: 0, for it is integrated out
  std::vector<double> coefficients;  ///< of the kept features, working scale
  std::vector<std::uint8_t> included;
  std::vector<double> products;  ///< what is kept up to date between sweeps: X'W(y - Xb), or the predictor
  Index changes = 0;             ///< coefficients that changed in the last sweep: says how far to look ahead

  void exchange(Archive& archive);
};

/// Given all the others, before it was drawn: of each feature in the last sweep.
struct Conditional {
  double inclusion = 0;
  double mean = 0;
  double square = 0;  ///< mean of the squared coefficient
};

/// Data and tables that chains share.
class ChainData {
 public:
  /// `own_inclusion`: prior inclusion of each kept feature, NaN where the common one holds; empty: everywhere.
  ChainData(const ScaledProblem& scaled, bool point_mass, std::vector<double> own_inclusion = {});

  const ScaledProblem& scaled() const { return scaled_; }
  bool has_own_inclusion(Index feature) const { return !own_inclusion_.empty() && own_inclusion_[feature] >= 0; }
  const std::vector<double>& own_inclusion() const { return own_inclusion_; }
  /// X'WX of the kept features, if sweeps work on it rather than on columns of X.
  bool has_gram() const { return gram_.rows() > 0; }
  const Matrix& gram() const { return gram_; }
  const std::vector<double>& correlation() const { return correlation_; }  ///< X'Wy, with the Gram matrix

 private:
  const ScaledProblem& scaled_;
  std::vector<double> own_inclusion_;
  Matrix gram_;
  std::vector<double> correlation_;
};

class Chain {
 public:
  class Engine;
  /// Chain 0 begins without features, the others at random coefficients, so that they have to find each other.
  Chain(const ChainData& data, const HyperPrior& prior, std::uint64_t seed, Index number);
  ~Chain();
  Chain(Chain&&) noexcept;
  Chain& operator=(Chain&&) = delete;

  void sweep(Index iteration);
  const ChainState& state() const;
  /// Saves where it is, or goes on from there.
  void exchange(Archive& archive);

  /// Of the last sweep.
  std::span<const Conditional> conditionals() const;
  Index included() const;
  /// log p(y | coefficients, noise), in units of the working response, without the flat intercept's share.
  double log_likelihood() const;
  /// A draw of the working intercept given the rest: the state's own, or where it is integrated out a fresh one.
  double intercept_draw(Index iteration) const;

 private:
  std::unique_ptr<Engine> engine_;
};

}  // namespace tamis
