// Every way to end, with its number and a sentence on standard error.
#include <gmock/gmock.h>
#include <unistd.h>

#include "app/program.hpp"

namespace tamis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using ExitCode = ProgramTest;

TEST_F(ExitCode, IsZeroWhenTheFitConverged) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--method", "lasso"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("converged"));
}

TEST_F(ExitCode, Is65ForNumbersWhoseSquaresAreNone) {
  const std::string rows = "1e200,2e-200,1\n-3e200,1e-200,2\n2e200,-3e-200,4\n";
  const std::string data = file("extreme.csv", "a,b,y\n" + rows + rows);
  for (const char* method : {"ridge", "lasso"}) {
    const Outcome outcome = run({"fit", data, "--target", "y", "--method", method, "-o", "model.json"});
    EXPECT_EQ(outcome.exit_code, 65) << outcome.err;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("row 1, column 1 ('a')"), HasSubstr("rescale the column")));
    EXPECT_FALSE(exists("model.json"));
    EXPECT_THAT(run({"fit", data, "--target", "y", "--method", method, "--exclude", "a"}).err,
                AllOf(HasSubstr("column 1 ('b')"), HasSubstr("rescale the column")));
  }
}

TEST_F(ExitCode, Is65ForWeightsThatAreTooFarApartOrLeaveOneRow) {
  const std::string far = file("far.csv", "a,w,y\n1,1,1\n2,1,3\n4,1e40,2\n3,1,5\n");
  const Outcome apart = run({"fit", far, "--target", "y", "--weights", "w", "--method", "ridge"});
  EXPECT_EQ(apart.exit_code, 65);
  EXPECT_THAT(apart.err, AllOf(HasSubstr("weights: row 3 is 1e+40 and row 1 is 1"), HasSubstr("give weight 0")));
  const std::string one = file("one.csv", "a,w,y\n1,0,1\n2,0,3\n4,2,2\n3,0,5\n");
  const Outcome alone = run({"fit", one, "--target", "y", "--weights", "w", "--method", "lasso"});
  EXPECT_EQ(alone.exit_code, 65);
  EXPECT_THAT(alone.err, HasSubstr("only row 3 counts"));
}

TEST_F(ExitCode, Is64WithoutACommand) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("tamis --help"));
}

TEST_F(ExitCode, Is64ForAnUnknownCommandWithTheNearestName) {
  const Outcome outcome = run({"predikt"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("unknown command 'predikt' (did you mean 'predict'?)"));
}

TEST_F(ExitCode, Is64ForAnUnknownFlagWithTheNearestName) {
  const Outcome outcome = run({"fit", small_csv(), "--targett", "y", "--method", "lasso"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("--targett"), HasSubstr("did you mean '--target'?")));
}

TEST_F(ExitCode, AnOptionThatDoesNotExistIsNamedBeforeWhatThenIsMissing) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--methd", "lasso"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("unknown option --methd (did you mean '--method'?)"));
}

TEST_F(ExitCode, AValueThatIsNoNumberIsShownWithWhatWasExpected) {
  EXPECT_THAT(run({"fit", small_csv(), "--target", "y", "--method", "lasso", "--cv", "3.5"}).err,
              HasSubstr("--cv: received '3.5'; expected an integer"));
  EXPECT_THAT(run({"select", small_model(), "--fdr", "few"}).err,
              HasSubstr("--fdr: received 'few'; expected a number"));
}

TEST_F(ExitCode, AValueOutOfItsRangeIsShownWithTheRange) {
  const std::vector<std::string> fit = {"fit", small_csv(), "--target", "y", "--method", "lasso"};
  const auto complaint = [&](const std::string& option, const std::string& value) {
    std::vector<std::string> words = fit;
    words.insert(words.end(), {option, value});
    return run(words).err;
  };
  EXPECT_THAT(complaint("--threads", "1e3"), HasSubstr("--threads: received '1e3'; expected an integer from 1 to"));
  EXPECT_THAT(complaint("--seed", "-3"), HasSubstr("--seed: received '-3'; expected an integer from 0 to"));
  EXPECT_THAT(complaint("--checkpoint-seconds", "-2"), HasSubstr("received '-2'; expected a nonnegative number;"));
  EXPECT_THAT(complaint("--missing", "median"),
              HasSubstr("--missing: received 'median'; expected one of drop, mean, refuse (did you mean 'mean'?)"));
}

TEST_F(ExitCode, Is64ForAnOptionThatIsGivenTwiceOrWithAValueItDoesNotTake) {
  const std::string data = small_csv();
  const Outcome twice = run({"fit", data, "--target", "y", "--method", "lasso", "--cv", "3", "--cv", "4"});
  EXPECT_EQ(twice.exit_code, 64);
  EXPECT_THAT(twice.err, HasSubstr("--cv: given more than once"));
  const Outcome flag = run({"fit", data, "--target", "y", "--method", "lasso", "--json=abc"});
  EXPECT_EQ(flag.exit_code, 64);
  EXPECT_THAT(flag.err, HasSubstr("--json: received 'abc'; expected no value"));
}

TEST_F(ExitCode, Is64ForAnArgumentOrAnOptionTooManyAndAValueTooFew) {
  const std::vector<std::string> fit = {"fit", small_csv(), "--target", "y", "--method", "lasso"};
  const auto refused = [&](const std::vector<std::string>& more, const std::string& complaint) {
    std::vector<std::string> words = fit;
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 64);
    EXPECT_THAT(outcome.err, HasSubstr("tamis: fit: " + complaint + "; see 'tamis fit --help'"));
  };
  refused({"second.csv"}, "unexpected argument 'second.csv'");
  refused({"--cv"}, "--cv: received no value; expected one");
  refused({"--cv", "3", "--validation", "v.csv"}, "--cv and --validation cannot be used together; omit one of them");
}

TEST_F(ExitCode, Is64ForAnEmptyWordInsteadOfAFile) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--method", "lasso", "-o", ""});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("--output: received an empty string"));
}

TEST_F(ExitCode, Is64ForOptionsBehindTwoDashes) {
  const std::string data = small_csv();
  const Outcome outcome = run({"fit", "--", data, "--target", "y", "--method", "lasso"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, HasSubstr("put options before it"));
  EXPECT_EQ(run({"fit", "--target", "y", "--method", "lasso", "--", data}).exit_code, 0);
}

TEST_F(ExitCode, Is64ForAnUnknownMethodWithTheNearestName) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--method", "laso"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("'laso'"), HasSubstr("did you mean 'lasso'?")));
}

TEST_F(ExitCode, Is64ForAnOptionThatTheMethodLacks) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--method", "lasso", "--set", "penalti=1"});
  EXPECT_EQ(outcome.exit_code, 64);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("penalti"), HasSubstr("did you mean 'penalty'?")));
}

TEST_F(ExitCode, Is64ForAnOptionOutOfRangeBeforeTheDataAreRead) {
  EXPECT_EQ(run({"fit", "absent.csv", "--target", "y", "--method", "lasso", "--set", "penalty=-1"}).exit_code, 64);
  EXPECT_EQ(run({"fit", "absent.csv", "--target", "y", "--method", "lasso", "--set", "penalty=much"}).exit_code, 64);
  EXPECT_EQ(run({"fit", "absent.csv", "--target", "y", "--method", "lasso", "--set", "penalty"}).exit_code, 64);
  EXPECT_EQ(run({"fit", "absent.csv", "--target", "y", "--method", "lasso", "--family", "gamma"}).exit_code, 64);
}

TEST_F(ExitCode, Is64ForRequestsThatContradictEachOther) {
  const std::string data = small_csv();
  EXPECT_EQ(run({"fit", data, "--target", "y", "--method", "lasso", "--cv", "5", "--validation", data}).exit_code, 64);
  EXPECT_EQ(run({"fit", data, "--target", "y", "--method", "lasso", "--cv", "1"}).exit_code, 64);
  EXPECT_EQ(
      run({"fit", data, "--target", "y", "--method", "lasso", "--set", "penalty=1", "--set", "penalty=2"}).exit_code,
      64);
  EXPECT_EQ(run({"select", small_model(), "--fdr", "0.1", "--top", "3"}).exit_code, 64);
}

TEST_F(ExitCode, Is64ForNumbersThatAreNone) {
  const std::string data = small_csv();
  EXPECT_EQ(run({"fit", data, "--target", "y", "--method", "lasso", "--threads", "0"}).exit_code, 64);
  EXPECT_EQ(run({"fit", data, "--target", "y", "--method", "lasso", "--seed", "-3"}).exit_code, 64);
  EXPECT_EQ(run({"fit", data, "--target", "y", "--method", "lasso", "--progress", "maybe"}).exit_code, 64);
  EXPECT_EQ(run({"select", small_model(), "--threshold", "-1"}).exit_code, 64);
}

TEST_F(ExitCode, Is65ForAnUnknownTargetThatIsNamed) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "nope", "--method", "lasso"});
  EXPECT_EQ(outcome.exit_code, 65) << "whether a name is right depends on the file";
  EXPECT_THAT(outcome.err, HasSubstr("nope"));
}

TEST_F(ExitCode, Is65ForBrokenData) {
  const Outcome ragged = run({"fit", file("r.csv", "y,a\n1,2\n3\n"), "--target", "y", "--method", "lasso"});
  EXPECT_EQ(ragged.exit_code, 65);
  EXPECT_THAT(ragged.err, AllOf(HasSubstr("r.csv"), HasSubstr("3")));
  EXPECT_EQ(run({"fit", file("empty.csv", ""), "--target", "y", "--method", "lasso"}).exit_code, 65);
  EXPECT_EQ(run({"info", file("empty.csv", "")}).exit_code, 65);
  const std::string header = file("header.csv", "y,a\n");
  for (const Outcome& outcome : {run({"fit", header, "--target", "y", "--method", "lasso"}), run({"info", header})}) {
    EXPECT_EQ(outcome.exit_code, 65);
    EXPECT_THAT(outcome.err, HasSubstr("the file has a header but no rows"));
  }
}

TEST_F(ExitCode, Is65ForAConstantTarget) {
  const Outcome outcome = run({"fit", file("c.csv", "a,y\n1,2\n3,2\n4,2\n"), "--target", "y", "--method", "lasso"});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("response"));
  EXPECT_EQ(run({"fit", file("r.csv", "a,y\n1,2\n"), "--target", "y", "--method", "lasso"}).exit_code, 65);
}

TEST_F(ExitCode, Is65ForOneClassOrNoCountInTheWordsOfTheFamily) {
  const auto complaint = [&](const std::string& family, const std::string& y) {
    const std::string data = file("one.csv", "a,y\n1," + y + "\n3," + y + "\n4," + y + "\n");
    const Outcome outcome = run({"fit", data, "--target", "y", "--method", "lasso", "--family", family});
    EXPECT_EQ(outcome.exit_code, 65);
    return outcome.err;
  };
  EXPECT_THAT(complaint("bernoulli", "1"), HasSubstr("class"));
  EXPECT_THAT(complaint("poisson", "0"), HasSubstr("count"));
  EXPECT_THAT(complaint("gaussian", "2.5"), HasSubstr("every row is 2.5; a constant response"));
}

TEST_F(ExitCode, IsZeroForAConstantTargetThatThereIsNoInterceptToExplain) {
  const std::string data = file("c.csv", "a,y\n1,2\n3,2\n4,2\n5,2\n");
  EXPECT_EQ(run({"fit", data, "--target", "y", "--method", "ridge", "--no-intercept", "--set", "penalty=1"}).exit_code,
            0);
  const std::string zero = file("z.csv", "a,y\n1,0\n3,0\n4,0\n5,0\n");
  EXPECT_EQ(run({"fit", zero, "--target", "y", "--method", "ridge", "--no-intercept"}).exit_code, 65);
}

TEST_F(ExitCode, Is65ForAMissingNumberAndProposesWhatToDo) {
  const std::string data = file("m.csv", "y,a\n1,2\n3,\n5,7\n4,4\n");
  const Outcome outcome = run({"fit", data, "--target", "y", "--method", "lasso"});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("--missing"));
}

TEST_F(ExitCode, Is65ForAResponseThatTheFamilyDoesNotAllow) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--method", "lasso", "--family", "poisson"});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("row 1"));
}

TEST_F(ExitCode, Is65ForAColumnInTwoParts) {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--offset", "y", "--method", "lasso"});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("column \"y\" is used as target and as offset"));
}

TEST_F(ExitCode, Is65ForABrokenModel) {
  const Outcome outcome = run({"select", file("m.json", R"({"schema": "tamis.fit/3"})")});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(outcome.err, HasSubstr("newer"));
  EXPECT_EQ(run({"predict", small_csv(), small_csv()}).exit_code, 65);
}

TEST_F(ExitCode, Is65WhenTheDataLackAFeatureOfTheModel) {
  const std::string model = small_model();
  const Outcome outcome = run({"predict", model, file("few.csv", "a,c,d,e\n1,2,3,4\n")});
  EXPECT_EQ(outcome.exit_code, 65);
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "few.csv: column \"b\", a feature of the model, not found; add it or rename a column; the columns are"));
  EXPECT_THAT(run({"predict", model, file("other.csv", "pear,quince\n1,2\n")}).err,
              HasSubstr("add it or rename a column; the columns are \"pear\", \"quince\""));
}

TEST_F(ExitCode, Is66ForAnAbsentFile) {
  const Outcome outcome = run({"fit", "absent.csv", "--target", "y", "--method", "lasso"});
  EXPECT_EQ(outcome.exit_code, 66);
  EXPECT_THAT(outcome.err, HasSubstr("absent.csv"));
  EXPECT_EQ(run({"select", "absent.json"}).exit_code, 66);
  EXPECT_EQ(run({"info", "absent.csv"}).exit_code, 66);
}

TEST_F(ExitCode, Is74AtOnceForAFolderThatIsNotThere) {
  const Outcome outcome = run({"fit", "absent.csv", "--target", "y", "--method", "lasso", "-o", "nowhere/m.json"});
  EXPECT_EQ(outcome.exit_code, 74) << "the output is checked before the input is read";
  EXPECT_THAT(outcome.err, HasSubstr("nowhere"));
}

TEST_F(ExitCode, Is74ForAFolderInsteadOfAFile) {
  EXPECT_EQ(run({"fit", small_csv(), "--target", "y", "--method", "lasso", "-o", "."}).exit_code, 74);
}

TEST_F(ExitCode, Is74AtOnceForAFileThatMayNotBeWritten) {
  const std::string name = file("fixed.json", "{}");
  std::filesystem::permissions(folder_ / name, std::filesystem::perms::owner_read);
  const Outcome outcome =
      run({"fit", "absent.csv", "--target", "y", "--method", "lasso", "-o", name}, {.obeys_permissions = true});
  EXPECT_EQ(outcome.exit_code, 74);
  EXPECT_THAT(outcome.err, HasSubstr("fixed.json: cannot be written: Permission denied"));
}

TEST_F(ExitCode, Is74AtOnceForAFolderThatMayNotBeWritten) {
  using std::filesystem::perms;
  std::filesystem::create_directory(folder_ / "fixed");
  std::filesystem::permissions(folder_ / "fixed", perms::owner_read | perms::owner_exec);
  const Outcome outcome = run({"fit", "absent.csv", "--target", "y", "--method", "lasso", "-o", "fixed/m.json"},
                              {.obeys_permissions = true});
  EXPECT_EQ(outcome.exit_code, 74);
  EXPECT_THAT(outcome.err, HasSubstr("cannot be written: directory fixed: Permission denied"));
}

TEST_F(ExitCode, Is74ForAFullDiskAsOutput) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "this machine has no /dev/full";
  EXPECT_EQ(run({"fit", small_csv(), "--target", "y", "--method", "lasso", "-o", "/dev/full"}).exit_code, 74);
  EXPECT_EQ(run({"fit", small_csv(), "--target", "y", "--method", "lasso", "-o", "/dev/null"}).exit_code, 0);
}

TEST_F(ExitCode, Is74WithoutAStandardOutput) {
  EXPECT_EQ(run({"select", small_model()}, {.out_is_closed = true}).exit_code, 74);
}

TEST_F(ExitCode, Is70WhenThereIsNotEnoughMemory) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need all the address space";
#endif
  constexpr std::size_t gigabyte = std::size_t{1} << 30;
  const Outcome outcome =
      run({"simulate", "bench.a", "-o", "s", "--set", "n=100000", "--set", "p=100000"}, {.memory = 4 * gigabyte});
  EXPECT_EQ(outcome.exit_code, 70);
  EXPECT_THAT(outcome.err, HasSubstr("out of memory"));
}

TEST_F(ExitCode, Is74ForAFullStandardOutput) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "this machine has no /dev/full";
  const std::string model = small_model();
  for (const std::vector<std::string>& command : {std::vector<std::string>{"select", model},
                                                  {"--help"},
                                                  {"fit", "--help"},
                                                  {"--version"},
                                                  {"methods"},
                                                  {"info", "small.csv"},
                                                  {"predict", model, "small.csv"}}) {
    const Outcome outcome = run(command, {.out = "/dev/full"});
    EXPECT_EQ(outcome.exit_code, 74) << command[0];
    EXPECT_THAT(outcome.err, HasSubstr("standard output")) << command[0];
  }
}

TEST_F(ExitCode, StaysQuietWhenTheReaderGoesAway) {
  const Outcome outcome = run({"select", small_model()}, {.out_is_closed_pipe = true});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, IsEmpty());
}

TEST_F(ExitCode, Is64ForOverwritingTheData) {
  const std::string data = small_csv();
  const std::string before = read(data);
  EXPECT_EQ(run({"fit", data, "--target", "y", "--method", "lasso", "-o", "./" + data}).exit_code, 64);
  EXPECT_EQ(read(data), before);
}

}  // namespace
}  // namespace tamis
