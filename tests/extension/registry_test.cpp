// What add_method, add_format, add_family and add_factor_prior promise. Good ones are added here before main(), from
// several threads at once.
#include <gmock/gmock.h>

#include <deque>
#include <mutex>
#include <thread>

#include "io/formats.hpp"
#include "tamis/base/error.hpp"
#include "tamis/factor/factor.hpp"
#include "tamis/method/method.hpp"

namespace tamis {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class Named final : public Method {
 public:
  explicit Named(std::string name, std::string estimator = "")
      : name_(std::move(name)), estimator_(std::move(estimator)) {}
  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return "a name"; }
  std::string estimator() const override { return estimator_.empty() ? Method::estimator() : estimator_; }
  std::vector<Field> fields() const override { return {}; }

 private:
  Fit local_fit(const Problem& problem, const Options&, const Control&) const override {
    Fit fit;
    fit.coefficients.assign(problem.X.cols(), 0.0);
    return fit;
  }
  std::string name_, estimator_;
};

class NamedPrior final : public FactorPrior {
 public:
  explicit NamedPrior(std::string name) : name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return "a name"; }
  std::vector<Field> fields() const override { return {}; }

 private:
  void local_fit(const FactorTask&, FactorResult& result) const override { result.fit.message = "nothing was done"; }
  std::string name_;
};

bool never(std::string_view) { return false; }
io::Table nothing(const io::Source&, const io::ColumnFilter&) { return {}; }

constexpr int threads = 8, each = 20;

// What is added lives as long as the program.
template <class Kept>
const Kept& kept(std::string name) {
  static std::mutex mutex;
  static std::deque<Kept> all;
  const std::scoped_lock lock(mutex);
  return all.emplace_back(std::move(name));
}

[[maybe_unused]] const bool added = [] {
  std::vector<std::jthread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([t] {
      for (int k = 0; k < each; ++k) {
        const std::string name = "added-" + std::to_string(t * each + k);
        add_method(kept<Named>(name));
        add_factor_prior(kept<NamedPrior>(name));
        io::add_format({kept<std::string>(name), {kept<std::string>("." + name)}, never, nothing});
      }
    });
  }
  return true;
}();

template <class Add>
std::string refusal_of(const Add& add) {
  try {
    add();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const Method& method) {
  return refusal_of([&] { add_method(method); });
}

std::string refusal(const io::Format& format) {
  return refusal_of([&] { io::add_format(format); });
}

TEST(AddMethod, TakesAllThatThreadsAddAtOnce) {
  EXPECT_EQ(methods().size(), 13u + threads * each);
  for (int k = 0; k < threads * each; ++k) EXPECT_EQ(method("added-" + std::to_string(k)).summary(), "a name");
}

TEST(AddMethod, ListsTheMethodsOfTamisFirst) {
  EXPECT_EQ(methods().front()->name(), "bvs");
  EXPECT_THAT(std::string(methods().back()->name()), testing::StartsWith("added-"));
}

TEST(AddMethod, FitsByName) {
  const std::vector<double> values = {1, 2, 4}, y = {1, 0, 2};
  const DenseDesign X(ConstMatrixView(values.data(), 3, 1));
  EXPECT_EQ(fit({.X = X, .y = y, .likelihood = family("gaussian")}, "added-0").method, "added-0");
}

TEST(AddMethod, RefusesANameThatIsTaken) {
  EXPECT_THAT(refusal(Named("lasso")), HasSubstr("the name 'lasso' is taken"));
  EXPECT_THAT(refusal(Named("added-3")), HasSubstr("the name 'added-3' is taken"));
}

TEST(AddMethod, RefusesAPythonClassThatIsTaken) {
  EXPECT_THAT(refusal(Named("other", "ARD")), HasSubstr("the Python class ARD of other is taken"));
  EXPECT_THAT(refusal(Named("lasso-classifier")), HasSubstr("LassoClassifier"));
  EXPECT_THAT(refusal(Named("factor-fit")), HasSubstr("FactorFit"));
}

TEST(AddMethod, RefusesNamesThatNoCommandOrClassCouldHave) {
  for (const char* name : {"", "Two Words", "a_b", "-a", "a-", "a--b", "1a", "\xc3\xa9"}) {
    EXPECT_THAT(refusal(Named(name)), AllOf(HasSubstr("received the name"), HasSubstr("capped-l1"))) << name;
  }
  EXPECT_THAT(refusal(Named("other", "my method")), HasSubstr("expected the name of a Python class"));
}

TEST(AddMethod, RefusesAMethodOnceTheListIsInUse) {
  ASSERT_FALSE(methods().empty());
  EXPECT_THAT(refusal(Named("late")), AllOf(HasSubstr("'late' was added after"), HasSubstr("start of main()")));
}

TEST(MethodEstimator, IsMadeOfTheName) {
  EXPECT_EQ(Named("one").estimator(), "One");
  EXPECT_EQ(Named("elastic-net-2").estimator(), "ElasticNet2");
  EXPECT_EQ(method("capped-l1").estimator(), "CappedL1");
  EXPECT_EQ(method("vg").estimator(), "VariationalGarrote");
}

TEST(AddFamily, RefusesANameThatIsTaken) {
  EXPECT_THAT(refusal_of([] { add_family(family("poisson")); }), HasSubstr("add_family: the name 'poisson' is taken"));
}

TEST(AddFactorPrior, TakesAllThatThreadsAddAtOnce) {
  EXPECT_EQ(factor_priors().size(), 7u + threads * each);
  EXPECT_EQ(factor_priors().front()->name(), "spike-slab");
  EXPECT_EQ(factor_prior("added-7").summary(), "a name");
}

TEST(AddFactorPrior, RefusesANameThatIsTakenAndAPriorOnceTheListIsInUse) {
  const NamedPrior taken("l1"), late("late");
  ASSERT_FALSE(factor_priors().empty());
  EXPECT_THAT(refusal_of([&] { add_factor_prior(taken); }), HasSubstr("the name 'l1' is taken"));
  EXPECT_THAT(refusal_of([&] { add_factor_prior(late); }), HasSubstr("'late' was added after"));
}

TEST(AddFormat, TakesAllThatThreadsAddAtOnce) {
  EXPECT_EQ(io::formats().size(), 5u + threads * each);
  EXPECT_EQ(io::formats().front().name, "csv");
}

TEST(AddFormat, RefusesANameOrExtensionThatIsTaken) {
  EXPECT_THAT(refusal(io::Format{"csv", {".new"}, never, nothing}), HasSubstr("the name 'csv' is taken"));
  EXPECT_THAT(refusal(io::Format{"new", {".new", ".tsv"}, never, nothing}),
              HasSubstr("the extension .tsv of new belongs to the format csv"));
}

TEST(AddFormat, RefusesWhatIsIncomplete) {
  for (const io::Format& format :
       {io::Format{"", {".new"}, never, nothing}, io::Format{"new", {}, never, nothing},
        io::Format{"new", {"new"}, never, nothing}, io::Format{"new", {".New"}, never, nothing},
        io::Format{"new", {".gz"}, never, nothing}, io::Format{"new", {".new"}, nullptr, nothing},
        io::Format{"new", {".new"}, never, nullptr}}) {
    EXPECT_THAT(refusal(format), HasSubstr("is incomplete"));
  }
}

TEST(AddFormat, RefusesAFormatOnceTheListIsInUse) {
  ASSERT_FALSE(io::formats().empty());
  EXPECT_THAT(refusal(io::Format{"late", {".late"}, never, nothing}), HasSubstr("'late' was added after"));
}

}  // namespace
}  // namespace tamis
