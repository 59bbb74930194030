#include <array>

#include "experiments/garrote/experiments.hpp"
#include "experiments/reproduce/curves.hpp"

namespace tamis::experiments::garrote {

Contender ridge() { return {"ridge", "ridge", {{"rule", std::string("min")}}}; }

Contender lasso() { return {"lasso", "lasso", {{"rule", std::string("min")}}}; }

Contender variational_garrote() { return {"vg", "vg"}; }

Contender dual_variational_garrote() { return {"vg (dual)", "vg", {{"solver", std::string("dual")}}}; }

Contender paired_mean_field() { return {.label = "pmf", .method = "pmf", .merges_validation = true}; }

Contender annealed_paired_mean_field() { return {"pmf-anneal", "pmf", {{"anneal", true}}, true}; }

Series method_curve(const Results& results, std::string_view panel, std::string_view method, std::string_view measure,
                    Shown shown) {
  constexpr std::array<std::string_view, 6> places = {"vg", "lasso", "pmf", "ridge", "pmf-anneal", "vg (dual)"};
  const auto place = std::find(places.begin(), places.end(), method) - places.begin();
  return curve(results, panel, method, measure, {.mark = Mark::line_and_points, .color = place}, shown);
}

Panel method_panel(const Results& results, std::string_view panel, std::span<const std::string> methods,
                   std::string_view measure, Shown shown) {
  Panel out;
  for (const std::string& method : methods) {
    out.series.push_back(method_curve(results, panel, method, measure, shown));
  }
  return out;
}

}  // namespace tamis::experiments::garrote
