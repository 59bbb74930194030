// What figures 8 and 10 share: 500 features of which 10 or 25 % have weights 1, 2, 3, ..., and more and more samples.
#pragma once

#include "experiments/garrote/experiments.hpp"

namespace tamis::experiments::garrote {

inline const std::string area = "AUC", weight_error = "L1 error";
inline const std::vector<std::string> sparsities = {"10% active", "25% active"};

/// Samples over features from .1 to 1 as x, both sparsities.
std::vector<Setting> sample_size_settings(const std::string& design);
void measure_sample_size(const Trial& trial, Recorder& record, const std::vector<Contender>& contenders);
/// Where the curve of mean AUC first reaches `level`, between two points of it; NaN: nowhere.
double first_reaches(const Results& results, std::string_view panel, std::string_view method, double level);
/// Mean over all x.
double mean_over_curve(const Results& results, std::string_view panel, std::string_view method,
                       std::string_view measure);
/// AUC above, error below, one column for each sparsity.
std::vector<Panel> sample_size_panels(const Results& results, std::span<const std::string> methods);

}  // namespace tamis::experiments::garrote
