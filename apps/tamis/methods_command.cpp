// tamis methods: what can be fitted, and with which options; all of it from the registry.
// Options, defaults and ranges come from the Fields of each method, so that this help cannot differ from what is
// accepted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "help.hpp"
#include "output.hpp"
#include "tamis/method/method.hpp"
#include "tamis/report/table.hpp"

namespace tamis::app {
namespace {

using Json = nlohmann::ordered_json;

struct MethodsArguments {
  std::string name;
  RunArguments run;
};

struct ToWords {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return value; }
};

// An integer is written as one: 100, not 100.0.
Json number(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

struct ToJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(bool value) const { return value; }
  Json operator()(double value) const { return number(value); }
  Json operator()(const std::string& value) const { return value; }
};

Json describe(const Field& field) {
  Json object = {{"name", field.name},
                 {"meaning", field.meaning},
                 {"type", name_of(field.type)},
                 {"default", std::visit(ToJson{}, field.fallback)},
                 {"range", field.range()}};
  if (std::isfinite(field.minimum)) object["minimum"] = number(field.minimum);
  if (std::isfinite(field.maximum)) object["maximum"] = number(field.maximum);
  object["choices"] = field.choices;
  return object;
}

bool has_limit(const Method& method) { return method.most_features() < std::numeric_limits<Index>::max(); }

Json describe(const Method& method) {
  Json options = Json::array();
  for (const Field& field : method.fields()) options.push_back(describe(field));
  return {{"name", method.name()},
          {"summary", method.summary()},
          {"families", supported_families(method)},
          {"inclusion", method.has_inclusion()},
          {"inclusion_kind", name_of(method.inclusion_kind())},
          {"most_features", has_limit(method) ? Json(method.most_features()) : Json()},
          {"options", options}};
}

std::string families_of(const Method& method) { return fmt::format("{}", fmt::join(supported_families(method), ", ")); }

std::string table_of(const std::vector<const Method*>& all) {
  TableColumn name{"method", {}, true};
  TableColumn families{"families", {}, true};
  TableColumn summary{"summary", {}, true};
  for (const Method* each : all) {
    name.cells.emplace_back(each->name());
    families.cells.push_back(families_of(*each));
    summary.cells.emplace_back(each->summary());
  }
  return text_table(std::vector{name, families, summary}) +
         "\nUse 'tamis methods NAME' to list the options of a method.\n";
}

std::string page_of(const Method& method) {
  std::string page = fmt::format("{}: {}\nfamilies: {}\ninclusion probabilities: {}\n", method.name(), method.summary(),
                                 families_of(method), name_of(method.inclusion_kind()));
  if (has_limit(method)) page += fmt::format("features: at most {} non-constant\n", method.most_features());
  page += "\n";
  const std::vector<Field> fields = method.fields();
  if (fields.empty()) return page + "This method has no options.\n";
  page += "Options:\n";
  for (const Field& field : fields) {
    const std::string fallback = std::visit(ToWords{}, field.fallback);
    page += help_entry(field.name, fmt::format("{} [{}{}]", field.meaning, field.range(),
                                               fallback.empty() ? "" : "; default " + fallback));
  }
  return page +
         fmt::format("\nUsage: tamis fit DATA --target NAME --method {} --set {}=...\n", method.name(), fields[0].name);
}

int run(const MethodsArguments& arguments) {
  const std::vector<const Method*> shown = arguments.name.empty() ? methods() : std::vector{&method(arguments.name)};
  if (arguments.run.json) {
    Json list = Json::array();
    for (const Method* each : shown) list.push_back(describe(*each));
    print(list.dump(2) + "\n");
  } else {
    print(arguments.name.empty() ? table_of(shown) : page_of(*shown[0]));
  }
  return ExitCode::done;
}

std::function<int()> prepare(Parser& parser) {
  const auto arguments = std::make_shared<MethodsArguments>();
  parser.option("NAME", arguments->name, "method whose options to show").group("Method");
  arguments->run.add_json(parser, "print a JSON array of objects: name, summary, families, options");
  return [arguments] { return run(*arguments); };
}

}  // namespace

Command methods_command() {
  return {
      .name = "methods",
      .summary = "list the methods, or the options of one method",
      .usage = "[NAME] [--json]",
      .purpose =
          "Lists the methods available to 'tamis fit', or the options of method NAME with their defaults and ranges.",
      .examples =
          "tamis methods\n"
          "tamis methods lasso",
      .prepare = prepare};
}

}  // namespace tamis::app
