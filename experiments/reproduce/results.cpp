#include "experiments/reproduce/results.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tamis::experiments {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool same_coordinate(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Between the two nearest of the sorted values.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const Index below = static_cast<Index>(place);
  const Index above = std::min(below + 1, std::ssize(sorted) - 1);
  return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

}  // namespace

bool same_place(const Place& a, const Place& b) {
  return a.panel == b.panel && same_coordinate(a.x, b.x) && a.method == b.method && a.measure == b.measure;
}

Statistic summarize(std::vector<double> values) {
  Statistic out{.count = std::ssize(values)};
  if (values.empty()) return {0, nan, nan, nan, nan, nan, nan, nan};
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  out.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double value : values) squares += (value - out.mean) * (value - out.mean);
  out.standard_error = values.size() > 1 ? std::sqrt(squares / (n - 1) / n) : nan;
  out.median = quantile(values, 0.5);
  out.least = values.front();
  out.most = values.back();
  out.low = quantile(values, 0.025);
  out.high = quantile(values, 0.975);
  return out;
}

double value_of(const Statistic& statistic, Shown shown) {
  switch (shown) {
    case Shown::median:
      return statistic.median;
    case Shown::maximum:
      return statistic.most;
    case Shown::mean:
    case Shown::interval:
      break;
  }
  return statistic.mean;
}

double Row::distance() const {
  if (!paper || shown != Shown::mean || std::isnan(paper->deviation) || paper->count < 1) return nan;
  const double theirs = paper->deviation / std::sqrt(static_cast<double>(paper->count));
  const double error = std::hypot(ours.standard_error, theirs);
  const double difference = ours.mean - paper->value;
  return error > 0 ? difference / error : (difference == 0 ? 0 : nan);
}

void Recorder::add(std::string_view method, std::string_view measure, double value) {
  add_at({panel_, x_, std::string(method), std::string(measure)}, value);
}

void Recorder::ended(const std::string& method, bool converged) {
  Endings& endings = endings_[method];
  ++endings.fits;
  if (!converged) ++endings.unfinished;
}

const Row* Results::find(std::string_view panel, double x, std::string_view method, std::string_view measure) const {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return row.place.panel == panel && same_coordinate(row.place.x, x) && row.place.method == method &&
           row.place.measure == measure;
  });
  return found == rows.end() ? nullptr : &*found;
}

double Results::value(std::string_view panel, double x, std::string_view method, std::string_view measure) const {
  const Row* row = find(panel, x, method, measure);
  return row == nullptr ? nan : value_of(row->ours, row->shown);
}

std::vector<const Row*> Results::curve(std::string_view panel, std::string_view method,
                                       std::string_view measure) const {
  std::vector<const Row*> points;
  for (const Row& row : rows) {
    const Place& place = row.place;
    if (place.panel == panel && place.method == method && place.measure == measure) points.push_back(&row);
  }
  std::sort(points.begin(), points.end(), [](const Row* a, const Row* b) { return a->place.x < b->place.x; });
  return points;
}

}  // namespace tamis::experiments
