// Factor model as a sheet of a page: summary, loadings, activity, scores, search, trace, provenance.
// Blocks     only those for which the model has content: no activity for priors without a spike, no search if there was
//            none.
// Accuracy   only held-out cells say how well missing cells are imputed; without them the sheet says so instead of
//            showing the error on the cells that were fitted.
// Identity   factors are identified up to order and sign (for dense priors up to rotation), and every sheet says so.
// Images     --image RxC draws loadings as pixels where columns are pixels of an image; the product must match.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/factor_charts.hpp"
#include "report/factor_sizes.hpp"
#include "report/fit_charts.hpp"
#include "report/phrases.hpp"
#include "tamis/base/error.hpp"
#include "tamis/family/family.hpp"
#include "tamis/report/report.hpp"

namespace tamis {
namespace {

// Number of factors in use. Posterior averages are hardly ever exactly zero: a factor counts from a tenth of the
// largest.
Index used_factors(const FactorFit& fit) {
  const std::vector<double> sizes = factor_sizes(fit);
  const double most = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  return std::count_if(sizes.begin(), sizes.end(), [&](double size) { return size > 0 && size >= 0.1 * most; });
}

void add_charts(Section& section, std::vector<Chart> charts) {
  for (Chart& chart : charts) section.blocks.emplace_back(std::move(chart));
}

// Bits per held-out cell: the negative log predictive probability in base 2, comparable between tables of different
// sizes.
Figures figures_of(const FactorFit& fit) {
  Figures figures{{{"factors used", fmt::format("{} of {}", used_factors(fit), fit.factors)}}};
  if (!fit.factor_rates.empty()) {
    const double rate = std::accumulate(fit.factor_rates.begin(), fit.factor_rates.end(), 0.0);
    figures.facts.push_back({"active factors per row", rounded(rate, 3)});
  }
  if (fit.rmse) figures.facts.push_back({"held-out RMSE", rounded(*fit.rmse, 3)});
  if (fit.nlp_bits && fit.test_cells > 0) {
    figures.facts.push_back(
        {"bits per held-out cell", rounded(*fit.nlp_bits / static_cast<double>(fit.test_cells), 3)});
  }
  if (fit.rhat) figures.facts.push_back({"largest R-hat", rounded(*fit.rhat)});
  figures.facts.push_back({"fit time", duration(fit.seconds)});
  return figures;
}

// What identifies the fit: file, prior, options, versions, status.
Section provenance(const FactorFit& fit, const std::string& source) {
  std::vector<Fact> facts = {{"model", source},
                             {"prior", fit.prior},
                             {"family", fit.family},
                             {"rows", with_commas(fit.rows)},
                             {"columns", with_commas(std::ssize(fit.columns))},
                             {"status", status_words(fit.status)},
                             {"message", fit.message},
                             {"time", duration(fit.seconds)},
                             {"created by", "tamis " + fit.library_version},
                             {"schema", fit.schema}};
  if (fit.ess) facts.push_back({"smallest effective sample size", rounded(*fit.ess)});
  return {"Model details", "", {FactList{"Provenance", facts}, FactList{"Options", option_facts(fit.options)}}};
}

}  // namespace

std::vector<Sentence> sentences_of(const FactorFit& fit) {
  std::vector<Sentence> all;
  const Index used = used_factors(fit);
  std::string found =
      fmt::format("{} of {} {} used for a table of {} × {}", used, quantity(fit.factors, "factor", "factors"),
                  used == 1 ? "is" : "are", quantity(fit.rows, "row", "rows"),
                  quantity(std::ssize(fit.columns), "column", "columns"));
  if (!fit.factor_rates.empty()) {
    const double rate = std::accumulate(fit.factor_rates.begin(), fit.factor_rates.end(), 0.0);
    found += fmt::format("; on average {} factors are active in a row", rounded(rate, 2));
  }
  all.push_back({Tone::finding, found + "."});
  if (fit.rmse && fit.test_cells > 0) {
    std::string words = fmt::format("{} {} predicted with a root mean squared error of {}",
                                    quantity(fit.test_cells, "held-out cell", "held-out cells"),
                                    fit.test_cells == 1 ? "is" : "are", rounded(*fit.rmse));
    if (fit.nlp_bits) {
      words += fmt::format(" and a negative log predictive probability of {} bits per cell",
                           rounded(*fit.nlp_bits / static_cast<double>(fit.test_cells), 3));
      if (family(fit.family).is_binary()) words += " (random guessing: 1)";
    }
    all.push_back({Tone::certainty, words + "."});
  } else {
    all.push_back(
        {Tone::caution,
         "No cells were held out, so the accuracy of imputed cells is unknown; use --holdout 0.1 to estimate it."});
  }
  if (fit.status != Status::converged) {
    all.push_back({Tone::caution, fmt::format("{}: {}.", status_words(fit.status), fit.message)});
  }
  if (fit.factors > 0 && used == fit.factors && !fit.factor_rates.empty()) {
    all.push_back({Tone::caution, "All factors are used; a larger number of factors may fit better."});
  }
  all.push_back(
      {Tone::caution, "Factors are identified only up to order and sign: compare their loadings, not their numbers."});
  return all;
}

// The shape of --image is checked against the columns before anything is drawn; its error names the file.
Sheet report_sheet(const FactorFit& fit, const std::string& source, ImageShape image) {
  const Index columns = fit.columns.size();
  if (image.rows > 0 && image.rows * image.cols != columns) {
    throw InvalidOption(fmt::format("--image {}x{}: {} pixels do not match the {} columns of {}", image.rows,
                                    image.cols, image.rows * image.cols, columns, source));
  }
  Sheet sheet{
      .name = fmt::format("{}, {} factors", fit.prior, fit.factors),
      .title = fmt::format("{} of {} used for {} × {}", used_factors(fit), quantity(fit.factors, "factor", "factors"),
                           quantity(fit.rows, "row", "rows"), quantity(columns, "column", "columns")),
      .note = fmt::format("sparse factor model, prior {} ({}) · {}", fit.prior, fit.family, source)};
  sheet.sections.push_back({"Summary", "", {Summary{sentences_of(fit)}, figures_of(fit)}});
  Section factors{"Factor loadings", "Warm colors are positive loadings, blue ones negative.", {}};
  if (image.rows > 0) {
    factors.blocks.emplace_back(loading_images(fit, image));
  } else {
    factors.blocks.emplace_back(loading_chart(fit));
  }
  factors.blocks.emplace_back(factor_listing(fit));
  sheet.sections.push_back(std::move(factors));
  Section activity{"Factor activity", "", {}};
  add_charts(activity, activity_charts(fit));
  sheet.sections.push_back(std::move(activity));
  Section scores{"Factor scores", "", {}};
  for (Chart& chart : score_charts(fit)) scores.blocks.emplace_back(std::move(chart));
  sheet.sections.push_back(std::move(scores));
  for (auto& [title, charts] : {std::pair{"Number of factors", search_charts(fit)},
                                std::pair{"Fit trace", trace_charts(fit.trace, "objective")}}) {
    if (charts.empty()) continue;
    Section section{title, "", {}};
    add_charts(section, charts);
    sheet.sections.push_back(std::move(section));
  }
  sheet.sections.push_back(provenance(fit, source));
  return sheet;
}

}  // namespace tamis
