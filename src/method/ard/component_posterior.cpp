// From variances of covariance components to coefficients and row effects.
//
// Model      b = sum_i L_i c_i, c_i ~ N(0, gamma_i I), so b has mean sum_i gamma_i L_i (X L_i)'Sigma_y^-1 Y
//            (Wipf & Nagarajan 2007, Eq. 4) and, with F the columns of all factors that play and D the roots of their
//            variances, S = I + D T_F'Sigma_0^-1 T_F D, Sigma_0 noise and kernels of the rows:
//              Cov(b) = L D S^-1 D L', a sum of squares, or for more columns than rows
//              Cov(b) = L D^2 L' - L D^2 T_F'Sigma^-1 T_F D^2 L'
//            Row effects u ~ N(0, sum_k gamma_k K_k) have mean sum_k gamma_k K_k Sigma_y^-1 (Y - X b's part), that is
//            K_k times the same weighted residual.
// Intercept  its posterior mean is that of Y - X b - u: the average of u is taken from it.
#include "method/ard/component_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/numerical_failure.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric.hpp"

namespace tamis {
namespace {

// One column of a factor that plays.
struct Column {
  Index component, column;
  double root;  // of its variance
};

class Coefficients {
 public:
  Coefficients(const ComponentSources& sources, const ComponentPoint& point)
      : sources_(sources), data_(sources.data), point_(point) {
    for (Index i = 0; i < data_.size(); ++i) {
      if (!(point.at.x[i] > 0)) continue;
      for (Index a = 0; a < data_[i].rank; ++a) columns_.push_back({i, a, std::sqrt(point.at.x[i])});
    }
    by_columns_ = std::ssize(columns_) <= data_.rows();
    if (!columns_.empty()) factorize();
  }

  CoefficientPosterior posterior(Index most_joint) const {
    const Index p = sources_.problem.X.cols(), t = data_.targets();
    CoefficientPosterior result{Matrix(p, t), std::vector<double>(p, 0.0), std::vector<double>()};
    if (columns_.empty()) return result;
    const Matrix along = multiply_transposed(T_, point_.weighted);  // D T'Sigma^-1 Y
    constexpr Index panel = 256;
    std::vector<Index> features, kept;
    for (Index first = 0; first < p; first += panel) {
      features.resize(std::min(panel, p - first));
      std::iota(features.begin(), features.end(), first);
      const Matrix V = loadings(features);
      const Matrix mean = multiply_transposed(V, along);
      const std::vector<double> variance = variances(V);
      for (Index k = 0; k < std::ssize(features); ++k) {
        for (Index l = 0; l < t; ++l) result.mean(first + k, l) = mean(k, l);
        result.standard_deviations[first + k] = std::sqrt(variance[k]);
        if (variance[k] > 0) kept.push_back(first + k);
      }
    }
    result.covariance.reset();
    if (std::ssize(kept) <= most_joint) result.covariance = packed(kept);
    return result;
  }

 private:
  // T_ = T_F D and the Cholesky factor of S; for more columns than rows that of Sigma.
  void factorize() {
    T_ = Matrix(data_.rows(), std::ssize(columns_));
    for (Index k = 0; k < T_.cols(); ++k) {
      const std::span<const double> from = data_.factor(columns_[k].component).column(columns_[k].column);
      std::ranges::transform(from, T_.col(k), [&](double v) { return columns_[k].root * v; });
    }
    whitened_ = T_;
    if (!by_columns_) {
      solve_lower(point_.factor, whitened_);
      return;
    }
    solve_lower(other_covariance(), whitened_);
    factor_ = Matrix(T_.cols(), T_.cols());
    for (Index k = 0; k < T_.cols(); ++k) factor_(k, k) = 1;
    add_inner_product(whitened_, factor_);
    if (!cholesky(factor_)) throw NumericalFailure("the posterior covariance of the coefficients is not finite");
  }

  // Factor of the covariance without the columns: noise and kernels of rows.
  Matrix other_covariance() const {
    Matrix sigma(data_.rows(), data_.rows());
    bool diagonal = true;
    for (Index i = 0; i < data_.size(); ++i) {
      if (!(point_.at.x[i] > 0) || data_[i].rank > 0) continue;
      diagonal = false;
      for (Index b = 0; b < sigma.cols(); ++b) {
        for (Index a = b; a < sigma.rows(); ++a) sigma(a, b) += point_.at.x[i] * data_[i].kernel(a, b);
      }
    }
    for (Index k = 0; k < sigma.rows(); ++k) {
      sigma(k, k) += point_.at.noise;
      if (diagonal) sigma(k, k) = std::sqrt(sigma(k, k));
    }
    if (!diagonal && !cholesky(sigma)) throw NumericalFailure("the covariance of the rows is not finite");
    return sigma;
  }

  // D L' of these features, in units of the response: columns x features.
  Matrix loadings(std::span<const Index> features) const {
    Matrix V(std::ssize(columns_), std::ssize(features));
    for (Index k = 0; k < V.rows(); ++k) {
      const ComponentData::Component& component = data_[columns_[k].component];
      const double by = sources_.unit * columns_[k].root * component.multiplier;
      for (Index f = 0; f < V.cols(); ++f) {
        const double value = component.source < 0 ? (features[f] == -1 - component.source ? 1.0 : 0.0)
                                                  : sources_.problem.components[component.source].values(
                                                        features[f], columns_[k].column);
        V(k, f) = by * value;
      }
    }
    return V;
  }

  // What V becomes so that the covariance is V'V, or that much less than V'V.
  Matrix reduced(const Matrix& V) const {
    if (!by_columns_) return multiply(whitened_, V);
    Matrix H = V;
    solve_lower(factor_, H);
    return H;
  }

  std::vector<double> variances(const Matrix& V) const {
    const Matrix H = reduced(V);
    std::vector<double> out(V.cols());
    for (Index f = 0; f < V.cols(); ++f) {
      double prior = 0, other = 0;
      for (const double v : V.column(f)) prior += v * v;
      for (const double h : H.column(f)) other += h * h;
      out[f] = by_columns_ ? other : std::max(0.0, prior - other);
    }
    return out;
  }

  std::vector<double> packed(std::span<const Index> features) const {
    const Matrix V = loadings(features), H = reduced(V);
    Matrix covariance = multiply_transposed(H, H);
    if (!by_columns_) {
      const Matrix prior = multiply_transposed(V, V);
      for (Index b = 0; b < covariance.cols(); ++b) {
        for (Index a = 0; a < covariance.rows(); ++a) covariance(a, b) = prior(a, b) - covariance(a, b);
      }
    }
    std::vector<double> out;
    for (Index b = 0; b < covariance.cols(); ++b) out.insert(out.end(), covariance.col(b) + b, covariance.col(b + 1));
    return out;
  }

  const ComponentSources& sources_;
  const ComponentData& data_;
  const ComponentPoint& point_;
  std::vector<Column> columns_;
  bool by_columns_ = true;
  Matrix T_, whitened_, factor_;
};

}  // namespace

CoefficientPosterior coefficient_posterior(const ComponentSources& sources, const ComponentPoint& point,
                                           Index most_joint) {
  return Coefficients(sources, point).posterior(most_joint);
}

RowEffects row_effects(const ComponentSources& sources, const ComponentPoint& point) {
  const ComponentData& data = sources.data;
  RowEffects effects{Matrix(), std::vector<double>(data.targets(), 0.0), 0, 0};
  double total = 0;
  for (const double root : data.roots()) total += root * root;
  Matrix residual, shared;  // Sigma^-1 Y in the rows' own weights; covariance of the average with every row
  for (Index i = 0; i < data.size(); ++i) {
    if (!(point.at.x[i] > 0) || data[i].rank > 0) continue;
    const ConstMatrixView& K = sources.problem.components[data[i].source].values;
    if (effects.mean.rows() == 0) {
      effects.mean = Matrix(K.rows, data.targets());
      shared = Matrix(K.rows, 1);
      residual = point.weighted;
      for (Index l = 0; l < residual.cols(); ++l) {
        for (Index r = 0; r < K.rows; ++r) residual(r, l) *= data.roots()[r];
      }
    }
    const double gamma = point.at.x[i] * data[i].unit;
    const Matrix effect = multiply(K, residual);
    for (Index r = 0; r < K.rows; ++r) {
      for (Index l = 0; l < effect.cols(); ++l) effects.mean(r, l) += sources.unit * gamma * effect(r, l);
      const double weight = data.roots()[r] * data.roots()[r] / total;
      effects.prior_variance += sources.unit * sources.unit * gamma * weight * K(r, r);
      for (Index s = 0; s < K.rows; ++s) shared(s, 0) += gamma * weight * K(std::max(r, s), std::min(r, s));
    }
  }
  if (effects.mean.rows() == 0) return effects;
  double average = 0, prior = 0;
  for (Index r = 0; r < shared.rows(); ++r) {
    const double weight = data.roots()[r] * data.roots()[r] / total;
    prior += weight * shared(r, 0);
    for (Index l = 0; l < data.targets(); ++l) effects.averages[l] += weight * effects.mean(r, l);
  }
  average = prior;
  for (Index r = 0; r < shared.rows(); ++r) shared(r, 0) = data.roots()[r] * (shared(r, 0) - average);
  solve_lower(point.factor, shared);
  for (const double v : shared.column(0)) prior -= v * v;
  effects.average_variance = sources.unit * sources.unit * std::max(0.0, prior);
  return effects;
}

}  // namespace tamis
