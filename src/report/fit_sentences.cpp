#include "report/fit_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/phrases.hpp"

namespace tamis {
namespace {

constexpr std::size_t most_named = 5;
constexpr double doubtful_from = 0.1;

std::string response_of(const Fit& fit) { return fit.target.empty() ? "the response" : short_name(fit.target); }

Sentence found(std::string words) { return {Tone::finding, std::move(words)}; }
Sentence sure(std::string words) { return {Tone::certainty, std::move(words)}; }
Sentence careful(std::string words) { return {Tone::caution, std::move(words)}; }

// What it is that rises: the response, or the probability of a class.
std::string rising_thing(const Fit& fit) {
  if (fit.family != "bernoulli") return response_of(fit);
  return fit.levels.size() == 2
             ? fmt::format("The probability that {} is {}", response_of(fit), short_name(fit.levels[1]))
             : fmt::format("The probability that {} is 1", response_of(fit));
}

Sentence directions(const Fit& fit, const std::vector<Selected>& selected) {
  std::vector<Selected> up, down;
  for (const Selected& one : selected) (one.coefficient >= 0 ? up : down).push_back(one);
  std::string words = rising_thing(fit);
  if (!up.empty()) words += " rises with " + listed(names_of(fit, up), most_named);
  if (!up.empty() && !down.empty()) words += ", and";
  if (!down.empty()) words += " falls with " + listed(names_of(fit, down), most_named);
  return found(words + ".");
}

// Features that are less probable than not, but not out of the question.
std::vector<Selected> doubtful(const Fit& fit) {
  std::vector<Selected> rest = select_by_threshold(fit, doubtful_from);
  std::erase_if(rest, [](const Selected& one) { return one.inclusion >= 0.5; });
  return rest;
}

void add_inclusion(const Fit& fit, const std::vector<Selected>& selected, std::vector<Sentence>& all) {
  if (!selected.empty()) {
    double wrong = 0;
    for (const Selected& one : selected) wrong += 1 - one.inclusion;
    const double least = selected.back().inclusion;
    const std::string bound = least > 0.999 ? "all above 0.999" : fmt::format("{:.3f} or more", least);
    const std::string expected = wrong < 0.05 ? "hardly any of them is expected to be false"
                                              : rounded(wrong, 2) + " false ones are expected among them";
    all.push_back(sure(selected.size() == 1
                           ? fmt::format("Its inclusion probability is {}.", share_words(least))
                           : fmt::format("Their inclusion probabilities are {}, and {}.", bound, expected)));
  } else if (const std::vector<Selected> best = select_top(fit, 1); !best.empty()) {
    all.push_back(sure(fmt::format("The most probable feature is {}, with an inclusion probability of {}.",
                                   short_name(names_of(fit, best)[0]), share_words(best[0].inclusion))));
  }
  const std::vector<Selected> rest = doubtful(fit);
  if (!rest.empty()) {
    all.push_back(sure(fmt::format("In doubt, with probabilities from {} to 0.5: {}.", doubtful_from,
                                   listed(names_of(fit, rest), most_named))));
  }
}

void add_intervals(const Fit& fit, const std::vector<Selected>& selected, std::vector<Sentence>& all) {
  all.push_back(
      sure(fmt::format("{} gives no inclusion probabilities: that a feature is kept says that it helps to "
                       "predict, not how sure its part is.",
                       fit.method)));
  if (fit.standard_deviations.empty() || selected.empty()) return;
  constexpr double quantile = 1.959963984540054;  // of 0.975
  const auto clear = std::count_if(selected.begin(), selected.end(), [&](const Selected& one) {
    return std::abs(one.coefficient) > quantile * fit.standard_deviations[one.feature];
  });
  all.push_back(sure(fmt::format("The 95 % interval of {} of the {} coefficients leaves out zero.", with_commas(clear),
                                 with_commas(std::ssize(selected)))));
}

void add_held_out_error(const Fit& fit, std::vector<Sentence>& all) {
  const std::optional<ChosenPoint> chosen = chosen_point(fit);
  if (!chosen || !fit.path[chosen->place].validation_error) return;
  const PathPoint& point = fit.path[chosen->place];
  std::string words =
      fmt::format("At the chosen {} ({}) the held-out {} is {}", chosen->name, rounded(point.value),
                  fit.family == "gaussian" ? "mean squared error" : "mean deviance", rounded(*point.validation_error));
  if (point.validation_se) words += fmt::format(" ± {}", rounded(*point.validation_se, 2));
  const auto empty = std::find_if(fit.path.begin(), fit.path.end(),
                                  [](const PathPoint& p) { return p.active == 0 && p.validation_error.has_value(); });
  if (empty != fit.path.end() && point.active > 0) {
    words += fmt::format(", without any feature {}", rounded(*empty->validation_error));
  }
  all.push_back(sure(words + "."));
  if (chosen->place + 1 == fit.path.size() && fit.path.size() > 1) {
    all.push_back(careful(
        fmt::format("The chosen {} is the last one that was tried: a longer path may do better.", chosen->name)));
  }
}

void add_cautions(const Fit& fit, const std::vector<Selected>& selected, std::vector<Sentence>& all) {
  if (fit.status != Status::converged) {
    all.push_back(
        careful(fmt::format("{}: {}{}The numbers are the last good state, not the solution.", status_words(fit.status),
                            fit.message, fit.message.empty() || fit.message.ends_with('.') ? " " : ". ")));
  }
  if (const auto rhat = fit.hyper.find("largest_rhat"); rhat != fit.hyper.end()) {
    constexpr double agreeing = 1.05;
    const double* value = std::get_if<double>(&rhat->second);
    if (value != nullptr && *value > agreeing) {
      all.push_back(
          careful(fmt::format("The chains agree only to an R-hat of {} (1.05 or less is wanted): more samples "
                              "would make the probabilities more certain.",
                              rounded(*value))));
    }
  }
  const Index p = fit.features.size();
  const Index kept = selected.size();
  if (fit.samples > 0 && kept >= fit.samples) {
    all.push_back(
        careful(fmt::format("Collapsed: with {} for {} the model can repeat any response exactly, noise "
                            "included; none of it can be trusted.",
                            quantity(kept, "feature", "features"), quantity(fit.samples, "row", "rows"))));
  } else if (fit.noise_variance && *fit.noise_variance == 0 && kept > 0) {
    all.push_back(careful("Collapsed: the noise variance is zero, so the model repeats the response exactly."));
  } else if (p > 2 * fit.samples) {
    all.push_back(
        careful(fmt::format("There are {} for {}: other sets of features may explain so few rows nearly as "
                            "well. A feature that is left out may still matter, and another sample may "
                            "choose others.",
                            quantity(p, "feature", "features"), quantity(fit.samples, "row", "rows"))));
  }
}

Sentence correlation_sentence(const Fit& fit, const std::vector<Correlation>& among) {
  std::vector<std::string> pairs;
  pairs.reserve(among.size());
  for (const Correlation& c : among) {
    pairs.push_back(fmt::format("{} and {} ({:.2f})", short_name(fit.features[c.first]),
                                short_name(fit.features[c.second]), c.value));
  }
  constexpr Index most_pairs = 3;
  std::string words = fmt::format("Correlated among the selected: ");
  for (Index k = 0; k < std::min(most_pairs, std::ssize(pairs)); ++k) words += (k > 0 ? "; " : "") + pairs[k];
  if (std::ssize(pairs) > most_pairs) words += fmt::format("; and {} more pairs", std::ssize(pairs) - most_pairs);
  return careful(words + ". Their coefficients are hard to tell apart.");
}

void add_correlations(const Fit& fit, const DataCheck& check, std::vector<Sentence>& all) {
  std::vector<Correlation> among, outside;
  for (const Correlation& c : check.correlations) (c.second_selected ? among : outside).push_back(c);
  if (!among.empty()) all.push_back(correlation_sentence(fit, among));
  if (outside.empty()) return;
  const Correlation& strongest = outside.front();
  all.push_back(careful(fmt::format(
      "{} left out {} correlated with a selected one by {} or more, most of all {} with {} ({:.2f}): it may stand in "
      "for "
      "what it resembles.",
      quantity(std::ssize(outside), "feature", "features"), outside.size() == 1 ? "is" : "are", DataCheck::notable,
      short_name(fit.features[strongest.second]), short_name(fit.features[strongest.first]), strongest.value)));
}

}  // namespace

std::string headline_of(const Fit& fit) {
  const auto kept = static_cast<Index>(select_by_threshold(fit, 0.5).size());
  const Index p = fit.features.size();
  if (kept == 0) return fmt::format("No feature was found that explains {}", response_of(fit));
  if (kept == p && p > 1) {
    return fmt::format("All {} features are used to explain {}", with_commas(p), response_of(fit));
  }
  return fmt::format("{} of {} {} {}", with_commas(kept), quantity(p, "feature", "features"),
                     kept == 1 ? "explains" : "explain", response_of(fit));
}

std::optional<ChosenPoint> chosen_point(const Fit& fit) {
  for (const auto& [name, value] : fit.hyper) {
    const double* number = std::get_if<double>(&value);
    if (number == nullptr) continue;
    const auto found_at =
        std::find_if(fit.path.begin(), fit.path.end(), [&](const PathPoint& point) { return point.value == *number; });
    if (found_at != fit.path.end()) return ChosenPoint{static_cast<std::size_t>(found_at - fit.path.begin()), name};
  }
  return std::nullopt;
}

std::vector<Sentence> sentences_of(const Fit& fit) {
  const std::vector<Selected> selected = select_by_threshold(fit, 0.5);
  std::vector<Sentence> all;
  all.push_back(selected.empty() ? found("No feature was selected.") : directions(fit, selected));
  if (fit.inclusion.empty()) {
    add_intervals(fit, selected, all);
  } else {
    add_inclusion(fit, selected, all);
  }
  add_held_out_error(fit, all);
  add_cautions(fit, selected, all);
  return all;
}

std::vector<Sentence> data_sentences(const Fit& fit, const DataCheck& check, const std::string& source) {
  std::vector<Sentence> all;
  const Index rows = check.residuals.size();
  if (rows > 0) {
    std::string words = fmt::format("On {} ({})", short_name(source), quantity(rows, "row", "rows"));
    if (check.labels_right)
      words += fmt::format(" {:.1f} % of the labels are predicted rightly", 100 * *check.labels_right);
    if (!check.labels_right) {
      words += fmt::format(" the root mean square error is {}", rounded(check.root_mean_square));
      if (check.explained) words += fmt::format(", which explains {:.1f} % of the variance", 100 * *check.explained);
    }
    if (check.covered) words += fmt::format("; {:.1f} % of the rows lie in their 95 % interval", 100 * *check.covered);
    all.push_back(sure(words + "."));
    if (rows == fit.samples) {
      all.push_back(
          careful("These data have as many rows as the model was fitted to: if they are the same, the error on "
                  "new rows will be larger."));
    }
  }
  if (check.covered && *check.covered < 0.88) {
    all.push_back(
        careful("The intervals hold fewer rows than they promise: the model is too sure of its predictions."));
  }
  add_correlations(fit, check, all);
  return all;
}

}  // namespace tamis
