#include "experiments/garrote/sample_size.hpp"

#include <limits>

namespace tamis::experiments::garrote {

std::vector<Setting> sample_size_settings(const std::string& design) {
  constexpr double features = 500;
  std::vector<Setting> all;
  for (const auto& [panel, share] : {std::pair{sparsities[0], 0.1}, {sparsities[1], 0.25}}) {
    for (int tenth = 1; tenth <= 10; ++tenth) {
      const double ratio = tenth / 10.0;
      all.push_back({panel, ratio, design, {{"n", ratio * features}, {"active_fraction", share}, {"test", 0}}});
    }
  }
  return all;
}

void measure_sample_size(const Trial& trial, Recorder& record, const std::vector<Contender>& contenders) {
  MethodBenchmark benchmark(trial, record);
  const Truth& truth = benchmark.drawn().truth;
  for (const Contender& contender : contenders) {
    const Fit fit = benchmark.fit(contender);
    record.add(contender.label, area, ranking_area(fit.coefficients, truth.support));
    record.add(contender.label, weight_error, l1_distance(fit.coefficients, truth.coefficients.column(0)));
  }
}

double first_reaches(const Results& results, std::string_view panel, std::string_view method, double level) {
  const Row* before = nullptr;
  for (const Row* row : results.curve(panel, method, area)) {
    if (row->ours.mean >= level) {
      if (before == nullptr) return row->place.x;
      const double share = (level - before->ours.mean) / (row->ours.mean - before->ours.mean);
      return before->place.x + share * (row->place.x - before->place.x);
    }
    before = row;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double mean_over_curve(const Results& results, std::string_view panel, std::string_view method,
                       std::string_view measure) {
  double sum = 0, count = 0;
  for (const Row* row : results.curve(panel, method, measure)) {
    sum += row->ours.mean;
    ++count;
  }
  return sum / count;
}

std::vector<Panel> sample_size_panels(const Results& results, std::span<const std::string> methods) {
  std::vector<Panel> panels;
  for (const std::string& measure : {area, weight_error}) {
    for (const std::string& sparsity : sparsities) {
      Panel plot = method_panel(results, sparsity, methods, measure);
      plot.title = sparsity;
      plot.x = {.label = "training samples / features", .minimum = 0, .maximum = 1.05};
      if (measure == area) {
        plot.y = {.label = "area under the ROC curve", .minimum = 0.48, .maximum = 1.02};
      } else {
        plot.y = {.label = "Σ |v - w|", .logarithmic = true};
      }
      panels.push_back(std::move(plot));
    }
  }
  return panels;
}

}  // namespace tamis::experiments::garrote
