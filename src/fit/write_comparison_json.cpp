// Comparison as JSON: schema "tamis.comparison/1", one line per top-level key.
// Format     "methods": one object per method with means, folds and the fit on all rows; "selected": features that any
//            method selects anywhere, with each method's inclusion, coefficient and number of folds; "agreement":
//            Jaccard indices by pairs of names; "baseline": the null model. Features and methods are referred to by
//            name, never by position.
// Missing    null for what does not exist: scores of failed folds, log scores without a predictive density, standard
//            errors of a single fold. Written for other programs; tamis itself does not read it back.
// Keys       schema, library_version, family, target, levels, samples, features (their number), seed
//            folds, finished_folds   asked for, and finished before a cancellation
//            error_name, best        unit of all errors; name of the method with the lowest
//            baseline                error and log score of the null model
//            methods                 per method: options that were set, means over folds, failure, all_rows, folds
//            left_out                methods that were skipped, with the reason
//            agreement               method -> method -> Jaccard index
//            selected                per feature: method -> kept, folds, inclusion, coefficient
//            status, seconds         "done" or "cancelled"
#include <algorithm>
#include <set>

#include "fit/json_values.hpp"
#include "tamis/fit/comparison.hpp"

namespace tamis {
namespace {

using Json = json::Value;
using json::number;

Json mean_to_json(const std::optional<FoldMean>& score) {
  if (!score) return nullptr;
  return {{"mean", number(score->mean)}, {"standard_error", number(score->standard_error)}};
}

Json names_of(const std::vector<Index>& kept, const std::vector<std::string>& features) {
  Json list = Json::array();
  for (const Index j : kept) list.push_back(features[j]);
  return list;
}

Json fold_to_json(const FoldResult& fold, const std::vector<std::string>& features) {
  if (!fold.failure.empty()) return {{"failure", fold.failure}};
  return {{"error", number(fold.error)},       {"log_score", number(fold.log_score)},
          {"coverage", number(fold.coverage)}, {"kept", names_of(fold.kept, features)},
          {"status", name_of(fold.status)},    {"seconds", number(fold.seconds)}};
}

// The fit on all rows without its coefficients, which are in "selected"; a model file holds the whole.
Json fit_to_json(const ComparedMethod& method, const std::vector<std::string>& features) {
  if (!method.fit) return nullptr;
  return {{"kept", names_of(method.kept, features)},
          {"options", json::options(method.fit->options)},
          {"noise_variance", number(method.fit->noise_variance)},
          {"objective", number(method.fit->objective)},
          {"status", name_of(method.fit->status)},
          {"message", method.fit->message},
          {"seconds", number(method.fit->seconds)}};
}

Json calibration_to_json(const std::vector<CalibrationPoint>& points) {
  Json list = Json::array();
  for (const CalibrationPoint& point : points) {
    list.push_back(
        {{"expected", number(point.expected)}, {"observed", number(point.observed)}, {"weight", number(point.weight)}});
  }
  return list;
}

Json method_to_json(const ComparedMethod& method, const std::vector<std::string>& features) {
  Json folds = Json::array();
  for (const FoldResult& fold : method.folds) folds.push_back(fold_to_json(fold, features));
  return {{"name", method.method},
          {"set", json::options(method.options)},
          {"judged_folds", method.scored},
          {"error", mean_to_json(method.error)},
          {"excess", mean_to_json(method.excess)},
          {"log_score", mean_to_json(method.log_score)},
          {"coverage", mean_to_json(method.coverage)},
          {"calibration_error", number(method.calibration_error)},
          {"calibration_slope", number(method.calibration_slope)},
          {"calibration", calibration_to_json(method.calibration)},
          {"kept", mean_to_json(method.kept_count)},
          {"stability", number(method.stability)},
          {"seconds", number(method.seconds)},
          {"failure", method.failure.empty() ? Json(nullptr) : Json(method.failure)},
          {"all_rows", fit_to_json(method, features)},
          {"folds", std::move(folds)}};
}

// Selection of one feature by one method: null where the fit on all rows failed or the method has no inclusion.
Json selection_to_json(const ComparedMethod& method, Index feature) {
  const Index j = feature;
  const auto folds = std::ranges::count_if(
      method.folds, [&](const FoldResult& fold) { return std::ranges::binary_search(fold.kept, feature); });
  const bool known = method.fit.has_value();
  const bool has_inclusion = known && !method.fit->inclusion.empty();
  return {{"kept", known ? Json(std::ranges::binary_search(method.kept, feature)) : Json(nullptr)},
          {"folds", folds},
          {"inclusion", has_inclusion ? number(method.fit->inclusion[j]) : Json(nullptr)},
          {"coefficient", known ? number(method.fit->coefficients[j]) : Json(nullptr)}};
}

Json selected_to_json(const Comparison& comparison) {
  // Features that no method selects are omitted: with 100,000 features they would be the file.
  std::set<Index> selected_anywhere;
  for (const ComparedMethod& method : comparison.methods) {
    selected_anywhere.insert(method.kept.begin(), method.kept.end());
    for (const FoldResult& fold : method.folds) selected_anywhere.insert(fold.kept.begin(), fold.kept.end());
  }
  Json list = Json::array();
  for (const Index feature : selected_anywhere) {
    Json by_method = Json::object();
    for (const ComparedMethod& method : comparison.methods)
      by_method[method.method] = selection_to_json(method, feature);
    list.push_back({{"feature", comparison.features[feature]}, {"methods", std::move(by_method)}});
  }
  return list;
}

Json agreement_to_json(const Comparison& comparison) {
  Json rows = Json::object();
  for (Index a = 0; a < std::ssize(comparison.methods); ++a) {
    Json row = Json::object();
    for (Index b = 0; b < std::ssize(comparison.methods); ++b) {
      row[comparison.methods[b].method] = number(comparison.agreement(a, b));
    }
    rows[comparison.methods[a].method] = std::move(row);
  }
  return rows;
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  Json methods = Json::array(), left_out = Json::array();
  for (const ComparedMethod& method : comparison.methods) {
    methods.push_back(method_to_json(method, comparison.features));
  }
  for (const LeftOut& one : comparison.left_out) left_out.push_back({{"method", one.method}, {"reason", one.reason}});
  json::Lines lines;
  lines.add("schema", comparison.schema);
  lines.add("library_version", comparison.library_version);
  lines.add("family", comparison.family);
  lines.add("target", comparison.target);
  lines.add("levels", comparison.levels);
  lines.add("samples", comparison.samples);
  lines.add("features", comparison.features.size());
  lines.add("seed", comparison.seed);
  lines.add("folds", comparison.folds);
  lines.add("finished_folds", comparison.finished_folds);
  lines.add("error_name", comparison.error_name);
  lines.add("best", comparison.best ? Json(comparison.methods[*comparison.best].method) : Json());
  lines.add("baseline", {{"error", mean_to_json(comparison.baseline_error)},
                         {"log_score", mean_to_json(comparison.baseline_log_score)}});
  lines.add("methods", methods);
  lines.add("left_out", left_out);
  lines.add("agreement", agreement_to_json(comparison));
  lines.add("selected", selected_to_json(comparison));
  lines.add("status", comparison.cancelled ? "cancelled" : "done");
  lines.add("seconds", number(comparison.seconds));
  return std::move(lines).finish();
}

}  // namespace tamis
