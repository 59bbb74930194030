// Family: how y is distributed given the linear predictor eta. Stateless and thread-safe; loops over rows are inside,
// so a virtual call costs once per block of rows. A method that fits weighted gaussian data fits every family through
// quadratic(); solvers that need the exact function use loss() and derivatives(). A new family is one file in
// src/family and two lines of its registry, or a file of another program that calls add_family().
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/base/index.hpp"
#include "tamis/base/random.hpp"

namespace tamis {

/// Makes a likelihood conditionally gaussian: given the auxiliary variable of each row the log likelihood is
/// shift_i eta - precision_i eta^2 / 2. What samplers need of a family without a quadratic loss.
class Augmentation {
 public:
  virtual ~Augmentation() = default;
  /// Factor of eta in the exponent, for a row that counts `weight` times: bernoulli weight (y - 1/2).
  virtual double shift(double y, double weight) const = 0;
  /// Draws the precision of a row that counts `weight` times: bernoulli PG(weight, eta).
  virtual double draw_precision(double y, double weight, double eta, RandomStream& random) const = 0;
};

/// Log mass, mean and variance of p(y | offset + eta)^power N(eta; mean, 1 / precision): the tilted distribution of
/// expectation propagation.
struct TiltedNormal {
  double log_mass = 0;
  double mean = 0;
  double variance = 0;
};
class TiltedMoments {
 public:
  virtual ~TiltedMoments() = default;
  /// power in (0, 1], precision > 0.
  virtual TiltedNormal tilted(double y, double power, double offset, double mean, double precision) const = 0;
};

// For factor models.

/// What is believed of one predictor or loading: N(mean, variance).
struct NormalBelief {
  double mean = 0;
  double variance = 0;
};

/// A model of a loss at distance t from a point: loss - residual t + weight t^2 / 2.
struct QuadraticModel {
  double residual = 0;
  double weight = 0;
};

/// Prior of one loading: as if `count` cells of value `value` had been seen whose predictor is the loading itself. For
/// an exponential family that is its conjugate prior.
class LoadingPrior {
 public:
  LoadingPrior(double value, double count) : value_(value), count_(count) {}
  virtual ~LoadingPrior() = default;
  double value() const { return value_; }
  double count() const { return count_; }

  virtual double log_density(double loading) const = 0;  ///< up to a constant
  virtual double slope(double loading) const = 0;        ///< its derivative
  /// Quadratic model of minus the log density at a loading, and of its mean over a belief: bounds if the family's are.
  virtual QuadraticModel quadratic(double loading) const = 0;
  virtual QuadraticModel expected_quadratic(const NormalBelief& loading) const = 0;
  /// Mean of the log density over a belief, or its bound, up to a constant.
  virtual double expected_log_density(const NormalBelief& loading) const = 0;

 private:
  double value_, count_;
};

class Family {
 public:
  /// What a response looks like: files, labels, charts, folds and Python ask this, never the name.
  enum class Response { real, binary, count };
  struct Traits {
    std::string_view name;
    Response response = Response::real;
    bool quadratic_loss = false;      ///< the loss is exactly quadratic in eta with constant curvature
    bool has_noise = false;           ///< the response has a noise variance of its own
    bool quadratic_is_bound = false;  ///< quadratic() lies below the log density everywhere, so that a method may
                                      ///< guarantee a monotone objective; false: it only touches to second order
    double largest_offset = 1e150;    ///< beyond it squares overflow; 1000 where an offset is a logarithm
    double row_information = 0;       ///< Fisher information of a row about eta at the null model; 0: unknown
  };
  /// What the errors of this family are called.
  struct Words {
    std::string_view validation_error = "mean deviance";         ///< of a search: mean squared error
    std::string_view error = "mean deviance of a held-out row";  ///< of a comparison, in a sentence
    std::string_view error_label = "deviance";                   ///< of a comparison: misclassification rate
    std::string_view error_column = "deviance";                  ///< the same over a narrow column: error rate
    std::string_view error_name = "deviance";                    ///< the same in files: RMSE
  };

  virtual ~Family() = default;

  virtual const Traits& traits() const = 0;
  std::string_view name() const { return traits().name; }
  bool quadratic_is_bound() const { return traits().quadratic_is_bound; }
  bool is_quadratic() const { return traits().quadratic_loss; }
  bool has_noise() const { return traits().has_noise; }
  bool is_binary() const { return traits().response == Response::binary; }
  virtual Words words() const { return {}; }

  /// Throws InvalidInput naming the first row (counted from 1) that this family does not allow, and what to do.
  /// A response whose fit is undefined (one class, all zero counts, no row of positive weight) is refused too;
  /// a constant gaussian response is not: its fit is the intercept. Empty weights: all ones.
  virtual void check(std::span<const double> y, std::span<const double> weights) const = 0;
  /// Why one value cannot be a response, "" if it can: "expects 0 or 1". For cells of a table and rows to predict.
  virtual std::string_view complaint(double value) const = 0;
  /// How much a response looks like this family; guess_family() takes the largest above 0.
  virtual double resemblance(std::span<const double> y) const {
    (void)y;
    return 0;
  }

  /// Quadratic view at q(eta_i) = N(eta_mean_i, eta_variance_i) (empty variance: zeros): E log p(y|eta) is
  /// constant - 1/2 sum_i weights_i (working_i - eta_i)^2, below or near it. Returns the constant, the same for a
  /// point eta and for the mean over q, where (working_i - eta_i)^2 is (working_i - eta_mean_i)^2 + eta_variance_i.
  virtual double quadratic(std::span<const double> y, std::span<const double> eta_mean,
                           std::span<const double> eta_variance, std::span<double> weights,
                           std::span<double> working) const = 0;

  /// log p(y | eta) with all constants; gaussian at noise variance 1.
  virtual double log_density(double y, double eta) const = 0;
  /// Loss -log p(y | eta) without what does not depend on eta: 1/2 (y - eta)^2, log(1 + e^eta) - y eta, e^eta - y eta.
  virtual double loss(double y, double eta) const = 0;
  /// residual_i = -d loss / d eta, curvature_i = d^2 loss / d eta^2 (>= 0).
  virtual void derivatives(std::span<const double> y, std::span<const double> eta, std::span<double> residual,
                           std::span<double> curvature) const = 0;
  /// Fenchel conjugate of the loss at -residual: sup over eta of (-residual * eta - loss). For duality gaps;
  /// +infinity outside its domain.
  virtual double conjugate(double y, double residual) const = 0;

  /// E[y | eta] and its inverse.
  virtual double mean(double eta) const = 0;
  virtual double link(double mean) const = 0;
  /// E[y | eta] as predictions show it: mean() without the limits that keep solvers finite, so it may be infinite.
  virtual double predicted_mean(double eta) const { return mean(eta); }
  /// Deviance of one observation, 2 (saturated - fitted log likelihood).
  virtual double deviance(double y, double eta) const = 0;

  /// Central interval of a new observation with this mean; `variance` is that of the observation where the family has
  /// noise, else it is not used. NaN for two classes, which have none.
  struct Interval {
    double lower, upper;
  };
  virtual Interval interval(double mean, double variance, double level) const = 0;
  /// A new observation.
  virtual double draw(double eta, double noise_variance, RandomStream& random) const = 0;

  // Abilities that a method may need; nullptr: this family has none.
  virtual const Augmentation* augmentation() const { return nullptr; }  ///< conditionally gaussian: gibbs
  virtual const TiltedMoments* tilted() const { return nullptr; }       ///< ep

  // For factor models, over the cells x of a row or a column with predictors psi. What is not overridden follows from
  // the functions above; a quadratic loss is taken to be (x - psi)^2 / 2. The noise variance is 1 for a family without
  // one.

  /// This family for tables whose cells go up to `largest_cell`, if predictors have to be limited there: to `limit`, or
  /// to what such cells can ask for. nullptr: they are not limited.
  virtual std::unique_ptr<const Family> limited(std::optional<double> limit, double largest_cell) const;
  /// Predictors beyond it count as this.
  virtual std::optional<double> predictor_limit() const { return {}; }

  /// Loss of each cell, and a quadratic model of it around psi: a bound if quadratic_is_bound, else Newton's.
  virtual void quadratic_losses(std::span<const double> x, std::span<const double> psi, std::span<double> loss,
                                std::span<double> residual, std::span<double> weight) const;
  struct Beliefs {
    std::span<const double> mean, variance;
  };
  /// The same of the mean loss over beliefs, around their means and divided by the noise variance.
  virtual void expected_quadratic(std::span<const double> x, Beliefs psi, double noise_precision,
                                  std::span<double> residual, std::span<double> weight) const;
  /// Mean of log p(x | psi) over beliefs, or its bound, without what x and the noise alone decide.
  virtual void expected_log_density(std::span<const double> x, Beliefs psi, double noise_precision,
                                    std::span<double> out) const;
  /// What x alone decides: log p(x | psi) + loss, at noise variance 1. False, and nothing is written, if it is 0 for
  /// every x.
  virtual bool log_base(std::span<const double> x, std::span<double> out) const;
  /// log p(x | psi) with all constants; the log of its mean over a belief.
  virtual double cell_log_density(double x, double psi, double noise_variance) const;
  virtual double predictive_log_density(double x, const NormalBelief& psi, double noise_variance) const;
  /// A new cell: the mean at the mean predictor, standard deviation and a central interval of 95 %. Two classes need
  /// none, and a quadratic loss is known to give a normal one.
  struct Forecast {
    double mean, sd, lower, upper;
  };
  virtual Forecast forecast(const NormalBelief& psi, double noise_variance) const;

  virtual std::unique_ptr<const LoadingPrior> loading_prior() const;
  /// Where the predictor of a column with this mean begins; 0 if no predictor has it.
  virtual double start_predictor(double mean) const;
  /// Curvature of the loss of a typical cell in a column whose `count` cells sum to `sum`.
  virtual double typical_curvature(double sum, double count) const;

  /// out_i = loss(y_i, eta_i).
  void losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const {
    local_losses(y, eta, out);
  }

  // End of what is for factor models.

  /// Sum of w_i loss(y_i, eta_i). Empty weights: ones.
  double total_loss(std::span<const double> y, std::span<const double> eta, std::span<const double> weights) const;
  /// Sum of w_i log_density(y_i, eta_i). Empty weights: ones.
  virtual double total_log_density(std::span<const double> y, std::span<const double> eta,
                                   std::span<const double> weights) const;

 protected:
  /// out_i = loss(y_i, eta_i): the inner loop of total_loss, for a kind that can do many at once.
  virtual void local_losses(std::span<const double> y, std::span<const double> eta, std::span<double> out) const;
};

/// The former name, for one release.
using Likelihood = Family;

/// "real", "binary" or "count".
std::string_view name_of(Family::Response response);

/// The family of that name; throws InvalidOption listing the names.
const Family& family(std::string_view name);
inline const Family& likelihood(std::string_view name) { return family(name); }
/// All of them, in the order of lists.
std::vector<const Family*> families();
inline std::vector<const Family*> likelihoods() { return families(); }
/// Adds a family for the rest of the program, from any thread: fit(), predict(), reports, factor models, the command
/// line and the Python package of a program that it is linked into know it then. Only before the list is used for the
/// first time: from the initializer of a namespace-scope object of its file, or at the start of main(). The family must
/// live as long as the program. Throws InvalidInput for a name that is taken, and once the list is in use.
const Family& add_family(const Family& family);

/// Whether the response has two different values among the rows of positive weight (empty weights: all rows).
bool response_varies(std::span<const double> y, std::span<const double> weights);
/// Throws InvalidInput with a message for the user if it does not: for programs whose user probably meant another
/// column. Methods themselves accept a constant gaussian response.
void check_response_varies(std::span<const double> y, std::span<const double> weights);
/// The name of the family that a response resembles most: two values 0/1 -> bernoulli, anything else -> gaussian.
/// Counts are not guessed: a response of small integers may well be a score. (Of a table: guess_family() of
/// tamis/factor.)
std::string_view guess_family(std::span<const double> y);

}  // namespace tamis
