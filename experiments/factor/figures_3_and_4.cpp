// Figures 3 and 4: animal attributes (binary) and newsgroup counts, and what happens when spike-and-slab gets no more
// time than L1 with its search.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/factor/experiments.hpp"

namespace tamis::experiments::factor_models {
namespace {

const std::vector<double> attribute_factors = {2, 5, 10};
const std::vector<std::string> attribute_methods = {"spike-slab", "laplace", "l1", "gaussian", "none"};
const std::vector<double> count_factors = {2, 5, 10};
const std::string attributes = "attributes", counts = "counts";
const std::string nonzeros = "cells predicted to be nonzero";

void measure_attributes(const Trial& trial, Recorder& record) {
  FactorBenchmark benchmark(trial, "bernoulli", record);
  for (const std::string& method : attribute_methods) benchmark.fit(usual(method));
}

std::vector<Finding> attributes_claims(const Results& results) {
  std::vector<Finding> findings;
  findings.reserve(attribute_factors.size() + 1);
  for (const double count : attribute_factors) {
    findings.push_back(lower_at(results, "", count, nlp, "spike-slab", "l1", "spike-and-slab predicts better than L1"));
  }
  findings.push_back(lower_at(results, "", 10, rmse, "spike-slab", "l1", "and has the lower RMSE"));
  return findings;
}

// Hidden cells that a reconstruction calls nonzero.
double nonzero_cells(const FactorResult& result) {
  return static_cast<double>(std::count_if(result.cells.begin(), result.cells.end(),
                                           [](const PredictedCell& cell) { return cell.mean >= 0.5; }));
}

void measure_budget(const Trial& trial, Recorder& record) {
  const bool is_counts = trial.setting.panel == counts;
  FactorBenchmark benchmark(trial, is_counts ? "poisson" : "bernoulli", record);
  const FactorResult l1 = benchmark.fit({"l1", "l1"}, true);
  const FactorResult full = benchmark.fit(sampler("spike-slab", 200, 300, 1), true);
  benchmark.fit_time_matched(l1, full);
  if (!is_counts) return;
  record.add("l1", nonzeros, nonzero_cells(l1));
  record.add("spike-slab", nonzeros, nonzero_cells(full));
  const auto& cells = benchmark.problem().test_cells;
  record.add("true", nonzeros, static_cast<double>(std::count_if(cells.begin(), cells.end(), [](const TestCell& cell) {
               return cell.value > 0;
             })));
}

std::vector<Finding> budget_claims(const Results& results) {
  std::vector<Finding> findings;
  for (const std::string& panel : {attributes, counts}) {
    const double count = 5;
    findings.push_back(
        lower_at(results, panel, count, nlp, "spike-slab", "l1", panel + ": spike-and-slab predicts better than L1"));
    findings.push_back(lower_at(results, panel, count, nlp, matched, "l1",
                                panel + ": even in the time that L1 takes with its search"));
  }
  const double truth = results.value(counts, 5, "true", nonzeros);
  const double ours = results.value(counts, 5, "spike-slab", nonzeros), l1 = results.value(counts, 5, "l1", nonzeros);
  findings.push_back({"counts: the number of nonzeros is closer to the truth in reconstructions by spike-and-slab",
                      fmt::format("held-out cells predicted to be nonzero: spike-slab {:.0f}, l1 {:.0f}, true {:.0f}",
                                  ours, l1, truth),
                      std::abs(ours - truth) < std::abs(l1 - truth)});
  return findings;
}

Picture picture_of_budget(const Results& results) {
  Picture picture = factor_picture(results, "Prediction on a time budget", attributes, {"l1", "spike-slab", matched});
  picture.panels[0].title = picture.panels[1].title = attributes;
  for (Panel& panel : factor_picture(results, "", counts, {"l1", "spike-slab", matched}).panels) {
    panel.title = counts;
    picture.panels.push_back(std::move(panel));
  }
  return picture;
}

}  // namespace

Experiment figure3() {
  return {.name = "factor.fig3",
          .title = "binary attributes: held-out NLP and RMSE against the number of factors",
          .source = paper + "Fig. 3",
          .shows =
              "a tenth of the attributes of 33 simulated objects with 102 attributes, or of the table given by --data, "
              "is held out; spike-slab: 2 chains of 300 draws after 200 burn-in sweeps, other samplers 1 chain of 150 "
              "after 150",
          .replicates = 20,
          .table = "animals.csv with animals in rows and 0/1 attributes in columns",
          .coordinate = "factors",
          .settings = factor_settings("", "factor.attributes", {}, attribute_factors),
          .measure = measure_attributes,
          .check_claims = attributes_claims,
          .picture = [](const Results& results) {
            return factor_picture(results, "Binary attributes", "", attribute_methods);
          }};
}

Experiment figure4() {
  std::vector<Setting> settings = factor_settings(attributes, "factor.attributes", {}, attribute_factors);
  const std::vector<Setting> more = factor_settings(counts, "factor.counts", {{"inclusion", 0.3}}, count_factors);
  settings.insert(settings.end(), more.begin(), more.end());
  return {.name = "factor.fig4",
          .title = "predictive probability on a time budget, and nonzeros in reconstructed counts",
          .source = paper + "Fig. 4 a, b and d (c, the HapMap data, is not included)",
          .shows =
              "NLP of a held-out tenth of the cells; spike-slab: 1 chain of 300 draws after 200 burn-in sweeps, and as "
              "many sweeps as fit into the time of l1 including its search (these numbers vary slightly between "
              "machines); counts: 93% zeros, or the table given by --data",
          .replicates = 10,
          .table = "newsgroups-counts.csv (documents in rows, counts of words in columns)",
          .coordinate = "factors",
          .settings = settings,
          .measure =
              [](const Trial& trial, Recorder& record) {
                // A table of counts says nothing about attributes: those stay simulated.
                Trial own = trial;
                if (trial.setting.panel == attributes) own.table = nullptr;
                measure_budget(own, record);
              },
          .check_claims = budget_claims,
          .picture = picture_of_budget};
}

}  // namespace tamis::experiments::factor_models
