// tamis._core: the library for Python. Everything numerical happens behind these calls; the estimators in
// python/tamis only name things. InvalidInput and InvalidOption arrive as ValueError.
#include <pybind11/stl.h>

#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "tamis/base/error.hpp"
#include "tamis/fit/fit.hpp"
#include "tamis/method/method.hpp"
#include "tamis/report/text.hpp"
#include "tamis/version.hpp"

namespace tamis::python {
namespace {

namespace py = pybind11;

class StopButton final : public Observer {
 public:
  void press() { pressed_ = true; }
  bool cancelled() override { return pressed_; }

 private:
  std::atomic<bool> pressed_{false};
};

// Python delivers signals to the main thread only, while a fit may poll from any of its threads. So the fit runs
// beside, and the calling thread, whose lock (GIL) others may have meanwhile, looks for Ctrl-C now and then.
Fit fit_beside(const Method& method, const Problem& problem, const std::map<std::string, OptionValue>& options,
               Control control) {
  constexpr std::chrono::milliseconds between_looks{50};
  StopButton stop;
  control.observer = &stop;
  bool interrupted = false;
  const py::gil_scoped_release released;
  std::future<Fit> result = std::async(std::launch::async, [&] { return method.fit(problem, options, control); });
  while (result.wait_for(between_looks) != std::future_status::ready) {
    const py::gil_scoped_acquire lock;
    if (!interrupted && PyErr_CheckSignals() != 0) {
      interrupted = true;
      stop.press();
    }
  }
  if (!interrupted) return result.get();
  const py::gil_scoped_acquire lock;
  throw py::error_already_set();  // what the signal handler raised: KeyboardInterrupt
}

struct FitArguments {
  std::optional<Vector> weights;
  std::optional<Vector> penalty_factors;
  std::vector<Index> groups;
  std::vector<std::string> feature_names;
  bool intercept = true;
  bool standardize = true;
};

Fit run_fit(const std::string& name, const std::string& family, const py::object& X, const Vector& y,
            const std::map<std::string, OptionValue>& options, const FitArguments& more, std::uint64_t seed,
            int threads, int folds) {
  const HeldDesign held = design_of(X);
  const Problem problem{.X = *held.X,
                        .y = numbers_of(y, "response"),
                        .likelihood = likelihood(family),
                        .weights = numbers_of(more.weights, "weights"),
                        .intercept = more.intercept,
                        .standardize = more.standardize,
                        .penalty_factors = numbers_of(more.penalty_factors, "penalty_factors"),
                        .feature_names = more.feature_names,
                        .groups = more.groups};
  return fit_beside(method(name), problem, options, {.seed = seed, .threads = threads, .folds = folds});
}

py::dict described(const Field& field) {
  py::dict entry;
  entry["name"] = field.name;
  entry["meaning"] = field.meaning;
  entry["type"] = name_of(field.type);
  entry["default"] = field.fallback;
  entry["range"] = field.range();
  return entry;
}

py::dict described(const Method& each) {
  py::dict entry;
  py::list fields;
  for (const Field& field : each.fields()) fields.append(described(field));
  entry["name"] = each.name();
  entry["summary"] = each.summary();
  entry["families"] = each.families();
  entry["fields"] = fields;
  entry["uses_penalty_factors"] = each.uses_penalty_factors();
  entry["uses_groups"] = each.uses_groups();
  return entry;
}

py::list described_methods() {
  py::list list;
  for (const Method* each : methods()) list.append(described(*each));
  return list;
}

// One array per member of the points, so that pandas.DataFrame(...) is a table of them.
template <class Point, class... Members>
py::dict columns_of(const std::vector<Point>& points, const std::pair<const char*, Members Point::*>&... members) {
  py::dict columns;
  const auto add = [&](const char* name, auto member) {
    std::vector<double> values;
    for (const Point& point : points) {
      const std::optional<double> value = [&]() -> std::optional<double> { return point.*member; }();
      values.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    columns[name] = array_of(values);
  };
  (add(members.first, members.second), ...);
  return columns;
}

py::dict path_columns(const Fit& fit) {
  return columns_of(fit.path, std::pair("value", &PathPoint::value), std::pair("objective", &PathPoint::objective),
                    std::pair("validation_error", &PathPoint::validation_error),
                    std::pair("validation_se", &PathPoint::validation_se), std::pair("active", &PathPoint::active),
                    std::pair("certificate", &PathPoint::certificate));
}

py::dict trace_columns(const Fit& fit) {
  return columns_of(fit.trace, std::pair("iteration", &TracePoint::iteration),
                    std::pair("objective", &TracePoint::objective), std::pair("change", &TracePoint::change),
                    std::pair("active", &TracePoint::active), std::pair("certificate", &TracePoint::certificate));
}

py::dict predicted(const Fit& fit, const py::object& X) {
  const HeldDesign held = design_of(X);
  Prediction prediction;
  {
    const py::gil_scoped_release released;
    prediction = predict(fit, *held.X);
  }
  py::dict columns;
  columns["mean"] = array_of(prediction.mean);
  columns["sd"] = array_or_none(prediction.sd);
  columns["lower"] = array_or_none(prediction.lower);
  columns["upper"] = array_or_none(prediction.upper);
  return columns;
}

py::array_t<double> linear_predictor_of(const Fit& fit, const py::object& X) {
  const HeldDesign held = design_of(X);
  std::vector<double> eta;
  {
    const py::gil_scoped_release released;
    eta = linear_predictor(fit, *held.X);
  }
  return array_of(eta);
}

// (feature, inclusion, coefficient), strongest first.
py::list selected(const Fit& fit, std::optional<double> fdr, std::optional<double> threshold,
                  std::optional<Index> top) {
  if (fdr.has_value() + threshold.has_value() + top.has_value() > 1) {
    throw InvalidOption("select: received several rules; give one of fdr, threshold and top");
  }
  const std::vector<Selected> chosen = fdr   ? select_by_fdr(fit, *fdr)
                                       : top ? select_top(fit, *top)
                                             : select_by_threshold(fit, threshold.value_or(0.5));
  py::list list;
  for (const Selected& each : chosen) list.append(py::make_tuple(each.feature, each.inclusion, each.coefficient));
  return list;
}

void bind_fit(py::module_& module) {
  py::class_<Fit>(module, "Fit", "The result of a fit: what the model file holds.")
      .def_readonly("method", &Fit::method)
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
      .def_property_readonly("path", &path_columns)
      .def_property_readonly("trace", &trace_columns)
      .def("predict", &predicted, py::arg("X"))
      .def("linear_predictor", &linear_predictor_of, py::arg("X"))
      .def("select", &selected, py::kw_only(), py::arg("fdr") = py::none(), py::arg("threshold") = py::none(),
           py::arg("top") = py::none())
      .def(
          "text", [](const Fit& fit, Index most) { return text_report(fit, most); }, py::arg("most") = 30)
      .def("to_json", [](const Fit& fit) { return to_json(fit); })
      .def_static(
          "from_json", [](const std::string& text) { return from_json(text); }, py::arg("text"))
      .def(
          "save", [](const Fit& fit, const std::string& path) { save(fit, path); }, py::arg("path"))
      .def_static(
          "load", [](const std::string& path) { return load(path); }, py::arg("path"))
      .def(py::pickle([](const Fit& fit) { return to_json(fit); },
                      [](const std::string& text) { return from_json(text, "pickled model"); }));
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const InvalidInput& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const MissingFile& error) {
    PyErr_SetString(PyExc_FileNotFoundError, error.what());
  } catch (const OutputError& error) {
    PyErr_SetString(PyExc_OSError, error.what());
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  module.doc() = "The tamis library.";
  module.attr("version") = version;
  py::register_exception_translator(&translate);
  bind_fit(module);
  module.def("methods", &described_methods, "Every method with its fields, in the order of lists.");
  module.def(
      "fit",
      [](const std::string& name, const std::string& family, const py::object& X, const Vector& y,
         const std::map<std::string, OptionValue>& options, const std::optional<Vector>& weights,
         const std::optional<Vector>& penalty_factors, const std::vector<Index>& groups,
         const std::vector<std::string>& feature_names, bool intercept, bool standardize, std::uint64_t seed,
         int threads, int folds) {
        return run_fit(name, family, X, y, options,
                       {weights, penalty_factors, groups, feature_names, intercept, standardize}, seed, threads, folds);
      },
      "Fits a method; X is a float64 array with contiguous columns (a view is taken) or a tuple of sparse columns.",
      py::arg("method"), py::arg("family"), py::arg("X"), py::arg("y"), py::kw_only(), py::arg("options"),
      py::arg("weights") = py::none(), py::arg("penalty_factors") = py::none(),
      py::arg("groups") = std::vector<Index>(), py::arg("feature_names") = std::vector<std::string>(),
      py::arg("intercept") = true, py::arg("standardize") = true, py::arg("seed") = 1, py::arg("threads") = 0,
      py::arg("folds") = 10);
}

}  // namespace tamis::python
