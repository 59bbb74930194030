// The views for programs: CSV and JSON.
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/reproduce/views.hpp"
#include "tamis/io/write_csv.hpp"

namespace tamis::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::string_view word_of(Shown shown) {
  switch (shown) {
    case Shown::median:
      return "median";
    case Shown::maximum:
      return "maximum";
    case Shown::interval:
      return "interval";
    case Shown::mean:
      break;
  }
  return "mean";
}

CsvText& place_cells(CsvText& csv, const Place& place) {
  return csv.cell(place.panel).cell(place.x).cell(place.method).cell(place.measure);
}

Json describe(const Row& row) {
  Json object = {{"panel", row.place.panel},
                 {"x", number(row.place.x)},
                 {"method", row.place.method},
                 {"measure", row.place.measure},
                 {"replicates", row.ours.count},
                 {"mean", number(row.ours.mean)},
                 {"standard_error", number(row.ours.standard_error)},
                 {"median", number(row.ours.median)},
                 {"minimum", number(row.ours.least)},
                 {"maximum", number(row.ours.most)},
                 {"low", number(row.ours.low)},
                 {"high", number(row.ours.high)},
                 {"shown", word_of(row.shown)}};
  object["paper"] = nullptr;
  if (row.paper) {
    object["paper"] = {{"value", number(row.paper->value)},
                       {"standard_deviation", number(row.paper->deviation)},
                       {"replicates", row.paper->count},
                       {"difference_in_standard_errors", number(row.distance())}};
  }
  return object;
}

}  // namespace

std::string json_view(const Experiment& experiment, const Results& results) {
  Json rows = Json::array(), findings = Json::array(), endings = Json::object();
  for (const Row& row : results.rows) rows.push_back(describe(row));
  if (experiment.check_claims && results.finished > 0) {
    for (const Finding& finding : experiment.check_claims(results)) {
      findings.push_back({{"claim", finding.claim}, {"ours", finding.ours}, {"holds", finding.holds}});
    }
  }
  for (const auto& [method, ends] : results.endings) {
    endings[method] = {{"fits", ends.fits}, {"not_converged", ends.unfinished}};
  }
  const Json object = {{"name", experiment.name},
                       {"title", experiment.title},
                       {"source", experiment.source},
                       {"replicates", results.replicates},
                       {"seed", results.seed},
                       {"status", results.complete() ? "complete" : "cancelled"},
                       {"runs", results.trials},
                       {"finished", results.finished},
                       {"rows", rows},
                       {"findings", findings},
                       {"fits", endings},
                       {"seconds", results.seconds}};
  return object.dump(2) + "\n";
}

std::string observations_csv(const Results& results) {
  CsvText csv;
  for (const char* name : {"panel", "x", "method", "measure", "replicate", "value"}) csv.cell(name);
  csv.end_row();
  for (const Observation& observation : results.observations) {
    place_cells(csv, observation.place).cell(static_cast<double>(observation.replicate)).cell(observation.value);
    csv.end_row();
  }
  return csv.text();
}

std::string summary_csv(const Results& results) {
  CsvText csv;
  for (const char* name :
       {"panel", "x", "method", "measure", "replicates", "mean", "standard_error", "median", "minimum", "maximum",
        "low", "high", "shown", "paper", "paper_standard_deviation", "paper_replicates"}) {
    csv.cell(name);
  }
  csv.end_row();
  for (const Row& row : results.rows) {
    place_cells(csv, row.place).cell(static_cast<double>(row.ours.count)).cell(row.ours.mean);
    csv.cell(row.ours.standard_error).cell(row.ours.median).cell(row.ours.least).cell(row.ours.most);
    csv.cell(row.ours.low).cell(row.ours.high);
    csv.cell(word_of(row.shown)).cell(row.paper ? row.paper->value : nan);
    csv.cell(row.paper ? row.paper->deviation : nan);
    csv.cell(row.paper && row.paper->count > 0 ? static_cast<double>(row.paper->count) : nan);
    csv.end_row();
  }
  return csv.text();
}

}  // namespace tamis::experiments
