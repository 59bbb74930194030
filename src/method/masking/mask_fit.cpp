#include "method/masking/mask_fit.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "method/masking/mask_problem.hpp"
#include "method/masking/mask_screen.hpp"
#include "problem/null_fit.hpp"
#include "tamis/base/atomic_file.hpp"
#include "tamis/base/error.hpp"
#include "tamis/base/plural.hpp"

namespace tamis {
namespace {

std::string message_of(const MaskState& state, const MaskResult& result, const Fit& fit, const Screened& screened) {
  return fmt::format("{}{} retained, {} pruned after {}; objective G {:.6g}, last change {:.1e}{}{}",
                     result.status == Status::cancelled ? "cancelled; " : "",
                     plural(std::ssize(state.active), "feature"), result.pruned,
                     plural(result.trace.back().iteration, "iteration"), fit.objective, result.certificate,
                     screened.description.empty() ? "" : "; ", screened.description);
}

}  // namespace

Fit fit_masks(const Problem& problem, const MaskRequest& request, const std::string& masks_file,
              const Control& control) {
  if (request.noise_variance && !problem.likelihood.has_noise()) {
    throw InvalidOption(no_noise_message("noise_variance", problem.likelihood));
  }
  const MaskProblem data(problem);
  if (data.response_is_constant()) {
    return null_fit(problem, data.scale(), "the response is constant");
  }
  const Screened screened = screen_features(data, control);
  MaskState state(data.data(screened.columns));
  const std::optional<double> noise = request.noise_variance ? request.noise_variance : screened.noise_variance;
  const double unit2 = data.unit() * data.unit();
  state.start(noise ? std::optional(*noise / unit2) : std::nullopt);
  const MaskResult result = maximize_criterion(state, request, control.observer);
  Fit fit;
  data.fill(state, screened.columns, fit);
  fit.trace = result.trace;
  // G of the response in its original units.
  // Scaling y by u subtracts N log u from the log likelihood.
  const double units = data.samples() * std::log(data.unit());
  for (TracePoint& point : fit.trace) point.objective -= units;
  fit.objective = fit.trace.back().objective;
  fit.status = result.status;
  fit.message = message_of(state, result, fit, screened);
  if (!masks_file.empty()) write_file_atomically(masks_file, data.masks_csv(state, screened.columns));
  return fit;
}

}  // namespace tamis
