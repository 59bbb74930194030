// What the five papers propose, extend, compare with, tabulate and plot, row by row, and where tamis has it: so that
// what is missing can be seen. `tamis reproduce --rows` prints it, and docs/reproduce.md contains it.
#pragma once

#include <string>
#include <vector>

namespace tamis::experiments {

struct PaperRow {
  std::string what;     ///< algorithm, comparison, table or figure, with its place in the paper
  std::string command;  ///< of tamis; "": there is none, the row is missing
  std::string verdict;  ///< what came out, or why there is none
};

struct PaperRows {
  std::string paper;
  std::vector<PaperRow> rows;
};

/// By paper.
const std::vector<PaperRows>& paper_rows();

/// As Markdown: a table for each paper.
std::string paper_rows_table();

}  // namespace tamis::experiments
