// Findings of a regression model in sentences: what was selected, how certain it is, what to be careful about.
//
// Findings   directions of the selected features. Coefficients are conditional on the other features, so sentences say
//            "increases with", never "causes".
// Certainty  inclusion probabilities and, unless they are approximate, the expected number of false selections
//            sum_j (1 - inclusion_j) over the selected; credible sets; for methods without them the number of intervals
//            that exclude zero; held-out error at the chosen tuning parameter, against the point of the path without
//            features.
// Cautions   no convergence; R-hat above 1.05; as many selected features as rows, or zero noise variance
//            (interpolation); more than two features per row (other sets fit nearly as well); a tuning parameter at the
//            end of its grid; 95 % intervals that cover less than 88 % of rows; correlated features; what approximate
//            inclusion probabilities are worth.
// Names      come from files: shortened and made printable; at most five in a list.
// Example    progression increases with bmi, bp and ltg, and decreases with hdl.
//            Their inclusion probabilities are 0.912 or above; expected number of false selections: 0.14.
//            At the chosen lambda (0.031), the held-out mean squared error is 2991 (standard error 160).
#include "report/fit_sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/certainty_words.hpp"
#include "report/phrases.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

constexpr Index most_named = 5;
// Features between this inclusion probability and 0.5 are named as uncertain.
constexpr double doubtful_from = 0.1;

std::string response_of(const Fit& fit) { return fit.target.empty() ? "the response" : short_name(fit.target); }

Sentence finding(std::string words) { return {Tone::finding, std::move(words)}; }
Sentence certainty(std::string words) { return {Tone::certainty, std::move(words)}; }
Sentence caution(std::string words) { return {Tone::caution, std::move(words)}; }

// Subject of the sentence: the response, or the probability of the second class.
std::string sentence_subject(const Fit& fit) {
  if (!family(fit.family).is_binary()) return fit.target.empty() ? "The response" : response_of(fit);
  return fit.levels.size() == 2
             ? fmt::format("The probability that {} is {}", response_of(fit), short_name(fit.levels[1]))
             : fmt::format("The probability that {} is 1", response_of(fit));
}

// Signs of coefficients; a coefficient of zero with high inclusion counts as increasing.
Sentence directions(const Fit& fit, const std::vector<Selected>& selected) {
  std::vector<Selected> up, down;
  for (const Selected& one : selected) (one.coefficient >= 0 ? up : down).push_back(one);
  std::string words = sentence_subject(fit);
  if (!up.empty()) words += " increases with " + listed(names_of(fit, up), most_named);
  if (!up.empty() && !down.empty()) words += ", and";
  if (!down.empty()) words += " decreases with " + listed(names_of(fit, down), most_named);
  return finding(words + ".");
}

// Features with inclusion probability between 0.1 and 0.5.
std::vector<Selected> doubtful(const Fit& fit) {
  std::vector<Selected> rest = select_by_threshold(fit, doubtful_from);
  std::erase_if(rest, [](const Selected& one) { return one.inclusion >= 0.5; });
  return rest;
}

std::string bound_words(double least) { return least > 0.999 ? "above 0.999" : fmt::format("{:.3f} or above", least); }

// What is expected of the posterior: a sum over probabilities that are no approximations.
Sentence posterior_of(const std::vector<Selected>& selected) {
  double wrong = 0;
  for (const Selected& one : selected) wrong += 1 - one.inclusion;
  const double least = selected.back().inclusion;
  const std::string expected = wrong < 0.05 ? "below 0.05" : rounded(wrong, 2);
  return certainty(selected.size() == 1
                       ? fmt::format("Its inclusion probability is {}.", share_words(least))
                       : fmt::format("Their inclusion probabilities are {}; expected number of false selections: {}.",
                                     bound_words(least), expected));
}

Sentence approximation_of(const std::vector<Selected>& selected) {
  const double least = selected.back().inclusion;
  return certainty(selected.size() == 1
                       ? fmt::format("Its approximate inclusion probability is {}.", share_words(least))
                       : fmt::format("Their approximate inclusion probabilities are {}.", bound_words(least)));
}

void add_inclusion(const Fit& fit, const std::vector<Selected>& selected, std::vector<Sentence>& all) {
  const std::string_view kind = is_approximate(fit) ? "approximate inclusion" : "inclusion";
  if (!selected.empty()) {
    all.push_back(is_approximate(fit) ? approximation_of(selected) : posterior_of(selected));
  } else if (const std::vector<Selected> best = select_top(fit, 1); !best.empty()) {
    all.push_back(certainty(fmt::format("{} has the highest {} probability, {}.", short_name(names_of(fit, best)[0]),
                                        kind, share_words(best[0].inclusion))));
  }
  const std::vector<Selected> rest = doubtful(fit);
  if (!rest.empty()) {
    all.push_back(certainty(fmt::format("Uncertain features, with {} probability between {} and 0.5: {}.", kind,
                                        doubtful_from, listed(names_of(fit, rest), most_named))));
  }
  if (is_approximate(fit)) all.push_back(caution(approximate_words(fit)));
}

// Sets of several features only: those of one are in the other sentences.
void add_sets(const Fit& fit, std::vector<Sentence>& all) {
  Index named = 0, several = 0;
  for (const CredibleSet& set : fit.credible_sets) {
    if (set.features.size() < 2) continue;
    ++several;
    if (named == most_named) continue;
    ++named;
    std::string words = set_words(set);
    words.pop_back();
    all.push_back(certainty(fmt::format("{}: {}.", words, member_words(fit, set, 3))));
  }
  if (several > named) {
    all.push_back(certainty(fmt::format("{} of several features are listed below.",
                                        quantity(several - named, "more credible set", "more credible sets"))));
  }
}

void add_alternatives(const Fit& fit, std::vector<Sentence>& all) {
  constexpr Index most_lines = 3;
  const std::vector<std::string> lines = alternative_words(fit);
  if (lines.empty()) return;
  std::string words = "Correlated features that were not selected: ";
  for (Index k = 0; k < std::min(most_lines, std::ssize(lines)); ++k) words += (k > 0 ? "; " : "") + lines[k];
  if (std::ssize(lines) > most_lines)
    words += fmt::format("; and so on for {} more features", std::ssize(lines) - most_lines);
  all.push_back(caution(words + "."));
}

void add_intervals(const Fit& fit, const std::vector<Selected>& selected, std::vector<Sentence>& all) {
  all.push_back(certainty(
      fmt::format("Method {} estimates no inclusion probabilities: a selected feature helps to predict, but the "
                  "certainty of its effect is not quantified.",
                  fit.method)));
  if (fit.standard_deviations.empty() || selected.empty()) return;
  constexpr double quantile = 1.959963984540054;  // of 0.975
  // Approximate 95 % intervals; after selection they are too short, which is why they are a count and not a list.
  const auto clear = std::count_if(selected.begin(), selected.end(), [&](const Selected& one) {
    return std::abs(one.coefficient) > quantile * fit.standard_deviations[one.feature];
  });
  all.push_back(certainty(fmt::format("The 95% interval excludes zero for {} of the {} selected coefficients.",
                                      with_commas(clear), with_commas(std::ssize(selected)))));
}

// The error of the chosen point is optimistic, as it was minimized over the path; the standard error gives its scale.
void add_held_out_error(const Fit& fit, std::vector<Sentence>& all) {
  const std::optional<ChosenPoint> chosen = chosen_point(fit);
  if (!chosen || !fit.path[chosen->place].validation_error) return;
  const PathPoint& point = fit.path[chosen->place];
  std::string words = fmt::format("At the chosen {} ({}), the held-out {} is {}", chosen->name, rounded(point.value),
                                  family(fit.family).words().validation_error, rounded(*point.validation_error));
  if (point.validation_se) words += fmt::format(" (standard error {})", rounded(*point.validation_se, 2));
  const auto empty = std::find_if(fit.path.begin(), fit.path.end(),
                                  [](const PathPoint& p) { return p.active == 0 && p.validation_error.has_value(); });
  if (empty != fit.path.end() && point.active > 0) {
    words += fmt::format("; without features it is {}", rounded(*empty->validation_error));
  }
  all.push_back(certainty(words + "."));
  if (chosen->place + 1 == std::ssize(fit.path) && fit.path.size() > 1) {
    all.push_back(
        caution(fmt::format("The chosen {} is at the end of the grid; consider extending the path.", chosen->name)));
  }
}

void add_cautions(const Fit& fit, const std::vector<Selected>& selected, std::vector<Sentence>& all) {
  if (fit.status != Status::converged) {
    all.push_back(caution(fmt::format("{}: {}{}These results are not from a converged fit.", status_words(fit.status),
                                      fit.message, fit.message.empty() || fit.message.ends_with('.') ? " " : ". ")));
  }
  if (const auto rhat = fit.hyper.find("largest_rhat"); rhat != fit.hyper.end()) {
    // Looser than 1.01, the recommendation of Vehtari et al. (2021).
    constexpr double agreeing = 1.05;
    const double* value = std::get_if<double>(&rhat->second);
    if (value != nullptr && *value > agreeing) {
      all.push_back(
          caution(fmt::format("The largest R-hat is {}, above 1.05; increase samples and burn_in.", rounded(*value))));
    }
  }
  const Index p = fit.features.size();
  const Index kept = selected.size();
  if (fit.samples > 0 && kept >= fit.samples) {
    all.push_back(caution(
        fmt::format("With {} selected and {} the model can interpolate any response; these results are not reliable.",
                    quantity(kept, "feature", "features"), quantity(fit.samples, "row", "rows"))));
  } else if (fit.noise_variance && *fit.noise_variance == 0 && kept > 0) {
    all.push_back(caution("The noise variance is zero: the model interpolates the response."));
  } else if (p > 2 * fit.samples) {
    all.push_back(
        caution(fmt::format("With {} and {}, other sets of features may fit nearly as well: unselected features may "
                            "still matter, and another sample may select different ones.",
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
  std::string words = fmt::format("Correlated selected features: ");
  for (Index k = 0; k < std::min(most_pairs, std::ssize(pairs)); ++k) words += (k > 0 ? "; " : "") + pairs[k];
  if (std::ssize(pairs) > most_pairs) words += fmt::format("; and {} more pairs", std::ssize(pairs) - most_pairs);
  return caution(words + ". Their separate effects are hard to distinguish.");
}

void add_correlations(const Fit& fit, const DataCheck& check, std::vector<Sentence>& all) {
  std::vector<Correlation> among, outside;
  for (const Correlation& c : check.correlations) (c.second_selected ? among : outside).push_back(c);
  if (!among.empty()) all.push_back(correlation_sentence(fit, among));
  // The fit itself names those of its training data.
  if (outside.empty() || !fit.alternatives.empty()) return;
  const Correlation& strongest = outside.front();
  all.push_back(caution(fmt::format(
      "{} {} correlated with a selected feature (absolute correlation {} or above), most strongly {} with {} ({:.2f}), "
      "and may substitute for it.",
      quantity(std::ssize(outside), "unselected feature", "unselected features"), outside.size() == 1 ? "is" : "are",
      DataCheck::notable, short_name(fit.features[strongest.second]), short_name(fit.features[strongest.first]),
      strongest.value)));
}

}  // namespace

// One line for the tab and the top of the sheet.
std::string headline_of(const Fit& fit) {
  const Index kept = select_by_threshold(fit, 0.5).size();
  const Index p = fit.features.size();
  if (kept == 0 && !fit.credible_sets.empty()) {
    return fmt::format("No single feature selected for {}, but {} of features of which one matters", response_of(fit),
                       quantity(std::ssize(fit.credible_sets), "set", "sets"));
  }
  if (kept == 0) return fmt::format("No features selected for {}", response_of(fit));
  if (kept == p && p > 1) {
    return fmt::format("All {} features are used to explain {}", with_commas(p), response_of(fit));
  }
  // That features explain a response is said of a posterior that the sampler has reached, not of what approximates it.
  if (fit.inclusion_kind != InclusionKind::posterior || fit.status != Status::converged) {
    return fmt::format("{} of {} selected for {}", with_commas(kept), quantity(p, "feature", "features"),
                       response_of(fit));
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
    if (found_at != fit.path.end()) return ChosenPoint{found_at - fit.path.begin(), name};
  }
  return std::nullopt;
}

std::vector<Sentence> sentences_of(const Fit& fit) {
  const std::vector<Selected> selected = select_by_threshold(fit, 0.5);
  std::vector<Sentence> all;
  const std::string_view none =
      fit.credible_sets.empty() ? "No features were selected." : "No single feature was selected; see the sets.";
  all.push_back(selected.empty() ? finding(std::string(none)) : directions(fit, selected));
  if (fit.inclusion.empty()) {
    add_intervals(fit, selected, all);
  } else {
    add_inclusion(fit, selected, all);
    add_sets(fit, all);
  }
  add_held_out_error(fit, all);
  add_cautions(fit, selected, all);
  add_alternatives(fit, all);
  return all;
}

std::vector<Sentence> joint_cautions(const std::vector<std::string>& labels, const std::vector<const Fit*>& fits,
                                     bool converged_only) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;  // words, labels
  for (Index k = 0; k < std::ssize(fits); ++k) {
    const std::string ending = status_words(fits[k]->status);
    for (const Sentence& sentence : sentences_of(*fits[k])) {
      if (sentence.tone != Tone::caution || (converged_only && sentence.words.starts_with(ending + ":"))) continue;
      auto at = std::ranges::find(found, sentence.words, [](const auto& pair) { return pair.first; });
      if (at == found.end()) at = found.insert(found.end(), {sentence.words, {}});
      at->second.push_back(labels[k]);
    }
  }
  std::vector<Sentence> all;
  all.reserve(found.size());
  for (const auto& [words, whose] : found) all.push_back(caution(fmt::format("{}: {}", fmt::join(whose, ", "), words)));
  return all;
}

std::vector<Sentence> data_sentences(const Fit& fit, const DataCheck& check, const std::string& source) {
  std::vector<Sentence> all;
  const Index rows = check.residuals.size();
  if (rows > 0) {
    std::string words = fmt::format("On {} ({}),", short_name(source), quantity(rows, "row", "rows"));
    if (check.labels_right)
      words += fmt::format(" {:.1f}% of the labels are predicted correctly", 100 * *check.labels_right);
    if (!check.labels_right) {
      words += fmt::format(" the root mean squared error is {}", rounded(check.root_mean_square));
      if (check.explained) words += fmt::format(" and {:.1f}% of the variance is explained", 100 * *check.explained);
    }
    if (check.covered)
      words += fmt::format("; 95% prediction intervals cover {:.1f}% of the rows", 100 * *check.covered);
    all.push_back(certainty(words + "."));
    if (rows == fit.samples) {
      all.push_back(
          caution("These data have as many rows as the training data; if they are the training data, expect a larger "
                  "error on new rows."));
    }
  }
  if (check.covered && *check.covered < 0.88) {
    all.push_back(
        caution("The 95% prediction intervals cover fewer rows than nominal: predictions are overconfident."));
  }
  add_correlations(fit, check, all);
  return all;
}

}  // namespace tamis
