// exact: gaussian spike-and-slab regression of at most 20 features, the reference for every approximation.
//
// Model      y = offset + b0 + X b + noise,  noise ~ N(0, noise_variance),  b0 flat;
//            b_j = 0 with probability 1 - prior_inclusion, otherwise b_j ~ N(0, slab_variance), on the working scale
// Algorithm  hyperparameters that are not given maximize the log evidence, by quasi-Newton EM
//            (solver/smooth/quasi_newton_em.hpp, empirical_bayes.cpp); each evaluation enumerates all 2^p subsets
//            (subset_enumeration.cpp)
// Invariant  kept_ and model_ are those of the last accepted step, and the objective never falls from one to the next;
//            a rejected extrapolation leaves them alone. Cancelled or stalled runs return them.
// Why        the oracle of the other methods' tests and experiments: no error but rounding, and that of the
//            hyperparameters' stationarity, which the message states
#include <fmt/format.h>

#include <algorithm>

#include "method/exact/empirical_bayes.hpp"
#include "method/exact/evidence.hpp"
#include "solver/smooth/quasi_newton_em.hpp"
#include "tamis/base/plural.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

// Of logit or logarithm of a hyperparameter at the maximum of the evidence: the relative error of the answer.
constexpr double tolerance = 1e-8;
constexpr Index most_steps = 500;

class ExactFit {
 public:
  ExactFit(const Problem& problem, const Options& options, const Control& control, Index most_features)
      : control_(control), evidence_(problem, most_features), hyper_(evidence_, options) {}

  Fit run() {
    const EmProblem problem{[this](std::span<const double> x) { return expect(x); }, hyper_.lower(), hyper_.upper()};
    return result(quasi_newton_em(problem, hyper_.start(), tolerance, most_steps,
                                  [this](std::span<const double> x, const Expectation& expectation, double distance) {
                                    return accepted(x, expectation, distance);
                                  }));
  }

 private:
  Expectation expect(std::span<const double> x) {
    const SpikeAndSlab model = hyper_.model_at(x);
    tried_ = evidence_.at(model);
    return hyper_.expectation(model, tried_);
  }
  bool accepted(std::span<const double> x, const Expectation& expectation, double distance);
  Fit result(const EmResult& climbed);

  const Control& control_;
  Evidence evidence_;
  EmpiricalBayes hyper_;
  Evidence::Value tried_;  // of the last point evaluated
  Evidence::Value kept_;   // of the best
  SpikeAndSlab model_;     // of the best
  std::vector<TracePoint> trace_;
};

bool ExactFit::accepted(std::span<const double> x, const Expectation& expectation, double distance) {
  kept_ = tried_;
  model_ = hyper_.model_at(x);
  const double change = trace_.empty() ? 0.0 : expectation.objective - trace_.back().objective;
  const auto active = std::ranges::count_if(kept_.average.inclusion, [](double q) { return q >= 0.5; });
  trace_.push_back({std::ssize(trace_) + 1, expectation.objective, change, active, distance});
  if (control_.observer == nullptr) return true;
  control_.observer->trace(trace_.back());
  // Most climbs take about ten steps: a fraction that never falls and does not reach 1 early.
  const auto steps = static_cast<double>(trace_.size());
  control_.observer->progress(distance <= tolerance ? 1.0 : steps / (steps + 5), "evidence");
  return distance <= tolerance || !control_.observer->cancelled();
}

Fit ExactFit::result(const EmResult& climbed) {
  const double unit2 = evidence_.unit() * evidence_.unit();
  Fit fit;
  evidence_.to_original(kept_.average, fit);
  fit.noise_variance = model_.noise_variance * unit2;
  fit.hyper["prior_inclusion"] = model_.prior_inclusion;
  fit.hyper["slab_variance"] = model_.slab_variance * unit2;
  fit.hyper["expected_features"] = kept_.expected_size;
  fit.objective = kept_.log_evidence;
  fit.trace = std::move(trace_);
  fit.status = climbed.end == EmEnd::converged         ? Status::converged
               : climbed.end == EmEnd::stopped         ? Status::cancelled
               : climbed.end == EmEnd::iteration_limit ? Status::iteration_limit
                                                       : Status::stalled;
  fit.message = fmt::format("{}{} enumerated; expected number of features {:.3g}, log evidence {:.6g}, {}",
                            fit.status == Status::cancelled ? "cancelled; " : "",
                            plural(Index{1} << evidence_.features(), "subset"), kept_.expected_size, fit.objective,
                            hyper_.description(model_));
  if (hyper_.learns()) fit.message += fmt::format("; hyperparameters stationary to {:.1e}", climbed.distance);
  return fit;
}

class Exact final : public Method {
 public:
  std::string_view name() const override { return "exact"; }
  std::string estimator() const override { return "ExactSpikeSlab"; }
  std::string_view summary() const override {
    return "Spike-and-slab regression by enumeration of all subsets (at most 20 features): exact inclusion "
           "probabilities";
  }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override {
    return family.is_quadratic() ? "" : "a quadratic loss with gaussian noise";
  }
  InclusionKind inclusion_kind() const override { return InclusionKind::posterior; }
  bool promises_monotone() const override { return true; }
  Index most_features() const override { return 20; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> Exact::fields() const {
  return {
      Field::real("prior_inclusion",
                  "prior probability that a feature is included; default: learned by maximum evidence", {}, 0, 1,
                  /*open_minimum=*/true),
      Field::real(
          "slab_variance",
          "prior variance of an included coefficient, for standardized columns; default: learned by maximum evidence",
          {}, 0, 1e300, true),
      Field::real("noise_variance", "noise variance; default: learned by maximum evidence", {}, 0, 1e300, true),
  };
}

Fit Exact::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  return ExactFit(problem, options, control, most_features()).run();
}

}  // namespace

const Method& exact() {
  static const Exact method;
  return method;
}

}  // namespace tamis
