#include "method/mean_field/forward_backward.hpp"

#include "tamis/base/logarithm.hpp"

namespace tamis {

CvScore score_on(const Problem& problem, const Standardization& scale, const Validation& held_out,
                 const MeanFieldPoint& point) {
  std::vector<Index> columns;
  std::vector<double> values;
  double intercept = point.intercept;
  for (Index s = 0; s < std::ssize(point.features); ++s) {
    const Index j = point.features[s];
    columns.push_back(j);
    values.push_back(scale.to_original(j, logistic(point.logits[s]) * point.means[s]));
    intercept -= values.back() * scale.center(j);
  }
  std::vector<double> eta(held_out.y.size(), intercept);
  held_out.X->multiply_add(Columns(columns), std::span<const double>(values), std::span<double>(eta));
  return score_rows(problem.likelihood, held_out, eta);
}

CvScore paired_gain(std::span<const ForwardBackward> before, Index chosen, std::span<const ForwardBackward> after,
                    Index chosen_after) {
  std::vector<double> gain;
  for (Index f = 1; f < std::ssize(after); ++f) {
    gain.push_back(before[f].best(chosen).held_out - after[f].best(chosen_after).held_out);
  }
  return score_folds(gain);
}

void describe_path(Fit& fit, const ForwardBackward& path, std::span<const SpikeSlab> grid,
                   std::span<const CvScore> scores) {
  std::vector<double> forward, backward, training;
  for (Index k = 0; k < path.size(); ++k) {
    const MeanFieldPoint& point = path.best(k);
    PathPoint& on_path = fit.path.emplace_back();
    on_path.value = grid[k].log_odds;
    on_path.objective = point.free_energy;
    on_path.active = point.active;
    on_path.certificate = point.certificate;
    if (k < std::ssize(scores)) {
      on_path.validation_error = scores[k].mean;
      on_path.validation_se = scores[k].standard_error;
    }
    forward.push_back(path.forward[k].free_energy);
    if (!path.backward.empty()) backward.push_back(path.backward[k].free_energy);
    training.push_back(point.training_error);
  }
  fit.hyper["path_forward_objective"] = std::move(forward);
  if (!backward.empty()) fit.hyper["path_backward_objective"] = std::move(backward);
  fit.hyper["path_training_error"] = std::move(training);
}

}  // namespace tamis
