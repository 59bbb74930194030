// Factor model file, read: schema "tamis.factor/1".
// Format     loadings are factors x columns, scores and inclusion rows x factors, each a list of rows; per-factor and
//            per-column vectors may be empty where the prior has no such parameter.
// Untrusted  shapes must agree with `factors`, `rows` and the number of column names before a matrix is allocated.
//            Cells that were not finite when written (null) become NaN.
#include <fmt/format.h>

#include "fit/json_reader.hpp"
#include "tamis/family/family.hpp"
#include "tamis/fit/factor_fit.hpp"

namespace tamis {
namespace {

using json::Parsed;
using json::Reader;

// [[...], [...]] of `rows` x `cols` numbers; [] is 0 x 0 where that is allowed.
Matrix read_matrix(const Reader& in, const char* key, Index rows, Index cols, bool may_be_empty) {
  const Parsed& list = in.list(key);
  if (list.empty() && may_be_empty) return {};
  if (std::ssize(list) != rows) {
    in.refuse(fmt::format("'{}' has {} rows; expected {}", key, list.size(), rows));
  }
  // All row lengths are checked before the matrix is allocated: a file that declares more than it holds takes no
  // memory.
  for (Index i = 0; i < std::ssize(list); ++i) {
    if (!list[i].is_array()) in.refuse_type(Reader::item(key, i), list[i], "an array");
    if (std::ssize(list[i]) != cols) {
      in.refuse(fmt::format("'{}[{}]' has {} entries; expected {}", key, i, list[i].size(), cols));
    }
  }
  Matrix matrix(rows, cols);
  for (Index i = 0; i < rows; ++i) {
    const Parsed& row = list[i];
    for (Index j = 0; j < cols; ++j) {
      matrix(i, j) = in.as_number_or_nan(fmt::format("{}[{}]", key, i), row[j]);
    }
  }
  return matrix;
}

// As many numbers as `expected`, or none.
std::vector<double> read_numbers(const Reader& in, const char* key, Index expected) {
  std::vector<double> values;
  for (const Parsed& value : in.list(key))
    values.push_back(in.as_number_or_nan(Reader::item(key, values.size()), value));
  if (!values.empty() && std::ssize(values) != expected) {
    in.refuse(fmt::format("'{}' has {} entries; expected {} or 0", key, values.size(), expected));
  }
  return values;
}

// NaN where a number of factors failed to fit.
FactorSearchPoint read_search_point(const Reader& in) {
  return {in.count("factors"), in.number_or_nan("nlp_bits"), in.number_or_nan("rmse")};
}

void read_cv_score(const Reader& in, const std::string& where, FactorFit& fit) {
  fit.test_cells = in.count("test_cells");
  fit.nlp_bits = in.maybe_number("nlp_bits");
  fit.rmse = in.maybe_number("rmse");
  fit.rhat = in.maybe_number("rhat");
  fit.ess = in.maybe_number("ess");
  fit.search = json::read_points<FactorSearchPoint>(in, "search", where, read_search_point);
  fit.trace = json::read_points<TracePoint>(in, "trace", where, json::read_trace_point);
  fit.status = json::at_file(in, [&] { return status_of(in.word("status")); });
  fit.message = in.word("message");
  fit.seconds = in.number_or_nan("seconds");
}

FactorFit read_factor(const Parsed& root, const std::string& where) {
  const Reader in(root, where);
  json::check_schema(in, "tamis.factor/", 1);
  FactorFit fit;
  fit.schema = in.word("schema");
  fit.library_version = in.word("library_version");
  fit.family = in.word("family");
  json::at_file(in, [&] { return &family(fit.family); });
  fit.prior = in.word("prior");
  fit.options = json::read_options(in);
  fit.factors = in.count("factors");
  fit.rows = in.count("rows");
  fit.columns = in.words("columns");
  const Index columns = fit.columns.size();
  fit.loadings = read_matrix(in, "loadings", fit.factors, columns, false);
  fit.scores = read_matrix(in, "scores", fit.rows, fit.factors, false);
  fit.inclusion = read_matrix(in, "inclusion", fit.rows, fit.factors, true);
  fit.intercept = read_numbers(in, "intercept", columns);
  fit.factor_rates = read_numbers(in, "factor_rates", fit.factors);
  fit.factor_means = read_numbers(in, "factor_means", fit.factors);
  fit.factor_variances = read_numbers(in, "factor_variances", fit.factors);
  fit.noise_variances = read_numbers(in, "noise_variances", columns);
  fit.score_penalty = in.maybe_number("score_penalty");
  fit.largest_log_rate = in.maybe_number("largest_log_rate");
  read_cv_score(in, where, fit);
  return fit;
}

}  // namespace

FactorFit factor_from_json(const std::string& text, const std::string& where) {
  return read_factor(json::parse(text, where), where);
}

FactorFit load_factor(const std::string& path) { return factor_from_json(json::model_text(path), path); }

// Dispatch by the schema; anything that is not a factor model is read as a regression, whose reader gives the error.
std::variant<Fit, FactorFit> load_model(const std::string& path) {
  const Parsed root = json::parse(json::model_text(path), path);
  const auto schema = root.find("schema");
  const bool factor =
      schema != root.end() && schema->is_string() && schema->get<std::string>().starts_with("tamis.factor/");
  if (factor) return read_factor(root, path);
  return json::read_fit(root, path);
}

}  // namespace tamis
