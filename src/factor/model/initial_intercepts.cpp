#include "factor/model/initial_intercepts.hpp"

namespace tamis::factor {

// With all scores and loadings near 0 the intercept alone explains the data: link(mean of the column). A binary column
// of zeros has link -infinity, hence (sum + 1/2) / (count + added). Real responses are not shrunk: half a unit of a
// column measured in thousandths would be far off.
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

// Families with a bound begin at intercept 0 + noise: their conditionals are exact wherever they stand, and find it in
// a sweep. A Metropolis step of counts from rates of 1 to columns of rates 0.001 is rejected for long.
void start_sampler_at_column_means(const Cells& cells, FactorState& state) {
  const Family& family = cells.family();
  if (!family.quadratic_is_bound()) start_at_column_means(cells, family.is_binary() ? 1 : 0.5, state);
}

}  // namespace tamis::factor
