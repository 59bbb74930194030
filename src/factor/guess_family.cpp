// The family that a table looks like: bernoulli, poisson or gaussian.
//
// Rules, in this order
//   1 0 and 1 alone                                                       the family of binary responses
//   2 fractions, negative numbers or one value only                       real
//   3 whole numbers that stay above 10, or go from 1 to at most 10        real: measurements and ratings
//   4 whole numbers whose columns vary less than Poisson counts would     real
//   5 other whole numbers                                                 count
// Three passes over the table at most; nothing is copied. A guess that whole numbers are no counts comes with its
// reason, because the user may know better.
#include <algorithm>
#include <cmath>

#include "design/sparse_structure.hpp"
#include "factor/model/task.hpp"
#include "family/value_kinds.hpp"
#include "tamis/factor/factor.hpp"
#include "tamis/family/family.hpp"

namespace tamis {
namespace {

constexpr double longest_scale = 10;  // ratings go from 1 to so many
// Counts above 10 throughout are close to normal: gaussian loses little, and ages or years are not counts.
constexpr double farthest_start = 10;

// visit(value, how often) of the observed cells of a column.
template <class Visit>
void visit_column(const FactorProblem& problem, Index d, const Visit& visit) {
  const auto see = [&](double x) {
    if (!std::isnan(x)) visit(x, 1.0);
  };
  if (problem.sparse == nullptr) {
    std::ranges::for_each(problem.dense.column(d), see);
    return;
  }
  const SparseColumns& sparse = *problem.sparse;
  const auto first = sparse.values.begin() + sparse.starts[d];
  const auto last = sparse.values.begin() + sparse.starts[d + 1];
  std::for_each(first, last, see);
  if (last - first < sparse.rows) visit(0.0, static_cast<double>(sparse.rows - (last - first)));
}

// Index of dispersion: counts of one rate have variance = mean, a mixture of rates has more. The ratio variance / mean
// of a column is cut at 1, so that one overdispersed column cannot hide all others; under the Poisson model its
// standard error is about sqrt(2 / (n - 1)), which every column is granted. A sum above 0 says that columns vary less
// than counts.
bool varies_less_than_counts(const FactorProblem& problem) {
  double lacking = 0;
  for (Index d = 0; d < factor::cols_of(problem); ++d) {
    double count = 0, sum = 0, squares = 0;
    visit_column(problem, d, [&](double x, double times) {
      count += times;
      sum += times * x;
    });
    if (count < 2 || sum == 0) continue;
    const double mean = sum / count;
    visit_column(problem, d, [&](double x, double times) { squares += times * (x - mean) * (x - mean); });
    lacking += 1 - std::min(1.0, squares / (count - 1) / mean) - std::sqrt(2 / (count - 1));
  }
  return lacking > 0;
}

// The first family with this kind of response.
std::string family_of(Family::Response kind) {
  for (const Family* each : families()) {
    if (each->traits().response == kind) return std::string(each->name());
  }
  return std::string(families().front()->name());
}

}  // namespace

FamilyGuess guess_family(const FactorProblem& problem) {
  if (problem.sparse != nullptr) check_structure(*problem.sparse);
  ValueKinds kinds;
  for (Index d = 0; d < factor::cols_of(problem); ++d) {
    visit_column(problem, d, [&](double x, double) { kinds.add(x); });
  }
  if (kinds.two_classes()) return {family_of(Family::Response::binary)};
  const std::string measured = family_of(Family::Response::real);
  if (!kinds.whole || kinds.smallest < 0 || kinds.smallest >= kinds.largest) return {measured};
  if (kinds.smallest > farthest_start) return {measured, "whose integers are all far above 0"};
  if (kinds.smallest > 0 && kinds.largest <= longest_scale) {
    return {measured, "whose integers, none of them 0, look like ratings"};
  }
  if (varies_less_than_counts(problem)) return {measured, "whose integers vary less than counts do"};
  return {family_of(Family::Response::count)};
}

}  // namespace tamis
