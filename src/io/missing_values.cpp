// Missing values: refuse, drop rows, or impute column means.
//
// Rules      refuse: error with the first missing cell by row and the number of them. drop: rows with any missing value
//            in a feature, response, weight or offset. mean: features are imputed, rows with a missing response, weight
//            or offset are dropped, since an imputed response would be fitted as if observed.
// Means      of the rows that are kept; for a model, the training means in ReadOptions::means, because means of the new
//            data would make the prediction of one row depend on the others.
// Text       a missing cell is imputed by the frequencies of the levels (build_design.cpp), the means of the
//            indicators.
// Order      rows are decided before means are computed.
// Sparse     readers of sparse formats refuse NaN, so that nothing is missing there.
// Example    row 7, column "bmi" is missing (12 missing values in 3 columns); use --missing drop to drop such rows
//            or --missing mean to impute features
#include "io/missing_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "io/message_text.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/plural.hpp"

namespace tamis::io {
namespace {

std::vector<Index> missing_rows(std::span<const double> v) {
  std::vector<Index> rows;
  for (Index i = 0; i < std::ssize(v); ++i) {
    if (std::isnan(v[i])) rows.push_back(i);
  }
  return rows;
}

class MissingValueHandler {
 public:
  MissingValueHandler(const Source& source, Table& table, const std::vector<Index>& features,
                      const ReadOptions& options)
      : source_(source), table_(table), features_(features), options_(options), drop_(table.rows, 0) {
    if (!options_.means.empty() && options_.means.size() != options_.features.size()) {
      throw InvalidOption(fmt::format("means: received {} values for {} features; expected one per feature",
                                      options_.means.size(), options_.features.size()));
    }
    for (Index j = 0; j < std::ssize(options_.means); ++j) {
      training_means_.emplace(options_.features[j], options_.means[j]);
    }
  }

  KeptRows run(std::span<const RoleVector> parts) {
    for (const RoleVector& part : parts) count_missing(*part.values, part.column, part.role);
    count_missing_in_features();
    if (found_.row >= 0 && options_.missing == Missing::refuse) refuse_missing();
    for (Index i = 0; i < table_.rows; ++i) {
      if (drop_[i] == 0) kept_.rows.push_back(i);
    }
    if (kept_.rows.empty()) refuse_all_dropped();
    if (options_.missing == Missing::mean) impute_means();
    for (const RoleVector& part : parts) keep_rows(*part.values);
    return std::move(kept_);
  }

 private:
  // For the message: first missing cell by row, number of cells and columns.
  struct MissingSummary {
    Index row = -1;
    std::string column;
    std::string_view role;  // of that column; "" for a feature
    Index cells = 0;
    Index columns = 0;
    bool in_features = false;
    void add(const std::vector<Index>& rows_missing, const std::string& where, std::string_view its_role) {
      cells += std::ssize(rows_missing);
      ++columns;
      in_features = in_features || its_role.empty();
      if (row < 0 || rows_missing.front() < row) {
        row = rows_missing.front();
        column = where;
        role = its_role;
      }
    }
  };

  const std::string& name(Index j) const { return table_.names[j]; }

  // Number of missing values in a column; marks their rows as dropped unless features are imputed.
  Index count_missing(std::span<const double> v, const std::string& column, std::string_view role) {
    const auto missing = missing_rows(v);
    if (missing.empty()) return 0;
    found_.add(missing, column, role);
    if (!role.empty() || options_.missing == Missing::drop) {
      for (const Index i : missing) drop_[i] = 1;
    }
    return std::ssize(missing);
  }

  void count_missing_in_features() {
    if (table_.sparse) return;  // sparse readers refuse what is not a number
    for (const Index j : features_) {
      const Index missing = count_missing(table_.dense.column(j), name(j), "");
      if (missing > 0) to_impute_.push_back(j);
      if (missing == table_.rows && empty_column_ < 0) empty_column_ = j;
    }
  }

  // A column without any value (as a separator at the end of every line makes) cannot be imputed and would drop all
  // rows: the remedy is to exclude it. For a model's feature there is a training mean, and exclusion is not possible.
  std::string empty_column_remedy() const {
    if (empty_column_ < 0 || !options_.features.empty()) return "";
    const std::string& column = name(empty_column_);
    return fmt::format("column {} has no values; exclude it with {}", shown(column), exclude_option(column));
  }

  [[noreturn]] void refuse_missing() const {
    if (const std::string way = empty_column_remedy(); !way.empty()) source_.refuse(way);
    const std::string remedy = found_.in_features ? " or --missing mean to impute features" : "";
    source_.refuse(fmt::format("row {}, column {}{} is missing ({} in {}); use --missing drop to drop such rows{}",
                               found_.row + 1, shown(found_.column),
                               found_.role.empty() ? "" : fmt::format(" (the {})", found_.role),
                               plural(found_.cells, "missing value"), plural(found_.columns, "column"), remedy));
  }

  [[noreturn]] void refuse_all_dropped() const {
    const std::string way = empty_column_remedy();
    source_.refuse(fmt::format("all {} rows have missing values, so no row is left{}", table_.rows,
                               way.empty() ? "" : ": " + way));
  }

  void impute_means() {
    for (const Index j : to_impute_) {
      const auto column = table_.dense.column(j);
      double sum = 0;
      Index known = 0;
      for (const Index i : kept_.rows) {
        const double x = column[i];
        if (std::isnan(x)) continue;
        sum += x;
        ++known;
      }
      const Index missing = std::ssize(kept_.rows) - known;
      if (known == 0 && missing > 0 && options_.means.empty()) {
        source_.refuse(fmt::format("column {} has no values from which to compute a mean; exclude it with {}",
                                   shown(name(j)), exclude_option(name(j))));
      }
      kept_.filled_cells += missing;
      if (table_.levels.contains(j)) {  // indicators are filled when they are made
        if (!options_.means.empty()) impute_training_shares(j);
        continue;
      }
      const double mean = options_.means.empty() ? sum / static_cast<double>(known) : training_mean(name(j));
      for (const Index i : kept_.rows) {
        double& x = column[i];
        if (std::isnan(x)) x = mean;
      }
    }
  }

  // 0 for a feature without coefficient: means are recorded for features of the model only, and the value has no
  //   effect.
  double training_mean(const std::string& feature) const {
    const auto at = training_means_.find(feature);
    return at == training_means_.end() || std::isnan(at->second) ? 0 : at->second;
  }

  // Frequencies of the levels in the training data, also of those that this file lacks: they get an indicator here too.
  void impute_training_shares(Index j) {
    const std::string stem = name(j) + "=";
    auto& levels = table_.levels.at(j);
    for (const auto& feature : options_.features) {
      if (!feature.starts_with(stem)) continue;
      const std::string level = feature.substr(stem.size());
      if (std::find(levels.begin(), levels.end(), level) == levels.end()) levels.push_back(level);
    }
    auto& shares = table_.shares[j];
    for (const auto& level : levels) shares.push_back(training_mean(stem + level));
  }

  // In place: rows increase, so that v[rows[k]] is not overwritten before it is read.
  void keep_rows(std::vector<double>& v) const {
    if (v.empty() || kept_.rows.size() == v.size()) return;
    for (Index k = 0; k < std::ssize(kept_.rows); ++k) v[k] = v[kept_.rows[k]];
    v.resize(kept_.rows.size());
  }

  const Source& source_;
  Table& table_;
  const std::vector<Index>& features_;
  const ReadOptions& options_;
  std::unordered_map<std::string_view, double> training_means_;
  MissingSummary found_;
  std::vector<char> drop_;  // of each row
  std::vector<Index> to_impute_;
  Index empty_column_ = -1;  // the first feature without a value
  KeptRows kept_;
};

}  // namespace

KeptRows missing_values(const Source& source, Table& table, const std::vector<Index>& features,
                        std::span<const RoleVector> parts, const ReadOptions& options) {
  return MissingValueHandler(source, table, features, options).run(parts);
}

}  // namespace tamis::io
