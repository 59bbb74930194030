// Dataset: a data file with a role for each column (target, weights, offset, feature). The format is detected from
// content and extension: CSV and TSV (also .gz), svmlight, Matrix Market, NPY and NPZ. Every file is untrusted.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamis/design/design.hpp"

namespace tamis {

enum class Missing { refuse, drop, mean };

/// Roles of the columns and treatment of missing values.
struct ReadOptions {
  std::string target = {};                 ///< response column; "" for files that contain the response, or none
                                           ///< (prediction); "a,b,c" for several columns, unless one has this name
  bool needs_target = true;                ///< false for prediction data: a target column may be absent
  std::string weights = {};                ///< column of observation weights; "": none
  std::string offset = {};                 ///< column of offsets; "": none
  std::vector<std::string> exclude = {};   ///< columns to drop
  std::vector<std::string> features = {};  ///< features of a model: other columns are ignored, and the column of a
                                           ///< feature `column=level` is read as text; empty: all columns
  std::vector<std::string> levels = {};    ///< classes of a text response in the training data, in 0/1 order: a file
                                           ///< with only one of them gets the same codes, other values are refused
  std::vector<double> means = {};  ///< of `features` in the training data, imputed by Missing::mean (NaN: imputed by
                                   ///< 0); empty: the means of this file
  std::string response_file = {};  ///< file of y for formats without a response (Matrix Market, NPY); `target` is then
                                   ///< a column of that file, or ""
  Missing missing = Missing::refuse;
  bool signs_are_classes = true;  ///< svmlight labels that are all -1 or +1 are coded 0 and 1; false keeps them as
                                  ///< numbers; with `features`, `levels` decide, as in the training data
};

struct Dataset {
  std::shared_ptr<const Design> X;  ///< owns its memory
  std::vector<std::string> features;
  std::vector<double> y;  ///< empty if there is no response
  std::string target;
  std::vector<std::string> levels;        ///< classes of a text response, in 0/1 order
  std::vector<std::string> more_targets;  ///< further targets, if several were asked for
  Matrix more_y;                          ///< their values, rows x further targets
  std::vector<double> weights;            ///< empty: none given
  std::vector<double> offset;
  std::string source;                     ///< the file, for messages
  std::string format;                     ///< "csv", "svmlight", ...
  std::vector<std::string> left_out;      ///< columns not used: excluded, or not in the model
  std::vector<std::string> text_columns;  ///< columns that were one-hot coded as `column=level`
  bool absent_columns_are_zero = false;   ///< svmlight: an index that occurs in no row is a zero column
  Index dropped_rows = 0;                 ///< by Missing::drop
  Index filled_cells = 0;                 ///< by Missing::mean
  std::vector<std::string> notes;         ///< warnings about how columns were interpreted
};

/// Text columns are one-hot coded: one indicator per level, named `column=level`, levels sorted, without a reference
/// level, since sparse methods select among them. A text column with more than 1000 levels, or with nearly as many as
/// rows, is refused as an identifier.
/// Missing values: `refuse` throws at the first; `drop` drops rows with any; `mean` imputes columns of X by their mean
/// (indicators by their frequency), or by that of the training data if ReadOptions::means is set, and drops rows
/// without response, weight or offset. Throws MissingFile, or InvalidInput with the name of the file, the line or row,
/// and the reason. A file that changes while it is read is refused; one that is truncated may raise SIGBUS first (files
/// are mapped), which is left to the program: `tamis` reports it and exits.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

/// The columns of `data` in the order of `features`, matched by name: a Design for predict(). An indicator
/// `column=level` whose text column exists but lacks the level is zero; any other missing feature throws InvalidInput
/// with its name. Shares the memory of `data`.
std::shared_ptr<const Design> align(const Dataset& data, std::span<const std::string> features);

/// One factor per feature for Problem::penalty_factors, from a CSV file with the columns `feature` and `factor`: by
/// name, each at most once, 1 for a feature that is not listed. Throws MissingFile, or InvalidInput for a name that is
/// not in `features` or a factor that is negative or missing.
std::vector<double> read_penalty_factors(const std::string& path, std::span<const std::string> features);

/// A prior inclusion probability per feature for Problem::feature_priors, from a CSV file with the columns `feature`
/// and `prior_inclusion`: by name, each at most once; NaN for a feature that is not listed. Throws like
/// read_penalty_factors(), for a value outside [0, 1] too.
std::vector<double> read_feature_priors(const std::string& path, std::span<const std::string> features);

/// A group number per feature for Problem::groups, from a CSV file with the columns `feature` and `group`: by name,
/// each at most once; a feature that is not listed is a group of its own. Throws like read_penalty_factors().
std::vector<Index> read_groups(const std::string& path, std::span<const std::string> features);

/// Summary of a data file, as shown by `tamis info`.
struct ColumnInfo {
  std::string name;
  std::string type;  ///< "number", "integer", "0/1", "text", "constant"
  Index missing = 0;
  Index distinct = 0;        ///< of text columns
  std::string duplicate_of;  ///< an earlier column with the same content, or ""
};
struct FileInfo {
  std::string format;
  Index rows = 0;
  Index cols = 0;
  Index stored = 0;  ///< stored entries (sparse formats), rows * cols otherwise
  Index missing = 0;
  std::vector<ColumnInfo> columns;  ///< all columns, also of wide files
  std::vector<std::string> notes;   ///< as in Dataset
};
FileInfo inspect(const std::string& path);

}  // namespace tamis
