// The truth as text: one line for each top-level key, as in the model files.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/designs.hpp"

namespace tamis::experiments {
namespace {

using Json = nlohmann::ordered_json;

Json row_lists(const Matrix& matrix) {
  Json rows = Json::array();
  for (Index i = 0; i < matrix.rows(); ++i) {
    Json row = Json::array();
    for (Index j = 0; j < matrix.cols(); ++j) row.push_back(matrix(i, j));
    rows.push_back(std::move(row));
  }
  return rows;
}

// A flat list for one response, a list for each of several.
Json coefficient_lists(const Matrix& coefficients) {
  Json lists = Json::array();
  for (Index t = 0; t < coefficients.cols(); ++t) {
    const auto column = coefficients.column(t);
    lists.push_back(std::vector<double>(column.begin(), column.end()));
  }
  return lists.size() == 1 ? lists[0] : lists;
}

std::string lines(const Json& object) {
  std::string text;
  for (const auto& [key, value] : object.items()) {
    text += fmt::format("{}\n{}: {}", text.empty() ? "{" : ",", Json(key).dump(), value.dump());
  }
  return text + "\n}\n";
}

}  // namespace

std::string truth_json(const Simulation& simulation) {
  const Truth& truth = simulation.truth;
  Json out;
  out["schema"] = "tamis.truth/1";
  out["design"] = simulation.design;
  out["paper"] = simulation.paper;
  out["family"] = simulation.family;
  out["seed"] = simulation.seed;
  out["parameters"] = simulation.parameters;
  out["samples"] = {{"train", simulation.train.rows()},
                    {"validation", simulation.validation.rows()},
                    {"test", simulation.test.rows()}};
  out["features"] = simulation.feature_names;
  out["responses"] = simulation.response_names;
  out["noise_variance"] = truth.noise_variance;
  if (truth.coefficients.cols() > 0) {
    out["intercept"] = truth.intercept;
    Json support = Json::array();
    for (const Index j : truth.support) support.push_back(simulation.feature_names.at(j));
    out["support"] = std::move(support);
    out["coefficients"] = coefficient_lists(truth.coefficients);
  }
  if (truth.loadings.rows() > 0) {
    out["loadings"] = row_lists(truth.loadings);
    out["scores"] = row_lists(truth.scores);
    out["factor_intercept"] = truth.factor_intercept;
  }
  out["extra"] = truth.extra;
  return lines(out);
}

}  // namespace tamis::experiments
