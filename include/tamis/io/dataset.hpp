// Dataset: a file with its columns given their roles. Reading is by content and extension: CSV and TSV (also
// .gz), svmlight, Matrix Market, NPY and NPZ. Every file is untrusted.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tamis/design/design.hpp"

namespace tamis {

enum class Missing { refuse, drop, mean };

/// Which columns play which part.
struct ReadOptions {
  std::string target = {};                 ///< column of y; "" for files that carry their response, or none
                                           ///< (prediction); "a,b,c" for several columns, unless one has this name
  bool needs_target = true;                ///< false for prediction data: a target column may be absent
  std::string weights = {};                ///< column of observation weights; "": none
  std::string offset = {};                 ///< column of offsets; "": none
  std::vector<std::string> exclude = {};   ///< columns left out
  std::vector<std::string> features = {};  ///< what a model knows: other columns are ignored and a column known as
                                           ///< `column=level` is read as text; empty: all columns
  std::vector<std::string> levels = {};    ///< of a text response, in 0/1 order, as the training data have them: a file
                                           ///< with only one of them is read the same, another value is refused
  std::vector<double> means = {};  ///< of `features` in the training data: what Missing::mean fills in (NaN: 0 will
                                   ///< do); empty: the means of this file
  std::string response_file = {};  ///< y for formats that have none (Matrix Market, NPY); `target` is then a column
                                   ///< of this file, or ""
  Missing missing = Missing::refuse;
  bool signs_are_classes = true;  ///< svmlight labels that are all -1 or +1 become 0 and 1; false where they are
                                  ///< numbers; with `features`, `levels` say what they were in the training data
};

struct Dataset {
  std::shared_ptr<const Design> X;  ///< owns its memory
  std::vector<std::string> features;
  std::vector<double> y;  ///< empty if there is no response
  std::string target;
  std::vector<std::string> levels;        ///< of a text response with two values, in 0/1 order
  std::vector<std::string> more_targets;  ///< further targets, if several were asked for
  Matrix more_y;                          ///< their values, rows x further targets
  std::vector<double> weights;            ///< empty: none given
  std::vector<double> offset;
  std::string source;                     ///< the file, for messages
  std::string format;                     ///< "csv", "svmlight", ...
  std::vector<std::string> left_out;      ///< columns that play no part: excluded, or unknown to the model
  std::vector<std::string> text_columns;  ///< those that became indicators `column=level`
  bool absent_columns_are_zero = false;   ///< svmlight: an index that no row mentions
  Index dropped_rows = 0;                 ///< by Missing::drop
  Index filled_cells = 0;                 ///< by Missing::mean
  std::vector<std::string> notes;         ///< what was taken in a way that may not have been meant, a clause each
};

/// Text columns become one indicator per level, named `column=level`, levels sorted and none left out: sparse methods
/// choose among them, and no level is made the silent reference. A text column with more than 1000 levels, or with
/// nearly as many as rows, is refused: it is an identifier.
/// Missing values: `refuse` throws at the first; `drop` leaves out rows with any; `mean` fills columns of X with their
/// mean (indicators with their frequency), or with the training data's if ReadOptions::means has them, and drops rows
/// without a response, weight or offset. Throws MissingFile, or InvalidInput with the file's name, the line or row, and
/// the reason. A file that changes while it is read is refused; one that becomes shorter may raise SIGBUS first (files
/// are mapped), which is the program's to handle: `tamis` ends with a sentence.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

/// The columns of `data` in the order of `features`, matched by name: a Design for predict(). An indicator
/// `column=level` whose text column is there but lacks the level is zero; any other absent feature throws
/// InvalidInput naming it. Shares the memory of `data`.
std::shared_ptr<const Design> align(const Dataset& data, std::span<const std::string> features);

/// One factor per feature for Problem::penalty_factors, from a CSV file with the columns `feature` and `factor`: by
/// name, each at most once, 1 for a feature that is not named. Throws MissingFile, or InvalidInput for a name that is
/// not among `features` or a factor that is negative or missing.
std::vector<double> read_penalty_factors(const std::string& path, std::span<const std::string> features);

/// A number per feature for Problem::groups, from a CSV file with the columns `feature` and `group`: by name, each at
/// most once; a feature that is not named is a group of its own. Throws as read_penalty_factors() does.
std::vector<Index> read_groups(const std::string& path, std::span<const std::string> features);

/// What `tamis info` shows.
struct ColumnInfo {
  std::string name;
  std::string type;  ///< "number", "whole number", "0/1", "text", "constant"
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
  std::vector<ColumnInfo> columns;  ///< for wide files too: the caller decides how many to show
  std::vector<std::string> notes;   ///< as in Dataset
};
FileInfo inspect(const std::string& path);

}  // namespace tamis
