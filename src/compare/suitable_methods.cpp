// Methods that a comparison runs when none are named: those that support the family, accept the number of features, and
// finish in seconds on data of this size. The others are listed with the reason, and can be requested by name.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tamis/base/plural.hpp"
#include "tamis/compare/compare.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis {
namespace {

// Size limits of the slow methods; a comparison makes about a dozen fits of each. Beyond these sizes a single fit took
// more than about five seconds on a machine of two cores. The entries are upper limits by measurement, not by
// complexity: flas, vb and ep factorize matrices of order min(n, p), O(min(n, p)^3) per iteration, ridge starts of
// garrote for every fold of every fold; gibbs and bvs make thousands of passes over X.
struct Limit {
  Index least_side;  // most of min(rows, features): matrices of that order are factorized again and again
  double entries;    // most of rows x features: the data are passed over again and again
};
struct MethodLimits {
  std::string_view method;
  Limit quadratic, other;  // by loss of the family: others are seen as weighted gaussian data, many times
};
constexpr Index no_limit = std::numeric_limits<Index>::max();
constexpr MethodLimits limits[] = {
    {"garrote", {1000, 5e6}, {500, 5e6}},         // ridge starts
    {"flas", {200, 5e6}, {300, 5e5}},             // search of the prior
    {"vb", {1000, 1e6}, {300, 3e5}},              // several starts
    {"mm", {1000, 1e6}, {500, 5e5}},              // seven descents per fold
    {"ep", {1000, 5e6}, {1000, 5e6}},             // a factorization per sweep
    {"gibbs", {no_limit, 5e6}, {no_limit, 5e5}},  // thousands of sweeps
    {"bvs", {no_limit, 5e6}, {no_limit, 3e5}},    // thousands of steps of four chains
};

// First matching limit: those of a family precede the general one of the same method.
std::string why_too_slow(const Problem& problem, std::string_view method) {
  const Index n = problem.X.rows(), p = problem.X.cols();
  for (const MethodLimits& known : limits) {
    if (known.method != method) continue;
    const Limit& limit = problem.likelihood.is_quadratic() ? known.quadratic : known.other;
    const bool slow =
        std::min(n, p) > limit.least_side || static_cast<double>(n) * static_cast<double>(p) > limit.entries;
    return slow ? fmt::format("slow for {} rows x {} features; list it in --methods to run it", n, p) : "";
  }
  return "";
}

std::string why_not(const Problem& problem, const Method& method, Index varying) {
  if (!method.lacks(problem.likelihood).empty()) {
    return fmt::format("only family {} is supported", joined(supported_families(method)));
  }
  if (varying > method.most_features()) {
    return fmt::format("limited to {} features; {} columns are not constant", method.most_features(), varying);
  }
  return why_too_slow(problem, method.name());
}

}  // namespace

SuitableMethods suitable_methods(const Problem& problem) {
  // Constant columns do not count: methods drop them before they check their limit.
  const std::vector<double> deviations = column_moments(problem.X, problem.weights).deviation;
  const Index varying = std::ranges::count_if(deviations, [](double deviation) { return deviation != 0; });
  SuitableMethods suitable;
  for (const Method* method : methods()) {
    std::string reason = why_not(problem, *method, varying);
    if (reason.empty()) {
      suitable.methods.emplace_back(method->name());
    } else {
      suitable.left_out.push_back({std::string(method->name()), std::move(reason)});
    }
  }
  return suitable;
}

}  // namespace tamis
