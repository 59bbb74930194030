// The first program of the README: read, fit, look.
#include <iostream>
#include <tamis/tamis.hpp>

int main(int, char** arguments) {
  const tamis::Dataset data = tamis::read_dataset(arguments[1], {.target = "progression"});
  const tamis::Problem problem{
      .X = *data.X, .y = data.y, .likelihood = tamis::family("gaussian"), .feature_names = data.features};
  const tamis::Fit fit = tamis::fit(problem, "lasso");
  std::cout << tamis::text_report(fit);
}
