// The methods, and running one.
#include <array>
#include <map>
#include <string>

#include "arguments.hpp"
#include "background_thread.hpp"
#include "modules.hpp"
#include "tamis/method/method.hpp"

namespace tamis::python {
namespace {

namespace py = pybind11;

py::list described_methods() {
  py::list list;
  for (const Method* each : methods()) {
    py::dict entry;
    entry["name"] = each->name();
    entry["summary"] = each->summary();
    entry["estimator"] = each->estimator();
    entry["families"] = supported_families(*each);
    entry["fields"] = described(each->fields());
    entry["uses_feature_priors"] = each->uses_feature_priors();
    entry["uses_penalty_factors"] = each->uses_penalty_factors();
    entry["uses_groups"] = each->uses_groups();
    entry["uses_components"] = each->uses_components();
    entry["takes_several_targets"] = each->takes_several_targets();
    entry["is_sampler"] = each->is_sampler();
    list.append(entry);
  }
  return list;
}

py::list described_families() {
  py::list list;
  for (const Family* each : families()) {
    py::dict entry;
    entry["name"] = each->name();
    entry["response"] = name_of(each->traits().response);
    list.append(entry);
  }
  return list;
}

// Axes chain, draw and, for listed variables, feature: what arviz.from_dict takes.
py::dict arrays_of(const Draws& draws, const std::vector<DrawnVariable>& variables) {
  py::dict group;
  for (const DrawnVariable& variable : variables) {
    std::vector<py::ssize_t> shape{draws.chains, draws.samples};
    if (variable.listed) shape.push_back(variable.items);
    group[variable.name.c_str()] = py::array_t<double>(shape, variable.values.data());
  }
  return group;
}

py::object draws_of(const Draws& draws) {
  py::dict groups;
  groups["posterior"] = arrays_of(draws, draws.posterior);
  groups["sample_stats"] = arrays_of(draws, draws.statistics);
  return groups;
}

// Held-out rows: (X, y, weights or None, offset or None).
struct HeldValidation {
  HeldDesign X;
  Vector y;
  std::optional<Vector> weights, offset;

  explicit HeldValidation(const std::array<py::object, 4>& parts)
      : X(design_of(parts[0])),
        y(parts[1].cast<Vector>()),
        weights(parts[2].cast<std::optional<Vector>>()),
        offset(parts[3].cast<std::optional<Vector>>()) {}
  Validation view() const {
    return {X.X.get(), numbers_of(y, "validation response"), numbers_of(weights, "validation weights"),
            numbers_of(offset, "validation offset")};
  }
};

// The Fit and, if they are wanted, the draws of a sampler.
py::tuple run_fit(const std::string& name, const std::string& family, const py::object& X, const Vector& y,
                  const std::map<std::string, OptionValue>& options, const py::kwargs& given) {
  Keywords more(given);
  const HeldDesign held = design_of(X);
  const auto weights = more.get<std::optional<Vector>>("weights", {});
  const auto offset = more.get<std::optional<Vector>>("offset", {});
  const auto penalty_factors = more.get<std::optional<Vector>>("penalty_factors", {});
  const auto feature_priors = more.get<std::optional<Vector>>("feature_priors", {});
  const auto groups = more.get<std::vector<Index>>("groups", {});
  const auto fold_of_row = more.get<std::vector<int>>("fold_of_row", {});
  const auto more_responses = more.get<std::optional<ColumnMajor>>("more_responses", {});
  const auto component_arrays = more.get<std::vector<std::pair<std::string, ColumnMajor>>>("components", {});
  std::vector<CovarianceComponent> components;
  for (const auto& [label, values] : component_arrays) {
    const ConstMatrixView view = matrix_of(values, "components");
    components.push_back(component_of(label, view, held.X->cols(), held.X->rows()));
  }
  std::optional<HeldValidation> validation;
  if (const auto parts = more.get<std::optional<std::array<py::object, 4>>>("validation", {}))
    validation.emplace(*parts);
  const auto progress = more.get<py::object>("progress", py::none());
  const Problem problem{.X = *held.X,
                        .y = numbers_of(y, "response"),
                        .likelihood = tamis::family(family),
                        .weights = numbers_of(weights, "weights"),
                        .offset = numbers_of(offset, "offset"),
                        .intercept = more.get("intercept", true),
                        .standardize = more.get("standardize", true),
                        .penalty_factors = numbers_of(penalty_factors, "penalty_factors"),
                        .feature_priors = numbers_of(feature_priors, "feature_priors"),
                        .feature_names = more.get<std::vector<std::string>>("feature_names", {}),
                        .groups = groups,
                        .more_responses = more_responses ? matrix_of(*more_responses, "responses") : ConstMatrixView(),
                        .more_targets = more.get<std::vector<std::string>>("more_targets", {}),
                        .components = components};
  Draws draws;
  Control control{.seed = more.get<std::uint64_t>("seed", 1),
                  .threads = more.get("threads", 0),
                  .folds = more.get("folds", 10),
                  .fold_of_row = fold_of_row,
                  .validation = validation ? validation->view() : Validation()};
  const bool keeps_draws = more.get("keep_draws", false);
  if (keeps_draws) control.draws = &draws;
  more.finish();
  Fit fit;
  run_without_gil(progress, [&](Observer& observer) {
    control.observer = &observer;
    fit = method(name).fit(problem, options, control);
  });
  return py::make_tuple(std::move(fit), keeps_draws ? draws_of(draws) : py::none());
}

}  // namespace

py::list described(const std::vector<Field>& fields) {
  py::list list;
  for (const Field& field : fields) {
    py::dict entry;
    entry["name"] = field.name;
    entry["meaning"] = field.meaning;
    entry["type"] = name_of(field.type);
    entry["default"] = field.fallback;
    entry["range"] = field.range();
    list.append(entry);
  }
  return list;
}

void bind_method(py::module_& module) {
  module.def("methods", &described_methods, "All methods with their options.");
  module.def("families", &described_families, "Every family with the kind of its response: real, binary or count.");
  module.def(
      "fit", &run_fit,
      "Fit a method and return the Fit and the draws (or None). X is a float64 array with contiguous columns or rows, "
      "or a tuple for a sparse matrix; it is not copied.",
      py::arg("method"), py::arg("family"), py::arg("X"), py::arg("y"), py::arg("options"));
}

}  // namespace tamis::python
