// Several regression models on one sheet: what each selected, and which features they agree on.
// Matching   by feature name: models may have been fitted to different files with other columns. A feature that a model
//            does not know is a missing cell, not a zero.
// Selection  inclusion probability at least 0.5, or a nonzero coefficient in methods without inclusion probabilities.
// Overlap    Jaccard index of the selected sets; 1 for two empty sets.
// Ranking    by the error on data that were given, if they were for all models, else by held-out error; models of one
//            response and family only. What single pages say to be careful about is said here, too.
// Labels     method, with file and target where they are needed to tell models apart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "report/certainty_words.hpp"
#include "report/fit_sentences.hpp"
#include "report/phrases.hpp"
#include "tamis/family/family.hpp"
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

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double held_out_error(const ReportedFit& model) {
  const std::optional<ChosenPoint> chosen = chosen_point(model.fit);
  return chosen ? model.fit.path[chosen->place].validation_error.value_or(unknown) : unknown;
}

double held_out_se(const ReportedFit& model) {
  const std::optional<ChosenPoint> chosen = chosen_point(model.fit);
  return chosen ? model.fit.path[chosen->place].validation_se.value_or(unknown) : unknown;
}

// What models are ranked by: the error on data that were given if it is known of all, else the held-out one.
bool ranked_on_data(std::span<const ReportedFit> models) {
  return std::ranges::all_of(models, [](const ReportedFit& model) { return model.data_error.has_value(); });
}

double ranking_error(const ReportedFit& model, bool on_data) {
  return on_data ? model.data_error.value_or(unknown) : held_out_error(model);
}

// Errors of other responses or families are on other scales.
bool comparable(std::span<const ReportedFit> models) {
  return std::ranges::all_of(models, [&](const ReportedFit& model) {
    return model.fit.family == models.front().fit.family && model.fit.target == models.front().fit.target;
  });
}

// "mean squared error", with its unit where there is one.
std::string error_words(const Fit& fit) {
  std::string words(family(fit.family).words().validation_error);
  if (family(fit.family).traits().has_noise)
    words += fmt::format(", in squared units of {}", fit.target.empty() ? "the response" : short_name(fit.target));
  return words;
}

// Smallest error first, those without one last; ties in the order given.
std::vector<Index> by_error(std::span<const ReportedFit> models) {
  std::vector<Index> order(models.size());
  std::iota(order.begin(), order.end(), Index{0});
  if (!comparable(models)) return order;
  const bool on_data = ranked_on_data(models);
  std::ranges::stable_sort(order, [&](Index a, Index b) {
    const double x = ranking_error(models[a], on_data), y = ranking_error(models[b], on_data);
    return std::isnan(x) != std::isnan(y) ? std::isnan(y) : x < y;
  });
  return order;
}

Listing model_listing(std::span<const ReportedFit> models, const std::vector<std::string>& labels) {
  ListingColumn name{.title = "model", .words = labels}, target{.title = "target"}, family{.title = "family"};
  ListingColumn kept{.title = "features",
                     .meaning =
                         "number of selected features: inclusion probability 0.5 or above, or nonzero coefficients in "
                         "methods without inclusion probabilities"};
  ListingColumn inclusion{.title = "inclusion", .meaning = "what the inclusion probabilities are"};
  ListingColumn error{.title = "held-out error", .meaning = "at the chosen tuning parameter, over its folds"};
  ListingColumn se{.title = "standard error", .meaning = "of the held-out error"};
  ListingColumn on_data{.title = "error on the data"};
  ListingColumn noise{.title = "noise sd"}, seconds{.title = "seconds"}, status{.title = "status"};
  for (const ReportedFit& model : models) {
    const Fit& fit = model.fit;
    target.words.push_back(fit.target);
    family.words.push_back(fit.family);
    kept.numbers.push_back(static_cast<double>(select_by_threshold(fit, 0.5).size()));
    inclusion.words.emplace_back(name_of(fit.inclusion_kind));
    error.numbers.push_back(held_out_error(model));
    se.numbers.push_back(held_out_se(model));
    on_data.numbers.push_back(model.data_error.value_or(unknown));
    noise.numbers.push_back(fit.noise_variance ? std::sqrt(*fit.noise_variance) : unknown);
    seconds.numbers.push_back(fit.seconds);
    status.words.push_back(status_words(fit.status));
  }
  const std::string unit =
      comparable(models) ? error_words(models.front().fit) : "in units of each response and family";
  Listing listing{.title = "Models", .caption = "Errors: " + unit + ".", .columns = {name}};
  if (!comparable(models)) listing.columns.insert(listing.columns.end(), {target, family});
  listing.columns.insert(listing.columns.end(), {kept, inclusion, error, se});
  if (std::ranges::any_of(models, [](const ReportedFit& model) { return model.data_error.has_value(); }))
    listing.columns.push_back(on_data);
  listing.columns.insert(listing.columns.end(), {noise, seconds, status});
  listing.order = by_error(models);
  return listing;
}

// Inclusion probability of a feature by name, or its coefficient; NaN if the model does not have it.
double value_in(const Fit& fit, const std::map<std::string, std::size_t>& places, const std::string& name) {
  const auto at = places.find(name);
  if (at == places.end()) return std::numeric_limits<double>::quiet_NaN();
  return fit.inclusion.empty() ? fit.coefficients[at->second] : fit.inclusion[at->second];
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
                  .caption =
                      "Inclusion probabilities (approximate ones are called so); of methods without them the "
                      "coefficients.",
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
    const bool has_inclusion = !models[m].fit.inclusion.empty();
    ListingColumn column{
        .title = labels[m] + (has_inclusion ? is_approximate(models[m].fit) ? ", approx." : "" : ", coefficient"),
        .share = has_inclusion};
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

Sentence agreement_sentence(const std::vector<Names>& selected) {
  std::map<std::string, std::size_t> votes;
  for (const Names& names : selected) {
    for (const std::string& name : names) ++votes[name];
  }
  std::vector<std::string> common;
  for (const auto& [name, times] : votes) {
    if (times == selected.size()) common.push_back(name);
  }
  if (common.empty()) return {Tone::finding, "No feature is selected by all models."};
  return {Tone::finding, fmt::format("All models select {}; {} by at least one.", listed(common, 6),
                                     votes.size() == 1 ? "1 feature is selected"
                                                       : with_commas(std::ssize(votes)) + " features are selected")};
}

// Which model predicts best, and which cannot be said.
void add_ranking(std::span<const ReportedFit> models, const std::vector<std::string>& labels,
                 std::vector<Sentence>& all) {
  if (!comparable(models)) {
    all.push_back({Tone::caution, "Models of different responses or families are not ranked."});
    return;
  }
  const bool on_data = ranked_on_data(models);
  std::vector<std::string> ranked, others;
  for (const Index m : by_error(models)) {
    const double error = ranking_error(models[m], on_data);
    if (std::isnan(error)) {
      others.push_back(labels[m]);
      continue;
    }
    std::string words = fmt::format("{} ({}", labels[m], rounded(error));
    if (!on_data && !std::isnan(held_out_se(models[m])))
      words += fmt::format(", standard error {}", rounded(held_out_se(models[m]), 2));
    ranked.push_back(words + ")");
  }
  if (ranked.size() > 1) {
    all.push_back(
        {Tone::certainty, fmt::format("By {} ({}), best first: {}.", on_data ? "error on the data" : "held-out error",
                                      error_words(models.front().fit), fmt::join(ranked, ", "))});
  }
  if (!others.empty()) {
    all.push_back({Tone::caution, fmt::format("Without a held-out error, and not ranked: {}; tamis compare evaluates "
                                              "all methods on the same folds.",
                                              listed(others, 6))});
  }
}

Summary summary_of(std::span<const ReportedFit> models, const std::vector<std::string>& labels,
                   const std::vector<Names>& selected) {
  Summary summary{{agreement_sentence(selected)}};
  add_ranking(models, labels, summary.sentences);
  std::vector<const Fit*> fits;
  for (const ReportedFit& model : models) fits.push_back(&model.fit);
  for (Sentence& sentence : joint_cautions(labels, fits)) summary.sentences.push_back(std::move(sentence));
  std::stable_partition(summary.sentences.begin(), summary.sentences.end(),
                        [](const Sentence& one) { return one.tone != Tone::caution; });
  return summary;
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
          {"Summary", "", {summary_of(models, labels, selected), model_listing(models, labels)}},
          {"Selected features", "", {agreement_listing(models, labels, selected), overlap_chart(labels, selected)}}}};
}

}  // namespace tamis
