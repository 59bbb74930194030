// Fit: what was found, and what can be asked of it.
#include <pybind11/stl.h>

#include <string>

#include "modules.hpp"
#include "tamis/base/error.hpp"
#include "tamis/fit/fit.hpp"
#include "tamis/report/text.hpp"
#include "whole_instances.hpp"
#include "without_gil.hpp"

namespace tamis::python {
namespace {

namespace py = pybind11;

py::dict path_of(const Fit& fit) {
  return table_of(fit.path, std::pair("value", &PathPoint::value), std::pair("objective", &PathPoint::objective),
                  std::pair("validation_error", &PathPoint::validation_error),
                  std::pair("validation_se", &PathPoint::validation_se), std::pair("active", &PathPoint::active),
                  std::pair("certificate", &PathPoint::certificate));
}

// None: the prior has no components.
py::object components_of(const Fit& fit) {
  if (fit.components.empty()) return py::none();
  py::list names, of_rows;
  for (const FittedComponent& each : fit.components) {
    names.append(each.name);
    of_rows.append(each.of_rows);
  }
  py::dict columns = table_of(
      fit.components, std::pair("rank", &FittedComponent::rank), std::pair("variance", &FittedComponent::variance),
      std::pair("share", &FittedComponent::share), std::pair("inclusion", &FittedComponent::inclusion));
  columns["name"] = names;
  columns["of_rows"] = of_rows;
  return columns;
}

py::dict predicted(const Fit& fit, const py::object& X, const std::optional<Vector>& offset, double level) {
  const HeldDesign held = design_of(X);
  const std::span<const double> shift = numbers_of(offset, "offset");
  Prediction prediction;
  {
    const WithoutGil without;
    prediction = predict(fit, *held.X, shift, level);
  }
  py::dict columns;
  columns["mean"] = array_of(prediction.mean);
  columns["sd"] = array_or_none(prediction.sd);
  columns["lower"] = array_or_none(prediction.lower);
  columns["upper"] = array_or_none(prediction.upper);
  return columns;
}

py::array_t<double> linear_predictor_of(const Fit& fit, const py::object& X, const std::optional<Vector>& offset) {
  const HeldDesign held = design_of(X);
  const std::span<const double> shift = numbers_of(offset, "offset");
  std::vector<double> eta;
  {
    const WithoutGil without;
    eta = linear_predictor(fit, *held.X, shift);
  }
  return array_of(eta);
}

// (feature, inclusion, coefficient), strongest first.
py::list selected(const Fit& fit, std::optional<double> fdr, std::optional<double> threshold,
                  std::optional<Index> top) {
  if (fdr.has_value() + threshold.has_value() + top.has_value() > 1) {
    throw InvalidOption("select: received several rules; expected at most one of fdr, threshold and top");
  }
  const std::vector<Selected> chosen = fdr   ? select_by_fdr(fit, *fdr)
                                       : top ? select_top(fit, *top)
                                             : select_by_threshold(fit, threshold.value_or(0.5));
  py::list list;
  for (const Selected& each : chosen) list.append(py::make_tuple(each.feature, each.inclusion, each.coefficient));
  return list;
}

py::list sets_of(const Fit& fit, std::optional<double> level) {
  py::list list;
  for (const CredibleSet& set : level ? credible_sets(fit.set_candidates, *level) : fit.credible_sets) {
    py::dict one;
    std::vector<std::string> names;
    for (const Index j : set.features) names.push_back(fit.features[j]);
    one["features"] = names;
    one["columns"] = set.features;
    one["inclusion"] = array_of(set.inclusion);
    one["correlation"] = array_of(set.correlation);
    one["probability"] = set.probability;
    one["purity"] = set.purity;
    one["size"] = set.features.size();
    list.append(one);
  }
  return list;
}

py::list alternatives_of(const Fit& fit) {
  py::list list;
  for (const Alternative& each : fit.alternatives) {
    py::dict one;
    one["feature"] = fit.features[each.feature];
    one["with"] = fit.features[each.with];
    one["correlation"] = each.correlation;
    list.append(one);
  }
  return list;
}

void bind_values(py::class_<Fit>& type) {
  type.def_readonly("method", &Fit::method)
      .def_readonly("family", &Fit::family)
      .def_readonly("options", &Fit::options)
      .def_readwrite("target", &Fit::target)
      .def_readwrite("levels", &Fit::levels)
      .def_readonly("samples", &Fit::samples)
      .def_readonly("features", &Fit::features)
      .def_readonly("intercept", &Fit::intercept)
      .def_readonly("noise_variance", &Fit::noise_variance)
      .def_readonly("hyper", &Fit::hyper)
      .def_readonly("objective", &Fit::objective)
      .def_readonly("message", &Fit::message)
      .def_readonly("seconds", &Fit::seconds)
      .def_property_readonly("status", [](const Fit& fit) { return name_of(fit.status); })
      .def_property_readonly("coefficients", [](const Fit& fit) { return array_of(fit.coefficients); })
      .def_property_readonly("standard_deviations",
                             [](const Fit& fit) { return array_or_none(fit.standard_deviations); })
      .def_property_readonly("inclusion", [](const Fit& fit) { return array_or_none(fit.inclusion); })
      .def_property_readonly("inclusion_error", [](const Fit& fit) { return array_or_none(fit.inclusion_error); })
      .def_property_readonly("inclusion_kind", [](const Fit& fit) { return name_of(fit.inclusion_kind); })
      .def_property_readonly("alternatives", &alternatives_of)
      .def_property_readonly("feature_spreads", [](const Fit& fit) { return array_or_none(fit.feature_spreads); })
      .def_property_readonly("components", &components_of)
      .def_property_readonly("path", &path_of)
      .def_property_readonly("trace", [](const Fit& fit) { return trace_of(fit.trace); });
}

}  // namespace

void bind_fit(py::module_& module) {
  py::class_<Fit> type(module, "Fit", "A fitted model, with the content of its model file; made from its JSON text.",
                       own_size());
  bind_values(type);
  type.def(py::init([](const std::string& text) { return from_json(text); }), py::arg("text"))
      .def("__reduce__", &reduced<Fit>)
      .def("targets", &split_targets, "One Fit per target, this one first.")
      .def("predict", &predicted, py::arg("X"), py::arg("offset") = py::none(), py::arg("level") = 0.95)
      .def("linear_predictor", &linear_predictor_of, py::arg("X"), py::arg("offset") = py::none())
      .def("select", &selected, py::kw_only(), py::arg("fdr") = py::none(), py::arg("threshold") = py::none(),
           py::arg("top") = py::none())
      .def("credible_sets", &sets_of, py::arg("level") = py::none(),
           "Sets of few features of which at least one matters; level: that of the fit, or from 0.5 to 1.")
      .def(
          "text", [](const Fit& fit, Index most) { return text_report(fit, most); }, py::arg("most") = 30)
      .def("to_json", [](const Fit& fit) { return to_json(fit); })
      .def_static(
          "from_json", [](const std::string& text) { return from_json(text); }, py::arg("text"))
      .def(
          "save", [](const Fit& fit, const std::string& path) { save(fit, path); }, py::arg("path"))
      .def_static(
          "load", [](const std::string& path) { return load(path); }, py::arg("path"));
}

}  // namespace tamis::python
