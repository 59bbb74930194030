// Averages over all 2^p subsets by a depth-first walk of the inclusion tree (idea and cost: see the header).
//
// State      at a node, the Gram matrix and correlations of the undecided features with those included projected out:
//              G = X'X / n + ridge I,  c = X'y / n,  ridge = s2 / (n v)
// Include    feature m - 1 (the last undecided): pivot a = G_mm, G -= g g' / a, c -= g c_m / a, a Schur complement
// Combine    with the branches' log gains and odds
//              log odds = log pi / (1 - pi) + (log ridge - log a + n c_m^2 / (s2 a)) / 2 + gain_with - gain_without
//            inclusion, mean and covariance are mixed by the law of total covariance
// Invariant  pivots are at least the ridge, as the Schur complement of a matrix >= ridge I is; only rounding says
//            otherwise. The tree is cut into the same subtrees whatever the number of threads and combined in the order
//            of cutting, so results do not depend on threads to the last bit.
#include "method/exact/subset_enumeration.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "tamis/base/parallel.hpp"

namespace tamis {
namespace {

// Subtrees of this many features are walked by one thread, a quarter of a millisecond: long beside the start of a task,
// short beside 2^20 leaves.
constexpr Index subtree_features = 12;

// Lower triangles are stored row by row: the first m features of a triangle are its beginning, so the last feature is
// left out by looking at one row less.
constexpr Index triangle(Index m) { return m * (m + 1) / 2; }

// Sufficient statistics of the undecided features 0 ... m - 1 with the included ones projected out:
// (X'X/n + ridge)_ij and (X'y/n)_i.
struct Undecided {
  double* gram;
  double* correlation;
};

// Posterior of the first m features given what has been decided of the others.
struct Posterior {
  double log_gain = 0;
  double* inclusion = nullptr;
  double* mean = nullptr;
  double* covariance = nullptr;  // triangle
};

// Memory of one walk, allocated once: for each number of undecided features the state after an inclusion and the
// averages of both branches. A walk holds one path of the tree, so this is O(p^3) numbers, whatever 2^p.
class Stack {
 public:
  explicit Stack(Index features)
      : memory_(features * (3 * triangle(features) + 5 * features)),
        included_(features),
        with_(included_.size()),
        without_(included_.size()) {
    double* next = memory_.data();
    const auto take = [&next](Index count) { return std::exchange(next, next + count); };
    for (Index m = 0; m < features; ++m) {
      const Index k = m;
      included_[k] = {take(triangle(m)), take(m)};
      for (Posterior* branch : {&with_[k], &without_[k]}) *branch = {0, take(m), take(m), take(triangle(m))};
    }
  }
  const Undecided& included(Index m) const { return included_[m]; }
  Posterior& with(Index m) { return with_[m]; }
  Posterior& without(Index m) { return without_[m]; }

 private:
  std::vector<double> memory_;
  std::vector<Undecided> included_;
  std::vector<Posterior> with_;
  std::vector<Posterior> without_;
};

// A node of the tree where features were cut off for another thread, and their averages when they are known.
struct Subtree {
  std::vector<double> memory;
  Undecided undecided;
  Posterior posterior;

  Subtree(const Undecided& state, Index m) : memory(2 * triangle(m) + 3 * m) {
    double* next = std::copy_n(state.gram, triangle(m), memory.data());
    undecided = {memory.data(), next};
    next = std::copy_n(state.correlation, m, next);
    posterior = {0, next, next + m, next + 2 * m};
  }
  Subtree(Subtree&&) = default;  // the memory stays where it is
};

class Tree {
 public:
  Tree(double samples, const SpikeAndSlab& model)
      : precision_(samples / model.noise_variance),
        // Beyond these bounds the ridge is nothing, or everything, beside any Gram matrix.
        ridge_(std::clamp(1 / (precision_ * model.slab_variance), 1e-280, 1e280)),
        log_ridge_(std::log(ridge_)),
        log_in_(std::log(model.prior_inclusion)),
        log_out_(std::log1p(-model.prior_inclusion)) {}

  double ridge() const { return ridge_; }

  // Averages over the first m features. Subtrees of `cut` features are not entered: `at_cut` gives their averages.
  template <typename AtCut>
  void walk(const Undecided& state, Index m, Index cut, Stack& stack, const AtCut& at_cut, Posterior& out) const {
    if (m == cut) {
      at_cut(state, out);
      return;
    }
    Posterior& without = stack.without(m - 1);
    Posterior& with = stack.with(m - 1);
    walk(state, m - 1, cut, stack, at_cut, without);
    const Undecided& included = stack.included(m - 1);
    include_last(state, m, included);
    walk(included, m - 1, cut, stack, at_cut, with);
    combine(state, m, without, with, out);
  }

  void walk_all(const Undecided& state, Index m, Stack& stack, Posterior& out) const {
    walk(
        state, m, 0, stack, [](const Undecided&, Posterior& none) { none.log_gain = 0; }, out);
  }

 private:
  // A pivot is at least the ridge; only rounding says otherwise.
  double pivot(const Undecided& state, Index last) const { return std::max(state.gram[triangle(last) + last], ridge_); }

  void include_last(const Undecided& state, Index m, const Undecided& rest) const {
    const Index last = m - 1;
    const double* row = state.gram + triangle(last);
    const double inverse = 1 / pivot(state, last);
    for (Index i = 0; i < last; ++i) {
      const double share = row[i] * inverse;
      const double* from = state.gram + triangle(i);
      double* to = rest.gram + triangle(i);
      for (Index j = 0; j <= i; ++j) to[j] = from[j] - share * row[j];
      rest.correlation[i] = state.correlation[i] - share * state.correlation[last];
    }
  }

  void combine(const Undecided& state, Index m, const Posterior& without, const Posterior& with, Posterior& out) const;

  double precision_;
  double ridge_;
  double log_ridge_;
  double log_in_;
  double log_out_;
};

// Averages of m features from those of the first m - 1 with and without the last. If in, given the others b,
//   b_m ~ N((c_m - g'b) / a, 1 / (precision a)), so with C = Cov(b | in) and mu = E(b | in)
//   mean = (c_m - g'mu) / a,  variance = g'C g / a^2 + 1 / (precision a),  Cov(b, b_m | in) = -C g / a.
// The mixture over in and out has covariance q C_in + (1 - q) C_out + q (1 - q) d d', d the difference of the means. As
// second moments minus squared means it would cancel where a coefficient is large beside its deviation.
void Tree::combine(const Undecided& state, Index m, const Posterior& without, const Posterior& with,
                   Posterior& out) const {
  const Index last = m - 1;
  const double* row = state.gram + triangle(last);
  const double a = pivot(state, last);
  const double inverse = 1 / a;
  const double c = state.correlation[last];
  const double log_with = log_in_ + 0.5 * (log_ridge_ - std::log(a) + precision_ * c * c * inverse) + with.log_gain;
  const double log_without = log_out_ + without.log_gain;
  // Probability of the last feature and log-sum-exp of the branches share the exponential.
  const double odds = std::exp(-std::abs(log_with - log_without));
  const double smaller = odds / (1 + odds), larger = 1 / (1 + odds);
  const double q = log_with < log_without ? smaller : larger;
  const double between = smaller * larger;
  out.log_gain = std::max(log_with, log_without) + std::log1p(odds);

  double mean = c, variance = 0;
  double* cross = out.covariance + triangle(last);  // first C row, then the covariances with the last feature
  std::fill_n(cross, last, 0.0);
  for (Index i = 0; i < last; ++i) {
    const double* C = with.covariance + triangle(i);
    double sum = C[i] * row[i];
    for (Index j = 0; j < i; ++j) {
      sum += C[j] * row[j];
      cross[j] += C[j] * row[i];
    }
    cross[i] += sum;
    mean -= row[i] * with.mean[i];
  }
  for (Index i = 0; i < last; ++i) variance += row[i] * cross[i];
  mean *= inverse;
  variance = (variance * inverse + 1 / precision_) * inverse;

  for (Index i = 0; i < last; ++i) {
    const double difference = with.mean[i] - without.mean[i];
    const double* C_with = with.covariance + triangle(i);
    const double* C_without = without.covariance + triangle(i);
    double* C = out.covariance + triangle(i);
    out.inclusion[i] = without.inclusion[i] + q * (with.inclusion[i] - without.inclusion[i]);
    out.mean[i] = without.mean[i] + q * difference;
    for (Index j = 0; j <= i; ++j) {
      C[j] = C_without[j] + q * (C_with[j] - C_without[j]) + between * difference * (with.mean[j] - without.mean[j]);
    }
    cross[i] = between * difference * mean - q * cross[i] * inverse;
  }
  out.inclusion[last] = q;
  out.mean[last] = q * mean;
  cross[last] = q * variance + between * mean * mean;
}

}  // namespace

SubsetAverage average_over_subsets(ConstMatrixView gram, std::span<const double> correlation, double samples,
                                   const SpikeAndSlab& model) {
  const Index p = correlation.size();
  assert(p <= 30 && gram.rows == p && gram.cols == p);
  SubsetAverage result{0, std::vector<double>(correlation.size()), std::vector<double>(correlation.size()),
                       Matrix(p, p)};
  if (p == 0) return result;
  const Tree tree(samples, model);
  std::vector<double> packed(triangle(p)), right(correlation.begin(), correlation.end());
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j <= i; ++j) packed[triangle(i) + j] = gram(i, j);
    packed[triangle(i) + i] += tree.ridge();
  }
  const Undecided all{packed.data(), right.data()};
  std::vector<double> covariance(packed.size());
  Posterior posterior{0, result.inclusion.data(), result.mean.data(), covariance.data()};
  Stack stack(p);
  const Index cut = std::min(p, subtree_features);

  // The top of the tree is walked twice, which costs nothing: once to cut it into pieces, once to put their averages
  // together, in the order of the cutting.
  std::vector<Subtree> subtrees;
  tree.walk(
      all, p, cut, stack, [&](const Undecided& state, Posterior&) { subtrees.emplace_back(state, cut); }, posterior);
  parallel_for(std::ssize(subtrees), 1, [&](Index first, Index end) {
    Stack own(cut);
    for (Index k = first; k < end; ++k) {
      Subtree& subtree = subtrees[k];
      tree.walk_all(subtree.undecided, cut, own, subtree.posterior);
    }
  });
  auto next = subtrees.begin();
  const auto known = [&](const Undecided&, Posterior& out) {
    const Posterior& found = (next++)->posterior;
    out.log_gain = found.log_gain;
    std::copy_n(found.inclusion, cut, out.inclusion);
    std::copy_n(found.mean, cut, out.mean);
    std::copy_n(found.covariance, triangle(cut), out.covariance);
  };
  tree.walk(all, p, cut, stack, known, posterior);

  result.log_gain = posterior.log_gain;
  for (Index i = 0; i < p; ++i) {
    for (Index j = 0; j <= i; ++j) {
      result.covariance(i, j) = result.covariance(j, i) = covariance[triangle(i) + j];
    }
  }
  return result;
}

}  // namespace tamis
