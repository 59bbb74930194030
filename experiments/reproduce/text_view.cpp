// The terminal's view. Numbers without a coordinate are a list, one line each with the paper's beside it; curves are
// a table for each panel and measure, with a line for each x and a column for each method.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "experiments/reproduce/views.hpp"
#include "tamis/report/table.hpp"

namespace tamis::experiments {
namespace {

// Below this, and from 1e6 on, powers of ten are easier to read than many zeros.
constexpr double smallest_plain = 5e-4;

std::string number(double value) {
  if (std::isnan(value)) return "-";
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size < smallest_plain || size >= 1e6) return fmt::format("{:.2e}", value);
  return fmt::format("{:.{}f}", value, size < 0.1 ? 4 : size < 100 ? 3 : 1);
}

// The error in two digits, the value in as many decimals, or in more if asked for.
std::string with_error(double value, double error, int least_decimals = 0) {
  if (std::isnan(error)) return number(value);
  if (error < 1e-6 * std::abs(value)) return number(value) + " +- 0";  // the same in all replicates
  if (error == 0 || std::abs(value) < smallest_plain || std::abs(value) >= 1e6) {
    return fmt::format("{} +- {}", number(value), number(error));
  }
  const int decimals = std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), least_decimals, 5);
  return fmt::format("{:.{}f} +- {:.{}f}", value, decimals, error, decimals);
}

std::string with_interval(double value, double low, double high) {
  return fmt::format("{} [{}, {}]", number(value), number(low), number(high));
}

std::string ours_in_words(const Row& row, Shown shown) {
  switch (shown) {
    case Shown::median:
      return number(row.ours.median);
    case Shown::maximum:
      return number(row.ours.most) + " (max)";
    case Shown::interval:
      return with_interval(row.ours.mean, row.ours.low, row.ours.high);
    case Shown::mean:
      break;
  }
  return with_error(row.ours.mean, row.ours.standard_error);
}

std::string paper_in_words(const Row& row) {
  if (!row.paper) return "";
  if (!std::isnan(row.paper->low)) return with_interval(row.paper->value, row.paper->low, row.paper->high);
  constexpr int as_printed = 2;
  return with_error(row.paper->value, row.paper->deviation, as_printed);
}

// "+1.3 se", with a mark when it is far.
std::string difference_in_words(const Row& row) {
  if (!row.paper) return "";
  const double distance = row.distance();
  if (std::isnan(distance)) {
    const double difference = value_of(row.ours, row.shown) - row.paper->value;
    return fmt::format("{}{}", difference > 0 ? "+" : "", number(difference));
  }
  return fmt::format("{:+.1f} se{}", distance, std::abs(distance) > differs_beyond ? "  differs" : "");
}

std::vector<std::string> distinct(const std::vector<const Row*>& rows, std::string Place::*part) {
  std::vector<std::string> names;
  for (const Row* row : rows) {
    if (std::find(names.begin(), names.end(), row->place.*part) == names.end()) names.push_back(row->place.*part);
  }
  return names;
}

std::vector<const Row*> rows_where(const std::vector<const Row*>& rows, std::string Place::*part,
                                   const std::string& name) {
  std::vector<const Row*> some;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(some),
               [&](const Row* row) { return row->place.*part == name; });
  return some;
}

// One line per number, the measures together.
std::string list_of(const std::vector<const Row*>& rows) {
  const bool panels = distinct(rows, &Place::panel).size() > 1;
  const bool theirs = std::any_of(rows.begin(), rows.end(), [](const Row* row) { return row->paper.has_value(); });
  const bool several = std::any_of(rows.begin(), rows.end(), [](const Row* row) { return row->ours.count > 1; });
  TableColumn panel{"where", {}, true}, measure{"measure", {}, true}, method{"method", {}, true};
  TableColumn ours{"ours", {}, true}, median{"median", {}}, paper{"paper", {}, true},
      difference{"difference", {}, true};
  for (const std::string& where : distinct(rows, &Place::panel)) {
    const std::vector<const Row*> here = rows_where(rows, &Place::panel, where);
    for (const std::string& what : distinct(here, &Place::measure)) {
      for (const Row* row : rows_where(here, &Place::measure, what)) {
        panel.cells.push_back(where);
        measure.cells.push_back(what);
        method.cells.push_back(row->place.method);
        ours.cells.push_back(ours_in_words(*row, row->shown));
        median.cells.push_back(number(row->ours.median));
        paper.cells.push_back(paper_in_words(*row));
        difference.cells.push_back(difference_in_words(*row));
      }
    }
  }
  std::vector<TableColumn> columns;
  if (panels) columns.push_back(panel);
  columns.insert(columns.end(), {measure, method, ours});
  if (several) columns.push_back(median);
  if (theirs) columns.insert(columns.end(), {paper, difference});
  return text_table(columns);
}

// x downwards, methods to the right.
std::string grid_of(const std::vector<const Row*>& rows, const std::string& coordinate, Shown shown) {
  std::vector<double> xs;
  xs.reserve(rows.size());
  for (const Row* row : rows) xs.push_back(row->place.x);
  std::sort(xs.begin(), xs.end());
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  std::vector<TableColumn> columns = {{coordinate, {}}};
  for (const double x : xs) columns[0].cells.push_back(fmt::format("{:g}", x));
  for (const std::string& method : distinct(rows, &Place::method)) {
    TableColumn column{method, {}, true};
    for (const double x : xs) {
      const auto at = std::find_if(rows.begin(), rows.end(),
                                   [&](const Row* row) { return row->place.x == x && row->place.method == method; });
      column.cells.push_back(at == rows.end() ? "" : ours_in_words(**at, shown));
    }
    columns.push_back(std::move(column));
  }
  return text_table(columns);
}

// A curve of hundreds of points is for the picture and the files, not for a terminal.
constexpr std::size_t longest_curve = 25;

std::string curves_of(const Experiment& experiment, const std::vector<const Row*>& rows) {
  std::string text;
  for (const std::string& panel : distinct(rows, &Place::panel)) {
    const std::vector<const Row*> here = rows_where(rows, &Place::panel, panel);
    for (const std::string& measure : distinct(here, &Place::measure)) {
      const std::vector<const Row*> curves = rows_where(here, &Place::measure, measure);
      const std::vector<std::string> methods = distinct(curves, &Place::method);
      const std::string title = fmt::format("\n{}{}{}", panel, panel.empty() ? "" : ": ", measure);
      if (curves.size() > longest_curve * methods.size()) {
        text += fmt::format("{}\n  curves of {}: see the files\n", title, fmt::join(methods, ", "));
        continue;
      }
      text += title + "\n" + grid_of(curves, experiment.coordinate, curves[0]->shown);
      if (experiment.medians.contains(measure))
        text += title + ", median\n" + grid_of(curves, experiment.coordinate, Shown::median);
    }
  }
  return text;
}

std::string headline(const Experiment& experiment, const Results& results) {
  std::string text = fmt::format("{}: {}\n{}\n", experiment.name, experiment.title, experiment.source);
  if (experiment.replication == Replication::calculation) return text + "deterministic calculation\n";
  if (experiment.replication == Replication::single_run)
    return text + fmt::format("single run, seed {}\n", results.seed);
  const bool interval = std::any_of(results.rows.begin(), results.rows.end(),
                                    [](const Row& row) { return row.shown == Shown::interval; });
  text += fmt::format("{} replicates (seeds {} to {}); ours: mean {}", results.replicates, results.seed,
                      results.seed + static_cast<std::uint64_t>(results.replicates) - 1,
                      interval ? "[central 95% of the replicates]" : "+- standard error");
  const bool theirs = std::any_of(results.rows.begin(), results.rows.end(),
                                  [](const Row& row) { return row.paper && !std::isnan(row.paper->deviation); });
  return text + (theirs ? "; paper: mean +- standard deviation\n" : "\n");
}

std::string findings_of(const Experiment& experiment, const Results& results) {
  if (!experiment.check_claims) return "";
  std::string text = "\nClaims of the paper and our results\n";
  for (const Finding& finding : experiment.check_claims(results)) {
    text += fmt::format("  {}  {}\n{:18}{}\n", finding.holds ? "holds         " : "does not hold ", finding.claim, "",
                        finding.ours);
  }
  return text;
}

// Counted from the rows: nothing is said that the numbers above do not say.
std::string agreement_of(const Results& results) {
  Index compared = 0, far = 0;
  for (const Row& row : results.rows) {
    const double distance = row.distance();
    if (std::isnan(distance)) continue;
    ++compared;
    far += std::abs(distance) > differs_beyond ? 1 : 0;
  }
  if (compared == 0) return "";
  return fmt::format(
      "\n{} of {} means with a known standard error lie within {} standard errors of the paper's value.\n",
      compared - far, compared, differs_beyond);
}

std::string endings_of(const Results& results) {
  std::string text;
  for (const auto& [method, ends] : results.endings) {
    if (ends.unfinished > 0) {
      text += fmt::format("{}: {} of {} fits did not converge; their last iterates were used.\n", method,
                          ends.unfinished, ends.fits);
    }
  }
  if (!results.complete()) {
    text += fmt::format("cancelled: the results above are from the {} of {} runs that finished.\n", results.finished,
                        results.trials);
  }
  return text;
}

}  // namespace

std::string text_view(const Experiment& experiment, const Results& results) {
  std::vector<const Row*> lone, curves;
  for (const Row& row : results.rows) (std::isnan(row.place.x) ? lone : curves).push_back(&row);
  std::string text = headline(experiment, results);
  if (!lone.empty()) text.append("\n").append(list_of(lone));
  text += curves_of(experiment, curves) + agreement_of(results);
  if (results.finished > 0) text += findings_of(experiment, results);
  return text + endings_of(results);
}

}  // namespace tamis::experiments
