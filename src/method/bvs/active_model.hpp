// The regression on the features in the model, and what every other feature would add to it.
//
// With C = (X_g'WX_g + ridge I)^-1 and z the weighted response: m = C X_g'z; for a feature outside
//   r_j = x_j'(z - W X_g m),   s_j = x_j'Wx_j + ridge - x_j'W X_g C X_g'W x_j.
#pragma once

#include <span>
#include <vector>

#include "base/checkpoint.hpp"
#include "method/bvs/gram_columns.hpp"

namespace tamis {

/// What the model is fitted to. Spans must outlive the model or the next rebuild().
struct NormalEquations {
  GramColumns* gram = nullptr;
  std::span<const double> squares;      ///< x_j'Wx_j
  std::span<const double> correlation;  ///< x_j'z
  double ridge = 0;                     ///< prior precision of a coefficient
};

class ActiveModel {
 public:
  explicit ActiveModel(const NormalEquations& data);

  Index size() const { return std::ssize(features_); }
  const std::vector<Index>& features() const { return features_; }
  /// Where the feature is in features(); -1: outside.
  Index place_of(Index feature) const;

  /// r and s of all features; without meaning for those inside.
  std::span<const double> r() const { return r_; }
  std::span<const double> s() const { return s_; }
  std::span<const double> squares() const { return data_.squares; }
  std::span<const double> coefficients() const { return m_; }  ///< m
  double variance(Index place) const { return C_[place * size() + place]; }
  std::span<const double> covariance() const { return C_; }  ///< C, by columns
  double explained() const { return explained_; }            ///< m'X_g'z

  /// Rank-one changes, O(features x size). `likely`: features whose Gram columns may be wanted soon.
  void add(Index feature, std::span<const Index> likely = {});
  void drop(Index place);
  /// Afresh, for the same features and these data: O(features x size^2). Features without which the rest is singular
  /// are left out; false if there were any.
  bool rebuild(const NormalEquations& data);
  /// The same for other features.
  bool rebuild(const NormalEquations& data, std::vector<Index> features) {
    features_ = std::move(features);
    return rebuild(data);
  }
  bool rebuild() { return rebuild(data_); }
  void clear();
  /// A copy of the state of another one on the same data, without taking new memory if possible.
  void copy_from(const ActiveModel& other);
  /// Rounding errors have grown too large: rebuild.
  bool in_trouble() const { return trouble_; }

  /// X_g'WX_g + ridge I of the features inside, lower triangle, by columns.
  std::vector<double> precision() const;
  /// Fetches the columns again after loading.
  void exchange(Archive& archive, const NormalEquations& data);

 private:
  GramColumns::Column column_of(Index feature, std::span<const Index> likely) const;
  void shield_active();
  bool factorize(std::vector<double>& L);
  void solve_active();
  void project_others(const std::vector<double>& L);

  NormalEquations data_;
  std::vector<Index> features_;
  std::vector<GramColumns::Column> columns_;  // of features_
  std::vector<double> C_;                     // size() x size()
  std::vector<double> m_;
  double explained_ = 0;
  std::vector<double> r_, s_;
  bool trouble_ = false;
};

}  // namespace tamis
