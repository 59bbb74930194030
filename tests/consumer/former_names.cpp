// Code that was written for the names of the first release compiles and means the same, for one release. Each name here
// is one that CHANGELOG.md lists as deprecated; they go together.
#include <iostream>
#include <tamis/base/counted.hpp>
#include <tamis/design/decorators.hpp>
#include <tamis/fit/comparison.hpp>
#include <tamis/likelihood/likelihood.hpp>
#include <tamis/report/picture.hpp>
#include <tamis/tamis.hpp>

namespace {

int wrong = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::cout << "wrong: " << what << "\n";
  ++wrong;
}

}  // namespace

int main() {
  const tamis::Likelihood& gaussian = tamis::likelihood("gaussian");
  expect(
      gaussian.name() == "gaussian" && gaussian.is_quadratic() && gaussian.has_noise() && gaussian.quadratic_is_bound(),
      "what a Likelihood says of itself");
  expect(tamis::likelihoods().size() == tamis::families().size() && tamis::likelihoods().front() == &gaussian,
         "likelihoods()");
  expect(tamis::method("gibbs").families().size() == 2 && tamis::method("lasso").families().size() >= 3,
         "Method::families()");

  const std::vector<double> values = {1, 2, 4, 1, -1, 2}, y = {1, 0, 2};
  const tamis::DenseDesign X(tamis::ConstMatrixView(values.data(), 3, 2));
  const tamis::Problem problem{.X = X, .y = y, .likelihood = gaussian};
  expect(tamis::fit(problem, "ridge", {{"penalty", 1.0}}).coefficients.size() == 2, "fit()");

  const tamis::StandardisedDesign standardised(X, {1, 2}, {2, 3});
  expect(standardised.centre()[1] == 2 && standardised.centre().data() == standardised.center().data(),
         "StandardisedDesign::centre()");
  tamis::ColumnView column;
  expect(column.centre == 0, "a new ColumnView::centre");
  column.centre = 3;
  expect(column.center == 3, "ColumnView::centre");
  tamis::ComparedMethod compared;
  compared.judged = 5;
  expect(compared.scored == 5, "ComparedMethod::judged");
  const tamis::Series series{.name = "one", .x = {1}, .y = {2}, .colour = 3};
  expect(series.palette_place() == 3 && tamis::Series{}.colour == 0, "Series::colour");
  expect(tamis::counted(2, "row") == tamis::plural(2, "row"), "counted()");
  return wrong;
}
