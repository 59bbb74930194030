// ard for a response that is not gaussian: its likelihood is replaced by weighted gaussian data of noise 1, a bound
// that is exact at the current predictor (bernoulli: Jaakkola & Jordan 2000), and the bound is updated until nothing
// moves. The intercept is maximized over, not integrated out.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "family/working_response.hpp"
#include "method/ard/algorithms.hpp"
#include "problem/standardization.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

/// Invariants: data_ and model_ belong to the present bound of the likelihood, which is tight at (eta_, variance_), the
/// mean and variance of the linear predictor under the last posterior.
class BoundIterations {
 public:
  /// `group_of` as for RelevanceData. Everything must outlive this.
  BoundIterations(const Problem& problem, const Standardization& scale, std::span<const Index> group_of,
                  std::string algorithm);

  /// Called after each update of the bound with the cost (-2 times the bound on the log evidence), its change, the
  /// number of selected groups and their KKT violation; false: stop.
  using Watch = std::function<bool(double cost, double change, Index active, double certificate)>;
  /// From the last point on, or from scratch; the noise is 1.
  void run(RelevanceRequest request, const Watch& on_iteration);

  const RelevanceData& data() const { return *data_; }
  Relevance& model() { return *model_; }
  const RelevanceRun& last() const { return run_; }
  double cost() const { return cost_; }
  /// On the working scale.
  double intercept() const { return intercept_; }

 private:
  void update_working_response();
  RelevanceData working_data(const Design& X, std::span<const Index> group_of) const;
  void take_predictor(const Design& X, const RelevanceData& data, const RelevancePoint& point);
  void iterate_on_support(RelevanceRequest request);
  double present_cost() const { return run_.point.cost + 2 * working_response_.constant(); }

  const Problem& problem_;
  const Standardization& scale_;
  std::span<const Index> group_of_;
  std::string algorithm_;
  WorkingResponse working_response_;
  std::vector<double> eta_, variance_;
  std::optional<RelevanceData> data_;
  std::optional<Relevance> model_;
  RelevanceRun run_;
  double cost_ = 0, intercept_ = 0;
};

}  // namespace tamis
