// MeanFieldSweep: the mean field of a gaussian problem on a working set, from the set's Gram matrix alone.
//
// One feature at a time, (m_i, w_i) jointly take their best values given all others, which is closed form; so the free
// energy falls at every step. X is not touched: correlations follow from the Gram matrix, and so does the residual's
// square, which is exact again each time that the true residual has been formed.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "method/mean_field/mean_field_problem.hpp"

namespace tamis {

class MeanFieldSweep {
 public:
  MeanFieldSweep(const MeanFieldProblem& problem, Index capacity);

  Index size() const { return std::ssize(features_); }
  Index capacity() const { return capacity_; }
  const std::vector<Index>& features() const { return features_; }
  std::span<const double> logits() const { return logit_; }
  std::span<const double> inclusion() const { return m_; }
  std::span<const double> means() const { return mean_; }
  std::span<const double> variances() const { return variance_; }
  std::span<const double> coefficients() const { return alpha_; }
  double curvature(Index k) const { return chi_[k]; }
  /// Column k of the Gram matrix.
  std::span<const double> products(Index k) const { return {gram_.get() + k * room_, features_.size()}; }
  std::span<double> correlations() { return g_; }
  std::span<const double> correlations() const { return g_; }

  /// New members begin at zero with these correlations x'Wr.
  void append(std::span<const Index> added, std::span<const double> correlations);
  /// All members at once, at zero, with a Gram matrix known elsewhere: value(i, j) for i >= j.
  template <class Value>
  void assign(const std::vector<Index>& features, const Value& value) {
    features_ = features;
    const Index count = size();
    make_room(count, 0);
    for (Index j = 0; j < count; ++j) {
      for (Index i = j; i < count; ++i) {
        const double entry = value(i, j);
        gram_[j * room_ + i] = entry;
        gram_[i * room_ + j] = entry;
      }
    }
    set_to_zero();
  }
  /// Correlations and square from those of the response, X'Wy and y'Wy, for a set that holds all features.
  void take_products(std::span<const double> xy, double yy);
  /// Keeps the members at these places (increasing).
  void keep(std::span<const Index> places);
  /// Puts the members into this state; correlations and square are then the caller's to set.
  void set_member(Index k, double logit, double mean, double variance);
  /// The same, and everyone's correlation follows.
  void move_member(Index k, double logit, double mean, double variance);
  void clear();
  /// What changes when members move.
  struct State {
    std::vector<double> m, logit, mean, variance, alpha, g;
    double square = 0, residual_mean = 0;
  };
  State state() const { return {m_, logit_, mean_, variance_, alpha_, g_, square_, residual_mean_}; }
  void restore(const State& state);
  /// The problem's weights have changed; its correlations and square are the caller's to set.
  void update_weights();
  /// For a likelihood without noise, whose weights follow the field: `constant` stands in for the noise's part of the
  /// free energy, and the intercept is a coordinate of its own. (Profiled out, it would make the curvature of a feature
  /// depend on the weights' center, and the free energy could rise when they change.)
  void set_working(double constant) { constant_ = constant; }

  /// Weighted mean square of the residual.
  double square() const { return square_; }
  void set_square(double square) { square_ = square; }
  /// The noise and the slab are never estimated below these variances.
  void set_least_variances(double noise, double slab) {
    least_noise_ = noise;
    least_slab_ = slab;
  }

  /// Steps up to this many posterior sds are left out.
  void set_negligible_step(double step) { negligible_step_ = step; }

  struct Sweep {
    double change = 0;  ///< largest |dm|, |d coefficient| in posterior sds, |d log noise|
  };
  /// One pass over the members, then the hyperparameters that are learned.
  Sweep sweep(MeanFieldParameters& hyper, const Remainder& remainder);
  /// Gives the hyperparameters that are learned their best values; returns the largest change, in logs.
  double update_hyper(MeanFieldParameters& hyper, const Remainder& remainder) const;
  /// Eq. 7 of the Variational Garrote, or minus the bound up to the prior's normalization.
  double free_energy(const MeanFieldParameters& hyper, const Remainder& remainder) const;
  double expected_square(const Remainder& remainder) const;
  double total_inclusion() const;

 private:
  /// In the Gram matrix for so many members; that of the first `kept` stays.
  void make_room(Index members, Index kept);
  void fill_gram(Index before);
  void set_to_zero();
  void step_intercept();
  double update(Index k, const MeanFieldParameters& hyper, double precision);
  void update_correlations(Index k, double step);
  double update_noise(MeanFieldParameters& hyper, const Remainder& remainder) const;
  double update_prior(MeanFieldParameters& hyper, const Remainder& remainder) const;

  const MeanFieldProblem& problem_;
  Index capacity_;
  std::vector<Index> features_;
  std::unique_ptr<double[]> gram_;  // room_ x room_, column-major, symmetric
  Index room_ = 0;
  std::vector<double> means_of_columns_;
  double residual_mean_ = 0;  // since the last step of the intercept
  std::vector<double> chi_, m_, logit_, mean_, variance_, alpha_, g_;
  double square_ = 0;
  std::optional<double> constant_;
  double negligible_step_ = 0;
  double least_noise_ = 0, least_slab_ = 0;
};

}  // namespace tamis
