// tamis report: models as one self-contained HTML page.
// With several models, a first sheet compares them. Data given with --data are read for each model and target, as each
// may need other columns and another response, and released when its sheet is done.
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
    throw InvalidOption(fmt::format("--image: received '{}'; expected ROWSxCOLS, such as 6x6", text));
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
      tell_about_missing(data, arguments.data.path, "the column means of the training data", arguments.run.quiet);
    }
    model.data = ReportData{
        .source = file_name(arguments.data.path), .X = align(data, fit.features), .y = {}, .offset = data.offset};
    if (can_evaluate(model.fit, data.y, data.levels)) {
      model.data->y = data.y;
    } else {
      note(arguments.run.quiet,
           fmt::format("{}: no valid response \"{}\" for this model; prediction error is not reported",
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
      if (one.data) one.data_error = data_error(one.fit, *one.data);
      one.data.reset();  // its memory is not needed any more
      fits.push_back(std::move(one));
    }
  }
  if (!arguments.data.path.empty() && !data_used) {
    throw InvalidOption(
        "--data: applies to regression models only; to evaluate a factor model, use 'tamis factor --holdout'");
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
  note(arguments.run.quiet || arguments.output.empty(), fmt::format("report written to {}", arguments.output));
  return ExitCode::done;
}

std::function<int()> prepare(Parser& parser) {
  const auto arguments = std::make_shared<ReportArguments>();
  parser.option("MODEL", arguments->models, "model files written by 'tamis fit -o' or 'tamis factor -o'")
      .required()
      .group("Data");
  parser
      .option("--data", arguments->data.path,
              "data on which to evaluate regression models, preferably not used to fit them: residuals, calibration, "
              "correlated features")
      .type_name("FILE")
      .group("Data");
  arguments->data.add_offset(parser);
  arguments->data.add_missing(parser);
  arguments->data.add_response(parser);
  parser
      .option("--image", arguments->image,
              "the columns are the pixels of an image, row by row: show loadings (or coefficients) as images of this "
              "size")
      .type_name("ROWSxCOLS")
      .group("Output");
  parser.option("-o,--output", arguments->output, "write the report to this file (HTML)")
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
          .summary = "write an HTML report on one or more models",
          .usage = "MODEL... -o page.html [--data FILE] [--image ROWSxCOLS]",
          .purpose =
              "Writes one self-contained HTML file that works offline: main findings, their uncertainty and warnings; "
              "inclusion probabilities and a searchable, sortable table of all features; the path with its validation "
              "error, convergence, options and provenance. Several models get a tab each and a tab that compares "
              "them. Factor models are shown with loadings, scores and activity.",
          .examples =
              "tamis report model.json -o page.html --data test.csv\n"
              "tamis report lasso.json vg.json -o both.html\n"
              "tamis report factors.json -o factors.html --image 6x6",
          .prepare = prepare};
}

}  // namespace tamis::app
