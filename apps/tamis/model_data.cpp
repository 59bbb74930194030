#include "model_data.hpp"

#include <algorithm>

#include "tamis/family/family.hpp"

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

bool can_evaluate(const Fit& fit, const std::vector<double>& y, const std::vector<std::string>& levels) {
  if (y.empty() || levels != fit.levels) return false;
  const Family& family = tamis::family(fit.family);
  return std::ranges::all_of(y, [&](double value) { return family.complaint(value).empty(); });
}

}  // namespace tamis::app
