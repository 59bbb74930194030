#include "bench/problem.hpp"

#include <fstream>
#include <utility>

#include "tamis/base/error.hpp"

namespace tamis::bench {
namespace {

template <class T>
void write_all(const std::filesystem::path& path, std::span<const T> values) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
  if (!out) throw OutputError("cannot write " + path.string());
}

}  // namespace

void write_doubles(const std::filesystem::path& path, std::span<const double> values) { write_all(path, values); }

std::vector<double> read_doubles(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw MissingFile("cannot read " + path.string());
  std::vector<double> values(std::filesystem::file_size(path) / sizeof(double));
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
  return values;
}

Problem::Problem(const std::string& design, std::uint64_t seed, const std::map<std::string, double>& parameters)
    : simulation_(experiments::simulate(design, seed, parameters)) {
  simulation_.validation = {};
  simulation_.test = {};
  experiments::SimulatedSet& train = simulation_.train;
  const std::span<const double> y = train.y.column(0);
  y_.assign(y.begin(), y.end());
  family_ = &tamis::family(simulation_.family);
  if (train.sparse) {
    bytes_ = static_cast<double>(train.sparse->values.size() * (sizeof(double) + sizeof(std::int32_t)) +
                                 train.sparse->starts.size() * sizeof(Index));
    X_ = std::make_unique<SparseDesign>(std::move(*train.sparse));
    train.sparse.reset();
  } else {
    dense_ = std::as_const(train.X).view();
    bytes_ = static_cast<double>(dense_.rows) * static_cast<double>(dense_.cols) * sizeof(double);
    X_ = std::make_unique<DenseDesign>(dense_);
  }
}

void Problem::write(const std::filesystem::path& folder) const {
  std::filesystem::create_directories(folder);
  if (const auto* sparse = dynamic_cast<const SparseDesign*>(X_.get())) {
    const SparseView& columns = sparse->columns();
    const std::vector<std::int32_t> starts(columns.starts.begin(), columns.starts.end());
    write_all<std::int32_t>(folder / "starts.bin", starts);
    write_all<std::int32_t>(folder / "indices.bin", columns.indices);
    write_doubles(folder / "values.bin", columns.values);
  } else {
    write_doubles(folder / "X.bin", span_of(dense_.data, dense_.rows * dense_.cols));
  }
  write_doubles(folder / "y.bin", y_);
  std::ofstream(folder / "shape.txt") << X_->rows() << ' ' << X_->cols() << '\n';
}

void write_sets(const std::string& design, std::uint64_t seed, const std::map<std::string, double>& parameters,
                const std::filesystem::path& folder) {
  const experiments::Simulation data = experiments::simulate(design, seed, parameters);
  const auto write = [&](const char* name, const Matrix& values) {
    write_doubles(folder / name, span_of(values.col(0), values.rows() * values.cols()));
  };
  std::filesystem::create_directories(folder);
  write("X.bin", data.train.X);
  write("y.bin", data.train.y);
  write("test_X.bin", data.test.X);
  write("test_y.bin", data.test.y);
  write("truth.bin", data.truth.coefficients);
  std::ofstream(folder / "shape.txt") << data.train.rows() << ' ' << data.train.cols() << ' ' << data.test.rows()
                                      << '\n';
}

}  // namespace tamis::bench
