// Regression model as a sheet of a page: summary, features, image, tuning path, data, trace, provenance.
// Parts      covariance components before the features, if the prior has them.
// Blocks     only those for which the model has content; cautions come last in the summary, from whatever part they
//            are.
// Figures    key numbers above the details: selected features, expected number of features (sum of inclusion
//            probabilities), noise standard deviation, held-out error, accuracy on data, time.
// Provenance everything that identifies the fit: file, method, options, version, schema, status.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/certainty_words.hpp"
#include "report/fit_charts.hpp"
#include "report/fit_sentences.hpp"
#include "report/phrases.hpp"
#include "report/set_groups.hpp"
#include "tamis/family/family.hpp"
#include "tamis/report/report.hpp"

namespace tamis {
namespace {

std::string note_of(const ReportedFit& model) {
  const Fit& fit = model.fit;
  std::string words = fmt::format("{} ({}), {} × {}", fit.method, fit.family, quantity(fit.samples, "row", "rows"),
                                  quantity(std::ssize(fit.features), "feature", "features"));
  if (fit.levels.size() == 2) {
    words += fmt::format(", {} = 0 and {} = 1", short_name(fit.levels[0]), short_name(fit.levels[1]));
  }
  return words + " · " + model.source;
}

Figures figures_of(const Fit& fit, const std::optional<DataCheck>& check) {
  const Index kept = select_by_threshold(fit, 0.5).size();
  Figures figures;
  figures.facts.push_back({"features selected", with_commas(kept)});
  // A sum of approximate probabilities expects nothing.
  if (!fit.inclusion.empty() && !is_approximate(fit)) {
    double expected = 0;
    for (const double value : fit.inclusion) expected += value;
    figures.facts.push_back({"expected number of features", rounded(expected, 3)});
  }
  if (fit.noise_variance)
    figures.facts.push_back({"noise standard deviation", rounded(std::sqrt(*fit.noise_variance), 3)});
  if (const auto chosen = chosen_point(fit); chosen && fit.path[chosen->place].validation_error) {
    figures.facts.push_back({fmt::format("held-out {}", family(fit.family).words().validation_error),
                             rounded(*fit.path[chosen->place].validation_error)});
  }
  if (check && check->labels_right) {
    figures.facts.push_back({"accuracy on the data", fmt::format("{:.1f}%", 100 * *check->labels_right)});
  } else if (check && check->explained && !check->residuals.empty()) {
    figures.facts.push_back({"variance explained on the data", fmt::format("{:.1f}%", 100 * *check->explained)});
  }
  figures.facts.push_back({"fit time", duration(fit.seconds)});
  return figures;
}

// Findings and certainty first, cautions last.
Section short_section(const ReportedFit& model, const std::optional<DataCheck>& check) {
  Summary summary{sentences_of(model.fit)};
  if (check) {
    for (Sentence& sentence : data_sentences(model.fit, *check, model.data->source)) {
      summary.sentences.push_back(std::move(sentence));
    }
  }
  // Cautions last, whichever part they come from.
  std::stable_partition(summary.sentences.begin(), summary.sentences.end(),
                        [](const Sentence& sentence) { return sentence.tone != Tone::caution; });
  return {"Summary", "", {std::move(summary), figures_of(model.fit, check)}};
}

Section feature_section(const Fit& fit, const std::string& id) {
  const std::vector<Index> features = listed_features(fit);
  Section section{"Features", "", {feature_chart(fit, features, id), feature_listing(fit, features, id)}};
  const Index p = fit.features.size();
  if (std::ssize(features) < p) {
    section.note = fmt::format("The {} strongest of {} features are shown; the others are weaker or not in the model.",
                               with_commas(std::ssize(features)), with_commas(p));
  }
  return section;
}

Section component_section(const Fit& fit) {
  Listing listing{.title = "Covariance components", .marked_label = "retained"};
  ListingColumn name{.title = "component"}, kind{.title = "of"}, rank{.title = "rank"};
  ListingColumn inclusion{.title = "inclusion", .meaning = "as of a feature, from the gain in evidence", .share = true};
  ListingColumn variance{.title = "variance", .meaning = "in front of the component; 0: pruned"};
  ListingColumn share{
      .title = "share", .meaning = "of the variance of the response under the fitted prior", .share = true};
  for (Index i = 0; i < std::ssize(fit.components); ++i) {
    const FittedComponent& one = fit.components[i];
    name.words.push_back(one.name);
    kind.words.emplace_back(one.of_rows ? "rows" : "coefficients");
    rank.numbers.push_back(static_cast<double>(one.rank));
    inclusion.numbers.push_back(one.inclusion);
    variance.numbers.push_back(one.variance);
    share.numbers.push_back(one.share);
    if (one.variance > 0) listing.marked.push_back(i);
  }
  listing.columns = {name, kind, rank, inclusion, variance, share};
  return {"Components", "Parts of the prior covariance with a variance each; a variance of 0 prunes one.", {listing}};
}

void add_charts(Sheet& sheet, std::string title, std::string note, std::vector<Chart> charts) {
  if (charts.empty()) return;
  Section section{std::move(title), std::move(note), {}};
  for (Chart& chart : charts) section.blocks.emplace_back(std::move(chart));
  sheet.sections.push_back(std::move(section));
}

// Scalar results of the method; vectors are too long for a page.
std::vector<Fact> result_facts(const Fit& fit) {
  std::vector<Fact> facts = {{"intercept", rounded(fit.intercept, 6)}, {"objective", rounded(fit.objective, 6)}};
  if (fit.noise_variance) facts.push_back({"noise variance", rounded(*fit.noise_variance, 6)});
  for (const auto& [name, value] : fit.hyper) {
    if (const double* number = std::get_if<double>(&value)) facts.push_back({name, rounded(*number, 6)});
    if (const std::string* word = std::get_if<std::string>(&value)) facts.push_back({name, *word});
  }
  return facts;
}

Section provenance(const ReportedFit& model) {
  const Fit& fit = model.fit;
  std::vector<Fact> facts = {{"model", model.source},
                             {"method", fit.method},
                             {"family", fit.family},
                             {"target", fit.target},
                             {"rows", with_commas(fit.samples)},
                             {"features", with_commas(std::ssize(fit.features))},
                             {"status", status_words(fit.status)},
                             {"message", fit.message},
                             {"time", duration(fit.seconds)},
                             {"created by", "tamis " + fit.library_version},
                             {"schema", fit.schema}};
  if (model.data) facts.push_back({"evaluated on", model.data->source});
  std::erase_if(facts, [](const Fact& fact) { return fact.value.empty(); });
  return {"Model details",
          "",
          {FactList{"Provenance", facts}, FactList{"Options", option_facts(fit.options)},
           FactList{"Results", result_facts(fit)}}};
}

}  // namespace

Sheet report_sheet(const ReportedFit& model, ImageShape image) {
  const Fit& fit = model.fit;
  std::optional<DataCheck> check;
  if (model.data) check = check_data(fit, *model.data);
  Sheet sheet{.name = fit.target.empty() ? fit.method : fmt::format("{}: {}", fit.method, short_name(fit.target)),
              .title = headline_of(fit),
              .note = note_of(model)};
  sheet.sections.push_back(short_section(model, check));
  if (!fit.credible_sets.empty()) sheet.sections.push_back({"Credible sets", "", {set_groups(fit)}});
  if (!fit.components.empty()) sheet.sections.push_back(component_section(fit));
  // Unique id: charts refer to the table of their own sheet.
  sheet.sections.push_back(feature_section(fit, "features of " + model.source + "/" + fit.target));
  if (image.rows * image.cols == std::ssize(fit.features) && image.rows > 0) {
    sheet.sections.push_back({"Coefficients as an image", "", {coefficient_images(fit, image)}});
  }
  add_charts(sheet, "Tuning path", "One fit for each value of the tuning parameter; errors are on held-out rows.",
             path_charts(fit));
  if (check) add_charts(sheet, "Evaluation on data", model.data->source, data_charts(fit, *model.data, *check));
  add_charts(sheet, "Fit trace", "", trace_charts(fit.trace, "objective"));
  sheet.sections.push_back(provenance(model));
  return sheet;
}

}  // namespace tamis
