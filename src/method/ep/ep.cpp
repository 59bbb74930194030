// ep: spike-and-slab regression by expectation propagation, the accurate approximation.
//
// Model      that of gibbs: y ~ family(offset + b0 + X b), b_j ~ pi N(0, slab) + (1 - pi) N(0, spike)
// Algorithm  the posterior is approximated by a normal distribution whose moments match the tilted distribution of
//            every prior: propagation.cpp updates the sites of the prior, joint_part.cpp or factorized_part.cpp holds
//            the likelihood; hyperparameters that are not given are learned by EM on the approximate evidence
// Invariant  what is returned is the last proper approximation: positive variances and a finite log evidence. The
//            message says if sites were constrained or learning was given up, because then deviations and evidence are
//            biased.
// Papers     Minka (2001), UAI 17; Hernandez-Lobato, Hernandez-Lobato & Suarez (2015), Machine Learning 99
#include <fmt/format.h>

#include <cmath>

#include "method/ep/propagation.hpp"
#include "problem/spike_slab_options.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

Status status_of(PropagationEnd end) {
  switch (end) {
    case PropagationEnd::converged:
      return Status::converged;
    case PropagationEnd::stopped:
      return Status::cancelled;
    case PropagationEnd::improper:
      return Status::numerical_failure;
    case PropagationEnd::sweep_limit:
      break;
  }
  return Status::iteration_limit;
}

// What a state is that the sweeps did not suffice for.
std::string rest_of(const Propagation& run) {
  // Sites that learning disturbs come to rest again within a few sweeps.
  constexpr Index soon = 25;
  const Index sweeps = run.trace().size(), since = sweeps - run.rested_at();
  if (run.rested_at() == 0) return "; the sites have not come to rest: compare with method gibbs";
  if (since <= soon) return "; sites and hyperparameters still move a little: increase sweeps";
  return fmt::format(
      "; the sites did not come to rest in the last {} sweeps, and the state of sweep {} is returned: compare with "
      "method gibbs",
      since, run.rested_at());
}

std::string message_of(const Propagation& run, PropagationEnd end, double log_evidence, double expected) {
  std::string words = end == PropagationEnd::stopped ? "cancelled; " : "";
  words += fmt::format(
      "{} sweeps; inclusion probabilities sum to {:.4g}, approximate log evidence {:.6g}, last change {:.1e}",
      run.trace().size(), expected, log_evidence, run.change());
  if (end == PropagationEnd::improper) {
    words += "; EP diverged and the last proper approximation is returned; increase damping or use method gibbs";
  } else if (run.constrained()) {
    words +=
        "; EP sites were constrained to positive precision; standard deviations of uncertain features are "
        "underestimated";
  }
  if (run.moves() != Moves::together) {
    words += run.moves() == Moves::in_turn ? "; sites were moved one at a time because they circled together"
                                           : "; sites were moved in a double loop because they circled";
  }
  if (end == PropagationEnd::sweep_limit) words += rest_of(run);
  if (run.ended_learning()) {
    words += "; hyperparameters were learned no further because the approximate evidence fell";
  }
  if (run.diverged()) {
    words += "; hyperparameters were kept at their initial values: EP diverged when they were learned";
  }
  return words;
}

// If even the first sweep was improper there are no marginals: zeros are returned, with status numerical_failure.
Fit result(const ScaledProblem& problem, const HyperPrior& prior, const Propagation& run, PropagationEnd end) {
  const Index p = problem.features();
  std::vector<double> mean(run.marginals().mean), deviation, inclusion;
  mean.resize(p, 0.0);
  double expected = 0;
  for (Index j = 0; j < p; ++j) {
    deviation.push_back(j < std::ssize(run.marginals().variance) ? std::sqrt(run.marginals().variance[j]) : 0.0);
    inclusion.push_back(run.features()[j].inclusion);
    expected += inclusion.back();
  }
  Fit fit;
  problem.to_original(run.marginals().intercept, mean, deviation, inclusion, fit);
  const double unit2 = problem.unit() * problem.unit();
  const SpikeSlabHyper& hyper = run.hyper();
  if (problem.gaussian()) fit.noise_variance = unit2 * hyper.noise_variance;
  fit.hyper["prior_inclusion"] = hyper.prior_inclusion;
  fit.hyper["slab_variance"] = unit2 * hyper.slab_variance;
  fit.hyper["spike_variance"] = unit2 * prior.start.spike_variance;
  fit.hyper["expected_features"] = expected;
  fit.objective = run.log_evidence() + problem.log_density_shift();
  fit.trace = run.trace();
  fit.status = status_of(end);
  fit.message = message_of(run, end, fit.objective, expected);
  return fit;
}

class ExpectationPropagation final : public Method {
 public:
  std::string_view name() const override { return "ep"; }
  std::string estimator() const override { return "ExpectationPropagation"; }
  std::string_view summary() const override {
    return "Spike-and-slab regression by expectation propagation: approximate posterior inclusion probabilities";
  }
  std::vector<Field> fields() const override;
  std::string lacks(const Family& family) const override {
    return family.tilted() != nullptr ? "" : "the moments of its tilted distributions";
  }
  InclusionKind inclusion_kind() const override { return InclusionKind::approximate; }

 private:
  Fit local_fit(const Problem& problem, const Options& options, const Control& control) const override;
};

std::vector<Field> ExpectationPropagation::fields() const {
  std::vector<Field> fields = spike_slab_fields("learned by EM");
  fields.push_back(Field::boolean(
      "factorised",
      "factorized approximation with independent coefficients: a sweep costs n p instead of n^2 p but is less accurate",
      false));
  fields.push_back(Field::real("damping", "damping of site updates: weight of the old site parameters", 0.5, 0, 0.99));
  fields.push_back(Field::real("tolerance",
                               "convergence tolerance: change in the last sweep of the linear predictor (in response "
                               "standard deviations) or of a log hyperparameter",
                               1e-5, 1e-12, 1e-1));
  fields.push_back(Field::integer("sweeps", "maximum number of sweeps", 200.0, 1, 1e6));
  return fields;
}

Fit ExpectationPropagation::local_fit(const Problem& problem, const Options& options, const Control& control) const {
  const ScaledProblem scaled(problem);
  const SpikeSlabOptions request(options, problem, scaled);
  if (!scaled.nothing_to_explain().empty()) return scaled.null_fit();
  const HyperPrior prior = request.weak_prior(scaled);
  const PropagationPlan plan{.damping = options.real("damping"),
                             .tolerance = options.real("tolerance"),
                             .most_sweeps = options.integer("sweeps"),
                             .observer = control.observer};
  const auto likelihood = options.boolean("factorised") ? factorized_part(scaled) : joint_part(scaled);
  Propagation run(scaled, prior, plan, *likelihood);
  const PropagationEnd end = run.run();
  return result(scaled, prior, run, end);
}

}  // namespace

const Method& ep() {
  static const ExpectationPropagation method;
  return method;
}

}  // namespace tamis
