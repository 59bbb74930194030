// The number of factors that predicts held-out cells best.
//
// Algorithm  1 hide a tenth of the observed cells that are no test cells, drawn from a stream of their own
//            2 fit every number of factors to the rest; NLP of the tenth       (test cells are hidden too, not scored)
//            3 fit the best number to all cells but the test cells
// Bias       The NLP of the chosen number is a minimum and so too small; that is why test cells never take part in 2,
//            and why FactorFit::search is reported apart from nlp_bits.
// Cost       one fit per number and one more. Numbers are not warm-started from each other: a chain that begins with
//            the factors of a smaller model stays near them, and the comparison would depend on the order of the list.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "factor/model/draw_cells.hpp"
#include "factor/model/task.hpp"
#include "tamis/base/error.hpp"
#include "tamis/factor/factor.hpp"

namespace tamis {
namespace {

// A tenth, the share that the paper holds out as test cells (section 6).
constexpr double validation_share = 0.1;  // of the cells that are no test cells

// Says which number of factors is being tried.
class ScaledProgress final : public Observer {
 public:
  ScaledProgress(Observer* observer, Index factors) : observer_(observer), factors_(factors) {}
  void progress(double fraction, std::string_view phase) override {
    if (observer_ != nullptr) observer_->progress(fraction, fmt::format("{} factors: {}", factors_, phase));
  }
  bool cancelled() override { return observer_ != nullptr && observer_->cancelled(); }

 private:
  Observer* observer_;
  Index factors_;
};

void check_list(const std::vector<Index>& factors) {
  if (factors.empty()) throw InvalidOption("factors: the list is empty");
  for (Index i = 0; i < std::ssize(factors); ++i) {
    factor::check_factors(factors[i]);
    if (std::find(factors.begin(), factors.begin() + i, factors[i]) != factors.begin() + i) {
      throw InvalidOption(fmt::format("factors: {} is listed twice", factors[i]));
    }
  }
}

// What was drawn is kept; its score is that of the choice, not of test cells.
FactorResult stopped_early(FactorResult result, std::size_t wanted, std::vector<FactorSearchPoint> search) {
  FactorFit& fit = result.fit;
  fit.status = Status::cancelled;
  fit.message = fmt::format(
      "cancelled after {} of {} numbers of factors; this fit has {} factors and used nine tenths of the cells: {}",
      search.size(), wanted, fit.factors, fit.message);
  fit.test_cells = 0;
  fit.nlp_bits.reset();
  fit.rmse.reset();
  fit.search = std::move(search);
  return result;
}

}  // namespace

std::vector<TestCell> draw_test_cells(const FactorProblem& problem, double share, std::uint64_t seed) {
  if (!(share > 0 && share < 1))
    throw InvalidOption(fmt::format("holdout: received {}; expected a fraction between 0 and 1", share));
  return factor::draw_cells(problem, share, seed, factor::CellDraw::test);
}

FactorResult fit_best_factors(const FactorPrior& prior, FactorProblem problem, const std::vector<Index>& factors,
                              const std::map<std::string, OptionValue>& options, const FactorControl& control) {
  check_list(factors);
  std::vector<FactorSearchPoint> search;
  FactorProblem search_problem = problem;
  search_problem.test_cells = factor::draw_cells(problem, validation_share, control.seed, factor::CellDraw::factors);
  // The choice must not see the test cells: hidden, not scored.
  for (const TestCell& cell : problem.test_cells) {
    search_problem.test_cells.push_back({cell.row, cell.column, std::numeric_limits<double>::quiet_NaN()});
  }
  FactorResult best;
  for (const Index count : factors) {
    search_problem.factors = count;
    ScaledProgress observer(control.observer, count);
    FactorControl own = control;
    // Only the last fit has a checkpoint: the short ones would overwrite each other's file.
    own.checkpoint.clear();
    own.observer = &observer;
    FactorResult tried = prior.fit(search_problem, options, own);
    const bool stopped = tried.fit.status == Status::cancelled;
    search.push_back({count, *tried.fit.nlp_bits, *tried.fit.rmse});
    // One that was stopped is taken only if there is no other.
    if (search.size() == 1 || (!stopped && *tried.fit.nlp_bits < *best.fit.nlp_bits)) best = std::move(tried);
    if (stopped) return stopped_early(std::move(best), factors.size(), std::move(search));
  }
  problem.factors = best.fit.factors;
  best = {};
  FactorResult result = prior.fit(problem, options, control);
  result.fit.search = std::move(search);
  return result;
}

}  // namespace tamis
