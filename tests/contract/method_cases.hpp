// What the contract of Method is tried on: every registered method with every family that it fits, small examples of
// each family, and what "the same answer" means. A new method is tested by being in methods().
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "tamis/method/method.hpp"

namespace tamis::contract {

/// One method on one family.
struct MethodCase {
  const Method* method = nullptr;
  const Family* family = nullptr;
};
std::vector<MethodCase> method_cases();
std::string name_of_case(const MethodCase& tried);
inline std::ostream& operator<<(std::ostream& out, const MethodCase& tried) { return out << name_of_case(tried); }

/// Data in plain memory. `problem()` is a view on it, so the example must outlive what was made from it.
struct Example {
  const Family* family = nullptr;
  Matrix X;
  std::vector<double> y;
  std::vector<double> weights = {};
  std::vector<double> offset = {};

  Problem problem(const Design& design) const {
    return {.X = design, .y = y, .likelihood = *family, .weights = weights, .offset = offset};
  }
};

/// Correlated columns of different spread and mean, about a third of the entries zero; the predictor is
/// signal * (x1 - 0.8 x4) on the standardized scale (of as many columns as there are) plus noise.
Example make_example(const Family& family, Index rows, Index cols, std::uint64_t seed = 1, double signal = 1);
/// A response of this family for the given predictor.
double draw_response(const Family& family, double predictor, std::uint64_t seed, Index row);

/// Options under which a method's answer depends on the data alone, not on a search: with Control::folds = 0.
std::map<std::string, OptionValue> fixed_options(const Method& method);
/// The same for wide data, where a long run would only take time.
std::map<std::string, OptionValue> wide_options(const Method& method);
/// As many columns as wanted, or as many as the method takes.
Index columns_for(const Method& method, Index wanted);
/// A fit with fixed_options(); the design is dense.
Fit fit_fixed(const MethodCase& tried, const Example& example);
Fit fit_fixed(const MethodCase& tried, const Problem& problem);

/// Two fits of the same problem written in two ways differ by what the method's own certificate allows. Solvers stop
/// at optimality conditions of 1e-8 relative to the penalty; examples here have condition numbers below 100.
double agreement_tolerance(const Method& method);

/// Expects equal predictors on the rows of X, and equal coefficients in units of what they move the predictor.
void expect_same_answer(const Fit& expected, const Fit& received, const Matrix& X, double tolerance);
/// Expects that two runs came to the same numbers, all of them and to the last bit.
void expect_same_bits(const Fit& a, const Fit& b);
/// Expects that every number of the fit is finite, that sizes fit, and that there is a sentence.
void expect_sound(const Fit& fit, Index cols);

Matrix select_rows(const Matrix& X, const std::vector<Index>& rows);
std::vector<double> select_rows(const std::vector<double>& v, const std::vector<Index>& rows);

}  // namespace tamis::contract
