// X'Wx_j of all features, for features that enter a model.
//
// Bits       A pass always has `width` right-hand sides, for a product's sums run in an order that depends on their
//            number. So a column is the same whichever others were made with it, after a restart from a checkpoint too.
// Memory     The least recently used column goes first. Chains hold those of their features besides.
// Intercept  With weights that the columns are not centered for, a flat intercept is integrated out by projection:
//            X'WX - (X'W1)(1'WX) / 1'W1.
#include "method/bvs/gram_columns.hpp"

#include <algorithm>

#include "base/numerical_failure.hpp"

namespace tamis {

GramColumns::GramColumns(const Design& X, std::span<const Index> kept, Index most)
    : X_(X), kept_(kept), most_(std::max(width, most)) {}

void GramColumns::reset(std::span<const double> weights, bool center) {
  const std::lock_guard<std::mutex> guard(lock_);
  entries_.clear();
  order_.clear();
  weights_.assign(weights.begin(), weights.end());
  sums_.clear();
  total_ = 0;
  if (!center) return;
  for (const double w : weights_) total_ += w;
  if (!(total_ > 0)) throw NumericalFailure("the row weights sum to zero or overflow; rescale or remove weights");
  sums_.resize(kept_.size());
  X_.transpose_multiply(kept_, std::span<const double>(weights_), std::span(sums_));
}

GramColumns::Column GramColumns::find_locked(Index feature) {
  const auto found = entries_.find(feature);
  if (found == entries_.end()) return nullptr;
  order_.splice(order_.begin(), order_, found->second.place);
  return found->second.column;
}

GramColumns::Column GramColumns::find(Index feature) {
  const std::lock_guard<std::mutex> guard(lock_);
  return find_locked(feature);
}

void GramColumns::store(Index feature, Column column) {
  if (entries_.contains(feature)) return;
  order_.push_front(feature);
  entries_[feature] = {std::move(column), order_.begin()};
  while (std::ssize(order_) > most_) {
    entries_.erase(order_.back());
    order_.pop_back();
  }
}

GramColumns::Column GramColumns::make(Index feature, std::span<const Index> likely) {
  std::vector<Index> wanted = {feature};
  {
    const std::lock_guard<std::mutex> guard(lock_);
    for (Index k = 0; k < std::ssize(likely) && std::ssize(wanted) < width; ++k) {
      if (likely[k] != feature && !entries_.contains(likely[k])) wanted.push_back(likely[k]);
    }
  }
  const Index n = X_.rows(), p = std::ssize(kept_), distinct = std::ssize(wanted);
  wanted.resize(width, feature);  // the width never changes
  std::vector<Index> columns;
  for (const Index j : wanted) columns.push_back(kept_[j]);
  Matrix right(n, width);
  X_.gather(columns, right);
  std::vector<double> projection(width, 0.0);
  for (Index l = 0; l < width; ++l) {
    double* x = right.col(l);
    for (Index i = 0; i < n; ++i) x[i] *= weights_[i];
    if (!sums_.empty()) projection[l] = sums_[wanted[l]] / total_;
  }
  std::vector<std::shared_ptr<std::vector<double>>> made;
  for (Index l = 0; l < distinct; ++l) made.push_back(std::make_shared<std::vector<double>>(p));
  X_.visit_products(kept_, right, [&](Index first, MatrixView part) {
    for (Index l = 0; l < distinct; ++l) {
      const double* from = part.col(l);
      double* to = made[l]->data() + first;
      if (sums_.empty()) {
        std::copy_n(from, part.rows, to);
      } else {
        for (Index k = 0; k < part.rows; ++k) to[k] = from[k] - projection[l] * sums_[first + k];
      }
    }
  });
  const std::lock_guard<std::mutex> guard(lock_);
  for (Index l = distinct - 1; l >= 0; --l) store(wanted[l], made[l]);
  return made.front();
}

void GramColumns::correlate(std::span<const double> v, std::span<double> out) const {
  X_.transpose_multiply(kept_, v, out);
  if (sums_.empty()) return;
  double sum = 0;
  for (const double value : v) sum += value;
  for (Index j = 0; j < std::ssize(out); ++j) out[j] -= sums_[j] * (sum / total_);
}

void GramColumns::squared_norms(std::span<double> out) const {
  X_.squared_norms(kept_, weights_, out);
  if (sums_.empty()) return;
  for (Index j = 0; j < std::ssize(out); ++j) out[j] = std::max(0.0, out[j] - sums_[j] * sums_[j] / total_);
}

}  // namespace tamis
