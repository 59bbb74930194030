// Blocks of a page as HTML. Text is in the HTML itself, so that it is there without script and in print; data for the
// script are collected under ids.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tamis/report/page.hpp"

namespace tamis {

/// Appends the data of what is drawn to `data`, an object by id.
/// All text in the result is escaped.
std::string block_html(const Block& block, nlohmann::ordered_json& data);

/// Sections one after another, charts that follow each other in a row.
std::string section_html(const Section& section, nlohmann::ordered_json& data);

}  // namespace tamis
