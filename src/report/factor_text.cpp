// Factor model as text for a terminal of 100 columns: dimensions, held-out scores, search, factors with their size and
// largest loadings. Names from files are made printable and cut by display width.
#include "tamis/report/factor_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/factor_sizes.hpp"
#include "report/wrapped.hpp"
#include "tamis/report/printable.hpp"
#include "tamis/report/table.hpp"

namespace tamis {
namespace {

constexpr Index widest_name = 18;
constexpr Index shown_columns = 4;
constexpr Index page_width = 100;

// The columns with the largest absolute loadings; partial sort, as tables may have many columns.
std::string strongest_columns(const FactorFit& fit, Index k) {
  std::vector<Index> order(fit.loadings.cols());
  std::iota(order.begin(), order.end(), Index{0});
  const Index shown = std::min(shown_columns, fit.loadings.cols());
  std::partial_sort(order.begin(), order.begin() + shown, order.end(), [&](Index a, Index b) {
    const double x = std::abs(fit.loadings(k, a)), y = std::abs(fit.loadings(k, b));
    return x != y ? x > y : a < b;
  });
  std::string words;
  for (Index i = 0; i < shown; ++i) {
    const Index d = order[i];
    const std::string& name = fit.columns[d];
    const Index width = std::min(widest_name, display_width(printable(name)));
    words += fmt::format("{}{} {:.3g}", i > 0 ? ", " : "", fitted(name, width), fit.loadings(k, d));
  }
  return words;
}

std::string factor_table(const FactorFit& fit, Index shown) {
  TableColumn number{.title = "factor", .cells = {}}, size{.title = "size", .cells = {}};
  TableColumn rate{.title = "active", .cells = {}};
  TableColumn columns{.title = "largest loadings", .cells = {}, .left = true};
  const std::vector<double> sizes = factor_sizes(fit);
  for (Index k = 0; k < shown; ++k) {
    const double own_size = sizes[k];
    number.cells.push_back(fmt::format("{}", k + 1));
    size.cells.push_back(fmt::format("{:.3g}", own_size));
    if (!fit.factor_rates.empty()) rate.cells.push_back(fmt::format("{:.3f}", fit.factor_rates[k]));
    columns.cells.push_back(own_size > 0 ? strongest_columns(fit, k) : "(not used)");
  }
  std::vector<TableColumn> all = {number, size};
  if (!fit.factor_rates.empty()) all.push_back(rate);
  all.push_back(columns);
  return text_table(all);
}

// One line per number of factors that was tried, with its error on the held-out cells.
std::string search_lines(const FactorFit& fit) {
  std::string text;
  for (const FactorSearchPoint& point : fit.search) {
    text += fmt::format("{} {}: held-out NLP {:.1f} bits, RMSE {:.4g}\n", point.factors,
                        point.factors == 1 ? "factor" : "factors", point.nlp_bits, point.rmse);
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string text_report(const FactorFit& fit, Index most) {
  std::string text = fmt::format("{} ({}), {} x {}, {} {}\n", printable(fit.prior), printable(fit.family), fit.rows,
                                 fit.columns.size(), fit.factors, fit.factors == 1 ? "factor" : "factors");
  if (fit.nlp_bits && fit.rmse) {
    text += fmt::format("{} test cells: NLP {:.1f} bits ({:.3f} per cell), RMSE {:.4g}\n", fit.test_cells,
                        *fit.nlp_bits, *fit.nlp_bits / static_cast<double>(fit.test_cells), *fit.rmse);
  }
  const Index shown = std::clamp<Index>(most, 0, fit.loadings.rows());
  text += "\n" + search_lines(fit) + factor_table(fit, shown);
  if (fit.loadings.rows() > shown) text += fmt::format("and {} more\n", fit.loadings.rows() - shown);
  const bool converged = fit.status == Status::converged;
  const std::string state = converged ? "converged" : fmt::format("not converged ({})", name_of(fit.status));
  return text + "\n" +
         wrapped(fmt::format("{}: {} ({:.3g} s)", state, printable(fit.message), fit.seconds), page_width);
}

}  // namespace tamis
