// A regression in its dual form: with w ~ N(0, R), R diagonal, the posterior mode is R X'd for a dual vector d with one
// entry per row. Everything that flas needs from the data, for any R, without a p x p matrix.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "problem/scaled_response.hpp"
#include "tamis/base/matrix.hpp"

namespace tamis {

/// Prior variance of every coefficient: one for most, a larger one for some.
struct PriorVariances {
  double common = 0;
  std::vector<Index> large_variance;  ///< features, increasing
  std::vector<double> values;         ///< theirs, >= common

  std::vector<double> all(Index features) const;
};

/// The most probable coefficients under some prior variances.
struct RidgeMode {
  std::vector<double> dual;            ///< the coefficients are variance times X'dual
  double intercept = 0;                ///< working scale
  double log_evidence = 0;             ///< of the response under these variances (Laplace's where it is not gaussian)
  std::vector<double> predictor = {};  ///< of these coefficients alone; empty where nothing can begin at it
};

class SparseRowGram;

class DualModel {
 public:
  explicit DualModel(const ScaledProblem& scaled) : scaled_(scaled) {}
  virtual ~DualModel() = default;
  DualModel(const DualModel&) = delete;
  DualModel& operator=(const DualModel&) = delete;

  const ScaledProblem& scaled() const { return scaled_; }
  Index features() const { return scaled_.features(); }
  /// Entries of a dual vector and of a predictor.
  virtual Index rows() const = 0;

  /// out = X' duals, features x any number.
  virtual void correlations(ConstMatrixView duals, MatrixView out) const = 0;
  /// For every dual vector the features, increasing, whose correlation with it is at least `inside` in size if they are
  /// in its slab (one for each, increasing), and at least `outside`, which is larger, if they are not.
  using Slabs = std::vector<std::vector<Index>>;
  virtual Slabs large_correlations(const Matrix& duals, const Slabs& slabs, double inside, double outside) const;
  /// X w, in the coordinates of dual vectors.
  virtual std::vector<double> predictor(std::span<const double> w) const = 0;
  /// Columns of these features, in the same coordinates.
  virtual Matrix columns(std::span<const Index> features) const = 0;

  /// `explained`: a part of the predictor that is given; empty: none. `near`: a mode nearby to begin from, or nullptr.
  virtual RidgeMode ridge(const PriorVariances& variances, std::span<const double> explained,
                          const RidgeMode* near) const = 0;
  /// Approximates ridge() for a search among many supports: with many rows the features of the common variance count as
  /// independent noise of each row, and the cost is that of the others. Its evidence is good for comparing; taken twice
  /// from its own mode it has all digits.
  virtual RidgeMode approximate_ridge(const PriorVariances& variances, const RidgeMode* near) const {
    return ridge(variances, {}, near);
  }
  /// One variance for all, to as many digits as a ranking of the features needs.
  virtual RidgeMode ranking_ridge(double variance) const { return ridge({variance, {}, {}}, {}, nullptr); }
  /// Whether approximate_ridge() differs from ridge().
  virtual bool is_approximate() const { return false; }
  /// Over the kept columns, if the model has made them; nullptr otherwise.
  virtual const SparseRowGram* passes() const { return nullptr; }
  /// Minus log likelihood at a predictor (the best intercept is found, and returned with it).
  struct Loss {
    double value = 0;
    double intercept = 0;
  };
  virtual Loss loss(std::span<const double> predictor, double intercept) const = 0;
  /// -d loss / d predictor.
  virtual std::vector<double> score(std::span<const double> predictor, double intercept) const = 0;
  /// Curvature of the loss of each observation (a row of X itself) in its predictor: d^2 loss / d predictor^2.
  virtual std::vector<double> curvature(std::span<const double> predictor, double intercept) const = 0;

  /// Variance of gaussian noise in units of the response; 1 where a family has none.
  virtual double noise_variance() const { return 1; }
  virtual void set_noise_variance(double) {}
  /// The noise variance of largest evidence above the floor at which it stops being identified, where it may be chosen;
  /// nothing if that evidence is below `min_evidence`.
  virtual std::optional<double> best_noise_variance(const PriorVariances& /*variances*/,
                                                    double /*min_evidence*/) const {
    return 1;
  }

 protected:
  const ScaledProblem& scaled_;
};

/// The one for the observations' family. Throws InvalidInput when both rows and features of a gaussian response are too
/// many for it.
std::unique_ptr<DualModel> make_dual_model(const ScaledProblem& scaled);

}  // namespace tamis
