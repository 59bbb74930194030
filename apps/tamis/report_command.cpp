// tamis report: models as a page to look at and to send to a colleague.
#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <memory>

#include "arguments.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "model_data.hpp"
#include "output.hpp"
#include "tamis/report/report.hpp"
#include "tamis/tamis.hpp"

namespace tamis::app {
namespace {

struct ReportArguments {
  std::vector<std::string> models;
  DataArguments data;
  RunArguments run;
  std::string image;
  std::string output;
};

// "6x6"; "" is no image.
ImageShape image_shape(const std::string& text) {
  if (text.empty()) return {};
  ImageShape shape;
  const char* const end = text.data() + text.size();
  const auto rows = std::from_chars(text.data(), end, shape.rows);
  const bool crossed = rows.ptr < end && (*rows.ptr == 'x' || *rows.ptr == 'X');
  const auto cols = crossed ? std::from_chars(rows.ptr + 1, end, shape.cols) : rows;
  constexpr Index most = 100'000;
  const auto in_range = [](Index side) { return side >= 1 && side <= most; };
  if (!crossed || cols.ptr != end || !in_range(shape.rows) || !in_range(shape.cols)) {
    throw InvalidOption(fmt::format("--image {}: expected ROWSxCOLUMNS, such as 6x6", text));
  }
  return shape;
}

std::string file_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

// The targets of one model, each with the data where they were given.
std::vector<ReportedFit> reported(const Fit& fit, const std::string& path, const ReportArguments& arguments) {
  std::vector<ReportedFit> all;
  for (Fit& one : split_targets(fit)) all.push_back({.source = file_name(path), .fit = std::move(one)});
  if (arguments.data.path.empty()) return all;
  for (ReportedFit& model : all) {
    const Dataset data = read_dataset(arguments.data.path, read_options_for(model.fit, arguments.data));
    if (&model == &all.front()) {
      tell_about_missing(data, arguments.data.path, "the training data's means", arguments.run.quiet);
    }
    model.data = ReportData{
        .source = file_name(arguments.data.path), .X = align(data, fit.features), .y = {}, .offset = data.offset};
    if (can_judge(model.fit, data.y, data.levels)) {
      model.data->y = data.y;
    } else {
      note(arguments.run.quiet,
           fmt::format("{}: no response '{}' that the model could have met; predictions are not judged",
                       arguments.data.path, model.fit.target));
    }
  }
  return all;
}

Page page_of(const ReportArguments& arguments) {
  const ImageShape image = image_shape(arguments.image);
  std::vector<ReportedFit> fits;
  std::vector<Sheet> sheets;
  bool data_used = false;
  for (const std::string& path : arguments.models) {
    const auto model = load_model(path);
    if (const auto* factor = std::get_if<FactorFit>(&model)) {
      sheets.push_back(report_sheet(*factor, file_name(path), image));
      continue;
    }
    data_used = true;
    for (ReportedFit& one : reported(std::get<Fit>(model), path, arguments)) {
      sheets.push_back(report_sheet(one, image));
      one.data.reset();  // its memory is not needed any more
      fits.push_back(std::move(one));
    }
  }
  if (!arguments.data.path.empty() && !data_used) {
    throw InvalidOption("--data: for regression models; a factor model is judged by cells held out in 'tamis factor'");
  }
  if (fits.size() > 1) sheets.insert(sheets.begin(), side_by_side(fits));
  std::string title = sheets.front().title;
  return {.title = std::move(title), .sheets = std::move(sheets)};
}

int run(const ReportArguments& arguments) {
  check_writable(arguments.output);
  for (const std::string& model : arguments.models) check_not_input(arguments.output, model);
  if (!arguments.data.path.empty()) check_not_input(arguments.output, arguments.data.path);
  with_threads(arguments.run.threads, [&] { deliver(arguments.output, to_html(page_of(arguments))); });
  note(arguments.run.quiet || arguments.output.empty(), fmt::format("page written to {}", arguments.output));
  return ExitCode::done;
}

std::function<int()> prepare(Parser& parser) {
  const auto arguments = std::make_shared<ReportArguments>();
  parser.option("MODEL", arguments->models, "models that 'tamis fit -o' or 'tamis factor -o' wrote")
      .required()
      .group("Data");
  parser
      .option("--data", arguments->data.path,
              "rows to judge regression models by, best ones that they have not seen: residuals, calibration, "
              "correlated features")
      .type_name("FILE")
      .group("Data");
  arguments->data.add_offset(parser);
  arguments->data.add_missing(parser);
  arguments->data.add_response(parser);
  parser
      .option("--image", arguments->image,
              "the columns are pixels, row by row: loadings (or coefficients) are shown as images of this size")
      .type_name("ROWSxCOLS")
      .group("Output");
  parser.option("-o,--output", arguments->output, "write the page to this file")
      .required()
      .type_name("FILE")
      .group("Output");
  arguments->run.add_threads(parser);
  arguments->run.add_quiet(parser);
  return [arguments] { return run(*arguments); };
}

}  // namespace

Command report_command() {
  return {.name = "report",
          .summary = "shows models as one page for a browser",
          .usage = "MODEL... -o page.html [--data FILE] [--image ROWSxCOLS]",
          .purpose =
              "One self-contained HTML file that needs no network: what was found, how sure, what to be careful about; "
              "inclusion probabilities and a table of all features to sort and search; the path with its validation "
              "error, the course of the fit, options and provenance. Several models get a tab each and one side by "
              "side. Factor models are shown with loadings, scores and activity.",
          .examples =
              "tamis report model.json -o page.html --data test.csv\n"
              "tamis report lasso.json vg.json -o both.html\n"
              "tamis report factors.json -o factors.html --image 6x6",
          .prepare = prepare};
}

}  // namespace tamis::app
