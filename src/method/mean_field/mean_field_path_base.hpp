// MeanFieldPathBase: the mean field of one problem along a path of priors. MeanFieldPath is the fast one on any X;
// FixedPoint solves the published equations with dense linear algebra.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "method/mean_field/mean_field_problem.hpp"
#include "solver/path/screened_problem.hpp"
#include "tamis/base/observer.hpp"

namespace tamis {

/// The mean field at one prior.
struct MeanFieldPoint {
  MeanFieldParameters hyper;
  double precision = 0;  ///< of all rows together
  double free_energy = 0;
  double total = 0;           ///< expected number of features
  Index active = 0;           ///< features with inclusion probability above 0.5
  double training_error = 0;  ///< mean deviance of the training rows
  double held_out = 0;        ///< mean deviance of the validation rows
  double intercept = 0;
  double certificate = 0;              ///< what one more step would change, in posterior sds
  std::vector<std::int32_t> features;  ///< those that are not negligible, with their log odds, mean and variance
  std::vector<double> logits, means, variances;
};

/// Log odds of inclusion, and mean and variance of the weight, for every feature.
struct FeaturePosteriors {
  std::vector<double> logits, means, variances;
};

class MeanFieldPathBase : public ScreenedProblem {
 public:
  MeanFieldPathBase(const MeanFieldPathBase&) = delete;
  MeanFieldPathBase& operator=(const MeanFieldPathBase&) = delete;

  /// The null model, to be checked: after that strongest() is known.
  virtual void start(const MeanFieldParameters& hyper) = 0;
  /// Solves some of `priors`, beginning with the first that is not accepted yet. Where `warm_start_candidates`
  /// has a point of lower free energy for the same prior, the path continues from that one.
  virtual void solve_block(std::span<const SpikeSlab> priors,
                           std::span<const MeanFieldPoint> warm_start_candidates = {}) = 0;
  /// Goes through these priors in its working set alone, and stays at the last, or before the first that interpolates.
  /// Returns the points that it solved.
  virtual std::vector<MeanFieldPoint> solve_on_working_set(
      std::span<const SpikeSlab> priors, std::span<const MeanFieldPoint> warm_start_candidates = {}) = 0;
  /// Free energy of the present state, as far as the working set knows.
  virtual double present_free_energy() const = 0;
  /// The present state, as far as the working set knows.
  virtual MeanFieldPoint present_point() const = 0;
  /// Forgets the points, and continues from this one.
  virtual void restart(const MeanFieldPoint& from) = 0;
  /// Every feature at the last accepted point, which must have been accepted with `record` set.
  virtual FeaturePosteriors state() const = 0;

  /// Bound on the log evidence of a field with a normal slab: its free energy and the prior's normalization.
  double evidence_bound(double free_energy, const MeanFieldParameters& hyper) const {
    return -(free_energy + static_cast<double>(problem_.X.cols()) * log1pexp(hyper.prior.log_odds));
  }

  const Design& design() const override { return problem_.X; }
  /// What the strongest feature alone would add to its log odds, at the null model.
  double strongest() const { return strongest_; }
  /// Variance of what there is to explain; 0: nothing.
  double response_square() const { return response_square_; }
  const std::vector<MeanFieldPoint>& points() const { return points_; }
  std::vector<MeanFieldPoint> release_points() { return std::exchange(points_, {}); }
  Index accepted() const { return std::ssize(points_); }
  /// The next prior leads to interpolation, or to more features than can be distinguished: the path ends before it.
  bool interpolates() const { return interpolates_; }
  /// From now on points are this exact, the state of every feature is kept, and every step is traced.
  void start_recording(double tolerance) {
    tolerance_ = tolerance;
    recording_ = true;
    trace_.clear();
  }
  /// No longer.
  void stop_recording() {
    tolerance_ = 1e-5;
    recording_ = false;
  }
  const std::vector<TracePoint>& trace() const { return trace_; }

 protected:
  explicit MeanFieldPathBase(MeanFieldProblem problem) : problem_(std::move(problem)) {}

  /// Whether `candidate` is a better point of the same prior than one with this free energy, by more than rounding.
  static bool is_better(const MeanFieldPoint& candidate, double free_energy) {
    return candidate.free_energy < free_energy - 1e-8 * (1 + std::abs(free_energy));
  }
  void record_step(double free_energy, double change, Index in_play) {
    trace_.push_back({std::ssize(trace_) + 1, free_energy, change, in_play, change});
  }

  MeanFieldProblem problem_;
  double response_square_ = 0, strongest_ = 0;
  double tolerance_ = 1e-5;
  bool recording_ = false;
  bool interpolates_ = false;
  std::vector<MeanFieldPoint> points_;
  std::vector<TracePoint> trace_;
};

}  // namespace tamis
