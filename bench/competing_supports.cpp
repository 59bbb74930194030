#include "bench/competing_supports.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <vector>

#include "experiments/designs.hpp"
#include "tamis/base/random.hpp"

namespace tamis::bench {
namespace {

constexpr double smallest = 0.5, largest = 1.5;  // of a coefficient, either sign
constexpr double second_moment = 13.0 / 12;      // of such a coefficient
constexpr double density = 0.5;                  // of the law there
constexpr Index draws = 400;                     // of the integral over the boxes
constexpr double no_competitor = -2;             // log odds from which on a competitor is looked for

double below(double x) { return 0.5 * std::erfc(-x / M_SQRT2); }
double point_below(double probability) {
  constexpr double least = 1e-16;
  return -M_SQRT2 * boost::math::erfc_inv(2 * std::clamp(probability, least, 1 - least));
}

// Probabilities of N(center, width^2) in [-largest, -smallest] and in [smallest, largest].
struct Sides {
  Sides(double center, double width)
      : before_negative(below((-largest - center) / width)),
        negative(below((-smallest - center) / width) - before_negative),
        before_positive(below((smallest - center) / width)),
        positive(below((largest - center) / width) - before_positive) {}
  double log_both() const { return std::log(std::max(negative + positive, 1e-300)); }

  double before_negative, negative, before_positive, positive;
};

// Log probability that every coordinate of N(mean, L L') lies in +-[smallest, largest]: one coordinate after the other,
// each drawn within its interval given those before it (Geweke, Hajivassiliou, Keane). Exact for independent ones, and
// the estimates of different supports share their random numbers.
double log_box_probability(const Eigen::VectorXd& mean, const Eigen::MatrixXd& L) {
  const Index k = mean.size();
  std::vector<double> logs(draws);
  for (Index d = 0; d < draws; ++d) {
    RandomStream random(/*seed=*/0, static_cast<std::uint64_t>(d));
    Eigen::VectorXd z(k);
    for (Index i = 0; i < k; ++i) {
      const Sides sides(mean[i] + L.row(i).head(i).dot(z.head(i)), L(i, i));
      logs[d] += sides.log_both();
      const double u = random.uniform01() * (sides.negative + sides.positive);
      z[i] = point_below(u < sides.negative ? sides.before_negative + u : sides.before_positive + u - sides.negative);
    }
  }
  const double top = std::ranges::max(logs);
  double sum = 0;
  for (const double l : logs) sum += std::exp(l - top);
  return top + std::log(sum / static_cast<double>(draws));
}

class Supports {
 public:
  explicit Supports(const experiments::Simulation& data)
      : X_(Eigen::Map<const Eigen::MatrixXd>(data.train.X.col(0), data.train.rows(), data.train.cols())),
        y_(Eigen::Map<const Eigen::VectorXd>(data.train.y.col(0), data.train.rows())),
        truth_(data.truth.support),
        noise_(data.truth.noise_variance) {
    X_.rowwise() -= X_.colwise().mean().eval();
    y_.array() -= y_.mean();
    xy_ = X_.transpose() * y_;
    norms_ = X_.colwise().squaredNorm().transpose();
    products_ = columns(truth_).transpose() * X_;
    const double share = static_cast<double>(truth_.size()) / static_cast<double>(X_.cols());
    prior_odds_ = std::log(share / (1 - share));
  }

  CompetingSupports compare() {
    uniform_truth_ = uniform(truth_);
    normal_truth_ = normal(truth_);
    CompetingSupports best{no_competitor, no_competitor, no_competitor};
    for (Index out = 0; out < std::ssize(truth_); ++out) {
      std::vector<Index> rest = truth_;
      rest.erase(rest.begin() + static_cast<Index>(out));
      best.any_size = std::max(best.any_size, uniform(rest) - prior_odds_ - uniform_truth_);
      best.normal = std::max(best.normal, normal(rest) - prior_odds_ - normal_truth_);
      const auto [uniform_odds, normal_odds] = best_addition(rest, best.same_size);
      best.same_size = std::max(best.same_size, uniform_odds);
      best.normal = std::max(best.normal, normal_odds);
    }
    const auto [uniform_odds, normal_odds] = best_addition(truth_, best.any_size - prior_odds_);
    best.any_size = std::max({best.any_size, best.same_size, uniform_odds + prior_odds_});
    best.normal = std::max(best.normal, normal_odds + prior_odds_);
    return best;
  }

 private:
  Eigen::MatrixXd columns(const std::vector<Index>& support) const { return X_(Eigen::all, support); }

  // Log evidence of a support with the coefficients' own law, up to what all supports share.
  double uniform(const std::vector<Index>& support) const {
    const Eigen::MatrixXd X = columns(support);
    const Eigen::LLT<Eigen::MatrixXd> gram(X.transpose() * X);
    const Eigen::VectorXd mean = gram.solve(X.transpose() * y_);
    const Eigen::MatrixXd covariance = noise_ * gram.solve(Eigen::MatrixXd::Identity(X.cols(), X.cols()));
    return flat(gram, (y_ - X * mean).squaredNorm()) + log_box_probability(mean, covariance.llt().matrixL());
  }
  // The same if the law did not end at its bounds.
  double flat(const Eigen::LLT<Eigen::MatrixXd>& gram, double residual_square) const {
    const double half_log_determinant = gram.matrixLLT().diagonal().array().log().sum();
    const double k = static_cast<double>(gram.rows());
    return -0.5 * residual_square / noise_ + k * (0.5 * std::log(2 * M_PI * noise_) + std::log(density)) -
           half_log_determinant;
  }
  double normal(const std::vector<Index>& support) const {
    const Eigen::MatrixXd X = columns(support);
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(X.cols(), X.cols());
    const Eigen::LLT<Eigen::MatrixXd> gram(X.transpose() * X + noise_ / second_moment * I);
    return normal_evidence(gram, y_.squaredNorm() - (gram.matrixL().solve(X.transpose() * y_)).squaredNorm());
  }
  double normal_evidence(const Eigen::LLT<Eigen::MatrixXd>& gram, double residual_square) const {
    const double half_log_determinant = gram.matrixLLT().diagonal().array().log().sum();
    return -0.5 * residual_square / noise_ + 0.5 * static_cast<double>(gram.rows()) * std::log(noise_ / second_moment) -
           half_log_determinant;
  }

  struct Odds {
    double uniform, normal;
  };
  // Of the best support with one more feature than `base` (a part of the truth) that is not a true one, against the
  // truth, without the prior's part. A uniform one worse than `known` need not be found.
  Odds best_addition(const std::vector<Index>& base, double known) const {
    const Eigen::MatrixXd part = columns(base);
    Eigen::MatrixXd rows(std::ssize(base), X_.cols());
    for (Index s = 0; s < std::ssize(base); ++s) {
      rows.row(s) = products_.row(std::ranges::lower_bound(truth_, base[s]) - truth_.begin());
    }
    const Eigen::MatrixXd gram = part.transpose() * part;
    const Eigen::VectorXd correlations = part.transpose() * y_;
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(gram.rows(), gram.rows());
    struct Candidate {
      double ceiling;
      Index feature;
    };
    std::vector<Candidate> candidates;
    double best_normal = no_competitor;
    for (const double ridge : {0.0, noise_ / second_moment}) {
      const Eigen::LLT<Eigen::MatrixXd> factor(gram + ridge * I);
      const Eigen::MatrixXd W = factor.matrixL().solve(rows);
      const Eigen::VectorXd z = factor.matrixL().solve(correlations);
      const double square = y_.squaredNorm() - z.squaredNorm();
      for (Index j = 0; j < X_.cols(); ++j) {
        if (std::ranges::binary_search(truth_, j)) continue;
        const double left = norms_[j] + ridge - W.col(j).squaredNorm();
        const double rest = square - std::pow(xy_[j] - W.col(j).dot(z), 2) / left;
        if (ridge > 0) {
          const double evidence =
              normal_evidence(factor, rest) + 0.5 * std::log(noise_ / second_moment) - 0.5 * std::log(left);
          best_normal = std::max(best_normal, evidence - normal_truth_);
        } else {
          const double one_more = 0.5 * std::log(2 * M_PI * noise_ / left) + std::log(density);
          // All coefficients within their bounds are no more probable than this one is.
          const Sides sides((xy_[j] - W.col(j).dot(z)) / left, std::sqrt(noise_ / left));
          candidates.push_back({flat(factor, rest) + one_more + sides.log_both() - uniform_truth_, j});
        }
      }
    }
    std::ranges::sort(candidates, std::ranges::greater(), &Candidate::ceiling);
    double best = no_competitor;
    for (const Candidate& candidate : candidates) {
      if (candidate.ceiling <= std::max(best, known)) break;
      std::vector<Index> support = base;
      support.push_back(candidate.feature);
      best = std::max(best, uniform(support) - uniform_truth_);
    }
    return {best, best_normal};
  }

  Eigen::MatrixXd X_;
  Eigen::VectorXd y_;
  const std::vector<Index>& truth_;
  double noise_, prior_odds_ = 0;
  Eigen::VectorXd xy_, norms_;
  Eigen::MatrixXd products_;  // of the true features with all
  double uniform_truth_ = 0, normal_truth_ = 0;
};

}  // namespace

CompetingSupports strongest_competitors(const std::string& design, std::uint64_t seed,
                                        const std::map<std::string, double>& parameters) {
  const experiments::Simulation data = experiments::simulate(design, seed, parameters);
  return Supports(data).compare();
}

}  // namespace tamis::bench
