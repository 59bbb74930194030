#include "method/laplace/row_model.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "method/laplace/gaussian_rows.hpp"
#include "method/laplace/logistic_rows.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

// The square of this many numbers is held in memory, and its factor taken often.
constexpr Index most_dimensions = 5000;

}  // namespace

std::vector<double> PriorVariances::all(Index features) const {
  std::vector<double> out(static_cast<std::size_t>(features), common);
  for (std::size_t k = 0; k < special.size(); ++k) out[static_cast<std::size_t>(special[k])] = values[k];
  return out;
}

std::unique_ptr<RowModel> make_row_model(const Observations& observations) {
  if (!observations.gaussian()) return std::make_unique<LogisticRows>(observations, likelihood("bernoulli"));
  if (std::min(observations.rows(), observations.features()) > most_dimensions) {
    throw InvalidInput(
        fmt::format("X: received {} rows and {} features that vary; flas expects at most {} of one of them for a "
                    "gaussian response: leave out features that a lasso path never keeps (--exclude), or use vg or pmf",
                    observations.rows(), observations.features(), most_dimensions));
  }
  return std::make_unique<GaussianRows>(observations);
}

}  // namespace tamis
