// Several regression models on one sheet: what each selected, and which features they agree on.
// Matching   by feature name: models may have been fitted to different files with other columns. A feature that a model
//            does not know is a missing cell, not a zero.
// Selection  inclusion probability at least 0.5, or a nonzero coefficient in methods without inclusion probabilities.
// Overlap    Jaccard index of the selected sets; 1 for two empty sets.
// Labels     method, with file and target where they are needed to tell models apart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "report/fit_sentences.hpp"
#include "report/phrases.hpp"
#include "tamis/report/report.hpp"

namespace tamis {
namespace {

using Names = std::set<std::string>;

Names selected_names(const Fit& fit) {
  const std::vector<std::string> names = names_of(fit, select_by_threshold(fit, 0.5));
  return {names.begin(), names.end()};
}

// "vg", or with its file where two fits are of one method.
std::vector<std::string> labels_of(std::span<const ReportedFit> models) {
  std::map<std::string, int> uses;
  for (const ReportedFit& model : models) ++uses[model.fit.method];
  std::vector<std::string> labels;
  for (const ReportedFit& model : models) {
    std::string label = model.fit.method;
    if (uses[label] > 1) label += " (" + short_name(model.source) + ")";
    if (!model.fit.more_targets.empty() || uses[model.fit.method] > 1) {
      label += model.fit.target.empty() ? "" : " " + short_name(model.fit.target);
    }
    labels.push_back(std::move(label));
  }
  return labels;
}

Listing model_listing(std::span<const ReportedFit> models, const std::vector<std::string>& labels) {
  ListingColumn name{.title = "model", .words = labels}, target{.title = "target"}, family{.title = "family"};
  ListingColumn kept{.title = "features",
                     .meaning =
                         "number of selected features: inclusion probability 0.5 or above, or nonzero coefficients in "
                         "methods without inclusion probabilities"};
  ListingColumn error{.title = "held-out error",
                      .meaning = "mean squared error or mean deviance at the chosen tuning parameter"};
  ListingColumn noise{.title = "noise sd"}, seconds{.title = "seconds"}, status{.title = "status"};
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  for (const ReportedFit& model : models) {
    const Fit& fit = model.fit;
    const auto chosen = chosen_point(fit);
    target.words.push_back(fit.target);
    family.words.push_back(fit.family);
    kept.numbers.push_back(static_cast<double>(select_by_threshold(fit, 0.5).size()));
    error.numbers.push_back(chosen ? fit.path[chosen->place].validation_error.value_or(unknown) : unknown);
    noise.numbers.push_back(fit.noise_variance ? std::sqrt(*fit.noise_variance) : unknown);
    seconds.numbers.push_back(fit.seconds);
    status.words.push_back(status_words(fit.status));
  }
  return {.title = "Models", .columns = {name, target, family, kept, error, noise, seconds, status}};
}

// Inclusion probability of a feature by name, or 0/1 from its coefficient; NaN if the model does not have it.
double value_in(const Fit& fit, const std::map<std::string, std::size_t>& places, const std::string& name) {
  const auto at = places.find(name);
  if (at == places.end()) return std::numeric_limits<double>::quiet_NaN();
  if (!fit.inclusion.empty()) return fit.inclusion[at->second];
  return fit.coefficients[at->second] != 0 ? 1 : 0;
}

// Features that any model selects, by how many do.
// Sorted by the number of models that select the feature; ties by name, as the map gives them.
Listing agreement_listing(std::span<const ReportedFit> models, const std::vector<std::string>& labels,
                          const std::vector<Names>& selected) {
  std::map<std::string, Index> votes;
  for (const Names& names : selected) {
    for (const std::string& name : names) ++votes[name];
  }
  std::vector<std::pair<std::string, Index>> ranked(votes.begin(), votes.end());
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  ListingColumn feature{.title = "feature"},
      count{.title = "models", .meaning = "number of models that select the feature"};
  Listing listing{.title = "Features selected by at least one model",
                  .caption = "Inclusion probabilities; in methods without them, 1 for a nonzero coefficient.",
                  .marked_label = "selected by all"};
  for (const auto& [name, times] : ranked) {
    if (times == std::ssize(models)) listing.marked.push_back(std::ssize(feature.words));
    feature.words.push_back(name);
    count.numbers.push_back(static_cast<double>(times));
  }
  listing.columns = {feature, count};
  for (Index m = 0; m < std::ssize(models); ++m) {
    std::map<std::string, std::size_t> places;
    for (Index j = 0; j < std::ssize(models[m].fit.features); ++j) places[models[m].fit.features[j]] = j;
    ListingColumn column{.title = labels[m], .share = true};
    for (const std::string& name : feature.words) column.numbers.push_back(value_in(models[m].fit, places, name));
    listing.columns.push_back(std::move(column));
  }
  return listing;
}

// From name sets rather than positions, as files may order features differently.
Chart overlap_chart(const std::vector<std::string>& labels, const std::vector<Names>& selected) {
  const Index count = selected.size();
  Matrix shares(count, count);
  for (Index a = 0; a < count; ++a) {
    for (Index b = 0; b < count; ++b) {
      const Names &first = selected[a], &second = selected[b];
      const auto both =
          std::count_if(first.begin(), first.end(), [&](const auto& name) { return second.contains(name); });
      const Index either = std::ssize(first) + std::ssize(second) - both;
      shares(a, b) = either > 0 ? static_cast<double>(both) / static_cast<double>(either) : 1;
    }
  }
  Chart chart;
  chart.panel.title = "Overlap of selected features";
  chart.panel.x.names = chart.panel.y.names = labels;
  chart.panel.heat_map = HeatMap{.values = std::move(shares), .least = -1, .most = 1};
  chart.caption = "Jaccard index: features selected by both models over features selected by either.";
  chart.height = std::clamp(34.0 * static_cast<double>(count), 90.0, 360.0);
  return chart;
}

Summary summary_of(const std::vector<Names>& selected) {
  std::map<std::string, std::size_t> votes;
  for (const Names& names : selected) {
    for (const std::string& name : names) ++votes[name];
  }
  std::vector<std::string> common;
  for (const auto& [name, times] : votes) {
    if (times == selected.size()) common.push_back(name);
  }
  if (common.empty()) return {{{Tone::finding, "No feature is selected by all models."}}};
  return {
      {{Tone::finding, fmt::format("All models select {}; {} by at least one.", listed(common, 6),
                                   votes.size() == 1 ? "1 feature is selected"
                                                     : with_commas(std::ssize(votes)) + " features are selected")}}};
}

}  // namespace

Sheet side_by_side(std::span<const ReportedFit> models) {
  const std::vector<std::string> labels = labels_of(models);
  std::vector<Names> selected;
  for (const ReportedFit& model : models) selected.push_back(selected_names(model.fit));
  return {
      .name = "Comparison",
      .title = fmt::format("Comparison of {} models", models.size()),
      .sections = {
          {"Summary", "", {summary_of(selected), model_listing(models, labels)}},
          {"Selected features", "", {agreement_listing(models, labels, selected), overlap_chart(labels, selected)}}}};
}

}  // namespace tamis
