// Data that the script of a page draws: charts, tables and images as JSON that may stand inside a script element.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tamis/report/page.hpp"

namespace tamis {

/// Keys as web/ reads them; every number rounded by page_number(), NaN and infinities null.
nlohmann::ordered_json page_data(const Chart& chart);
/// Throws InvalidInput if the columns differ in length.
nlohmann::ordered_json page_data(const Listing& listing);
nlohmann::ordered_json page_data(const Images& images);

/// JSON text that ends no script element, whatever the strings hold: <, > and & are written as \u003c, \u003e and
/// \u0026, and U+2028 and U+2029 (which end a line of script, but not of JSON) likewise. It means the same JSON.
std::string script_safe(const std::string& json);

/// Five significant digits: more than a page shows.
double page_number(double value);

}  // namespace tamis
