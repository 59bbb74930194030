// The content of `tamis report`: models as sheets of a page (tamis/report/page.hpp). A sheet depends on which fields a
// model has, never on the name of its method.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamis/design/design.hpp"
#include "tamis/fit/factor_fit.hpp"
#include "tamis/fit/fit.hpp"
#include "tamis/report/page.hpp"

namespace tamis {

/// Data on which to evaluate a model, preferably not used to fit it.
struct ReportData {
  std::string source = {};               ///< what they are called: the name of their file
  std::shared_ptr<const Design> X = {};  ///< columns are the model's features, in order
  std::vector<double> y = {};            ///< empty: unknown, or not a valid response of the model's family
  std::vector<double> offset = {};
};

/// Columns as pixels: 0 x 0 if they are not pixels.
struct ImageShape {
  Index rows = 0;
  Index cols = 0;
};

struct ReportedFit {
  std::string source = {};  ///< what the model is called: the name of its file
  Fit fit = {};
  std::optional<ReportData> data = {};
  std::optional<double> data_error = {};  ///< data_error() of the data, which need not be there any more
};

/// Mean squared error, or mean deviance, of the predictions of `data`; nothing without rows with a response.
std::optional<double> data_error(const Fit& fit, const ReportData& data);

/// Sentences, inclusion, table of features, path, trace, data, provenance; the coefficients as an image if there are as
/// many as it has pixels.
Sheet report_sheet(const ReportedFit& model, ImageShape image = {});
/// Throws InvalidOption if the image has not as many pixels as the model has columns.
Sheet report_sheet(const FactorFit& fit, const std::string& source, ImageShape image = {});

/// Two or more fits: what each found, and which features they agree on.
Sheet side_by_side(std::span<const ReportedFit> models);

}  // namespace tamis
