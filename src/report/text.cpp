// A Fit as a table for a terminal of 80 to 100 columns.
#include "tamis/report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tamis/report/printable.hpp"

namespace tamis {
namespace {

constexpr double normal_quantile = 1.959963984540054;  // of 0.975
constexpr Index widest_name = 36;

// One column of the table: its cells are padded to the widest of them.
struct Column {
  std::string title;
  std::vector<std::string> cells;
  bool left = false;
};

std::string quantity(Index count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

// A name in its own width, cut if it is longer than `most`.
std::string shortened(std::string_view name, Index most) {
  return fitted(name, std::min(most, display_width(printable(name))));
}

std::string headline(const Fit& fit) {
  std::string line = fmt::format("{} ({}), {} x {}", printable(fit.method), printable(fit.family),
                                 quantity(fit.samples, "row", "rows"),
                                 quantity(static_cast<Index>(fit.features.size()), "feature", "features"));
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

std::vector<Column> columns_of(const Fit& fit, const std::vector<Selected>& rows) {
  Column feature{.title = "feature", .cells = {}, .left = true};
  Column inclusion{.title = "inclusion", .cells = {}};
  Column coefficient{.title = "coefficient", .cells = {}};
  Column sd{.title = "sd", .cells = {}};
  Column lower{.title = "95 % from", .cells = {}};
  Column upper{.title = "to", .cells = {}};
  for (const Selected& row : rows) {
    const auto j = static_cast<std::size_t>(row.feature);
    feature.cells.push_back(shortened(fit.features[j], widest_name));
    inclusion.cells.push_back(fmt::format("{:.3f}", row.inclusion));
    coefficient.cells.push_back(fmt::format("{:.4g}", row.coefficient));
    if (fit.standard_deviations.empty()) continue;
    const double spread = fit.standard_deviations[j];
    sd.cells.push_back(fmt::format("{:.3g}", spread));
    lower.cells.push_back(fmt::format("{:.4g}", row.coefficient - normal_quantile * spread));
    upper.cells.push_back(fmt::format("{:.4g}", row.coefficient + normal_quantile * spread));
  }
  std::vector<Column> columns = {feature};
  if (!fit.inclusion.empty()) columns.push_back(inclusion);
  columns.push_back(coefficient);
  if (!fit.standard_deviations.empty()) columns.insert(columns.end(), {sd, lower, upper});
  return columns;
}

std::string table(const std::vector<Column>& columns) {
  std::vector<Index> widths;
  for (const Column& column : columns) {
    Index width = display_width(column.title);
    for (const std::string& cell : column.cells) width = std::max(width, display_width(cell));
    widths.push_back(width);
  }
  std::string text;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::string& cell = cell_of(columns[c]);
      const std::string gap(static_cast<std::size_t>(widths[c] - display_width(cell)), ' ');
      line += (c > 0 ? "  " : "") + (columns[c].left ? cell + gap : gap + cell);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  };
  add_line([](const Column& column) -> const std::string& { return column.title; });
  for (std::size_t row = 0; row < columns[0].cells.size(); ++row) {
    add_line([row](const Column& column) -> const std::string& { return column.cells[row]; });
  }
  return text;
}

// When nothing passes, the best candidate tells whether nothing is there or little was missing.
std::string nothing_found(const Fit& fit) {
  const std::vector<Selected> best = select_top(fit, 1);
  if (best.empty() || fit.inclusion.empty()) return "No feature was selected.\n";
  const std::string& name = fit.features[static_cast<std::size_t>(best[0].feature)];
  return fmt::format("No feature was selected; the most probable is {} (inclusion {:.3f}).\n",
                     shortened(name, widest_name), best[0].inclusion);
}

std::string ending(const Fit& fit) {
  const std::string state =
      fit.status == Status::converged ? "converged" : fmt::format("not converged ({})", name_of(fit.status));
  const std::string message = fit.message.empty() ? "" : ": " + printable(fit.message);
  return fmt::format("{}{} ({:.3g} s)\n", state, message, fit.seconds);
}

}  // namespace

std::string text_report(const Fit& fit, Index most) {
  std::vector<Selected> rows = select_by_threshold(fit, 0.5);
  const auto selected = static_cast<Index>(rows.size());
  const Index shown = std::clamp<Index>(most, 0, selected);
  rows.resize(static_cast<std::size_t>(shown));
  std::string text = headline(fit) + findings(fit, selected) + "\n";
  if (selected == 0) text += nothing_found(fit);
  if (shown > 0) text += table(columns_of(fit, rows));
  if (selected > shown) text += fmt::format("{}{} more\n", shown > 0 ? "and " : "", selected - shown);
  return text + "\n" + ending(fit);
}

}  // namespace tamis
