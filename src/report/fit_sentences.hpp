// What a regression model found, how sure that is, and what to be careful about, in plain sentences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/data_check.hpp"
#include "tamis/fit/fit.hpp"
#include "tamis/report/page.hpp"

namespace tamis {

/// "5 of 10 features explain progression".
std::string headline_of(const Fit& fit);

/// The place of the searched value that was taken, and what it is called.
struct ChosenPoint {
  Index place = 0;
  std::string name;
};
/// Found by value: a hyperparameter whose value is one of the path. Model files do not say which parameter was tuned,
/// as methods have different ones.
std::optional<ChosenPoint> chosen_point(const Fit& fit);

/// From the model alone.
std::vector<Sentence> sentences_of(const Fit& fit);
/// From data; `source` is what they are called.
std::vector<Sentence> data_sentences(const Fit& fit, const DataCheck& check, const std::string& source);

/// The cautions of several fits, each once, behind the labels of those that it holds for. `converged_only`: without
/// those on fits that did not converge.
std::vector<Sentence> joint_cautions(const std::vector<std::string>& labels, const std::vector<const Fit*>& fits,
                                     bool converged_only = false);

}  // namespace tamis
