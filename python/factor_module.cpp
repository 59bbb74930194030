// Factor models: fitting one, and what it says of its rows and of others.
#include <map>
#include <string>

#include "arguments.hpp"
#include "background_thread.hpp"
#include "modules.hpp"
#include "tamis/factor/factor.hpp"
#include "tamis/factor/new_rows.hpp"
#include "tamis/report/factor_text.hpp"
#include "whole_instances.hpp"

namespace tamis::python {
namespace {

namespace py = pybind11;

// A table with holes: a float64 array (NaN: missing) in Fortran order, or a tuple of sparse columns.
class HeldCells {
 public:
  explicit HeldCells(const py::object& X) {
    if (py::isinstance<py::tuple>(X)) {
      sparse_ = columns_of(X.cast<py::tuple>());
      const SparseDesign checked(
          SparseView(sparse_->rows, sparse_->cols, sparse_->starts, sparse_->indices, sparse_->values));
      return;
    }
    dense_ = X.cast<ColumnMajor>();
  }
  FactorProblem problem() const {
    FactorProblem problem;
    if (sparse_) {
      problem.sparse = &*sparse_;
    } else {
      problem.dense = matrix_of(dense_, "X");
    }
    return problem;
  }

 private:
  std::optional<SparseColumns> sparse_;
  ColumnMajor dense_;
};

// As the model file has them: in single precision, so that a fit and its file say the same.
py::object single_precision(const Matrix& matrix) {
  if (matrix.rows() == 0) return py::none();
  const py::array_t<float, py::array::f_style> array({matrix.rows(), matrix.cols()});
  auto* to = const_cast<float*>(array.data());
  const ConstMatrixView view = matrix.view();
  std::transform(view.data, view.data + view.rows * view.cols, to, [](double x) { return static_cast<float>(x); });
  return array;
}

py::dict table_of_cells(const std::vector<PredictedCell>& cells) {
  std::vector<Index> rows, columns;
  for (const PredictedCell& cell : cells) {
    rows.push_back(cell.row);
    columns.push_back(cell.column);
  }
  py::dict table;
  table["row"] = py::array_t<Index>(static_cast<py::ssize_t>(rows.size()), rows.data());
  table["column"] = py::array_t<Index>(static_cast<py::ssize_t>(columns.size()), columns.data());
  const py::dict numbers =
      table_of(cells, std::pair("mean", &PredictedCell::mean), std::pair("sd", &PredictedCell::sd),
               std::pair("lower", &PredictedCell::lower), std::pair("upper", &PredictedCell::upper));
  for (const auto& [name, values] : numbers) table[name] = values;
  return table;
}

// The FactorFit and a table of the cells that it did not see.
py::tuple run_fit(const std::string& prior, const std::optional<std::string>& family, const py::object& X,
                  const std::vector<Index>& factors, const std::map<std::string, OptionValue>& options,
                  const py::kwargs& given) {
  Keywords more(given);
  const HeldCells cells(X);
  FactorProblem problem = cells.problem();
  problem.family = family.value_or("");
  problem.intercept = more.get("intercept", true);
  problem.standardize = more.get("standardize", true);
  problem.column_names = more.get<std::vector<std::string>>("column_names", {});
  const auto holdout = more.get("holdout", 0.0);
  FactorControl control{
      .seed = more.get<std::uint64_t>("seed", 1), .threads = more.get("threads", 0), .predict_cells = true};
  const auto progress = more.get<py::object>("progress", py::none());
  more.finish();
  FactorResult result;
  run_without_gil(progress, [&](Observer& observer) {
    control.observer = &observer;
    if (!family) problem.family = guess_family(problem).family;
    if (holdout != 0) problem.test_cells = draw_test_cells(problem, holdout, control.seed);
    if (factors.size() > 1) {
      result = fit_best_factors(factor_prior(prior), problem, factors, options, control);
      return;
    }
    problem.factors = factors.empty() ? 0 : factors[0];
    result = factor_prior(prior).fit(problem, options, control);
  });
  return py::make_tuple(std::move(result.fit), table_of_cells(result.cells));
}

py::tuple explained(const FactorFit& fit, const py::object& X, int threads) {
  const HeldCells cells(X);
  const FactorProblem problem = cells.problem();
  FactorRows rows;
  run_without_gil(py::none(), [&](Observer&) { rows = explain_rows(fit, problem, {.threads = threads}); });
  py::object inclusion = py::none();
  if (rows.inclusion.rows() > 0) inclusion = array_of(rows.inclusion.view());
  return py::make_tuple(array_of(rows.scores.view()), inclusion, table_of_cells(rows.cells));
}

py::list described_priors() {
  py::list list;
  for (const FactorPrior* each : factor_priors()) {
    py::dict entry;
    entry["name"] = each->name();
    entry["summary"] = each->summary();
    entry["fields"] = described(each->fields());
    list.append(entry);
  }
  return list;
}

void bind_values(py::class_<FactorFit>& type) {
  type.def_readonly("family", &FactorFit::family)
      .def_readonly("prior", &FactorFit::prior)
      .def_readonly("options", &FactorFit::options)
      .def_readonly("factors", &FactorFit::factors)
      .def_readonly("rows", &FactorFit::rows)
      .def_readonly("columns", &FactorFit::columns)
      .def_readonly("nlp_bits", &FactorFit::nlp_bits)
      .def_readonly("rmse", &FactorFit::rmse)
      .def_readonly("rhat", &FactorFit::rhat)
      .def_readonly("ess", &FactorFit::ess)
      .def_readonly("message", &FactorFit::message)
      .def_readonly("seconds", &FactorFit::seconds)
      .def_property_readonly("status", [](const FactorFit& fit) { return name_of(fit.status); })
      .def_property_readonly("loadings", [](const FactorFit& fit) { return array_of(fit.loadings.view()); })
      .def_property_readonly("scores", [](const FactorFit& fit) { return single_precision(fit.scores); })
      .def_property_readonly("inclusion", [](const FactorFit& fit) { return single_precision(fit.inclusion); })
      .def_property_readonly("intercept", [](const FactorFit& fit) { return array_or_none(fit.intercept); })
      .def_property_readonly("factor_rates", [](const FactorFit& fit) { return array_of(fit.factor_rates); })
      .def_property_readonly("factor_means", [](const FactorFit& fit) { return array_of(fit.factor_means); })
      .def_property_readonly("factor_variances", [](const FactorFit& fit) { return array_of(fit.factor_variances); })
      .def_property_readonly("noise_variances", [](const FactorFit& fit) { return array_or_none(fit.noise_variances); })
      .def_property_readonly("trace", [](const FactorFit& fit) { return trace_of(fit.trace); })
      .def_property_readonly("search", [](const FactorFit& fit) {
        return table_of(fit.search, std::pair("factors", &FactorSearchPoint::factors),
                        std::pair("nlp_bits", &FactorSearchPoint::nlp_bits),
                        std::pair("rmse", &FactorSearchPoint::rmse));
      });
}

}  // namespace

void bind_factor(py::module_& module) {
  py::class_<FactorFit> type(module, "FactorFit",
                             "A fitted factor model, with the content of its model file; made from its JSON text.",
                             own_size());
  bind_values(type);
  type.def(py::init([](const std::string& text) { return factor_from_json(text); }), py::arg("text"))
      .def("__reduce__", &reduced<FactorFit>)
      .def("explain", &explained, "Scores, inclusion probabilities (or None) and predicted missing cells of new rows.",
           py::arg("X"), py::arg("threads") = 0)
      .def(
          "means",
          [](const FactorFit& fit, const ColumnMajor& scores) {
            return array_of(means_of_scores(fit, matrix_of(scores, "scores")).view());
          },
          "Mean of every cell, given scores.", py::arg("scores"))
      .def(
          "text", [](const FactorFit& fit, Index most) { return text_report(fit, most); }, py::arg("most") = 20)
      .def("to_json", [](const FactorFit& fit) { return to_json(fit); })
      .def_static(
          "from_json", [](const std::string& text) { return factor_from_json(text); }, py::arg("text"))
      .def(
          "save", [](const FactorFit& fit, const std::string& path) { save(fit, path); }, py::arg("path"))
      .def_static("load", &load_factor, py::arg("path"));
  module.def("factor_priors", &described_priors, "All priors of factor models with their options.");
  module.def("fit_factors", &run_fit,
             "Fit a factor model and return the FactorFit and a table of the missing and held-out cells. Given several "
             "numbers of factors, the best is chosen. Without a family it is guessed.",
             py::arg("prior"), py::arg("family"), py::arg("X"), py::arg("factors"), py::arg("options"));
}

}  // namespace tamis::python
