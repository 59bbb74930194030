// What an experiment measured, number by number, and summarized beside the paper's.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/base/index.hpp"

namespace tamis::experiments {

/// Where there is no horizontal coordinate: in tables.
inline constexpr double no_coordinate = std::numeric_limits<double>::quiet_NaN();

/// Where a number stands.
struct Place {
  std::string panel;
  double x = no_coordinate;
  std::string method;
  std::string measure;
};
bool same_place(const Place& a, const Place& b);

struct Observation {
  Place place;
  Index replicate = 0;  ///< from 1
  double value = 0;
};

/// Over replicates. The standard error of one value is NaN: nobody knows.
struct Statistic {
  Index count = 0;
  double mean = 0;
  double standard_error = 0;
  double median = 0;
  double least = 0;
  double most = 0;
  double low = 0;  ///< 95 % of the values lie between low and high
  double high = 0;
};
Statistic summarize(std::vector<double> values);

/// Which statistic a table or figure of the paper prints.
enum class Shown {
  mean,
  median,
  maximum,
  interval,  ///< the mean, and where the central 95 % of the values lie
};
double value_of(const Statistic& statistic, Shown shown);

/// What the paper printed.
struct PaperNumber {
  Place place;
  double value = 0;
  double deviation = std::numeric_limits<double>::quiet_NaN();  ///< over its replicates; NaN: not printed
  Index count = 0;                                              ///< its replicates
  double low = std::numeric_limits<double>::quiet_NaN();        ///< ends of the central 95 %, if printed
  double high = std::numeric_limits<double>::quiet_NaN();
};

/// One number of ours beside the paper's.
struct Row {
  Place place;
  Statistic ours;
  Shown shown = Shown::mean;
  std::optional<PaperNumber> paper = {};
  /// (ours - paper's) in standard errors of the difference; NaN where the paper gives no deviation, or there is no
  /// standard error of ours.
  double distance() const;
};

/// How fits of one method ended.
struct Endings {
  Index fits = 0;
  Index unfinished = 0;  ///< did not converge
};

/// What one trial found. Numbers stand in the panel and at the x of the trial unless it says where.
class Recorder {
 public:
  Recorder(std::string panel, double x) : panel_(std::move(panel)), x_(x) {}
  void add(std::string_view method, std::string_view measure, double value);
  void add_at(Place place, double value) { numbers_.emplace_back(std::move(place), value); }
  /// Counts how a fit ended.
  void ended(const std::string& method, bool converged);

  const std::vector<std::pair<Place, double>>& numbers() const { return numbers_; }
  const std::map<std::string, Endings>& endings() const { return endings_; }

 private:
  std::string panel_;
  double x_;
  std::vector<std::pair<Place, double>> numbers_;
  std::map<std::string, Endings> endings_;
};

struct Results {
  Index replicates = 0;  ///< asked for
  std::uint64_t seed = 1;
  Index trials = 0;    ///< settings times replicates
  Index finished = 0;  ///< of them; fewer than all if somebody wished to stop
  std::vector<Observation> observations;
  std::vector<Row> rows;                   ///< in the order in which they were first recorded
  std::map<std::string, Endings> endings;  ///< by method
  double seconds = 0;

  bool complete() const { return finished == trials; }
  /// The row of that place; nullptr if there is none. `x` may be left out in tables.
  const Row* find(std::string_view panel, double x, std::string_view method, std::string_view measure) const;
  /// What the row shows, or NaN.
  double value(std::string_view panel, double x, std::string_view method, std::string_view measure) const;
  /// Rows of one curve, in rising x.
  std::vector<const Row*> curve(std::string_view panel, std::string_view method, std::string_view measure) const;
};

}  // namespace tamis::experiments
