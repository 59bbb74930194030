// Kind of inclusion, credible sets, their candidates and alternatives, read from a model file and checked.
//
// Schema 1   has none of the keys. Its methods are a closed list, those of tamis 0.1: what their inclusion was is known
//            by name. That of bm was a mask rate and becomes one. Inclusion of any other method is of unknown kind.
// Checked    names are features of the model, lists are of one length, places are in range, numbers are probabilities
//            or correlations: credible_sets() relies on it.
#include "fit/read_certainty.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace tamis::json {
namespace {

class CertaintyReader {
 public:
  CertaintyReader(const Reader& in, std::string where, Fit& fit) : in_(in), where_(std::move(where)), fit_(fit) {
    for (Index j = 0; j < std::ssize(fit.features); ++j) place_of_[fit.features[j]] = j;
  }

  void read() {
    fit_.inclusion_kind = at_file(in_, [&] { return inclusion_kind_of(in_.word("inclusion_kind")); });
    if (fit_.inclusion.empty()) fit_.inclusion_kind = InclusionKind::none;
    if (!fit_.inclusion.empty() && fit_.inclusion_kind == InclusionKind::none)
      fit_.inclusion_kind = InclusionKind::unknown;
    if (in_.has("credible_sets")) {
      fit_.credible_sets =
          read_points<CredibleSet>(in_, "credible_sets", where_, [&](const Reader& one) { return read_set(one); });
    }
    if (in_.has("alternatives")) {
      fit_.alternatives = read_points<Alternative>(in_, "alternatives", where_, [&](const Reader& one) {
        return Alternative{place(one, one.word("feature")), place(one, one.word("with")),
                           in_range(one, "correlation", one.number("correlation"), -1)};
      });
    }
    if (in_.has("set_candidates")) {
      const Reader one(in_.object("set_candidates"), where_ + ": set_candidates");
      fit_.set_candidates = read_candidates(one);
    }
  }

 private:
  Index place(const Reader& in, const std::string& name) const {
    const auto at = place_of_.find(name);
    if (at == place_of_.end()) in.refuse(fmt::format("'{}' is not a feature of the model", name.substr(0, 60)));
    return at->second;
  }
  std::vector<Index> places(const Reader& in) const {
    std::vector<Index> list;
    for (const std::string& name : in.words("features")) list.push_back(place(in, name));
    return list;
  }
  static double in_range(const Reader& in, const std::string& key, double value, double least) {
    if (value < least || value > 1)
      in.refuse(fmt::format("'{}' is {}; expected a number from {} to 1", key, value, least));
    return value;
  }
  // One for each feature.
  static std::vector<double> shares(const Reader& in, const char* key, std::size_t count) {
    std::vector<double> values = in.numbers(key);
    if (values.size() != count)
      in.refuse(fmt::format("'{}' has {} entries for {} features", key, values.size(), count));
    for (const double value : values) in_range(in, key, value, 0);
    return values;
  }

  CredibleSet read_set(const Reader& in) const {
    CredibleSet set;
    set.features = places(in);
    if (set.features.empty()) in.refuse("'features' is empty");
    set.inclusion = shares(in, "inclusion", set.features.size());
    set.correlation = in.has("correlation") ? shares(in, "correlation", set.features.size()) : std::vector<double>();
    set.probability = in_range(in, "probability", in.number("probability"), 0);
    set.purity = in_range(in, "purity", in.number("purity"), 0);
    return set;
  }

  SetCandidates read_candidates(const Reader& in) const {
    SetCandidates candidates;
    candidates.features = places(in);
    const Index count = std::ssize(candidates.features);
    candidates.inclusion = shares(in, "inclusion", candidates.features.size());
    ModelDraws& draws = candidates.draws;
    draws.weights = in.numbers("weights");
    for (const double weight : draws.weights) in_range(in, "weights", weight, 0);
    draws.starts = {0};
    for (const Parsed& model : in.list("models")) {
      if (!model.is_array()) in.refuse_type("models", model, "an array");
      for (const Parsed& entry : model) draws.features.push_back(checked_place(in, entry, count));
      draws.starts.push_back(std::ssize(draws.features));
    }
    if (std::ssize(draws.weights) + 1 != std::ssize(draws.starts))
      in.refuse(fmt::format("'models' has {} entries for {} weights", draws.starts.size() - 1, draws.weights.size()));
    for (const Parsed& pair : in.list("correlations")) {
      if (!pair.is_array() || pair.size() != 3) in.refuse_type("correlations", pair, "two places and a correlation");
      const Index first = checked_place(in, pair[0], count), second = checked_place(in, pair[1], count);
      const double value = in_range(in, "correlations", in.as_number("correlations", pair[2]), -1);
      candidates.correlations.push_back({first, second, value});
    }
    return candidates;
  }
  static Index checked_place(const Reader& in, const Parsed& value, Index count) {
    if (!value.is_number_integer()) in.refuse_type("place", value, "a nonnegative integer");
    const auto place = value.get<Index>();
    if (place < 0 || place >= count)
      in.refuse(fmt::format("received the place {} among {} candidates", value.dump(), count));
    return place;
  }

  const Reader& in_;
  std::string where_;
  Fit& fit_;
  std::unordered_map<std::string_view, Index> place_of_;
};

void derive_certainty(Fit& fit) {
  constexpr std::array<std::string_view, 2> by_posterior = {"gibbs", "exact"};
  constexpr std::array<std::string_view, 5> approximate = {"vg", "pmf", "ard", "flas", "ep"};
  if (fit.method == "bm" && !fit.inclusion.empty()) fit.hyper["mask_rate"] = std::exchange(fit.inclusion, {});
  fit.inclusion_kind = fit.inclusion.empty()                              ? InclusionKind::none
                       : std::ranges::count(by_posterior, fit.method) > 0 ? InclusionKind::posterior
                       : std::ranges::count(approximate, fit.method) > 0  ? InclusionKind::approximate
                                                                          : InclusionKind::unknown;
}

}  // namespace

void read_certainty(const Reader& in, const std::string& where, Fit& fit) {
  if (!in.has("inclusion_kind")) return derive_certainty(fit);
  CertaintyReader(in, where, fit).read();
}

}  // namespace tamis::json
