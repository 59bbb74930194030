// The options of ard, read once.
#pragma once

#include <optional>
#include <string>

#include "method/ard/algorithms.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

struct ArdOptions {
  explicit ArdOptions(const Options& options);
  /// Throws InvalidOption for options that do not go together, or with the problem.
  void check(const Problem& problem) const;

  std::string algorithm;
  std::optional<double> noise_variance, penalty;
  bool learn_noise, paper_start, anneal, nonnegative, has_groups;
  Index max_iterations;
  double tolerance;

  /// What all algorithms are asked alike.
  RelevanceRequest request() const;

 private:
  void check_components(const Problem& problem) const;
};

std::vector<Field> ard_fields();

}  // namespace tamis
