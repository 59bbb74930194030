// The list of an axis (methods, families, priors, file formats): the library's own members, then those that a program
// adds. It grows until it is first used and stays the same from then on, because help texts, Python classes and tests
// are made from it; so references into it need no lock.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <mutex>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tamis/base/error.hpp"

namespace tamis {

template <class Member>
class Registry {
 public:
  /// `adder`: the function that adds, for messages: add_method.
  Registry(std::string_view adder, std::deque<Member> own) : adder_(adder), members_(std::move(own)) {}

  /// No member can be added after this.
  const std::deque<Member>& list() {
    const std::scoped_lock lock(mutex_);
    in_use_ = true;
    return members_;
  }

  /// Throws InvalidInput if the name is taken or the list is in use; `check(members)` may refuse more.
  template <class Check>
  const Member& add(Member member, const Check& check) {
    const std::scoped_lock lock(mutex_);
    for (const Member& known : members_) {
      if (name_of(known) != name_of(member)) continue;
      throw InvalidInput(fmt::format("{}: the name '{}' is taken; choose another name", adder_, name_of(member)));
    }
    check(std::as_const(members_));
    if (in_use_) {
      throw InvalidInput(fmt::format("{}: '{}' was added after the list was first used; add it at the start of main()",
                                     adder_, name_of(member)));
    }
    return members_.emplace_back(std::move(member));
  }

 private:
  static std::string_view name_of(const Member& member) {
    if constexpr (std::is_pointer_v<Member>) {
      return member->name();
    } else {
      return member.name;
    }
  }

  std::string_view adder_;
  std::mutex mutex_;
  std::deque<Member> members_;
  bool in_use_ = false;
};

}  // namespace tamis
