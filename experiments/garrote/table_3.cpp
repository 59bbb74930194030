// Table 3: three features of which the third is nearly a sum of the others. With both weights positive (a) the lasso
// cannot leave it out at any penalty; with opposite signs (b) it can.
#include <cmath>

#include "experiments/garrote/experiments.hpp"

namespace tamis::experiments::garrote {
namespace {

void measure(const Trial& trial, Recorder& record) {
  MethodBenchmark benchmark(trial, record);
  for (const Contender& contender : {ridge(), lasso(), variational_garrote()}) {
    const Fit fit = benchmark.fit(contender);
    record.add(contender.label, "L1 error",
               l1_distance(fit.coefficients, benchmark.drawn().truth.coefficients.column(0)));
    record.add(contender.label, "max |v3|", std::abs(fit.coefficients[2]));
    if (contender.method == "ridge") continue;
    const bool third = fit.inclusion.empty() ? fit.coefficients[2] != 0 : fit.inclusion[2] > 0.5;
    record.add(contender.label, "third selected", third ? 1 : 0);
  }
}

std::vector<PaperNumber> printed() {
  constexpr Index trials = 100;
  const auto cell = [](const char* panel, const char* method, double l1, double deviation, double largest) {
    return std::vector<PaperNumber>{
        {{panel, no_coordinate, method, "L1 error"}, l1, deviation, trials},
        {.place = {panel, no_coordinate, method, "max |v3|"}, .value = largest, .count = trials}};
  };
  std::vector<PaperNumber> numbers;
  for (const auto& cells : {cell("a", "ridge", 0.64, 0.18, 0.48), cell("a", "lasso", 0.19, 0.14, 0.30),
                            cell("a", "vg", 0.05, 0.03, 0.00), cell("b", "ridge", 0.02, 0.02, 0.27),
                            cell("b", "lasso", 0.00, 0.00, 0.00), cell("b", "vg", 0.00, 0.00, 0.00)}) {
    numbers.insert(numbers.end(), cells.begin(), cells.end());
  }
  return numbers;
}

}  // namespace

Experiment table3() {
  return {.name = "vg.table3",
          .title = "three features on which the lasso is inconsistent (a) and consistent (b)",
          .source = paper + "Table 3, after Zhao & Yu (2006)",
          .shows =
              "sum |v - w|, the largest |v3| over all replicates and how often the third feature is selected, with "
              "1000 training and 1000 validation samples; x3 = 2/3 x1 + 2/3 x2 + noise of standard deviation 1/3, as "
              "in Zhao & Yu (the paper prints 1)",
          .replicates = 100,
          .settings = {{.panel = "a", .design = "vg.example3a"}, {.panel = "b", .design = "vg.example3b"}},
          .measure = measure,
          .paper = printed(),
          .shown = {{"max |v3|", Shown::maximum}}};
}

}  // namespace tamis::experiments::garrote
