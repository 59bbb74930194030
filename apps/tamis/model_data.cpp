#include "model_data.hpp"

#include <algorithm>
#include <cmath>

namespace tamis::app {

ReadOptions read_options_for(const Fit& fit, const DataArguments& arguments) {
  ReadOptions read = arguments.read;
  read.target = fit.target;
  read.needs_target = false;
  read.features = fit.features;
  read.levels = fit.levels;
  read.means = fit.feature_means;
  if (read.offset.empty()) read.offset = fit.offset;
  return read;
}

bool can_judge(const Fit& fit, const std::vector<double>& y, const std::vector<std::string>& levels) {
  if (y.empty() || levels != fit.levels) return false;
  return std::all_of(y.begin(), y.end(), [&](double value) {
    if (fit.family == "bernoulli") return value == 0 || value == 1;
    return std::isfinite(value) && (fit.family != "poisson" || (value >= 0 && value == std::floor(value)));
  });
}

}  // namespace tamis::app
