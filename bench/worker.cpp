// tamis as a worker of bench/run.py: one command per line on stdin, one line of JSON per answer.
//   make DESIGN SEED FOLDER|- [name=value ...]   draws a problem, and writes it for the peers
//   sets DESIGN SEED FOLDER [name=value ...]     writes its training set, test set and truth, and forgets them
//   grid FILE                                    writes the penalties of our own path
//   path THREADS PENALTIES|- OUT|-               a lasso path: on given penalties, or tamis::fit on its own (folds = 0)
//   cv THREADS OUT|-                             tamis::fit with 10 folds
//   method NAME THREADS FOLDS [name=value ...]   tamis::fit with a method and its options
//   sample THREADS CHAINS SAMPLES                gibbs with fixed hyperparameters on the raw data
//   draws SAMPLES OUT, ess FILE                  one chain of it as doubles; median effective size of such a file
//   found NAME OUT [name=value ...]              the same in one thread: what it missed and found falsely; writes b
//   truth COEFFICIENTS                           relative error of coefficients (intercept first) against the truth
//   quality DESIGN METHOD SEED [NAME=VALUE]...   what a method finds on a fresh draw, beside the oracle
//   competitors DESIGN SEED - [NAME=VALUE]...         whether its truth is the most probable support, all else known
//   sweep                                        one dgemv X'r (sparse X: our own pass)
//   passes THREADS                               twenty times X'r by our own passes: what the memory gives
//   arithmetic THREADS                           multiplications that touch no memory: what the cores give
//   gap PENALTIES COEFFICIENTS                   judges a path
//   factor_make DESIGN ROWS FACTORS HOLES        a factor model at its truth; answers the bytes of data and factors
//   factor_scores|factor_sweep|factor_run THREADS SWEEPS   seconds per half sweep, per sweep, of a whole fit
//   factor_sparse PRIOR ROWS COLS ITERATIONS     a fit to counts that are 1 % not zero
//   csv_write FILE MEGABYTES, csv THREADS FILE   a table of numbers, and reading it
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "bench/competing_supports.hpp"
#include "bench/factor.hpp"
#include "bench/measure.hpp"
#include "bench/problem.hpp"
#include "bench/quality.hpp"
#include "bench/sampler.hpp"
#include "method/penalized/penalized_path.hpp"
#include "problem/standardization.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/io/dataset.hpp"
#include "tamis/method/method.hpp"

extern "C" void cblas_dgemv(int order, int transpose, int rows, int cols, double scale, const double* a, int stride,
                            const double* x, int step_x, double keep, double* y, int step_y);

namespace {

using tamis::Index;
using tamis::bench::measure;
using tamis::bench::Measured;
using Words = std::vector<std::string>;

std::string json(const Measured& m) {
  return fmt::format(R"({{"seconds": {:.9g}, "processor": {:.9g}, "extra": {:.9g}}})", m.seconds, m.processor_seconds,
                     m.extra_bytes);
}

class Session {
 public:
  std::string answer(const Words& words) {
    const std::string& command = words.at(0);
    if (command == "make") return make(words);
    if (command == "sets") {
      tamis::bench::write_sets(words.at(1), std::stoull(words.at(2)), parameters_of(words), words.at(3));
      return "{}";
    }
    if (command == "grid") return grid(words.at(1));
    if (command == "path") return path(std::stoi(words.at(1)), words.at(2), words.at(3));
    if (command == "cv") return fit(std::stoi(words.at(1)), 10, words.at(2));
    if (command == "method") return method(words);
    if (command == "sample") {
      return json(
          tamis::bench::run_sampler(*data_, std::stoi(words.at(1)), std::stoll(words.at(2)), std::stoll(words.at(3))));
    }
    if (command == "draws") return draws(std::stoll(words.at(1)), words.at(2));
    if (command == "ess") {
      return fmt::format(R"({{"size": {:.9g}}})", tamis::bench::median_effective_size(words.at(1), data_->X().cols()));
    }
    if (command == "found") return found(words);
    if (command == "truth") return truth_error(words.at(1));
    if (command == "quality") return quality(words);
    if (command == "competitors") return competitors(words);
    if (command == "sweep") return sweep();
    if (command == "arithmetic") return arithmetic(std::stoi(words.at(1)));
    if (command == "passes") return passes(std::stoi(words.at(1)));
    if (command == "gap") return gap(words.at(1), words.at(2));
    if (command.starts_with("factor_")) return factor(words);
    if (command == "csv_write") return csv_write(words.at(1), std::stod(words.at(2)));
    if (command == "csv") return csv(std::stoi(words.at(1)), words.at(2));
    throw tamis::InvalidOption("unknown command: " + command);
  }

 private:
  /// NAME=VALUE from the fifth word on.
  static std::map<std::string, double> parameters_of(const Words& words) {
    std::map<std::string, double> parameters;
    for (Index k = 4; k < std::ssize(words); ++k) {
      const std::size_t equals = words[k].find('=');
      parameters[words[k].substr(0, equals)] = std::stod(words[k].substr(equals + 1));
    }
    return parameters;
  }

  std::string make(const Words& words) {
    const std::map<std::string, double> parameters = parameters_of(words);
    warm_up();
    data_.reset();
    data_ = std::make_unique<tamis::bench::Problem>(words.at(1), std::stoull(words.at(2)), parameters);
    if (words.at(3) != "-") data_->write(words[3]);
    return fmt::format(R"({{"rows": {}, "cols": {}, "bytes": {:.9g}}})", data_->X().rows(), data_->X().cols(),
                       data_->bytes());
  }

  // A first tiny fit pages in code and the buffers of BLAS and threads, which have nothing to do with the size of X.
  static void warm_up() {
    const tamis::bench::Problem tiny("bench.a", 1, {{"n", 60}, {"p", 100}});
    tamis::fit({.X = tiny.X(), .y = tiny.y(), .likelihood = tiny.family()}, "lasso");
  }

  tamis::Problem problem() const { return {.X = data_->X(), .y = data_->y(), .likelihood = data_->family()}; }

  // What a caller of the library pays, checks of the data included.
  std::string fit(int threads, int folds, const std::string& out) const {
    tamis::Fit result;
    const Measured m =
        measure([&] { result = tamis::fit(problem(), "lasso", {}, {.threads = threads, .folds = folds}); });
    if (out != "-") {
      std::vector<double> numbers = result.coefficients;
      numbers.push_back(result.intercept);
      for (const tamis::PathPoint& point : result.path) {
        numbers.insert(numbers.end(),
                       {point.value, point.objective, point.validation_error.value_or(0), point.certificate});
      }
      tamis::bench::write_doubles(out, numbers);
    }
    return json(m);
  }

  static std::map<std::string, tamis::OptionValue> options_from(const Words& words, std::size_t first) {
    const std::vector<tamis::Field> fields = tamis::method(words.at(1)).fields();
    std::map<std::string, tamis::OptionValue> options;
    for (Index k = first; k < std::ssize(words); ++k) {
      const std::size_t equals = words[k].find('=');
      const std::string name = words[k].substr(0, equals);
      const auto field = std::ranges::find(fields, name, &tamis::Field::name);
      if (field == fields.end()) throw tamis::InvalidOption(words[1] + " has no option " + name);
      options[name] = tamis::parse_option(*field, words[k].substr(equals + 1));
    }
    return options;
  }

  std::string found(const Words& words) const {
    const tamis::Fit fit = tamis::fit(problem(), words.at(1), options_from(words, 3), {.threads = 1});
    const std::vector<Index>& support = data_->truth().support;
    const std::vector<tamis::Selected> kept = tamis::select_by_threshold(fit);
    const auto right = std::ranges::count_if(
        kept, [&](const tamis::Selected& s) { return std::ranges::binary_search(support, s.feature); });
    std::vector<double> numbers(1, fit.intercept);
    numbers.insert(numbers.end(), fit.coefficients.begin(), fit.coefficients.end());
    tamis::bench::write_doubles(words.at(2), numbers);
    return fmt::format(R"({{"missed": {}, "false": {}}})", std::ssize(support) - right, std::ssize(kept) - right);
  }

  std::string truth_error(const std::string& file) const {
    const std::vector<double> b = tamis::bench::read_doubles(file);
    double error = 0, size = 0, kept = 0;
    for (Index j = 0; j < data_->X().cols(); ++j) {
      const double truth = data_->truth().coefficients(j, 0);
      error += (b[j + 1] - truth) * (b[j + 1] - truth);
      size += truth * truth;
      kept += b[j + 1] != 0 ? 1 : 0;
    }
    return fmt::format(R"({{"error": {:.9g}, "kept": {:.0f}}})", error / size, kept);
  }

  std::string method(const Words& words) const {
    const std::map<std::string, tamis::OptionValue> options = options_from(words, 4);
    const tamis::Control control{.threads = std::stoi(words.at(2)), .folds = std::stoi(words.at(3))};
    tamis::Fit result;
    const Measured m = measure([&] { result = tamis::fit(problem(), words.at(1), options, control); });
    return fmt::format(
        R"({{"seconds": {:.9g}, "processor": {:.9g}, "extra": {:.9g}, "objective": {:.9g}, "status": "{}"}})",
        m.seconds, m.processor_seconds, m.extra_bytes, result.objective, tamis::name_of(result.status));
  }

  std::string draws(Index samples, const std::string& file) const {
    tamis::bench::write_draws_of_one_chain(*data_, samples, file);
    return "{}";
  }

  static std::string quality(const Words& words) {
    const tamis::bench::Quality q =
        tamis::bench::measure_quality(words.at(1), std::stoull(words.at(3)), parameters_of(words), words.at(2));
    return fmt::format(R"({{"f1": {:.9g}, "kept": {}, "error": {:.9g}}})", q.f1, q.kept, q.error);
  }

  static std::string competitors(const Words& words) {
    const tamis::bench::CompetingSupports r =
        tamis::bench::strongest_competitors(words.at(1), std::stoull(words.at(2)), parameters_of(words));
    return fmt::format(R"({{"any_size": {:.9g}, "same_size": {:.9g}, "normal": {:.9g}}})", r.any_size, r.same_size,
                       r.normal);
  }

  std::string grid(const std::string& file) const {
    const tamis::Fit result = tamis::fit(problem(), "lasso", {}, {.threads = 1, .folds = 0});
    std::vector<double> penalties;
    for (const tamis::PathPoint& point : result.path) penalties.push_back(point.value);
    tamis::bench::write_doubles(file, penalties);
    return fmt::format(R"({{"penalties": {}}})", penalties.size());
  }

  std::string path(int threads, const std::string& penalty_file, const std::string& out) const {
    if (penalty_file == "-") return fit(threads, 0, out);
    const std::vector<double> penalties = tamis::bench::read_doubles(penalty_file);
    std::vector<tamis::PenalizedSolution> solutions;
    const Measured m = measure([&] {
      tamis::with_threads(threads, [&] { solutions = tamis::solve_penalized_path(problem(), {}, {}, penalties); });
    });
    if (out != "-") {
      tamis::bench::write_doubles(out, original_coefficients(tamis::Standardization(problem()), solutions));
    }
    return json(m);
  }

  std::vector<double> original_coefficients(const tamis::Standardization& scale,
                                            std::span<const tamis::PenalizedSolution> solutions) const {
    const Index height = data_->X().cols() + 1;
    std::vector<double> all(height * solutions.size(), 0.0);
    for (Index k = 0; k < std::ssize(solutions); ++k) {
      double* column = all.data() + k * height;
      column[0] = solutions[k].intercept;
      for (Index s = 0; s < std::ssize(solutions[k].support); ++s) {
        const Index j = solutions[k].support[s];
        column[j + 1] = scale.to_original(j, solutions[k].values[s]);
        column[0] -= column[j + 1] * scale.center(j);
      }
    }
    return all;
  }

  std::string sweep() const {
    const tamis::ConstMatrixView X = data_->dense();
    std::vector<double> out(data_->X().cols());
    const Measured m = measure([&] {
      tamis::with_threads(1, [&] {
        if (X.data == nullptr) {
          data_->X().transpose_multiply(data_->X().all(), data_->y(), std::span<double>(out));
        } else {
          constexpr int column_major = 102;
          constexpr int transposed = 112;
          cblas_dgemv(column_major, transposed, static_cast<int>(X.rows), static_cast<int>(X.cols), 1.0, X.data,
                      static_cast<int>(X.stride), data_->y().data(), 1, 0.0, out.data(), 1);
        }
      });
    });
    return json(m);
  }

  static std::string arithmetic(int threads) {
    constexpr Index pieces = 64, steps = 1'000'000;
    std::vector<double> ends(pieces);
    const Measured m = measure([&] {
      tamis::with_threads(threads, [&] {
        tamis::parallel_for(pieces, 1, [&](Index begin, Index end) {
          for (Index k = begin; k < end; ++k) {
            std::array<double, 4> chains{1.0, 1.1, 1.2, 1.3};  // enough to keep a core's multipliers busy
            for (Index step = 0; step < steps; ++step) {
              for (double& c : chains) c = c * 0.9999999 + 1e-9;
            }
            ends[k] = chains[0] + chains[1] + chains[2] + chains[3];
          }
        });
      });
    });
    if (std::ranges::count(ends, ends.front()) != pieces) throw std::logic_error("threads disagree on a product");
    return json(m);
  }

  std::string passes(int threads) const {
    std::vector<double> out(data_->X().cols());
    const Measured m = measure([&] {
      tamis::with_threads(threads, [&] {
        for (int k = 0; k < 20; ++k) {
          data_->X().transpose_multiply(data_->X().all(), data_->y(), std::span<double>(out));
        }
      });
    });
    return json(m);
  }

  std::string gap(const std::string& penalty_file, const std::string& coefficient_file) const {
    const std::vector<double> penalties = tamis::bench::read_doubles(penalty_file);
    const std::vector<double> coefficients = tamis::bench::read_doubles(coefficient_file);
    const Index height = data_->X().cols() + 1;
    const Index points = penalties.size();
    if (std::ssize(coefficients) != height * points) {
      throw tamis::InvalidInput(fmt::format("{}: {} numbers; {} penalties need {}", coefficient_file,
                                            coefficients.size(), points, height * points));
    }
    std::vector<double> gaps = data_->relative_gaps(penalties, {coefficients.data(), height, points});
    std::ranges::sort(gaps);
    return fmt::format(R"({{"largest": {:.9g}, "median": {:.9g}}})", gaps.back(), gaps[gaps.size() / 2]);
  }

  std::string factor(const Words& words) {
    const std::string& command = words[0];
    if (command == "factor_sparse") {
      return json(tamis::bench::sparse_counts(words.at(1), std::stol(words.at(2)), std::stol(words.at(3)),
                                              std::stol(words.at(4))));
    }
    if (command == "factor_make") {
      factor_ = std::make_unique<tamis::bench::FactorBench>(words.at(1), std::stol(words.at(2)), std::stol(words.at(3)),
                                                            std::stod(words.at(4)));
      return fmt::format(R"({{"data": {:.9g}, "factors": {:.9g}}})", factor_->data_bytes(), factor_->factor_bytes());
    }
    const int threads = std::stoi(words.at(1));
    const Index sweeps = std::stol(words.at(2));
    if (command == "factor_scores") return json(factor_->scores(threads, sweeps));
    if (command == "factor_sweep") return json(factor_->sweep(threads, sweeps));
    return json(factor_->run(threads, sweeps));
  }

  // Rows of 100 numbers with six digits, made from a fixed recurrence: the content does not matter, its size does.
  static std::string csv_write(const std::string& file, double megabytes) {
    constexpr Index cols = 100;
    std::ofstream out(file, std::ios::binary);
    fmt::memory_buffer text;
    for (Index j = 0; j < cols; ++j) fmt::format_to(std::back_inserter(text), "{}x{}", j > 0 ? "," : "", j + 1);
    double written = 0;
    Index rows = 0;
    for (double value = 0.1234567; written < megabytes * 1e6; ++rows) {
      text.push_back('\n');
      for (Index j = 0; j < cols; ++j) {
        value = 3.9 * value * (1 - value);  // the logistic map: chaotic, so digits do not repeat
        fmt::format_to(std::back_inserter(text), "{}{:.6g}", j > 0 ? "," : "", 10 * (value - 0.5));
      }
      out.write(text.data(), static_cast<std::streamsize>(text.size()));
      written += static_cast<double>(text.size());
      text.clear();
    }
    return fmt::format(R"({{"bytes": {}}})", rows * cols * static_cast<Index>(sizeof(double)));
  }

  static std::string csv(int threads, const std::string& file) {
    tamis::Dataset data;
    return json(
        measure([&] { tamis::with_threads(threads, [&] { data = tamis::read_dataset(file, {.target = "x1"}); }); }));
  }

  std::unique_ptr<tamis::bench::Problem> data_;
  std::unique_ptr<tamis::bench::FactorBench> factor_;
};

}  // namespace

int main() {
  Session session;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream stream(line);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    try {
      std::cout << session.answer(words) << std::endl;
    } catch (const std::exception& error) {
      std::cerr << "tamis_bench: " << error.what() << " (at '" << line << "')\n";
      return 1;
    }
  }
}
