// tamis info: what is in a data file, before anything is fitted to it; or the summary of a fitted model.
// Data       guards against surprises of a fit: missing cells, constant and duplicate columns, text columns that
//            would be coded, and a header that may be data.
// Model      a file that begins with '{', which no format of data does: the text that fit or factor printed.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <variant>

#include "arguments.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "output.hpp"
#include "parser.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/base/plural.hpp"
#include "tamis/fit/factor_fit.hpp"
#include "tamis/fit/fit.hpp"
#include "tamis/io/dataset.hpp"
#include "tamis/report/factor_text.hpp"
#include "tamis/report/printable.hpp"
#include "tamis/report/table.hpp"
#include "tamis/report/text.hpp"

namespace tamis::app {
namespace {

constexpr std::size_t columns_shown = 40;
constexpr Index widest_name = 40;

struct InfoArguments {
  DataArguments data;
  RunArguments run;
  bool all = false;
};

std::string shortened(const std::string& name) {
  return fitted(name, std::min(widest_name, display_width(printable(name))));
}

std::string remark(const ColumnInfo& column) {
  std::string words;
  if (column.type == "text") words = fmt::format("{} levels", column.distinct);
  if (!column.duplicate_of.empty())
    words += (words.empty() ? "" : ", ") + ("duplicate of " + shortened(column.duplicate_of));
  return words;
}

// "9 number, 1 text", in the order in which the types first occur.
std::string types_in_words(const std::vector<ColumnInfo>& columns) {
  std::vector<std::pair<std::string, Index>> counts;
  for (const ColumnInfo& column : columns) {
    const auto found =
        std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == column.type; });
    if (found == counts.end()) {
      counts.emplace_back(column.type, 1);
    } else {
      ++found->second;
    }
  }
  std::string words;
  for (const auto& [type, count] : counts) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", count, type);
  return words;
}

std::string column_table(const std::vector<ColumnInfo>& columns, std::size_t most) {
  TableColumn name{"column", {}, true};
  TableColumn type{"type", {}, true};
  TableColumn missing{"missing", {}};
  TableColumn remarks{"note", {}, true};
  for (Index j = 0; j < std::min<Index>(most, std::ssize(columns)); ++j) {
    name.cells.push_back(shortened(columns[j].name));
    type.cells.push_back(columns[j].type);
    missing.cells.push_back(std::to_string(columns[j].missing));
    remarks.cells.push_back(remark(columns[j]));
  }
  return text_table(std::vector{name, type, missing, remarks});
}

std::string to_text(const std::string& path, const FileInfo& info, std::size_t most) {
  const auto count_if = [&](auto condition) {
    return std::count_if(info.columns.begin(), info.columns.end(), condition);
  };
  const auto constants = count_if([](const ColumnInfo& c) { return c.type == "constant"; });
  const auto duplicates = count_if([](const ColumnInfo& c) { return !c.duplicate_of.empty(); });
  std::string text = fmt::format("{}: {}, {} {} x {} {}\n", printable(path), info.format, info.rows,
                                 info.rows == 1 ? "row" : "rows", info.cols, info.cols == 1 ? "column" : "columns");
  text += fmt::format("types: {}\n", types_in_words(info.columns));
  text += fmt::format("missing values: {}, constant columns: {}, duplicate columns: {}\n", info.missing, constants,
                      duplicates);
  const double cells = static_cast<double>(info.rows) * static_cast<double>(info.cols);
  if (static_cast<double>(info.stored) < cells) {
    text += fmt::format("stored: {} values ({:.3g}% of all cells)\n", info.stored,
                        100 * static_cast<double>(info.stored) / cells);
  }
  for (const std::string& remark : info.notes) text += fmt::format("warning: {}\n", printable(remark));
  text += "\n" + column_table(info.columns, most);
  if (info.columns.size() > most) {
    text += fmt::format("... and {}; use --all to list all\n", plural(info.columns.size() - most, "more column"));
  }
  return text;
}

std::string to_json_text(const FileInfo& info) {
  nlohmann::ordered_json columns = nlohmann::ordered_json::array();
  for (const ColumnInfo& column : info.columns) {
    columns.push_back({{"name", column.name},
                       {"type", column.type},
                       {"missing", column.missing},
                       {"distinct", column.distinct},
                       {"duplicate_of", column.duplicate_of}});
  }
  const nlohmann::ordered_json object = {{"format", info.format}, {"rows", info.rows},       {"columns", info.cols},
                                         {"stored", info.stored}, {"missing", info.missing}, {"column", columns}};
  return object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// Only a file on disk is looked into: a pipe can be read once.
bool is_json(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string start(64, '\0');
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(file.gcount());
  const std::size_t first =
      start.find_first_not_of(start.starts_with("\xEF\xBB\xBF") ? "\xEF\xBB\xBF \t\r\n" : " \t\r\n");
  return first != std::string::npos && start[first] == '{';
}

int describe_model(const InfoArguments& arguments) {
  constexpr Index no_limit = std::numeric_limits<Index>::max();
  std::visit(
      [&](const auto& fit) {
        if (arguments.run.json) {
          print(to_json(fit));
        } else {
          print(arguments.all ? text_report(fit, no_limit) : text_report(fit));
        }
      },
      load_model(arguments.data.path));
  return ExitCode::done;
}

int run(const InfoArguments& arguments) {
  if (is_json(arguments.data.path)) return describe_model(arguments);
  FileInfo info;
  with_threads(arguments.run.threads, [&] { info = inspect(arguments.data.path); });
  const std::size_t most = arguments.all ? info.columns.size() : columns_shown;
  print(arguments.run.json ? to_json_text(info) : to_text(arguments.data.path, info, most));
  return ExitCode::done;
}

std::function<int()> prepare(Parser& parser) {
  const auto arguments = std::make_shared<InfoArguments>();
  parser
      .option("FILE", arguments->data.path,
              "data file: .csv or .tsv (with a header; may be gzipped), .svm, .mtx, .npy or .npz; or a model file")
      .required()
      .group("Data");
  arguments->run.add_threads(parser);
  parser
      .flag("--all", arguments->all,
            fmt::format("list all columns, not just the first {}; for a model file, all features or factors",
                        columns_shown))
      .group("Output");
  arguments->run.add_json(parser, "print a JSON object with all columns; for a model file, the model");
  return [arguments] { return run(*arguments); };
}

}  // namespace

Command info_command() {
  return {.name = "info",
          .summary = "describe a data file or a model",
          .usage = "FILE [--all] [--json]",
          .purpose =
              "Prints the format of the file, its number of rows, the types of its columns, missing values, and "
              "constant and duplicate columns. For a model file, prints the summary that 'tamis fit' or 'tamis factor' "
              "printed.",
          .examples =
              "tamis info survey.csv.gz\n"
              "tamis info genotypes.svm --json\n"
              "tamis info model.json",
          .prepare = prepare};
}

}  // namespace tamis::app
