#include "problem/run_fingerprint.hpp"

#include "base/checkpoint.hpp"
#include "tamis/version.hpp"

namespace tamis {
namespace {

struct AddOption {
  Digest& digest;
  void operator()(std::monostate) const { digest.add("not given"); }
  void operator()(bool value) const { digest.add(value ? "yes" : "no"); }
  void operator()(double value) const { digest.add(value); }
  void operator()(const std::string& value) const { digest.add(value); }
};

}  // namespace

std::uint64_t run_fingerprint(const Method& method, const Problem& problem, const Options& options,
                              const Control& control) {
  Digest digest;
  digest.add(version);
  digest.add(method.name());
  digest.add(problem.likelihood.name());
  digest.add(static_cast<double>(control.seed));
  for (const auto& [name, value] : options.values()) {
    digest.add(name);
    std::visit(AddOption{digest}, value);
  }
  digest.add(problem.intercept ? 1.0 : 0.0);
  digest.add(problem.standardize ? 1.0 : 0.0);
  digest.add_all(problem.y);
  digest.add_all(problem.weights);
  digest.add_all(problem.offset);
  digest.add_all(problem.feature_priors);
  const Index n = problem.X.rows(), p = problem.X.cols();
  digest.add(static_cast<double>(p));
  std::vector<double> column(n);
  for (Index j = 0; j < p; ++j) {
    problem.X.gather(Columns::range(j, 1), std::span(column));
    digest.add(column.data(), column.size() * sizeof(double));
  }
  return digest.value();
}

}  // namespace tamis
