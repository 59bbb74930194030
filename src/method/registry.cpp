// The only list of methods: a new one is its declaration and its place in the list here. Order is that of help texts
// and comparisons.
#include "base/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tamis/base/error.hpp"
#include "tamis/base/nearest_name.hpp"
#include "tamis/method/method.hpp"

namespace tamis {

const Method& bvs();
const Method& lasso();
const Method& elastic_net();
const Method& ridge();
const Method& capped_l1();
const Method& garrote();
const Method& vg();
const Method& pmf();
const Method& ard();
const Method& bm();
const Method& flas();
const Method& vb();
const Method& mm();
const Method& ep();
const Method& gibbs();
const Method& exact();

namespace {

// Stateless objects: a fit keeps everything it needs on its own stack, so one instance serves all threads. Made when it
// is first asked for: methods are added while static objects of other files are being initialized.
Registry<const Method*>& registry() {
  static Registry<const Method*> only(
      "add_method", {&bvs(), &lasso(), &elastic_net(), &ridge(), &capped_l1(), &garrote(), &vg(), &pmf(), &ard(), &bm(),
                     &flas(), &vb(), &mm(), &ep(), &gibbs(), &exact()});
  return only;
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_method_name(std::string_view name) {
  const auto fits = [](char c) { return is_lower(c) || is_digit(c) || c == '-'; };
  return !name.empty() && is_lower(name.front()) && name.back() != '-' && name.find("--") == name.npos &&
         std::ranges::all_of(name, fits);
}

bool is_class_name(std::string_view name) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto fits = [&](char c) { return is_lower(c) || is_digit(c) || is_upper(c); };
  return !name.empty() && is_upper(name.front()) && std::ranges::all_of(name, fits);
}

// Classes of the Python package that are no methods.
constexpr std::string_view other_classes[] = {"Fit", "FactorFit", "SparseFactorModel"};

bool is_same_class(const std::string& name, const std::string& known) {
  return name == known || name == known + "Classifier" || known == name + "Classifier";
}

void check_class(const Method& method, const std::deque<const Method*>& present) {
  const std::string estimator = method.estimator();
  if (!is_class_name(estimator)) {
    throw InvalidInput(
        fmt::format("add_method: {} has the estimator '{}'; expected the name of a Python class, as CappedL1",
                    method.name(), estimator));
  }
  const auto is_taken = [&](const Method* known) { return is_same_class(estimator, known->estimator()); };
  if (std::ranges::any_of(present, is_taken) || std::ranges::count(other_classes, estimator) > 0) {
    throw InvalidInput(
        fmt::format("add_method: the Python class {} of {} is taken; choose another name or override estimator()",
                    estimator, method.name()));
  }
}

}  // namespace

std::vector<const Method*> methods() {
  const std::deque<const Method*>& list = registry().list();
  return {list.begin(), list.end()};
}

const Method& add_method(const Method& method) {
  if (!is_method_name(method.name())) {
    throw InvalidInput(fmt::format(
        "add_method: received the name '{}'; expected lower-case words and digits joined by hyphens, as capped-l1",
        method.name()));
  }
  return *registry().add(&method, [&](const auto& present) { check_class(method, present); });
}

const Method& method(std::string_view name) {
  std::vector<std::string> names;
  for (const Method* known : methods()) {
    if (known->name() == name) return *known;
    names.emplace_back(known->name());
  }
  throw InvalidOption(fmt::format("unknown method '{}'{}; available methods: {}", name, did_you_mean(name, names),
                                  fmt::join(names, ", ")));
}

Fit fit(const Problem& problem, std::string_view name, const std::map<std::string, OptionValue>& options,
        const Control& control) {
  return method(name).fit(problem, options, control);
}

}  // namespace tamis
