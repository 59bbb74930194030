// From a Table to a Dataset: response, further targets, weights, offset, features.
//
// Algorithm  1 find the columns of all roles by name; a column has at most one role
//            2 take response, weights and offset out of the table; class labels become codes
//            3 refuse text columns that look like identifiers
//            4 drop or impute rows with missing values               (missing_values.cpp)
//            5 build X from the columns that are left                (build_design.cpp)
// For models with ReadOptions::features the data are read as the training data were: same classes, same text columns,
// and a missing response is no error, since predictions need none.
// Untrusted  names and levels come from the file: they are quoted in messages by shown(), never used as patterns or
//            paths.
// Target     --target  --response  response in file   result
//            name      no          any                column `name`; the file's own response if it has this name
//            a,b,c     no          any                several responses, numeric
//            none      no          yes                the file's own response
//            none      yes         any                the response file
//            name      yes         any                column `name` of the response file
#include "io/column_roles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/build_design.hpp"
#include "io/message_text.hpp"
#include "io/missing_values.hpp"
#include "tamis/base/plural.hpp"

namespace tamis::io {
namespace {

// More levels than this are refused in any table: each becomes an indicator column.
constexpr std::size_t most_levels = 1000;
// Up to this many levels the rule "at most half as many levels as rows" does not apply: in small tables nearly every
// row may have a level of its own.
constexpr std::size_t few_levels = 10;

class RoleAssigner {
 public:
  RoleAssigner(const Source& source, Table table, const ReadOptions& options, std::optional<Response> external)
      : source_(source),
        table_(std::move(table)),
        options_(options),
        filter_(options),
        response_is_external_(external.has_value()) {
    if (external) table_.response = std::move(external);
  }

  Dataset run() {
    data_.source = source_.name();
    data_.format = table_.format;
    data_.left_out = table_.left_out;
    data_.absent_columns_are_zero = table_.absent_columns_are_zero;
    data_.notes = notes_on(table_);
    find_roles();
    take_response();
    other_y_.resize(other_targets_.size());
    for (Index l = 0; l < std::ssize(other_targets_); ++l) take_vector(other_targets_[l], other_y_[l]);
    take_vector(weights_, data_.weights);
    take_vector(offset_, data_.offset);
    check_text_columns();
    apply_missing_rule();
    check_weights();
    BuiltDesign built = build_design(table_, features_, rows_);
    data_.X = std::move(built.X);
    data_.features = std::move(built.features);
    check_features();
    return std::move(data_);
  }

 private:
  const std::string& name(Index j) const { return table_.names[j]; }

  Index find(const std::string& wanted, const char* role) const {
    if (wanted.empty()) return -1;
    const auto at = std::find(table_.names.begin(), table_.names.end(), wanted);
    if (at != table_.names.end()) return at - table_.names.begin();
    source_.refuse(fmt::format("{} column {} not found; {}", role, shown(wanted), suggestion(wanted, table_.names)));
  }

  // Whether the response comes with the file (or from a response file) and not from a column of the table.
  bool has_attached_response(const std::string& wanted) const {
    return table_.response && (wanted.empty() || wanted == table_.response->name || response_is_external_);
  }

  bool has_column(const std::string& wanted) const {
    return std::find(table_.names.begin(), table_.names.end(), wanted) != table_.names.end();
  }

  // "a,b,c" names three targets, unless a column has this name.
  void split_target() {
    wanted_target_ = options_.target;
    if (has_attached_response(wanted_target_) || has_column(wanted_target_)) return;
    for (auto comma = wanted_target_.rfind(','); comma != std::string::npos; comma = wanted_target_.rfind(',')) {
      data_.more_targets.insert(data_.more_targets.begin(), wanted_target_.substr(comma + 1));
      wanted_target_.resize(comma);
    }
    for (const std::string& another : data_.more_targets) {
      other_targets_.push_back(find(another, "target"));
      if (table_.levels.contains(other_targets_.back())) {
        source_.refuse(fmt::format("target {} is text; multiple targets must be numeric", shown(another)));
      }
    }
  }

  bool is_target(Index j) const {
    return j == target_ || std::find(other_targets_.begin(), other_targets_.end(), j) != other_targets_.end();
  }

  void find_roles() {
    split_target();
    check_excluded();
    const bool present = has_column(wanted_target_);
    if (!has_attached_response(wanted_target_) && (options_.needs_target || present))
      target_ = find(wanted_target_, "target");
    if (options_.needs_target && target_ < 0 && !has_attached_response(wanted_target_)) {
      source_.refuse(
          "no target given and the file contains no response; specify its column with --target or its file with "
          "--response");
    }
    weights_ = find(options_.weights, "weights");
    offset_ = find(options_.offset, "offset");
    refuse_shared_column();
    check_external();
    for (Index j = 0; j < table_.cols(); ++j) {
      if (is_target(j) || j == weights_ || j == offset_) continue;
      if (filter_.wants(name(j))) {
        features_.push_back(j);
      } else {
        data_.left_out.push_back(name(j));
      }
    }
    if (features_.empty() && options_.needs_target) {
      source_.refuse("no features left; expected at least one column besides the target");
    }
  }

  // One column in two roles would let the response explain itself.
  void refuse_shared_column() const {
    std::vector<std::pair<Index, std::string_view>> parts = {
        {target_, "target"}, {weights_, "weights"}, {offset_, "offset"}};
    for (const Index j : other_targets_) parts.emplace_back(j, "target");
    for (Index a = 0; a < std::ssize(parts); ++a) {
      for (Index b = a + 1; b < std::ssize(parts); ++b) {
        const auto [column, role] = parts[a];
        if (column < 0 || column != parts[b].first) continue;
        if (role == parts[b].second)
          source_.refuse(fmt::format("{} {} is given more than once", role, shown(name(column))));
        source_.refuse(
            fmt::format("column {} is used as {} and as {}; choose one", shown(name(column)), role, parts[b].second));
      }
    }
  }

  // Response from a file of its own: --target then names a column of that file, and no feature may have the name of the
  // response, since a copy of it would be the only feature selected. For predictions the target has the name in the
  // model, whatever the response file says.
  void check_external() const {
    if (!response_is_external_ || !options_.needs_target) return;
    const Response& beside = *table_.response;
    const std::string& file = options_.response_file;
    if (!wanted_target_.empty() && !(beside.is_named && beside.name == wanted_target_)) {
      source_.refuse(
          has_column(wanted_target_)
              ? fmt::format("--target names column {} of this file, but --response reads the response from "
                            "{}; use only one of them",
                            shown(wanted_target_), file)
              : fmt::format("with --response, --target must name a column of {}, which has no column {} "
                            "({}); omit --target",
                            file, shown(wanted_target_),
                            beside.is_named ? "its column is " + shown(beside.name) : "its column is unnamed"));
    }
    if (!beside.is_named || !has_column(beside.name) || !filter_.wants(beside.name)) return;
    source_.refuse(fmt::format("the response {} is read from {}, but this file has a column {} too; exclude it with {}",
                               shown(beside.name), file, shown(beside.name), exclude_option(beside.name)));
  }

  // An excluded column that does not exist is an error when fitting (a misspelled name would leave the column in), but
  // not when predicting, where only the model's features are read.
  void check_excluded() const {
    const auto among = [](const std::vector<std::string>& names, const std::string& wanted) {
      return std::find(names.begin(), names.end(), wanted) != names.end();
    };
    for (const auto& column : options_.exclude) {
      const bool target = !response_is_external_ && (column == wanted_target_ || among(data_.more_targets, column));
      if (target || column == options_.weights || column == options_.offset) {
        source_.refuse(
            fmt::format("column {} is excluded but also used as target, weights or offset; choose one", shown(column)));
      }
      if (options_.needs_target && !among(table_.names, column) && !among(table_.left_out, column)) {
        source_.refuse(
            fmt::format("excluded column {} not found; {}", shown(column), suggestion(column, table_.names)));
      }
    }
  }

  void take_response() {
    if (has_attached_response(wanted_target_)) {
      take_attached(*table_.response);
    } else if (target_ >= 0) {
      data_.target = wanted_target_;
      take_vector(target_, data_.y);
      if (const auto text = table_.levels.find(target_); text != table_.levels.end()) data_.levels = text->second;
    } else {
      return;
    }
    const bool text = !data_.levels.empty();
    if (text && !options_.levels.empty()) recode_response();
    if (!options_.needs_target && ((text && data_.levels.size() != 2) || has_missing(data_.y))) {
      data_.y.clear();  // nothing to compare predictions with
      data_.levels.clear();
    } else if (text && data_.levels.size() != 2) {
      refuse_classes();
    }
  }

  void take_attached(Response& attached) {
    if (std::ssize(attached.values) != table_.rows) refuse_length(attached);
    if (attached.may_be_signs) encode_signs(attached);
    data_.target = !wanted_target_.empty() ? wanted_target_ : attached.name;
    data_.y = std::move(attached.values);
    data_.levels = std::move(attached.levels);
  }

  [[noreturn]] void refuse_length(const Response& attached) const {
    const Index values = attached.values.size();
    if (!response_is_external_) {
      source_.refuse(fmt::format("X has {} but y has {}; expected one value per row: save both again",
                                 plural(table_.rows, "row"), plural(values, "value")));
    }
    const bool perhaps_first = attached.is_named && values + 1 == table_.rows;
    source_.refuse(fmt::format(
        "the file has {}, but the response in {} has {}; expected one value per row{}", plural(table_.rows, "row"),
        options_.response_file, plural(values, "value"),
        perhaps_first ? fmt::format(" (its first line, {}, was taken as its name)", shown(attached.name)) : ""));
  }

  // Labels -1 and +1 are two classes, unless numbers are asked for. For a model the coding is that of its training
  // data: a file in which only +1 occurs has the same two classes.
  void encode_signs(Response& attached) const {
    static const std::vector<std::string> classes = {"-1", "1"};
    auto& labels = attached.values;
    const bool for_model = !options_.features.empty();
    if (for_model ? options_.levels.empty() : !options_.signs_are_classes) return;
    if (std::any_of(labels.begin(), labels.end(), [](double l) { return l != 1 && l != -1; })) return;
    if (options_.levels != classes && std::find(labels.begin(), labels.end(), -1) == labels.end()) return;
    for (double& label : labels) label = label > 0 ? 1 : 0;
    attached.levels = classes;
  }

  [[noreturn]] void refuse_classes() const {
    const auto mixed = table_.mixtures.find(target_);
    const std::string mixture = mixed != table_.mixtures.end()   ? mixed->second
                                : target_ < 0 && table_.response ? table_.response->mixture
                                                                 : "";
    if (!mixture.empty()) {
      source_.refuse(fmt::format("target {} {}; correct the cell or leave it empty", shown(data_.target), mixture));
    }
    const bool one = data_.levels.size() == 1;
    source_.refuse(fmt::format("target {} is text with {} ({}); a text response must have exactly two: {}",
                               shown(data_.target), plural(std::ssize(data_.levels), "distinct value"),
                               shown_list(data_.levels),
                               one ? "choose another target or add rows"
                                   : "keep the rows of two of them, or code one against the others as 0 and 1"));
  }

  // Codes by the levels of the training data, which need not be sorted alike. An unknown level is refused where a
  // response is required, and otherwise the response is ignored.
  void recode_response() {
    const auto& known = options_.levels;
    std::vector<double> code;
    for (const auto& level : data_.levels) {
      const auto at = std::find(known.begin(), known.end(), level);
      if (at == known.end()) {
        if (!options_.needs_target) return;
        source_.refuse(
            fmt::format("target {} has the value {}, which does not occur in the training data ({}); remove such rows",
                        shown(data_.target), shown(level), shown_list(known)));
      }
      code.push_back(static_cast<double>(at - known.begin()));
    }
    for (double& y : data_.y) {
      if (!std::isnan(y)) y = code[static_cast<std::int64_t>(y)];
    }
    data_.levels = known;
  }

  static bool has_missing(const std::vector<double>& v) {
    return std::any_of(v.begin(), v.end(), [](double x) { return std::isnan(x); });
  }

  void take_vector(Index j, std::vector<double>& out) const {
    if (j < 0) return;
    if (!is_target(j) && table_.levels.contains(j)) {
      source_.refuse(fmt::format("column {} is text; weights and offsets must be numeric", shown(name(j))));
    }
    // Sparse columns: implicit zeros are zeros of the response, as svmlight and SciPy mean them.
    out.assign(table_.rows, 0.0);
    if (!table_.sparse) {
      const auto column = table_.dense.column(j);
      std::copy(column.begin(), column.end(), out.begin());
      return;
    }
    const auto& s = *table_.sparse;
    for (auto k = s.starts[j]; k < s.starts[j + 1]; ++k) {
      out[s.indices[k]] = s.values[k];
    }
  }

  void check_text_columns() {
    const Index rows = table_.rows;
    for (const Index j : features_) {
      const auto text = table_.levels.find(j);
      if (text == table_.levels.end()) continue;
      const auto& levels = text->second;
      const bool known = filter_.is_text(name(j));
      if (!known && (levels.size() > most_levels || (levels.size() > few_levels && std::ssize(levels) > rows / 2))) {
        source_.refuse(
            fmt::format("column {} is text with {} distinct values in {} rows ({}) and looks like an identifier; "
                        "exclude it with {}",
                        shown(name(j)), levels.size(), rows, shown_list(levels, 2), exclude_option(name(j))));
      }
      for (const auto& level : levels) {
        if (!is_utf8(level)) {
          source_.refuse(
              fmt::format("column {} contains text that is not UTF-8 ({}); convert the file, for example with "
                          "iconv -f latin1 -t utf-8",
                          shown(name(j)), shown(level)));
        }
      }
      data_.text_columns.push_back(name(j));
    }
  }

  void apply_missing_rule() {
    std::vector<RoleVector> parts = {{"target", data_.target, &data_.y}};
    for (Index l = 0; l < std::ssize(other_targets_); ++l)
      parts.push_back({"target", data_.more_targets[l], &other_y_[l]});
    parts.push_back({"weights", options_.weights, &data_.weights});
    parts.push_back({"offset", options_.offset, &data_.offset});
    KeptRows kept = missing_values(source_, table_, features_, parts, options_);
    rows_ = std::move(kept.rows);
    data_.filled_cells = kept.filled_cells;
    data_.dropped_rows = table_.rows - std::ssize(rows_);
    if (other_targets_.empty()) return;
    data_.more_y = Matrix(std::ssize(rows_), std::ssize(other_targets_));
    for (Index l = 0; l < std::ssize(other_targets_); ++l) {
      std::copy(other_y_[l].begin(), other_y_[l].end(), data_.more_y.col(l));
    }
  }

  void check_weights() const {
    if (data_.weights.empty()) return;
    for (Index k = 0; k < std::ssize(data_.weights); ++k) {
      if (data_.weights[k] < 0) {
        source_.refuse(fmt::format("row {}, column {}: weight {} is negative; weights must be nonnegative",
                                   rows_[k] + 1, shown(options_.weights), data_.weights[k]));
      }
    }
    if (std::all_of(data_.weights.begin(), data_.weights.end(), [](double w) { return w == 0; })) {
      source_.refuse(fmt::format("all weights in column {} are zero; expected at least one positive weight",
                                 shown(options_.weights)));
    }
  }

  // An indicator "city=Rome" may collide with a numeric column of that name.
  void check_features() const {
    if (data_.text_columns.empty()) return;
    std::vector<std::string> sorted = data_.features;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      source_.refuse(fmt::format("one-hot coding gives two columns the name {}; rename one of them", shown(*twice)));
    }
  }

  const Source& source_;
  Table table_;
  const ReadOptions& options_;
  ColumnFilter filter_;
  bool response_is_external_;
  Dataset data_;
  std::string wanted_target_;  // the first, if several are asked for
  Index target_ = -1;
  std::vector<Index> other_targets_;
  std::vector<std::vector<double>> other_y_;
  Index weights_ = -1;
  Index offset_ = -1;
  std::vector<Index> features_;
  std::vector<Index> rows_;  // that stay
};

}  // namespace

Dataset to_dataset(const Source& source, Table table, const ReadOptions& options, std::optional<Response> external) {
  return RoleAssigner(source, std::move(table), options, std::move(external)).run();
}

}  // namespace tamis::io
