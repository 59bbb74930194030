#include "base/registry.hpp"

#include <gmock/gmock.h>

#include <string>
#include <thread>
#include <vector>

namespace tamis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Item {
  std::string name;
};

constexpr auto no_check = [](const std::deque<Item>&) {};

std::vector<std::string> names_of(Registry<Item>& registry) {
  std::vector<std::string> names;
  for (const Item& item : registry.list()) names.push_back(item.name);
  return names;
}

std::string refusal(Registry<Item>& registry, std::string name) {
  try {
    registry.add({std::move(name)}, no_check);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(Registry, ListsItsOwnMembersBeforeThoseThatWereAdded) {
  Registry<Item> registry("add_item", {{"b"}, {"a"}});
  EXPECT_EQ(registry.add({"0"}, no_check).name, "0");
  EXPECT_THAT(names_of(registry), ElementsAre("b", "a", "0"));
}

TEST(Registry, RefusesANameThatIsTaken) {
  Registry<Item> registry("add_item", {{"a"}});
  registry.add({"b"}, no_check);
  EXPECT_EQ(refusal(registry, "a"), "add_item: the name 'a' is taken; choose another name");
  EXPECT_THAT(refusal(registry, "b"), HasSubstr("the name 'b' is taken"));
}

TEST(Registry, RefusesAMemberOnceTheListIsInUse) {
  Registry<Item> registry("add_item", {{"a"}});
  ASSERT_EQ(registry.list().size(), 1u);
  EXPECT_EQ(refusal(registry, "late"),
            "add_item: 'late' was added after the list was first used; add it at the start of main()");
  EXPECT_THAT(names_of(registry), ElementsAre("a"));
}

TEST(Registry, AddsNothingThatTheCheckRefuses) {
  Registry<Item> registry("add_item", {{"a"}});
  const auto refuse = [](const std::deque<Item>& present) { throw InvalidInput("after " + present.back().name); };
  EXPECT_THROW(registry.add({"b"}, refuse), InvalidInput);
  EXPECT_THAT(names_of(registry), ElementsAre("a"));
}

TEST(Registry, TakesAllThatThreadsAddAtOnceAndKeepsReferences) {
  Registry<Item> registry("add_item", {});
  const Item& first = registry.add({"first"}, no_check);
  {
    std::vector<std::jthread> running;
    for (int t = 0; t < 8; ++t) {
      running.emplace_back([&registry, t] {
        for (int k = 0; k < 50; ++k) registry.add({std::to_string(50 * t + k)}, no_check);
      });
    }
  }
  EXPECT_EQ(registry.list().size(), 401u);
  EXPECT_EQ(&registry.list().front(), &first);
}

}  // namespace
}  // namespace tamis
