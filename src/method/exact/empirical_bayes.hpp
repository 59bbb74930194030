// Which hyperparameters of a spike-and-slab regression are given and which are learned, between which bounds, and what
// EM makes of them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "method/exact/evidence.hpp"
#include "solver/smooth/quasi_newton_em.hpp"
#include "tamis/method/options.hpp"

namespace tamis {

class EmpiricalBayes {
 public:
  /// Reads prior_inclusion, slab_variance and noise_variance; what is not given is learned. Throws InvalidOption for
  /// noise so small that rounding would decide. The evidence must outlive it.
  EmpiricalBayes(const Evidence& evidence, const Options& options);

  /// Unknowns of the learned ones: logit of prior_inclusion, log of slab_variance / noise_variance, log of
  /// noise_variance.
  std::vector<double> start() const;
  std::vector<double> lower() const;
  std::vector<double> upper() const;
  bool learns() const { return !learned_.empty(); }

  SpikeAndSlab model_at(std::span<const double> unknowns) const;
  /// What EM makes of the evidence there.
  Expectation expectation(const SpikeAndSlab& model, const Evidence::Value& value) const;
  /// "prior inclusion 0.2 (given), slab variance ...", in original units.
  std::string description(const SpikeAndSlab& model) const;

 private:
  enum Which : std::size_t { inclusion, slab, noise };
  struct Hyper {
    std::string_view name;
    double start;  // or what was given; the slab's in units of the response, its bounds in units of the noise
    double lower;
    double upper;
    bool learned;
  };
  void fix(Which which, std::optional<double> given, double unit);
  static double to_unknown(Which which, double value);
  std::array<double, 3> maximization(const SpikeAndSlab& model, const Evidence::Value& value) const;

  const Evidence& evidence_;
  std::array<Hyper, 3> hyper_;
  std::vector<Which> learned_;
};

}  // namespace tamis
