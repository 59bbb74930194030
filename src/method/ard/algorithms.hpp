// Algorithms that minimize the ard cost: what they are asked and what they return. All are local; they differ in which
// minimum they reach and in whether they reach gamma = 0.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>

#include "method/ard/relevance.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {

struct RelevanceRequest {
  RelevanceCost model;
  bool learn_noise = false;              ///< from the evidence, by EM, along with gamma
  bool paper_start = false;              ///< reweighted L1 begins at the lasso (z = 1), which depends on units
  bool nonnegative = false;              ///< reweighted L1 only
  bool refine_coordinates = true;        ///< at the end, coordinate by coordinate
  std::span<const char> allowed;         ///< per unit; empty: all. Others stay out.
  Index max_iterations = 100;            ///< steps of reweighted L1; the others take theirs in proportion
  double tolerance = 1e-3;               ///< largest change of a gamma in the last step, relative to the largest gamma
  double cost_tolerance = 1e-8;          ///< change of the cost per sample in the last step
  double lasso_tolerance = 1e-7;         ///< of the optimality conditions of each step's lasso
  bool want_scores = true;               ///< scores of all groups and the certificate are wanted at the end
  const RelevancePoint* from = nullptr;  ///< start at the variances of this point; nullptr: each algorithm's own start
};

struct RelevanceRun {
  RelevancePoint point;
  RelevanceScores scores;
  Certificate certificate;
  Status status = Status::converged;
  Index iterations = 0;
};

/// Called with each new point, the change of its cost and the KKT violation of its selected groups; false: stop.
using RelevanceWatch = std::function<bool(const RelevancePoint& point, double change, double certificate)>;

/// The paper's algorithm, Section 2: a sequence of weighted lassos.
RelevanceRun reweighted_l1(Relevance& model, const RelevanceRequest& request, const RelevanceWatch& on_iteration);

/// Cheap steps and many of them. They start with every feature in the model, and may reach minima that reweighted L1
/// misses (success in noiseless recovery at n = 50, p = 100: EM 1.00, reweighted L1 .88, MacKay .53).
enum class FixedPointRule { reweighted_l2, em, mackay };
/// From a start in which all groups explain the same, or from request.from.
RelevanceRun fixed_point(Relevance& model, FixedPointRule rule, const RelevanceRequest& request,
                         const RelevanceWatch& on_iteration);

/// One feature at a time (no groups); from the empty model, or from request.from.
RelevanceRun sequential(Relevance& model, const RelevanceRequest& request, const RelevanceWatch& on_iteration);

/// Names of the algorithms, the default first.
inline constexpr std::array<std::string_view, 5> relevance_algorithms = {"reweighted-l1", "reweighted-l2", "em",
                                                                         "mackay", "sequential"};
/// By name.
RelevanceRun run_algorithm(std::string_view name, Relevance& model, const RelevanceRequest& request,
                           const RelevanceWatch& on_iteration);

/// Lowers the cost coordinate by coordinate over the groups of a point, each with its exact minimizer, which may be
/// zero. For single features without constraints.
RelevancePoint coordinate_refinement(Relevance& model, RelevancePoint point, double tolerance);

/// The variance that minimizes the cost of one feature given all others: log(1 + gamma s) - q^2 gamma / (1 + gamma
/// s) + penalty log(1 + gamma size), where s and q leave the feature out and size = |phi|^2 / noise.
double best_variance(double s, double q_squared, double penalty, double size);
/// That cost.
double cost_of_one(double gamma, double s, double q_squared, double penalty, double size);

}  // namespace tamis
