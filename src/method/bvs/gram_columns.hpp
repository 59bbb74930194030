// Columns of X'WX, made when they are first wanted and kept within a limit of memory.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "tamis/design/design.hpp"

namespace tamis {

/// Features are counted among `kept`, the columns of X that vary. Any thread may ask; a column has the same bits
/// whoever asked, and with whatever else.
class GramColumns {
 public:
  using Column = std::shared_ptr<const std::vector<double>>;
  /// Columns made in one pass over X: as many right-hand sides as cost little more than one.
  static constexpr Index width = 8;

  /// References must outlive it. `most`: columns that are kept, those in use elsewhere not counted.
  GramColumns(const Design& X, std::span<const Index> kept, Index most);

  /// New weights: what was made before is forgotten. `center`: whether a flat intercept is projected out, which
  /// columns that are centered with these weights do not need.
  void reset(std::span<const double> weights, bool center);
  /// Those of the moment.
  std::span<const double> weights() const { return weights_; }
  /// X'W1 and 1'W1, if the intercept is projected out.
  std::span<const double> sums() const { return sums_; }
  double total() const { return total_; }

  /// nullptr if it is not here.
  Column find(Index feature);
  /// Makes it, together with the first of `likely` that are missing; likely() is asked only then.
  Column make(Index feature, std::span<const Index> likely);
  /// X'v of the kept features, the intercept projected out likewise.
  void correlate(std::span<const double> v, std::span<double> out) const;
  /// x_j'Wx_j, likewise.
  void squared_norms(std::span<double> out) const;

 private:
  struct Entry {
    Column column;
    std::list<Index>::iterator place;
  };
  Column find_locked(Index feature);
  void store(Index feature, Column column);

  const Design& X_;
  const std::span<const Index> kept_;
  const Index most_;
  std::vector<double> weights_;
  std::vector<double> sums_;  // X'W1 of every feature; empty: nothing to project out
  double total_ = 0;          // 1'W1
  std::mutex lock_;
  std::list<Index> order_;  // the latest used first
  std::unordered_map<Index, Entry> entries_;
};

}  // namespace tamis
