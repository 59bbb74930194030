#include "factor/model/initial_intercepts.hpp"

namespace tamis::factor {

void start_at_column_means(const Cells& cells, double added, FactorState& state) {
  const Family& family = cells.family();
  const bool any_size = family.traits().response == Family::Response::real;  // half a unit may be much
  for (Index d = 0; d < state.cols && state.intercept; ++d) {
    const auto count = static_cast<double>(cells.observed_in_column(d));
    const double sum = cells.column_sum(d);
    state.loading_row(state.factors)[d] =
        family.start_predictor(any_size ? sum / count : (sum + 0.5) / (count + added));
  }
}

void start_sampler_at_column_means(const Cells& cells, FactorState& state) {
  const Family& family = cells.family();
  if (!family.quadratic_is_bound()) start_at_column_means(cells, family.is_binary() ? 1 : 0.5, state);
}

}  // namespace tamis::factor
