// Figure 11: quality and time against the number of features, with 100 training and 100 validation samples.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "experiments/garrote/experiments.hpp"

namespace tamis::experiments::garrote {
namespace {

constexpr std::array sizes = {100.0, 300.0, 1000.0, 3000.0, 10000.0, 30000.0};
// The dual form solves dense systems again and again; beyond this it would take most of the time of the experiment.
constexpr double largest_for_dual = 1000;
const std::vector<std::string> methods = {"lasso", "pmf", "vg (dual)", "vg"};
const std::string error = "L1 error", kept = "nonzero", time = "seconds";

std::vector<Setting> settings() {
  std::vector<Setting> all;
  all.reserve(sizes.size());
  for (const double features : sizes) all.push_back({"", features, "vg.scaling", {{"p", features}, {"test", 0}}});
  return all;
}

void measure(const Trial& trial, Recorder& record) {
  MethodBenchmark benchmark(trial, record);
  for (const Contender& contender : {lasso(), paired_mean_field(), dual_variational_garrote(), variational_garrote()}) {
    if (contender.label == dual_variational_garrote().label && trial.setting.x > largest_for_dual) continue;
    const Fit fit = benchmark.fit(contender);
    record.add(contender.label, error, l1_distance(fit.coefficients, benchmark.drawn().truth.coefficients.column(0)));
    record.add(contender.label, kept, static_cast<double>(count_selected(fit)));
    record.add(contender.label, time, fit.seconds);
  }
}

// Exponent of the time between a thousand features, where the fixed costs no longer count, and the largest number.
double time_exponent(const Results& results, std::string_view method) {
  const double last = sizes.back();
  return std::log(results.value("", last, method, time) / results.value("", 1000, method, time)) /
         std::log(last / 1000);
}

Finding constant_quality(const Results& results) {
  const auto growth = [&](const char* method) {
    return results.value("", sizes.back(), method, error) / results.value("", sizes.front(), method, error);
  };
  return {"the errors of vg and pmf do not grow with the number of features, that of the lasso does",
          fmt::format("error at {:g} features over error at {:g}: vg {:.2f}, pmf {:.2f}, lasso {:.2f}", sizes.back(),
                      sizes.front(), growth("vg"), growth("pmf"), growth("lasso")),
          growth("vg") < 1.5 && growth("pmf") < 1.5 && growth("lasso") > 1.5};
}

Finding five_kept(const Results& results) {
  const auto largest = [&](const char* method) { return results.value("", sizes.back(), method, kept); };
  return {"vg and pmf select about 5 features, the lasso increasingly many",
          fmt::format("selected of {:g} features: vg {:.2f}, pmf {:.2f}, lasso {:.1f}", sizes.back(), largest("vg"),
                      largest("pmf"), largest("lasso")),
          std::abs(largest("vg") - 5) < 1 && std::abs(largest("pmf") - 5) < 1 && largest("lasso") > 10};
}

std::vector<Finding> check_claims(const Results& results) {
  const auto seconds = [&](const char* method) { return results.value("", sizes.back(), method, time); };
  std::string exponents;
  bool linear = true;
  for (const char* method : {"lasso", "pmf", "vg"}) {
    const double exponent = time_exponent(results, method);
    exponents += fmt::format("{}{} {:.2f}", exponents.empty() ? "" : ", ", method, exponent);
    linear = linear && std::abs(exponent - 1) < 0.25;
  }
  return {constant_quality(results),
          five_kept(results),
          {"the time of all methods is about linear in the number of features",
           fmt::format("exponents from 1000 features: {}", exponents), linear},
          {"the lasso is faster than vg, vg is faster than pmf",
           fmt::format("seconds at {:g} features: lasso {:.3g}, vg {:.3g}, pmf {:.3g}", sizes.back(), seconds("lasso"),
                       seconds("vg"), seconds("pmf")),
           seconds("lasso") < seconds("vg") && seconds("vg") < seconds("pmf")}};
}

Picture picture(const Results& results) {
  Picture out{.title = "Five relevant features among an increasing number of features",
              .columns = 3,
              .panel_width = 330,
              .panel_height = 260};
  for (const auto& [measure, title, label] :
       {std::array{error, std::string("a: error"), std::string("Σ |v - w|")},
        std::array{kept, std::string("b: features selected"), std::string("features selected")},
        std::array{time, std::string("c: time of one fit, one thread"), std::string("seconds")}}) {
    Panel plot = method_panel(results, "", methods, measure);
    plot.title = title;
    plot.x = {.label = "features", .logarithmic = true};
    plot.y = {.label = label, .logarithmic = true};
    out.panels.push_back(std::move(plot));
  }
  return out;
}

}  // namespace

Experiment figure11() {
  return {.name = "vg.fig11",
          .title = "quality and time against the number of features",
          .source = paper + "Fig. 11",
          .shows =
              "sum |v - w|, features selected and seconds of one fit including its search in one thread (several fits "
              "run at the same time unless --threads 1), for five unit weights among independent features; 100 "
              "training and 100 validation samples, noise variance 1/2",
          .replicates = 20,
          .coordinate = "features",
          .settings = settings(),
          .measure = measure,
          .check_claims = check_claims,
          .picture = picture};
}

}  // namespace tamis::experiments::garrote
