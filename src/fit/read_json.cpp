// Regression model file, read: schemas "tamis.fit/1" and "tamis.fit/2".
//
// Guarantees what predict(), select_*() and the reports rely on is checked here once: one coefficient per feature,
// standard deviations and inclusion probabilities of the same length or empty, probabilities in [0, 1], unique feature
// names (they are matched to data by name), two levels or none, a known family and status.
// Missing    numbers that may be null (objective, traces, hyperparameters) become NaN; those that predictions need
//            (intercept, coefficients) must be finite. Keys that earlier versions did not write are optional.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "fit/json_reader.hpp"
#include "fit/read_certainty.hpp"
#include "tamis/family/family.hpp"
#include "tamis/fit/fit.hpp"

namespace tamis {
namespace {

using Json = json::Parsed;
using json::at_file;
using json::read_points;
using json::Reader;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::map<std::string, HyperValue> read_hyper(const Reader& in) {
  std::map<std::string, HyperValue> hyper;
  for (const auto& [name, value] : in.object("hyper").items()) {
    const std::string full_name = "hyper." + name;
    if (value.is_string()) {
      hyper[name] = value.get<std::string>();
    } else if (value.is_array()) {
      std::vector<double> numbers;
      for (const Json& entry : value) numbers.push_back(in.as_number_or_nan(in.item(full_name, numbers.size()), entry));
      hyper[name] = std::move(numbers);
    } else {
      hyper[name] = in.as_number_or_nan(full_name, value);
    }
  }
  return hyper;
}

// Sparse vector by feature name (means and spreads are written for known features only); NaN for a feature that is not
// named, empty for a file without the key. Counting the names found detects names that are not features without a
// second map.
std::vector<double> read_by_feature(const Reader& in, const char* key, const std::vector<std::string>& features) {
  if (!in.has(key)) return {};
  const Json& object = in.object(key);
  std::vector<double> values(features.size(), not_a_number);
  std::size_t found = 0;
  for (Index j = 0; j < std::ssize(features); ++j) {
    const auto value = object.find(features[j]);
    if (value == object.end()) continue;
    values[j] = in.as_number(fmt::format("{}.{}", key, features[j].substr(0, 60)), *value);
    ++found;
  }
  if (found != object.size()) in.refuse(fmt::format("'{}' names a feature that is not in the model", key));
  return values;
}

PathPoint read_path_point(const Reader& in) {
  PathPoint point;
  point.value = in.number_or_nan("value");
  point.objective = in.number_or_nan("objective");
  point.validation_error = in.maybe_number("validation_error");
  point.validation_se = in.maybe_number("validation_se");
  point.active = in.count("active");
  if (in.has("certificate")) point.certificate = in.number_or_nan("certificate");
  return point;
}

TargetFit read_target(const Reader& in) {
  return {in.word("target"), in.number("intercept"), in.numbers("coefficients"), in.numbers("standard_deviations")};
}

FittedComponent read_component(const Reader& in) {
  FittedComponent one;
  one.name = in.word("name");
  const Json& of_rows = in.at("of_rows");
  if (!of_rows.is_boolean()) in.refuse_type("of_rows", of_rows, "true or false");
  one.of_rows = of_rows.get<bool>();
  one.rank = in.count("rank");
  one.variance = in.number_or_nan("variance");
  one.share = in.number_or_nan("share");
  one.inclusion = in.number_or_nan("inclusion");
  return one;
}

std::vector<Index> read_positions(const Reader& in, const char* key, Index end) {
  std::vector<Index> positions;
  for (const Json& value : in.list(key)) {
    const Index position = value.is_number_integer() ? value.get<Index>() : -1;
    if (position < 0 || position >= end) {
      in.refuse_type(Reader::item(key, positions.size()), value, fmt::format("an integer from 0 to {}", end - 1));
    }
    positions.push_back(position);
  }
  return positions;
}

// Predictions index by what is read here.
PosteriorDraws read_draws(const Reader& in, Index features) {
  PosteriorDraws draws;
  draws.models.weights = in.numbers("weights");
  draws.coefficients = in.numbers("coefficients");
  draws.models.features = read_positions(in, "features", features);
  draws.models.starts = read_positions(in, "starts", std::ssize(draws.models.features) + 1);
  draws.intercepts = in.numbers("intercepts");
  draws.noise_variances = in.numbers("noise_variances");
  const std::vector<Index>& starts = draws.models.starts;
  const Index count = draws.size();
  double total = 0;
  for (const double weight : draws.models.weights) {
    if (!(weight >= 0)) in.refuse("a weight of the draws is negative");
    total += weight;
  }
  if (count == 0 || !(total > 0)) in.refuse("the weights of the draws sum to zero");
  if (std::ssize(starts) != count + 1 || starts.front() != 0 || !std::ranges::is_sorted(starts) ||
      starts.back() != std::ssize(draws.models.features) || draws.coefficients.size() != draws.models.features.size() ||
      std::ssize(draws.intercepts) != count ||
      (!draws.noise_variances.empty() && std::ssize(draws.noise_variances) != count)) {
    in.refuse("the lists of the draws do not fit together");
  }
  for (const double variance : draws.noise_variances) {
    if (!(variance >= 0)) in.refuse("a noise variance of the draws is negative");
  }
  return draws;
}

// Constraints beyond types: lengths, ranges, unique names.
void check_content(const Reader& in, const Fit& fit) {
  const Index p = std::ssize(fit.features);
  const auto check_length = [&](const char* key, Index length, bool may_be_empty) {
    if (length == p || (may_be_empty && length == 0)) return;
    in.refuse(fmt::format("'{}' has {} entries for {} features", key, length, p));
  };
  check_length("coefficients", fit.coefficients.size(), false);
  check_length("standard_deviations", fit.standard_deviations.size(), true);
  check_length("inclusion", fit.inclusion.size(), true);
  check_length("inclusion_error", fit.inclusion_error.size(), true);
  for (const TargetFit& one : fit.more_targets) {
    check_length("more_targets.coefficients", one.coefficients.size(), false);
    check_length("more_targets.standard_deviations", one.standard_deviations.size(), true);
  }
  const auto check_range = [&](const char* key, const std::vector<double>& values, double highest, const char* words) {
    for (Index j = 0; j < std::ssize(values); ++j) {
      if (values[j] < 0 || values[j] > highest) {
        in.refuse(fmt::format("'{}[{}]' is {}; expected {}", key, j, values[j], words));
      }
    }
  };
  check_range("inclusion", fit.inclusion, 1, "a probability between 0 and 1");
  check_range("inclusion_error", fit.inclusion_error, std::numeric_limits<double>::max(), "a nonnegative number");
  check_range("standard_deviations", fit.standard_deviations, std::numeric_limits<double>::max(),
              "a nonnegative number");
  if (fit.noise_variance && *fit.noise_variance < 0) {
    in.refuse(fmt::format("'noise_variance' is {}; expected a nonnegative number or null", *fit.noise_variance));
  }
  if (!fit.levels.empty() && fit.levels.size() != 2) {
    in.refuse(fmt::format("'levels' has {} entries; expected 0 or 2", fit.levels.size()));
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : fit.features) {
    if (!seen.insert(name).second) in.refuse(fmt::format("duplicate feature '{}'", name.substr(0, 60)));
  }
}

}  // namespace

Fit json::read_fit(const Parsed& root, const std::string& where) {
  const Reader in(root, where);
  json::check_schema(in, "tamis.fit/", 2);
  Fit fit;
  fit.schema = in.word("schema");
  fit.library_version = in.word("library_version");
  fit.method = in.word("method");
  fit.family = in.word("family");
  at_file(in, [&] { return &family(fit.family); });
  fit.options = json::read_options(in);
  if (in.has("target")) fit.target = in.word("target");
  if (in.has("levels")) fit.levels = in.words("levels");
  if (in.has("offset")) fit.offset = in.word("offset");
  fit.samples = in.count("samples");
  fit.features = in.words("features");
  fit.intercept = in.number("intercept");
  fit.coefficients = in.numbers("coefficients");
  fit.standard_deviations = in.numbers("standard_deviations");
  fit.inclusion = in.numbers("inclusion");
  if (in.has("inclusion_error")) fit.inclusion_error = in.numbers("inclusion_error");
  in.at("noise_variance");
  fit.noise_variance = in.maybe_number("noise_variance");
  fit.hyper = read_hyper(in);
  fit.objective = in.number_or_nan("objective");
  fit.trace = read_points<TracePoint>(in, "trace", where, json::read_trace_point);
  fit.path = read_points<PathPoint>(in, "path", where, read_path_point);
  fit.status = at_file(in, [&] { return status_of(in.word("status")); });
  fit.message = in.word("message");
  fit.seconds = in.number_or_nan("seconds");
  if (in.has("more_targets")) fit.more_targets = read_points<TargetFit>(in, "more_targets", where, read_target);
  if (in.has("components")) fit.components = read_points<FittedComponent>(in, "components", where, read_component);
  check_content(in, fit);
  json::read_certainty(in, where, fit);
  if (in.has("draws")) {
    fit.draws = read_draws(Reader(in.object("draws"), where + ": draws"), std::ssize(fit.features));
  }
  fit.feature_means = read_by_feature(in, "feature_means", fit.features);
  fit.feature_spreads = read_by_feature(in, "feature_spreads", fit.features);
  return fit;
}

Fit from_json(const std::string& text, const std::string& where) {
  return json::read_fit(json::parse(text, where), where);
}

Fit load(const std::string& path) { return from_json(json::model_text(path), path); }

}  // namespace tamis
