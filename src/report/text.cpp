// Regression model as text for a terminal of 80 to 100 columns: headline, selected features with inclusion,
// coefficient, standard deviation and 95 % interval, and how the fit ended. Selected: inclusion probability at least
// 0.5, or a nonzero coefficient in methods without it. Names come from files: made printable and cut by display width.
// Example    lasso (gaussian), 442 rows x 10 features, target progression
//            5 features selected, intercept 152.13, noise sd 54.2
//
//            feature  coefficient
//            bmi            5.214
//
//            converged: minimum 10-fold cross-validation error 2990 (0.12 s)
#include "tamis/report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <sstream>

#include "report/certainty_words.hpp"
#include "report/wrapped.hpp"
#include "tamis/report/printable.hpp"
#include "tamis/report/table.hpp"

namespace tamis {
namespace {

constexpr double normal_quantile = 1.959963984540054;  // of 0.975
constexpr Index widest_name = 36;
constexpr Index page_width = 100;

std::string quantity(Index count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// A name in its own width, cut if it is longer than `most`.
std::string shortened(std::string_view name, Index most) {
  return fitted(name, std::min(most, display_width(printable(name))));
}

std::string headline(const Fit& fit) {
  std::string line =
      fmt::format("{} ({}), {} x {}", printable(fit.method), printable(fit.family),
                  quantity(fit.samples, "row", "rows"), quantity(std::ssize(fit.features), "feature", "features"));
  if (!fit.target.empty()) line += ", target " + shortened(fit.target, 30);
  if (fit.levels.size() == 2) {
    line += fmt::format(" ({} = 0, {} = 1)", shortened(fit.levels[0], 12), shortened(fit.levels[1], 12));
  }
  return line + "\n";
}

std::string findings(const Fit& fit, Index selected) {
  std::string line =
      quantity(selected, "feature", "features") + " selected, intercept " + fmt::format("{:.5g}", fit.intercept);
  if (fit.noise_variance) line += fmt::format(", noise sd {:.4g}", std::sqrt(*fit.noise_variance));
  return line + "\n";
}

std::vector<TableColumn> columns_of(const Fit& fit, const std::vector<Selected>& rows) {
  TableColumn feature{.title = "feature", .cells = {}, .left = true};
  TableColumn inclusion{.title = inclusion_title(fit), .cells = {}};
  TableColumn coefficient{.title = "coefficient", .cells = {}};
  TableColumn sd{.title = "sd", .cells = {}};
  TableColumn lower{.title = "2.5%", .cells = {}};
  TableColumn upper{.title = "97.5%", .cells = {}};
  for (const Selected& row : rows) {
    const Index j = row.feature;
    feature.cells.push_back(shortened(fit.features[j], widest_name));
    inclusion.cells.push_back(fmt::format("{:.3f}", row.inclusion));
    coefficient.cells.push_back(fmt::format("{:.4g}", row.coefficient));
    if (fit.standard_deviations.empty()) continue;
    const double spread = fit.standard_deviations[j];
    sd.cells.push_back(fmt::format("{:.3g}", spread));
    lower.cells.push_back(fmt::format("{:.4g}", row.coefficient - normal_quantile * spread));
    upper.cells.push_back(fmt::format("{:.4g}", row.coefficient + normal_quantile * spread));
  }
  std::vector<TableColumn> columns = {feature};
  if (!fit.inclusion.empty()) columns.push_back(inclusion);
  columns.push_back(coefficient);
  if (!fit.standard_deviations.empty()) columns.insert(columns.end(), {sd, lower, upper});
  return columns;
}

// If nothing is selected, the strongest candidate shows whether nothing is there or little was missing.
std::string nothing_found(const Fit& fit) {
  const std::vector<Selected> best = select_top(fit, 1);
  if (best.empty() || fit.inclusion.empty()) return "No features selected.\n";
  const std::string& name = fit.features[best[0].feature];
  return fmt::format("No features selected; {} has the highest inclusion probability ({:.3f}).\n",
                     shortened(name, widest_name), best[0].inclusion);
}

// Every line of `words` begins after this many blanks.
std::string indented(const std::string& words, Index blanks) {
  const std::string margin(blanks, ' ');
  std::string text;
  std::istringstream lines(wrapped(words, page_width - blanks));
  for (std::string line; std::getline(lines, line);) text += margin + line + "\n";
  return text;
}

// Sets of one feature take a line, larger ones a sentence and their members.
std::string sets_text(const Fit& fit, Index most) {
  constexpr Index most_members = 10;
  std::string text;
  const Index count = std::ssize(fit.credible_sets), shown = std::clamp<Index>(most, 0, count);
  for (const CredibleSet& set : std::span(fit.credible_sets).first(shown)) {
    if (set.features.size() > 1) {
      text += indented(set_words(set), 2) + indented(member_words(fit, set, most_members), 4);
    } else {
      text += indented(text_of(fit, set), 2);
    }
  }
  if (count > shown) text += fmt::format("  and {} more sets\n", count - shown);
  return text.empty() ? "" : "\nCredible sets, each with at least one feature that matters:\n" + text;
}

std::string alternatives_text(const Fit& fit, Index most) {
  const std::vector<std::string> lines = alternative_words(fit);
  const Index count = std::ssize(lines), shown = std::clamp<Index>(most, 0, count);
  std::string text;
  for (const std::string& line : std::span(lines).first(shown)) text += indented(line, 2);
  if (count > shown) text += fmt::format("  and stand-ins of {} more features\n", count - shown);
  return text.empty() ? "" : "\nCorrelated features that were not selected:\n" + text;
}

// All of them, in the order given: that the others were pruned is the finding.
std::string component_table(const Fit& fit, Index most) {
  TableColumn name{.title = "component", .cells = {}, .left = true};
  TableColumn rank{.title = "rank", .cells = {}};
  TableColumn inclusion{.title = "inclusion", .cells = {}};
  TableColumn variance{.title = "variance", .cells = {}};
  TableColumn share{.title = "share", .cells = {}};
  const Index shown = std::clamp<Index>(most, 0, std::ssize(fit.components));
  for (const FittedComponent& one : std::span(fit.components).first(shown)) {
    name.cells.push_back(shortened(one.name, widest_name));
    rank.cells.push_back(fmt::format("{}", one.rank));
    inclusion.cells.push_back(fmt::format("{:.3f}", one.inclusion));
    variance.cells.push_back(one.variance > 0 ? fmt::format("{:.4g}", one.variance) : "0");
    share.cells.push_back(fmt::format("{:.1f}%", 100 * one.share));
  }
  const std::vector<TableColumn> columns = {name, rank, inclusion, variance, share};
  std::string text = text_table(columns);
  const Index left = std::ssize(fit.components) - shown;
  const auto pruned = std::ranges::count_if(std::span(fit.components).subspan(shown),
                                            [](const FittedComponent& one) { return one.variance == 0; });
  if (left > 0) text += fmt::format("and {} more, {} of them pruned\n", left, pruned);
  return text + "\n";
}

std::string ending(const Fit& fit) {
  const bool converged = fit.status == Status::converged;
  const std::string state = converged ? "converged" : fmt::format("not converged ({})", name_of(fit.status));
  const std::string message = fit.message.empty() ? "" : ": " + printable(fit.message);
  return wrapped(fmt::format("{}{} ({:.3g} s)", state, message, fit.seconds), page_width);
}

}  // namespace

std::string text_of(const Fit& fit, const CredibleSet& set, Index most) {
  if (set.features.size() == 1) return set_words(set, shortened(fit.features[set.features[0]], widest_name));
  std::string words = set_words(set);
  words.pop_back();
  return fmt::format("{}: {}.", words, member_words(fit, set, most));
}

std::string text_report(const Fit& fit, Index most) {
  // Numbers of a fit that went wrong would be read as results.
  if (fit.status == Status::numerical_failure) return headline(fit) + "\n" + ending(fit);
  std::vector<Selected> rows = select_by_threshold(fit, 0.5);
  const Index selected = rows.size();
  const Index shown = std::clamp<Index>(most, 0, selected);
  rows.resize(shown);
  std::string text = headline(fit) + findings(fit, selected) + "\n";
  if (!fit.components.empty()) text += component_table(fit, most);
  if (selected == 0) text += nothing_found(fit);
  if (shown > 0) text += text_table(columns_of(fit, rows));
  if (selected > shown) text += fmt::format("{}{} more\n", shown > 0 ? "and " : "", selected - shown);
  text += sets_text(fit, most) + alternatives_text(fit, std::min<Index>(most, 10));
  if (is_approximate(fit)) text += "\n" + wrapped(approximate_words(fit), page_width);
  return text + "\n" + ending(fit);
}

}  // namespace tamis
