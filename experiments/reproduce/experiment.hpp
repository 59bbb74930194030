// A table or figure of a paper as a program: what is measured, what the paper printed, what the paper says about it.
// `tamis reproduce` runs it over replicates and shows ours beside theirs.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/reproduce/results.hpp"
#include "tamis/base/index.hpp"
#include "tamis/base/observer.hpp"
#include "tamis/io/cells.hpp"
#include "tamis/io/dataset.hpp"
#include "tamis/report/picture.hpp"

namespace tamis::experiments {

/// One setting of the study, measured once in each replicate: a column of a table, a point of a figure.
struct Setting {
  std::string panel = {};
  double x = no_coordinate;
  std::string design = {};                        ///< the simulation to draw from, if there is one
  std::map<std::string, double> parameters = {};  ///< of that design
};

/// What one replicate of one setting has to work with.
struct Trial {
  const Setting& setting;
  std::uint64_t seed = 1;            ///< of this replicate, the same in every setting
  const Dataset* data = nullptr;     ///< the file of --data, if the experiment asks for one
  Observer* observer = nullptr;      ///< for fits: passes a wish to stop on; never null
  const CellTable* table = nullptr;  ///< the same for an experiment on a table with holes; nullptr: draw the data
};

/// A sentence of the paper put to the test. All of it is computed from the results.
struct Finding {
  std::string claim;  ///< what the paper says
  std::string ours;   ///< what we see, with numbers
  bool holds = false;
};

/// How often it is run.
enum class Replication {
  study,        ///< many replicates, summarized
  single_run,   ///< one drawn data set; the seed chooses another
  calculation,  ///< no random numbers at all
};

struct Experiment {
  std::string name;    ///< "vg.table1"
  std::string title;   ///< one line
  std::string source;  ///< authors, year, table or figure
  std::string shows;   ///< what is measured and how; what differs from the paper's protocol
  Replication replication = Replication::study;
  Index replicates = 1;          ///< by default, the paper's number
  std::string data = {};         ///< which file --data must name; "": none is needed
  std::string target = {};       ///< column of that file to explain
  std::string table = {};        ///< which table --data may name instead of simulated data; "": none
  std::string coordinate = "x";  ///< what x is
  std::vector<Setting> settings;
  std::function<void(const Trial&, Recorder&)> measure;
  std::vector<PaperNumber> paper = {};
  std::map<std::string, Shown> shown = {};  ///< by measure; the mean where it says nothing
  std::set<std::string> medians = {};       ///< measures whose medians are shown beside the means
  std::function<std::vector<Finding>(const Results&)> check_claims = {};
  std::function<Picture(const Results&)> picture = {};
};

/// All of them, in the order of lists.
const std::vector<Experiment>& experiments();
/// The one of that name; throws InvalidOption with the nearest.
const Experiment& experiment(std::string_view name);

struct RunSettings {
  std::optional<Index> replicates = {};  ///< not given: the experiment's
  std::uint64_t seed = 1;                ///< replicate k draws with seed + k - 1
  int threads = 0;                       ///< 0: all cores; the results do not depend on it
  const Dataset* data = nullptr;
  const CellTable* table = nullptr;
  Observer* observer = nullptr;
};

/// Runs all replicates of all settings, several at a time, each fit in one thread. A wish to stop ends it with what is
/// finished. Throws InvalidOption if the experiment has no replicates to choose, or needs data and has none.
Results run(const Experiment& experiment, const RunSettings& settings);

}  // namespace tamis::experiments
