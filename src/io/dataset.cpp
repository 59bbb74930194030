// Reading a Dataset, and aligning its columns with the features of a model.
// Alignment  by name, as a view: columns may be in another order, and additional ones are ignored. A feature that the
//            file lacks is an error, except where its absence means zero: features beyond the largest index of a
//            svmlight file, and levels of a text column that do not occur in the new data.
// Lifetime   the aligned Design shares ownership of the original.
#include "tamis/io/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "io/column_roles.hpp"
#include "io/formats.hpp"
#include "io/message_text.hpp"
#include "io/read_response.hpp"
#include "tamis/base/error.hpp"
#include "tamis/design/column_subset.hpp"

namespace tamis {
namespace io {

Dataset read_source(const Source& source, const ReadOptions& options) {
  std::optional<Response> external;
  if (!options.response_file.empty()) external = read_response(options.response_file, options.target);
  Table table = detect(source).read(source, ColumnFilter(options));
  source.refuse_if_changed();
  return to_dataset(source, std::move(table), options, std::move(external));
}

namespace {

// An aligned Design with what it stands on.
struct Aligned {
  Aligned(std::shared_ptr<const Design> inner, std::vector<Index> columns)
      : base(std::move(inner)), design(*base, std::move(columns)) {}
  std::shared_ptr<const Design> base;
  ColumnSubsetDesign design;
};

// Whether a feature that the data lack is zero there: "x<k>" of svmlight, "column=level" of a text column.
bool is_absent_zero(const Dataset& data, const std::string& feature) {
  if (data.absent_columns_are_zero) {
    return feature.size() > 1 && feature[0] == 'x' &&
           std::all_of(feature.begin() + 1, feature.end(), [](char c) { return c >= '0' && c <= '9'; });
  }
  return std::any_of(data.text_columns.begin(), data.text_columns.end(),
                     [&](const std::string& column) { return feature.starts_with(column + "="); });
}

// Text where the model has a number is the usual cause of a missing feature; otherwise suggest similar names.
[[noreturn]] void refuse_absent(const Dataset& data, const std::string& feature) {
  const auto& text = data.text_columns;
  if (std::find(text.begin(), text.end(), feature) != text.end()) {
    throw InvalidInput(fmt::format("{}: column {} is text, but numeric in the model", data.source, shown(feature)));
  }
  std::vector<std::string> columns = data.features;
  columns.insert(columns.end(), data.left_out.begin(), data.left_out.end());
  throw InvalidInput(fmt::format("{}: column {}, a feature of the model, not found; add it or rename a column; {}",
                                 data.source, shown(feature), suggestion(feature, columns)));
}

}  // namespace
}  // namespace io

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return io::read_source(io::Source::open(path), options);
}

std::shared_ptr<const Design> align(const Dataset& data, std::span<const std::string> features) {
  if (std::equal(features.begin(), features.end(), data.features.begin(), data.features.end())) return data.X;
  // O(features) instead of a search per feature; ColumnSubsetDesign::zero_column stands for an absent level.
  std::unordered_map<std::string_view, Index> place;
  for (Index j = 0; j < std::ssize(data.features); ++j) place.emplace(data.features[j], j);
  std::vector<Index> columns;
  columns.reserve(features.size());
  for (const auto& feature : features) {
    const auto found = place.find(feature);
    if (found == place.end() && !io::is_absent_zero(data, feature)) io::refuse_absent(data, feature);
    columns.push_back(found != place.end() ? found->second : ColumnSubsetDesign::zero_column);
  }
  const auto aligned = std::make_shared<io::Aligned>(data.X, std::move(columns));
  return {aligned, &aligned->design};
}

}  // namespace tamis
