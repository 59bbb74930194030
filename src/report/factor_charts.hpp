// Charts and sentences of a factor model.
#pragma once

#include <string>
#include <vector>

#include "tamis/fit/factor_fit.hpp"
#include "tamis/report/page.hpp"
#include "tamis/report/report.hpp"

namespace tamis {

/// Factors in use, accuracy on held-out cells, cautions.
std::vector<Sentence> sentences_of(const FactorFit& fit);

/// Size of the factors and, where the prior has a spike, the share of rows in which each is active.
std::vector<Chart> activity_charts(const FactorFit& fit);

/// One row per factor: size, activity, strongest columns.
Listing factor_listing(const FactorFit& fit);

/// Loadings as pictures of rows x cols pixels.
Images loading_images(const FactorFit& fit, ImageShape shape);
/// Loadings, factors by columns.
Chart loading_chart(const FactorFit& fit);
/// Scores (and inclusion), factors by rows of the data; evenly spaced rows where they are many.
std::vector<Chart> score_charts(const FactorFit& fit);
/// Held-out scores of the numbers of factors that were tried; none if there was no search.
std::vector<Chart> search_charts(const FactorFit& fit);

}  // namespace tamis
