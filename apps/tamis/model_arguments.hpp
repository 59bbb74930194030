// Arguments of the commands that fit regressions: family, method options, how a fit runs.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "tamis/method/method.hpp"

namespace tamis::app {

struct ModelArguments {
  std::string family;
  bool no_intercept = false;
  bool no_standardize = false;
  std::uint64_t seed = 1;
  std::string progress = "auto";

  void add_family(Parser& parser);
  void add_intercept_and_standardize(Parser& parser);
  void add_seed(Parser& parser);
  void add_progress(Parser& parser);
  /// "never" with --quiet, unless --progress was given.
  std::string progress_mode(bool quiet) const { return quiet && progress == "auto" ? "never" : progress; }
};

/// The family of --family, or one guessed from the response, which is then reported. Refuses a constant response.
const Family& choose_family(const ModelArguments& arguments, const Dataset& data, bool quiet);

/// Says what was guessed, from what ("the response"), and what to do about it.
void note_guessed_family(bool quiet, std::string_view family, std::string_view from);

/// read_dataset() with the threads and the family of the arguments; its warnings go to standard error.
Dataset read_data(const std::string& path, ReadOptions options, const ModelArguments& model, const RunArguments& run);

/// name=value pairs by the method's own Fields; throws InvalidOption for a name that it does not have, a value that
/// does not fit, or an option given twice.
std::map<std::string, OptionValue> parse_settings(const Method& method,
                                                  const std::vector<std::pair<std::string, std::string>>& settings);

/// "gaussian (continuous), bernoulli (<two_classes>) or poisson (counts)"
std::string family_choices(std::string_view two_classes);

/// "lasso, elastic-net, ..."
std::string method_names();

/// For Argument::check(): 0 or at least 2 folds, or at least `least`.
std::function<std::string(const std::string&)> folds_check(int least);

}  // namespace tamis::app
