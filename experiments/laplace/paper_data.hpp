// The data sets of Table 1 of Naqvi et al. with their shapes and the errors that the paper prints.
#pragma once

#include <string>
#include <vector>

#include "experiments/reproduce/results.hpp"

namespace tamis::experiments::laplace {

struct PaperDataSet {
  std::string name;
  Index rows = 0, features = 0;  ///< as its source gives them: the paper prints no shapes
  bool classes = false;          ///< errors in percent
};
const std::vector<PaperDataSet>& paper_data_sets();

/// The one of this shape (features within 1 %, for sources differ in what they drop); "" if there is none.
std::string paper_data_set(Index rows, Index features);

/// The printed errors of every data set, in a panel of its name.
std::vector<PaperNumber> paper_errors(const std::string& measure);

/// "gse5680 120 x 18976, ...": for lists.
std::string paper_data_in_words();

}  // namespace tamis::experiments::laplace
