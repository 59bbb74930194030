// The matrix of the contract of formats as a toy table.
#include <fmt/format.h>

#include "contract/format_samples.hpp"

namespace tamis::contract {
namespace {

std::string toy_table() {
  const std::vector<std::vector<double>>& rows = sample_rows();
  std::string text = fmt::format("toy-table {} 3\n", rows.size());
  for (std::size_t j = 0; j < 3; ++j) {
    text += fmt::format("x{}:", j + 1);
    for (const std::vector<double>& row : rows) text += fmt::format(" {}", row[j]);
    text += "\n";
  }
  return text + "end\n";
}

[[maybe_unused]] const FormatSample& added = add_format_sample("toy-table", {toy_table(), /*knows_its_size=*/true});

}  // namespace
}  // namespace tamis::contract
