// Factor model file, written: schema "tamis.factor/1", one line per top-level key.
// Numbers    shortest digits that read back to the same bits. Loadings in double precision; scores and inclusion, one
//            per row and factor and most of the file, in single precision: their posterior uncertainty is far above
//            1e-7.
// Memory     matrices are formatted number by number into pieces of about 1 MB that go to the file, since a tree of
//            JSON values would take many times the memory of the factors. The file is replaced atomically.
// Keys       schema, library_version, family, prior, options    as in a regression model
//            factors, rows, columns        dimensions; columns by name
//            loadings                      factors x columns
//            scores, inclusion             rows x factors; inclusion [] for priors without a spike
//            intercept                     one per column, [] without
//            factor_rates, factor_means, factor_variances       parameters of the prior, one per factor, [] without
//            noise_variances               one per column, [] for families without
//            score_penalty, largest_log_rate                    only for priors that have them
//            test_cells, nlp_bits, rmse    held-out cells and the errors on them; null if none were held out
//            rhat, ess                     of samplers; null for others
//            search                        one record per number of factors that was tried
//            trace, status, message, seconds
// Order      the large matrices last, so that the first lines of a file show what it is.
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "fit/json_values.hpp"
#include "tamis/base/atomic_file.hpp"
#include "tamis/fit/factor_fit.hpp"

namespace tamis {
namespace {

template <class Number>
void append_number(std::string& text, Number value) {
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  std::array<char, 32> digits{};
  text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

// [[...], [...]], row by row.
template <class Number>
void add_matrix(json::Lines& lines, const char* key, const Matrix& matrix) {
  std::string& text = lines.begin(key);
  text += '[';
  for (Index i = 0; i < matrix.rows(); ++i) {
    text += i > 0 ? ",[" : "[";
    for (Index j = 0; j < matrix.cols(); ++j) {
      if (j > 0) text += ',';
      append_number(text, static_cast<Number>(matrix(i, j)));
    }
    text += ']';
    lines.flush();
  }
  text += ']';
}

json::Value search_to_json(const std::vector<FactorSearchPoint>& search) {
  json::Value list = json::Value::array();
  for (const FactorSearchPoint& point : search) {
    list.push_back(
        {{"factors", point.factors}, {"nlp_bits", json::number(point.nlp_bits)}, {"rmse", json::number(point.rmse)}});
  }
  return list;
}

void write(const FactorFit& fit, json::Lines& lines) {
  lines.add("schema", fit.schema);
  lines.add("library_version", fit.library_version);
  lines.add("family", fit.family);
  lines.add("prior", fit.prior);
  lines.add("options", json::options(fit.options));
  lines.add("factors", fit.factors);
  lines.add("rows", fit.rows);
  lines.add("columns", fit.columns);
  lines.add("intercept", json::numbers(fit.intercept));
  add_matrix<double>(lines, "loadings", fit.loadings);
  lines.add("factor_rates", json::numbers(fit.factor_rates));
  lines.add("factor_means", json::numbers(fit.factor_means));
  lines.add("factor_variances", json::numbers(fit.factor_variances));
  lines.add("noise_variances", json::numbers(fit.noise_variances));
  if (fit.score_penalty) lines.add("score_penalty", json::number(fit.score_penalty));
  if (fit.largest_log_rate) lines.add("largest_log_rate", json::number(fit.largest_log_rate));
  lines.add("test_cells", fit.test_cells);
  lines.add("nlp_bits", json::number(fit.nlp_bits));
  lines.add("rmse", json::number(fit.rmse));
  lines.add("rhat", json::number(fit.rhat));
  lines.add("ess", json::number(fit.ess));
  lines.add("search", search_to_json(fit.search));
  lines.add("trace", json::trace(fit.trace));
  lines.add("status", std::string(name_of(fit.status)));
  lines.add("message", fit.message);
  lines.add("seconds", json::number(fit.seconds));
  add_matrix<float>(lines, "scores", fit.scores);
  add_matrix<float>(lines, "inclusion", fit.inclusion);
}

}  // namespace

std::string to_json(const FactorFit& fit) {
  json::Lines lines;
  write(fit, lines);
  return std::move(lines).finish();
}

void save(const FactorFit& fit, const std::string& path) {
  write_file_atomically(path, [&](const FilePiece& append) {
    json::Lines lines(append);
    write(fit, lines);
    append(std::move(lines).finish());
  });
}

}  // namespace tamis
