// Random streams on Philox4x64, a counter-based generator: block k of a stream is a hash of (key, counter k).
//
// Why        Streams are keyed by seed and purpose, so that parallel replicates and chains are independent without
//            sharing state, and any of them can be repeated alone: the state is a key and a counter.
// Portable   Distributions are Boost's or written out: those of <random> differ between standard libraries, and the
//            same seed must give the same fit everywhere.
// Papers     Salmon, Moraes, Dror & Shaw (2011) SC'11, Parallel random numbers: as easy as 1, 2, 3.
#include "tamis/base/random.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace tamis {

void RandomStream::refill() {
  const r123::Philox4x64::ctr_type counter = {{counter_[0], counter_[1], counter_[2], counter_[3]}};
  const r123::Philox4x64::key_type key = {{key_[0], key_[1]}};
  const r123::Philox4x64::ctr_type drawn = r123::Philox4x64()(counter, key);
  std::copy(drawn.begin(), drawn.end(), block_.begin());
  ++counter_[0];
  used_ = 0;
}

double RandomStream::normal() { return boost::random::normal_distribution<double>()(*this); }

void RandomStream::normals(std::span<double> out) {
  boost::random::normal_distribution<double> distribution;  // a ziggurat: it keeps nothing between draws
  for (double& value : out) value = distribution(*this);
}

Index RandomStream::index(Index count) { return boost::random::uniform_int_distribution<Index>(0, count - 1)(*this); }

std::vector<Index> RandomStream::permutation(Index count) {
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), Index{0});
  // Fisher-Yates written out: std::shuffle differs between standard libraries.
  for (Index k = count - 1; k > 0; --k) {
    std::swap(order[k], order[index(k + 1)]);
  }
  return order;
}

std::vector<Index> RandomStream::sample(Index count, Index chosen) {
  // Floyd's algorithm (Bentley & Floyd 1987): one draw per chosen number, whatever the count. A bit per number is
  // smaller than a hash set when more than one in 128 is chosen; both give the same sample.
  constexpr Index sparse = 128;
  std::vector<Index> sorted;
  if (count / sparse < chosen) {
    std::vector<bool> taken(count);
    for (Index k = count - chosen; k < count; ++k) {
      const Index candidate = index(k + 1);
      taken[taken[candidate] ? k : candidate] = true;
    }
    sorted.reserve(chosen);
    for (Index k = 0; k < count; ++k) {
      if (taken[k]) sorted.push_back(k);
    }
    return sorted;
  }
  std::unordered_set<Index> taken;
  for (Index k = count - chosen; k < count; ++k) {
    if (const Index candidate = index(k + 1); !taken.insert(candidate).second) taken.insert(k);
  }
  sorted.assign(taken.begin(), taken.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace tamis
