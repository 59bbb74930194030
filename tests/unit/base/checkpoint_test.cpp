#include "base/checkpoint.hpp"

#include <gmock/gmock.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tamis/base/error.hpp"

namespace tamis {
namespace {

using testing::HasSubstr;

struct State {
  Index iteration = 0;
  bool warm = false;
  double level = 0;
  std::vector<double> values;
  std::vector<std::uint8_t> flags;
  void exchange(Archive& archive) {
    archive(iteration);
    archive(warm);
    archive(level);
    archive(values);
    archive(flags);
  }
  bool operator==(const State&) const = default;
};

class CheckpointFile : public testing::Test {
 protected:
  CheckpointFile() { std::filesystem::remove(path_); }
  ~CheckpointFile() override { std::filesystem::remove(path_); }

  void save(State state, std::uint64_t run = 7) const {
    Checkpoint(path_, run, 0).save([&](Archive& archive) { state.exchange(archive); });
  }
  State load(std::uint64_t run = 7) const {
    State state;
    EXPECT_TRUE(Checkpoint(path_, run, 0).load([&](Archive& archive) { state.exchange(archive); }));
    return state;
  }
  std::string refusal(std::uint64_t run = 7) const {
    try {
      load(run);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  }
  std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void rewrite(const std::string& content) const { std::ofstream(path_, std::ios::binary) << content; }

  const std::string path_ = testing::TempDir() + "checkpoint_test." + std::to_string(::getpid());
  const State state_{12, true, 0.1 + 0.2, {1.5, -0.0, 1e-310}, {1, 0, 1}};
};

TEST_F(CheckpointFile, GivesBackWhatWasSaved) {
  save(state_);
  EXPECT_EQ(load(), state_);
}

TEST_F(CheckpointFile, IsNotThereBeforeTheFirstSave) {
  EXPECT_FALSE(Checkpoint(path_, 7, 0).load([](Archive&) { FAIL(); }));
  rewrite("");
  EXPECT_FALSE(Checkpoint(path_, 7, 0).load([](Archive&) { FAIL(); }));
}

TEST_F(CheckpointFile, OfAnotherRunIsRefused) {
  save(state_);
  EXPECT_THAT(refusal(8), testing::AllOf(HasSubstr("another run"), HasSubstr(path_)));
}

TEST_F(CheckpointFile, DamagedAnywhereIsRefused) {
  save(state_);
  const std::string whole = content();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    rewrite(damaged);
    EXPECT_NE(refusal(), "") << "byte " << at;
  }
}

TEST_F(CheckpointFile, CutShortIsRefused) {
  save(state_);
  const std::string whole = content();
  for (std::size_t size = 1; size < whole.size(); size += 7) {
    rewrite(whole.substr(0, size));
    EXPECT_NE(refusal(), "") << "of " << size << " bytes";
  }
}

TEST_F(CheckpointFile, IsSavedWhenDueOnly) {
  State state = state_;
  const auto exchange = [&](Archive& archive) { state.exchange(archive); };
  Checkpoint rare(path_, 7, 3600);
  rare.save_if_due(exchange);
  EXPECT_FALSE(std::filesystem::exists(path_));
  Checkpoint often(path_, 7, 0);
  often.save_if_due(exchange);
  EXPECT_TRUE(std::filesystem::exists(path_));
}

TEST_F(CheckpointFile, WithoutAPathDoesNothing) {
  Checkpoint none("", 7, 0);
  none.save([](Archive&) { FAIL(); });
  none.save_if_due([](Archive&) { FAIL(); });
  EXPECT_FALSE(none.load([](Archive&) { FAIL(); }));
}

TEST(Archive, RefusesAListLongerThanItself) {
  Archive saving;
  Index count = Index{1} << 60;
  saving(count);
  Archive loading(saving.bytes(), "here");
  std::vector<double> values;
  EXPECT_THROW(loading(values), InvalidInput);
}

TEST(Archive, RefusesAnotherSizeAndLeftovers) {
  Archive saving;
  saving.expect(3, "the number of chains");
  Archive other(saving.bytes(), "here");
  EXPECT_THROW(other.expect(4, "the number of chains"), InvalidInput);
  EXPECT_THROW(Archive(saving.bytes(), "here").finish(), InvalidInput);
}

TEST(Digest, DependsOnEveryNumberAndTheirOrder) {
  const auto digest = [](std::vector<double> values) {
    Digest d;
    d.add_all(values);
    return d.value();
  };
  EXPECT_NE(digest({1, 2}), digest({2, 1}));
  EXPECT_NE(digest({1, 2}), digest({1, 2, 0}));
  EXPECT_NE(digest({0.0}), digest({-0.0}));
  EXPECT_EQ(digest({1, 2}), digest({1, 2}));
}

}  // namespace
}  // namespace tamis
