// The step is that at which proposals are accepted as often as wanted.
#include "factor/continuous/step_size.hpp"

#include <gmock/gmock.h>

namespace tamis::factor {
namespace {

// Acceptance falls with the step: e^-step is 0.8 at 0.223.
void learn(StepSize& size, int times) {
  for (int k = 0; k < times; ++k) size.learn(std::exp(-size.value(true)));
}

TEST(StepSize, GoesWhereProposalsAreAcceptedAsOftenAsWanted) {
  for (const double first : {1e-4, 0.1, 50.0}) {
    StepSize size(first, 0.8);
    EXPECT_NEAR(size.value(false), first, 1e-14 * first);  // exp(log(x)) rounds
    learn(size, 2000);
    EXPECT_NEAR(std::exp(-size.value(false)), 0.8, 0.02) << first;
  }
}

TEST(StepSize, GoesOnFromItsMemory) {
  StepSize size(0.1, 0.8), other(3, 0.8);
  learn(size, 50);
  other.remember(size.memory().data());
  EXPECT_EQ(other.value(false), size.value(false));
  EXPECT_EQ(other.value(true), size.value(true));
}

}  // namespace
}  // namespace tamis::factor
