// The list of the papers' rows: nothing in it that does not exist, and no experiment that is not in it.
#include "experiments/reproduce/paper_rows.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "experiments/reproduce/experiment.hpp"
#include "tamis/factor/factor.hpp"
#include "tamis/method/method.hpp"

namespace tamis::experiments {
namespace {

// The word after `before` in each command, "" where it is not there.
std::multiset<std::string> words_after(const std::string& before) {
  std::multiset<std::string> found;
  for (const PaperRows& paper : paper_rows()) {
    for (const PaperRow& row : paper.rows) {
      const auto at = row.command.find(before + " ");
      if (at == std::string::npos) continue;
      std::istringstream rest(row.command.substr(at + before.size()));
      std::string word;
      rest >> word;
      found.insert(word);
    }
  }
  return found;
}

TEST(PaperRows, NameExperimentsMethodsAndPriorsThatExist) {
  for (const std::string& name : words_after("reproduce")) EXPECT_NO_THROW(experiment(name)) << name;
  for (const std::string& name : words_after("--method")) EXPECT_NO_THROW(tamis::method(name)) << name;
  for (const std::string& name : words_after("--prior")) EXPECT_NO_THROW(factor_prior(name)) << name;
}

TEST(PaperRows, HaveEveryExperiment) {
  const std::multiset<std::string> named = words_after("reproduce");
  for (const Experiment& each : experiments()) EXPECT_TRUE(named.contains(each.name)) << each.name;
}

TEST(PaperRows, AreEitherDoneByACommandOfTamisOrMissing) {
  for (const PaperRows& paper : paper_rows()) {
    for (const PaperRow& row : paper.rows) {
      EXPECT_FALSE(row.what.empty());
      EXPECT_FALSE(row.verdict.empty()) << row.what;
      EXPECT_TRUE(row.command.empty() || row.command.starts_with("tamis ")) << row.command;
      EXPECT_EQ((row.what + row.command + row.verdict).find('|'), std::string::npos) << "ends a cell of the table";
    }
  }
}

TEST(PaperRows, AreOnTheirPage) {
  std::ifstream file(TAMIS_DOCS "/reproduce.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string before = "<!-- tamis reproduce --rows -->\n", after = "<!-- end of rows -->\n";
  const auto first = page.find(before), last = page.find(after);
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(last, std::string::npos);
  EXPECT_EQ(page.substr(first + before.size(), last - first - before.size()), paper_rows_table())
      << "replace what is between the comments by the output of 'tamis reproduce --rows'";
}

TEST(PaperRows, SetOptionsThatTheMethodsHave) {
  for (const PaperRows& paper : paper_rows()) {
    for (const PaperRow& row : paper.rows) {
      const auto fit = row.command.find("--method ");
      if (fit == std::string::npos) continue;
      std::istringstream words(row.command.substr(fit + 9));
      std::string name, word;
      words >> name;
      std::map<std::string, OptionValue> given;
      const std::vector<Field> fields = tamis::method(name).fields();
      while (words >> word) {
        if (word != "--set") continue;
        words >> word;
        const std::string option = word.substr(0, word.find('='));
        const auto field = std::ranges::find(fields, option, &Field::name);
        ASSERT_NE(field, fields.end()) << row.command;
        EXPECT_NO_THROW(given[option] = parse_option(*field, word.substr(option.size() + 1))) << row.command;
      }
      EXPECT_NO_THROW(Options(name, fields, given)) << row.command;
    }
  }
}

}  // namespace
}  // namespace tamis::experiments
