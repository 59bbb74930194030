// Model files, read: parsing, schema and the pieces that regression and factor models share.
//
// Format     one JSON object with a key "schema" of the form "tamis.fit/2"; docs describe the keys. Readers accept
//            every version up to their own and ignore unknown keys, so a newer version adds keys without a new number;
//            a number is raised only when an old reader would misunderstand the file.
// Untrusted  everything. The first byte must be '{' before the rest is read (a device or a data file given by mistake
//            may be endless); nesting, duplicate keys, types, signs and lengths are checked before a value is used.
//            Nothing is allocated from a number in the file: lists take the size that they have.
// Messages   path of the file, key, value found (cut to 40 characters), value expected.
// Examples   model.json: 'coefficients[3]' is "x"; expected a finite number
//            model.json: the key 'features' is missing; the model file is incomplete
//            model.json: schema tamis.fit/3 is newer than the newest this version reads (tamis.fit/2); upgrade tamis
#include "fit/json_reader.hpp"

#include <charconv>
#include <fstream>
#include <iterator>
#include <unordered_set>

namespace tamis::json {

// Options are recorded for people and for refits; their names are not checked here, because a file may come from a
// version with other options.
std::map<std::string, OptionValue> read_options(const Reader& in) {
  std::map<std::string, OptionValue> options;
  for (const auto& [name, value] : in.object("options").items()) {
    if (value.is_null()) {
      options[name] = std::monostate{};
    } else if (value.is_boolean()) {
      options[name] = value.get<bool>();
    } else if (value.is_string()) {
      options[name] = value.get<std::string>();
    } else {
      options[name] = in.as_number("options." + name, value);
    }
  }
  return options;
}

TracePoint read_trace_point(const Reader& in) {
  TracePoint point;
  point.iteration = in.count("iteration");
  point.objective = in.number_or_nan("objective");
  point.change = in.number_or_nan("change");
  point.active = in.count("active");
  if (in.has("certificate")) point.certificate = in.number_or_nan("certificate");
  return point;
}

// Parse with two checks that nlohmann::json leaves to its caller: duplicate keys, of which it would silently keep the
// last, and nesting deeper than any model file has.
Parsed parse(const std::string& text, const std::string& where) {
  constexpr int deepest = 8;
  std::vector<std::unordered_set<std::string>> keys;  // of every object that is open now
  const auto watch = [&](int depth, Parsed::parse_event_t event, Parsed& value) {
    if (depth > deepest) {
      throw InvalidInput(fmt::format("{}: not a tamis model file: JSON nested deeper than {} levels", where, deepest));
    }
    if (event == Parsed::parse_event_t::object_start) keys.emplace_back();
    if (event == Parsed::parse_event_t::object_end) keys.pop_back();
    if (event == Parsed::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      throw InvalidInput(fmt::format("{}: duplicate key '{}'", where, value.get<std::string>().substr(0, 60)));
    }
    return true;
  };
  try {
    Parsed root = Parsed::parse(text, watch);
    if (!root.is_object()) throw InvalidInput(fmt::format("{}: not a tamis model file: expected a JSON object", where));
    return root;
  } catch (const Parsed::exception& error) {
    // The parser counts the end of input as a byte: an error position beyond the text means that the file is truncated.
    const auto* const broken = dynamic_cast<const Parsed::parse_error*>(&error);
    if (broken != nullptr && broken->byte > text.size()) {
      throw InvalidInput(
          fmt::format("{}: the model file is truncated after {} bytes; write it again", where, text.size()));
    }
    std::string reason = error.what();
    reason = reason.substr(reason.find("] ") + 2, 160);  // without the library's own error number
    throw InvalidInput(fmt::format("{}: invalid JSON: {}", where, reason));
  }
}

// Three cases with different remedies: no model file, a file of another kind, a file of a newer version.
void check_schema(const Reader& in, std::string_view stem, int newest) {
  if (!in.has("schema")) in.refuse("not a tamis model file: the key 'schema' is missing");
  const std::string schema = in.word("schema");
  int number = 0;
  const char* end = schema.data() + schema.size();
  const bool ours = schema.starts_with(stem) && schema.size() > stem.size() &&
                    std::from_chars(schema.data() + stem.size(), end, number).ptr == end && number >= 1;
  if (!ours) in.refuse(fmt::format("schema is '{}'; expected {}{}", schema.substr(0, 60), stem, newest));
  if (number > newest) {
    in.refuse(fmt::format("schema {} is newer than the newest this version reads ({}{}); upgrade tamis", schema, stem,
                          newest));
  }
}

std::string model_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw MissingFile(fmt::format("{}: cannot open the model file", path));
  std::string text(4096, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (file.fail() && !file.eof()))
    throw MissingFile(fmt::format("{}: cannot read the model file", path));
  // A leading byte order mark is skipped like blanks: editors on Windows write one.
  text.resize(file.gcount());
  const std::size_t first =
      text.find_first_not_of(text.starts_with("\xEF\xBB\xBF") ? "\xEF\xBB\xBF \t\r\n" : " \t\r\n");
  if (first == std::string::npos || text[first] != '{') {
    throw InvalidInput(fmt::format("{}: not a tamis model file: {}", path,
                                   text.empty() ? "the file is empty" : "it does not start with '{'"));
  }
  text.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return text;
}

}  // namespace tamis::json
