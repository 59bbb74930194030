// Regression model file, written: schema "tamis.fit/2".
// Format     one line per top-level key, so that diff of two models shows which parts differ. Numbers have the fewest
//            digits that read back to the same bits; NaN and infinities, which JSON lacks, become null.
// Order      keys that readers of every version need come first; later additions (targets, levels, means) after them.
//            The file is replaced atomically: an interrupted save leaves the previous model.
// Keys       schema             "tamis.fit/2"
//            library_version    version that wrote the file, for people
//            method, family     names; predict needs the family, the method is for people and refits
//            options            name -> value as used, defaults included; null for options that were not set
//            samples            number of training rows
//            features           names, in the order of all vectors below
//            intercept, coefficients               on the scale of the data
//            standard_deviations, inclusion        posterior, one per feature; [] where the method has none
//            noise_variance     gaussian; null where the method has none
//            hyper              method's own results: numbers, lists and words by name
//            objective, trace   final value, and one record per iteration
//            path               one record per value of the tuning parameter
//            status, message, seconds              how the fit ended
//            target, levels     name of the response; both class labels, [] if numeric
//            draws              a sampler's weighted draws of whole models: starts[d] is where draw d begins in
//                               features (positions in `features` above, from 0) and coefficients
//            inclusion_error    Monte Carlo standard errors of `inclusion`, [] where it is not from draws
//            inclusion_kind     none, posterior, approximate or unknown: what `inclusion` is
//            credible_sets      by draws: features, inclusion, correlation with the first, probability, purity, size
//            alternatives       feature: not selected; with: the selected one; their correlation
//            offset, more_targets, components, draws, feature_means, feature_spreads    only where they exist
//            set_candidates     only with draws: what credible sets of another level are made from
#include <algorithm>
#include <cmath>

#include "fit/json_values.hpp"
#include "tamis/base/atomic_file.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {
namespace {

using Json = json::Value;
using json::number;
using json::numbers;

struct HyperToJson {
  Json operator()(double value) const { return number(value); }
  Json operator()(const std::vector<double>& value) const { return numbers(value); }
  Json operator()(const std::string& value) const { return value; }
};

Json hyper_to_json(const std::map<std::string, HyperValue>& values) {
  Json result = Json::object();
  for (const auto& [name, value] : values) result[name] = std::visit(HyperToJson{}, value);
  return result;
}

// Sparse vector by feature name, finite values only: pruned features of a wide model take no space.
// Names are unique: appended without the search of operator[], which takes as long as there are names.
Json by_feature(const Fit& fit, const std::vector<double>& values) {
  Json result = Json::object();
  Json::object_t::Container& entries = result.get_ref<Json::object_t&>();
  for (Index j = 0; j < std::min(std::ssize(values), std::ssize(fit.features)); ++j) {
    if (std::isfinite(values[j])) entries.emplace_back(fit.features[j], values[j]);
  }
  return result;
}

Json path_to_json(const std::vector<PathPoint>& path) {
  Json list = Json::array();
  for (const PathPoint& point : path) {
    list.push_back({{"value", number(point.value)},
                    {"objective", number(point.objective)},
                    {"validation_error", number(point.validation_error)},
                    {"active", point.active},
                    {"validation_se", number(point.validation_se)},
                    {"certificate", number(point.certificate)}});
  }
  return list;
}

// Further targets share options, features and path with the first; only their coefficients differ.
Json targets_to_json(const std::vector<TargetFit>& targets) {
  Json list = Json::array();
  for (const TargetFit& one : targets) {
    list.push_back({{"target", one.target},
                    {"intercept", number(one.intercept)},
                    {"coefficients", numbers(one.coefficients)},
                    {"standard_deviations", numbers(one.standard_deviations)}});
  }
  return list;
}

Json names_at(const Fit& fit, const std::vector<Index>& places) {
  Json list = Json::array();
  for (const Index j : places) list.push_back(fit.features[j]);
  return list;
}

Json sets_to_json(const Fit& fit) {
  Json list = Json::array();
  for (const CredibleSet& set : fit.credible_sets) {
    list.push_back({{"features", names_at(fit, set.features)},
                    {"inclusion", numbers(set.inclusion)},
                    {"probability", number(set.probability)},
                    {"purity", number(set.purity)},
                    {"size", set.features.size()},
                    {"correlation", numbers(set.correlation)}});
  }
  return list;
}

Json components_to_json(const std::vector<FittedComponent>& components) {
  Json list = Json::array();
  for (const FittedComponent& one : components) {
    list.push_back({{"name", one.name},
                    {"of_rows", one.of_rows},
                    {"rank", one.rank},
                    {"variance", number(one.variance)},
                    {"share", number(one.share)},
                    {"inclusion", number(one.inclusion)}});
  }
  return list;
}

Json alternatives_to_json(const Fit& fit) {
  Json list = Json::array();
  for (const Alternative& one : fit.alternatives) {
    list.push_back({{"feature", fit.features[one.feature]},
                    {"with", fit.features[one.with]},
                    {"correlation", number(one.correlation)}});
  }
  return list;
}

// Models as lists of places among the candidates, correlations as [place, place, value]: short, for there may be
// thousands.
Json candidates_to_json(const Fit& fit) {
  const SetCandidates& candidates = fit.set_candidates;
  const ModelDraws& draws = candidates.draws;
  Json models = Json::array(), pairs = Json::array();
  for (Index d = 0; d < std::ssize(draws.weights); ++d) {
    models.push_back(
        std::vector<Index>(draws.features.begin() + draws.starts[d], draws.features.begin() + draws.starts[d + 1]));
  }
  for (const CandidateCorrelation& pair : candidates.correlations) {
    pairs.push_back(Json::array({pair.first, pair.second, pair.correlation}));
  }
  return {{"features", names_at(fit, candidates.features)},
          {"inclusion", numbers(candidates.inclusion)},
          {"weights", numbers(draws.weights)},
          {"models", models},
          {"correlations", pairs}};
}

// Lists beside each other, as in memory: a list of objects would repeat five keys for every draw.
Json draws_to_json(const PosteriorDraws& draws) {
  Json result = Json::object();
  result["weights"] = numbers(draws.models.weights);
  result["starts"] = draws.models.starts;
  result["features"] = draws.models.features;
  result["coefficients"] = numbers(draws.coefficients);
  result["intercepts"] = numbers(draws.intercepts);
  result["noise_variances"] = numbers(draws.noise_variances);
  return result;
}

}  // namespace

std::string to_json(const Fit& fit) {
  json::Lines lines;
  lines.add("schema", fit.schema);
  lines.add("library_version", fit.library_version);
  lines.add("method", fit.method);
  lines.add("family", fit.family);
  lines.add("options", json::options(fit.options));
  lines.add("samples", fit.samples);
  lines.add("features", fit.features);
  lines.add("intercept", number(fit.intercept));
  lines.add("coefficients", numbers(fit.coefficients));
  lines.add("standard_deviations", numbers(fit.standard_deviations));
  lines.add("inclusion", numbers(fit.inclusion));
  lines.add("noise_variance", number(fit.noise_variance));
  lines.add("hyper", hyper_to_json(fit.hyper));
  lines.add("objective", number(fit.objective));
  lines.add("trace", json::trace(fit.trace));
  lines.add("path", path_to_json(fit.path));
  lines.add("status", std::string(name_of(fit.status)));
  lines.add("message", fit.message);
  lines.add("seconds", number(fit.seconds));
  lines.add("target", fit.target);
  lines.add("levels", fit.levels);
  lines.add("inclusion_kind", std::string(name_of(fit.inclusion_kind)));
  lines.add("inclusion_error", numbers(fit.inclusion_error));
  lines.add("credible_sets", sets_to_json(fit));
  lines.add("alternatives", alternatives_to_json(fit));
  if (!fit.offset.empty()) lines.add("offset", fit.offset);
  if (!fit.more_targets.empty()) lines.add("more_targets", targets_to_json(fit.more_targets));
  if (!fit.components.empty()) lines.add("components", components_to_json(fit.components));
  if (fit.draws.size() > 0) lines.add("draws", draws_to_json(fit.draws));
  if (!fit.feature_means.empty()) lines.add("feature_means", by_feature(fit, fit.feature_means));
  if (!fit.feature_spreads.empty()) lines.add("feature_spreads", by_feature(fit, fit.feature_spreads));
  if (!fit.set_candidates.features.empty()) lines.add("set_candidates", candidates_to_json(fit));
  return std::move(lines).finish();
}

void save(const Fit& fit, const std::string& path) { write_file_atomically(path, to_json(fit)); }

}  // namespace tamis
