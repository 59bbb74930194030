// Results for people (a table for the terminal), for programs (JSON) and for other tools (CSV).
#pragma once

#include <string>

#include "experiments/reproduce/experiment.hpp"

namespace tamis::experiments {

/// Beyond this many standard errors of the difference a number of ours is said to differ from the paper's.
inline constexpr double differs_beyond = 3;

/// Ours beside the paper's, then what the paper says and whether it holds, then how fits and the run ended.
std::string text_view(const Experiment& experiment, const Results& results);
/// One object: name, replicates, seed, complete, rows, findings.
std::string json_view(const Experiment& experiment, const Results& results);
/// One line per number: panel, x, method, measure, replicate, value.
std::string observations_csv(const Results& results);
/// One line per place: the statistics over replicates and the paper's number.
std::string summary_csv(const Results& results);

}  // namespace tamis::experiments
