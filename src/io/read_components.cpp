// Covariance components: arrays of an NPZ archive, or the .npy and .csv files of a folder.
//
// Kinds      by shape and name: component_of() in fit/components.cpp.
// CSV        a header, then numbers. A column "feature" names the rows of a factor, which may come in any order; the
//            other features get zeros, and a name that is not in the data is refused.
// Order      as in the archive; files of a folder by name.
#include "io/read_components.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "io/formats.hpp"
#include "io/message_text.hpp"
#include "io/npy_array.hpp"
#include "io/read_csv.hpp"
#include "io/read_npz.hpp"
#include "io/zip_archive.hpp"
#include "tamis/base/error.hpp"
#include "tamis/io/dataset.hpp"

namespace tamis {
namespace io {
namespace {

class ComponentReader {
 public:
  ComponentReader(std::span<const std::string> features, Index rows) : features_(features), rows_(rows) {}

  void add_archive(const Source& source) {
    if (!sniff_npz(source.bytes())) {
      source.refuse(
          "this is no NPZ file; expected covariance components saved by numpy.savez(file, name=array, ...), or a "
          "folder "
          "of .npy and .csv files");
    }
    const ZipArchive zip(source);
    for (const std::string& member : zip.names()) {
      if (!member.ends_with(".npy")) source.refuse(fmt::format("{} is no array; expected arrays only", shown(member)));
      const std::string name = member.substr(0, member.size() - 4);
      std::string unpacked;
      add(source, name, copied(NpyArray(source, name, zip.read(member, unpacked)).to_matrix()));
    }
    source.refuse_if_changed();
  }

  void add_file(const std::string& path) {
    const Source source = Source::open(path);
    const std::string name = std::filesystem::path(path).stem().string();
    add(source, name,
        source.extension() == ".npy" ? copied(NpyArray(source, "", source.bytes()).to_matrix()) : csv_matrix(source));
    source.refuse_if_changed();
  }

  ComponentFile take(const std::string& where) {
    if (file_.components.empty()) throw InvalidInput(where + ": there are no arrays; expected one for each component");
    // Views last: the matrices have moved while their list grew.
    for (Index k = 0; k < std::ssize(file_.values); ++k) file_.components[k].values = file_.values[k];
    return std::move(file_);
  }

 private:
  static Matrix copied(const DenseStorage& values) {
    Matrix out(values.rows, values.cols);
    for (Index j = 0; j < values.cols; ++j) std::ranges::copy(values.column(j), out.col(j));
    return out;
  }

  void add(const Source& source, std::string_view name, Matrix values) {
    try {
      file_.components.push_back(component_of(name, values, std::ssize(features_), rows_));
    } catch (const InvalidInput& error) {
      source.refuse(error.what());
    }
    file_.values.push_back(std::move(values));
  }

  Matrix csv_matrix(const Source& source) const {
    const Table table = read_csv(source, ColumnFilter());
    if (table.names_are_numbers) source.refuse("the first row holds numbers; expected a header");
    const auto names = std::ranges::find(table.names, "feature");
    const Index own = names - table.names.begin();  // position of the column of names
    std::vector<Index> columns;
    for (Index j = 0; j < table.cols(); ++j) {
      if (j == own) continue;
      if (table.levels.contains(j)) {
        source.refuse(fmt::format("column {} is text; expected numbers, and names of features in a column feature only",
                                  shown(table.names[j])));
      }
      columns.push_back(j);
    }
    const std::vector<Index> places = own < table.cols() ? places_of(source) : std::vector<Index>();
    Matrix out(places.empty() ? table.rows : std::ssize(features_), std::ssize(columns));
    for (Index k = 0; k < out.cols(); ++k) {
      for (Index i = 0; i < table.rows; ++i) out(places.empty() ? i : places[i], k) = table.dense.col(columns[k])[i];
    }
    return out;
  }

  // The feature that each row of a CSV file is for; read once more as text, because names may look like numbers.
  std::vector<Index> places_of(const Source& source) const {
    ReadOptions options;
    options.features = {"feature="};
    const Table table = read_csv(source, ColumnFilter(options));
    const std::vector<std::string>& levels = table.levels.at(0);
    std::unordered_map<std::string_view, Index> place;
    for (Index j = 0; j < std::ssize(features_); ++j) place.emplace(features_[j], j);
    std::vector<Index> places;
    std::vector<char> used(features_.size(), 0);
    for (const double code : table.dense.column(0)) {
      const Index row = std::ssize(places) + 1;
      if (!(code >= 0)) source.refuse(fmt::format("row {}: the feature is missing", row));
      const std::string& name = levels[static_cast<Index>(code)];
      const auto found = place.find(name);
      if (found == place.end()) {
        source.refuse(fmt::format("row {}: {} is not a feature of the data; {}", row, shown(name),
                                  suggestion(name, {features_.begin(), features_.end()})));
      }
      if (used[found->second] != 0) source.refuse(fmt::format("row {}: {} is listed twice", row, shown(name)));
      used[found->second] = 1;
      places.push_back(found->second);
    }
    return places;
  }

  std::span<const std::string> features_;
  Index rows_;
  ComponentFile file_;
};

}  // namespace

ComponentFile components_of(const Source& source, std::span<const std::string> features, Index rows) {
  ComponentReader reader(features, rows);
  reader.add_archive(source);
  return reader.take(source.name());
}

}  // namespace io

ComponentFile read_components(const std::string& path, std::span<const std::string> features, Index rows) {
  namespace fs = std::filesystem;
  std::error_code trouble;
  if (!fs::is_directory(path, trouble)) return io::components_of(io::Source::open(path), features, rows);
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, trouble)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".npy" || extension == ".csv") files.push_back(entry.path().string());
  }
  if (trouble) throw MissingFile(fmt::format("{}: the folder cannot be read: {}", path, trouble.message()));
  std::ranges::sort(files);
  io::ComponentReader reader(features, rows);
  for (const std::string& file : files) reader.add_file(file);
  return reader.take(path);
}

}  // namespace tamis
