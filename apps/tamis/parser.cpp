// The only file that includes CLI11.
// CLI11 parses; its exceptions are translated to the sentences of this program, and its help is not used (help.cpp). A
// list of values would take the words that follow an option; options here take one value each time.
#include "parser.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "tamis/base/error.hpp"
#include "tamis/base/nearest_name.hpp"

namespace tamis::app {
namespace {

std::vector<std::string> option_names(const CLI::App& parser) {
  std::vector<std::string> names;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// CLI11's sentences in our own words; what our checks say stays as it is.
std::string own_words(const CLI::ParseError& error, const CLI::App& parser) {
  std::string words = error.what();
  // "Could not convert: --cv = 3.5"
  constexpr std::string_view head = "Could not convert: ";
  const std::size_t equals = words.find(" = ");
  if (words.starts_with(head) && equals != std::string::npos) {
    const std::string option = words.substr(head.size(), equals - head.size()), text = words.substr(equals + 3);
    const CLI::Option* known = parser.get_option_no_throw(option);
    if (known != nullptr && known->get_expected_max() == 0)
      return option + ": received '" + text + "'; expected no value";
    return fmt::format("{}: received '{}'; expected {}", option, text, is_number(text) ? "an integer" : "a number");
  }
  // "--cv: At Most 1 required but received 2"
  const std::size_t twice = words.find(": At Most 1 required");
  if (twice != std::string::npos) return words.substr(0, twice) + ": given more than once; expected a single value";
  // "--cv: 1 required K missing"
  const std::size_t missing = words.find(": 1 required ");
  if (missing != std::string::npos) return words.substr(0, missing) + ": received no value; expected one";
  // "--cv excludes --validation"
  constexpr std::string_view excludes = " excludes ";
  const std::size_t between = words.find(excludes);
  if (between != std::string::npos) {
    return fmt::format("{} and {} cannot be used together; omit one of them", words.substr(0, between),
                       words.substr(between + excludes.size()));
  }
  return words;
}

// What is wrong with the words typed. An option that does not exist explains everything else that then is missing.
std::string explain(const CLI::ParseError& error, const CLI::App& parser) {
  for (const std::string& argument : parser.remaining()) {
    if (!argument.starts_with('-') || argument == "-") continue;
    if (argument == "--") return "arguments after -- are file names; put options before it";
    const std::string typed = argument.substr(0, argument.find('='));
    return fmt::format("unknown option {}{}", typed, did_you_mean(typed, option_names(parser)));
  }
  if (!parser.remaining().empty()) return fmt::format("unexpected argument '{}'", parser.remaining().front());
  return own_words(error, parser);
}

// Whether the whole text is such a number.
template <class Number>
bool reads(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// An empty word is a variable of a script that was not set.
std::string complain_of_nothing(const std::string& text) {
  return text.empty() ? "received an empty string; specify a value or omit the option" : "";
}

// "-o, --output FILE"
std::string head_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true, false);
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
  for (const std::string& name : option.get_lnames()) names += "--" + name + ", ";
  names.resize(names.size() - 2);
  const std::string type = option.get_type_name();  // "N:INT in [1 - 4096]": ours, then CLI11's words for the check
  return option.get_type_size() == 0 ? names : names + " " + type.substr(0, type.find(':'));
}

}  // namespace

Argument Argument::group(const std::string& name) { return Argument(option_->group(name)); }

Argument Argument::type_name(const std::string& name) { return Argument(option_->type_name(name)); }

Argument Argument::required() { return Argument(option_->required()); }

Argument Argument::excludes(Argument other) { return Argument(option_->excludes(other.option_)); }

Argument Argument::range(int least, int most) { return range(Index{least}, Index{most}); }

Argument Argument::range(Index least, Index most) {
  return check([=](const std::string& text) -> std::string {
    Index value = 0;
    if (reads(text, value) && least <= value && value <= most) return "";
    return fmt::format("received '{}'; expected an integer from {} to {}", text, least, most);
  });
}

Argument Argument::range(double least, double most) {
  return check([=](const std::string& text) -> std::string {
    double value = 0;
    if (reads(text, value) && least <= value && value <= most) return "";
    return fmt::format("received '{}'; expected a number from {} to {}", text, least, most);
  });
}

Argument Argument::not_negative() {
  return check([](const std::string& text) -> std::string {
    double value = 0;
    if (reads(text, value) && value >= 0 && std::isfinite(value)) return "";
    return fmt::format("received '{}'; expected a nonnegative number", text);
  });
}

Argument Argument::one_of(const std::vector<std::string>& words) {
  return check([words](const std::string& text) -> std::string {
    if (std::ranges::find(words, text) != words.end()) return "";
    return fmt::format("received '{}'; expected one of {}{}", text, fmt::join(words, ", "), did_you_mean(text, words));
  });
}

Argument Argument::check(const std::function<std::string(const std::string&)>& complaint) {
  return Argument(option_->check(complaint));
}

Parser::Parser(std::string command) : command_(std::move(command)), app_(std::make_unique<CLI::App>()) {
  app_->set_help_flag();  // ours is printed through print(), which notices a full disk
}

Parser::~Parser() = default;

Argument Parser::option(const std::string& names, std::string& value, const std::string& meaning) {
  return Argument(app_->add_option(names, value, meaning)).check(complain_of_nothing);
}

Argument Parser::option(const std::string& names, int& value, const std::string& meaning) {
  return Argument(app_->add_option(names, value, meaning));
}

Argument Parser::option(const std::string& names, Index& value, const std::string& meaning) {
  return Argument(app_->add_option(names, value, meaning));
}

Argument Parser::option(const std::string& names, std::uint64_t& value, const std::string& meaning) {
  return Argument(app_->add_option(names, value, meaning));
}

Argument Parser::option(const std::string& names, double& value, const std::string& meaning) {
  return Argument(app_->add_option(names, value, meaning));
}

Argument Parser::option(const std::string& names, std::optional<Index>& value, const std::string& meaning) {
  return Argument(app_->add_option(names, value, meaning));
}

Argument Parser::option(const std::string& names, std::optional<double>& value, const std::string& meaning) {
  return Argument(app_->add_option(names, value, meaning));
}

Argument Parser::option(const std::string& names, std::vector<std::string>& values, const std::string& meaning) {
  return Argument(app_->add_option(names, values, meaning));
}

Argument Parser::option(const std::string& names, const Use& use, const std::string& meaning) {
  return Argument(app_->add_option_function<std::string>(names, use, meaning));
}

Argument Parser::repeatable(const std::string& names, const Use& use, const std::string& meaning) {
  // One callback per occurrence: CLI11's own list options would also swallow the words that follow.
  return Argument(app_->add_option_function<std::string>(names, use, meaning)->trigger_on_parse());
}

Argument Parser::flag(const std::string& names, bool& value, const std::string& meaning) {
  return Argument(app_->add_flag(names, value, meaning));
}

bool Parser::parse(std::vector<std::string> words) {
  // Here, not in the constructor: help shows it last.
  app_->add_flag_callback(
          "-h,--help", [] { throw CLI::CallForHelp(); }, "show this help")
      ->trigger_on_parse()
      ->group("Output");
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app_->parse(words);
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ParseError& error) {
    throw InvalidOption(fmt::format("{}: {}; see 'tamis {} --help'", command_, explain(error, *app_), command_));
  }
  return true;
}

std::vector<ArgumentGroup> Parser::groups() const {
  std::vector<ArgumentGroup> groups;
  for (const std::string& name : app_->get_groups()) groups.push_back({name, {}});
  for (const CLI::Option* option : app_->get_options()) {
    const auto group = std::ranges::find(groups, option->get_group(), &ArgumentGroup::name);
    group->entries.emplace_back(head_of(*option), option->get_description());
  }
  return groups;
}

bool is_number(std::string_view text) {
  double value = 0;
  return reads(text, value);
}

}  // namespace tamis::app
