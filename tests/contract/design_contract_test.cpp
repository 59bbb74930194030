// What every kind of Design promises: each operation equals the same one on a plain dense matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>
#include <utility>

#include "contract/design_kinds.hpp"
#include "tamis/base/parallel.hpp"
#include "tamis/design/decorators.hpp"

namespace tamis::contract {
namespace {

// Allowed error in units of the sum of absolute terms of a result: rounding of a few hundred additions.
constexpr double relative_tolerance = 1e-12;

constexpr Index widths[] = {0, 1, 2, 3, 4, 5, 8, 11, 40};

using Shape = std::pair<Index, Index>;

class DesignContract : public testing::TestWithParam<std::tuple<DesignKind, Shape>> {
 protected:
  DesignContract() {
    const auto [rows, cols] = std::get<1>(GetParam());
    case_ = std::get<0>(GetParam()).make(example_matrix(rows, cols));
    const Index p = cols;
    for (Index j = p - 1; j >= 0; j -= 2) every_second_.push_back(j);
    for (Index j = 0; j < p + 3; ++j) shuffled_.push_back((7 * j + 1) % p);  // with repeats
    blocks_ = {X().all(),
               Columns::range(p / 3, p - p / 3),
               Columns::range(p - 1, 1),
               Columns::range(0, 0),
               Columns(every_second_),
               Columns(shuffled_),
               Columns(std::span<const Index>())};
  }

  const Design& X() const { return case_.X(); }
  const Matrix& twin() const { return case_.twin; }
  Index n() const { return twin().rows(); }

  std::vector<double> weights() const {
    std::vector<double> w(n());
    for (Index i = 0; i < n(); ++i) w[i] = i % 4 == 1 ? 0 : 0.5 + 0.25 * static_cast<double>(i % 5);
    return w;
  }
  std::vector<std::vector<double>> weight_choices() const { return {{}, weights(), std::vector<double>(n(), 0.0)}; }

  // sum_i w_i a_i b_i and its tolerance. Centering works on the columns before it, so their size counts too.
  struct Expected {
    double value;
    double tolerance;
  };
  template <class A, class B>
  Expected dot(const A& a, const B& b, std::span<const double> w = {}) const {
    long double sum = 0, size = 0;
    for (Index i = 0; i < n(); ++i) {
      const long double weight = w.empty() ? 1 : w[i];
      sum += weight * a(i) * b(i);
      size += weight * (std::abs(a(i)) + 1) * (std::abs(b(i)) + 1);
    }
    return {static_cast<double>(sum), relative_tolerance * static_cast<double>(size)};
  }
  auto column(Index j) const {
    return [this, j](Index i) { return twin()(i, j); };
  }

  DesignCase case_;
  std::vector<Index> every_second_, shuffled_;
  std::vector<Columns> blocks_;
};

TEST_P(DesignContract, HasTheSizesOfItsTwin) {
  EXPECT_EQ(X().rows(), n());
  EXPECT_EQ(X().cols(), twin().cols());
}

TEST_P(DesignContract, GathersTheColumnsOfItsTwin) {
  for (const Columns c : blocks_) {
    Matrix out(n(), c.size());
    X().gather(c, out);
    for (Index k = 0; k < c.size(); ++k) {
      for (Index i = 0; i < n(); ++i) EXPECT_NEAR(out(i, k), twin()(i, c[k]), relative_tolerance * 10);
    }
  }
}

TEST_P(DesignContract, MultipliesAndAddsLikeItsTwin) {
  for (const Columns c : blocks_) {
    for (const Index m : widths) {
      Matrix V = example_matrix(c.size(), m), R = example_matrix(n() + 2, m);  // R: a view with gaps
      const Matrix before = R;
      X().multiply_add(c, V, MatrixView(R.col(0), n(), m, n() + 2));
      for (Index l = 0; l < m; ++l) {
        for (Index i = 0; i < n() + 2; ++i) {
          long double sum = before(i, l), size = 1;
          for (Index k = 0; k < c.size() && i < n(); ++k) {
            sum += twin()(i, c[k]) * static_cast<long double>(V(k, l));
            size += (std::abs(twin()(i, c[k])) + 1) * std::abs(V(k, l));
          }
          ASSERT_NEAR(R(i, l), sum, relative_tolerance * size) << "m = " << m;
        }
      }
    }
  }
}

TEST_P(DesignContract, TransposeMultipliesLikeItsTwin) {
  for (const Columns c : blocks_) {
    for (const Index m : widths) {
      const Matrix R = example_matrix(n() + 3, m);
      Matrix out(c.size() + 1, m);
      for (Index l = 0; l < m; ++l) out(c.size(), l) = 7;
      X().transpose_multiply(c, {R.col(0), n(), m, n() + 3}, {out.col(0), c.size(), m, c.size() + 1});
      for (Index l = 0; l < m; ++l) {
        for (Index k = 0; k < c.size(); ++k) {
          const Expected e = dot(column(c[k]), [&](Index i) { return R(i, l); });
          ASSERT_NEAR(out(k, l), e.value, e.tolerance) << "m = " << m << ", column " << c[k];
        }
        ASSERT_EQ(out(c.size(), l), 7) << "wrote beyond its output";
      }
    }
  }
}

TEST_P(DesignContract, GramEqualsThatOfItsTwin) {
  for (const Columns c : blocks_) {
    for (const std::vector<double>& w : weight_choices()) {
      Matrix out(c.size(), c.size());
      X().gram(c, w, out);
      for (Index l = 0; l < c.size(); ++l) {
        for (Index k = 0; k < c.size(); ++k) {
          const Expected e = dot(column(c[k]), column(c[l]), w);
          ASSERT_NEAR(out(k, l), e.value, e.tolerance);
          ASSERT_EQ(out(k, l), out(l, k)) << "not symmetric";
        }
      }
    }
  }
}

TEST_P(DesignContract, CrossGramEqualsThatOfItsTwin) {
  for (const Columns a : blocks_) {
    for (const Columns b : blocks_) {
      const std::vector<double> w = a.is_range() ? weights() : std::vector<double>();
      Matrix out(a.size(), b.size());
      X().cross_gram(a, b, w, out);
      for (Index l = 0; l < b.size(); ++l) {
        for (Index k = 0; k < a.size(); ++k) {
          const Expected e = dot(column(a[k]), column(b[l]), w);
          ASSERT_NEAR(out(k, l), e.value, e.tolerance);
        }
      }
    }
  }
}

TEST_P(DesignContract, SquaredNormsEqualThoseOfItsTwin) {
  for (const Columns c : blocks_) {
    for (const std::vector<double>& w : weight_choices()) {
      std::vector<double> out(c.size());
      X().squared_norms(c, w, out);
      for (Index k = 0; k < c.size(); ++k) {
        const Expected e = dot(column(c[k]), column(c[k]), w);
        ASSERT_NEAR(out[k], e.value, e.tolerance);
        ASSERT_GE(out[k], 0);
      }
    }
  }
}

TEST_P(DesignContract, AColumnViewHoldsTheColumn) {
  for (Index j = 0; j < X().cols(); ++j) {
    const std::optional<ColumnView> view = X().column(j);
    if (!view) continue;
    std::vector<double> x(n(), 0.0);
    for (Index e = 0; e < view->count; ++e) x[view->rows == nullptr ? e : view->rows[e]] = view->values[e];
    for (Index i = 0; i < n(); ++i) {
      ASSERT_NEAR((x[i] - view->center) * view->factor, twin()(i, j), relative_tolerance * 10);
    }
  }
}

TEST_P(DesignContract, SampleDotIsTheDotProduct) {
  const std::vector<double> w = weights(), ones(n(), 1.0);
  const Expected e = dot([&](Index i) { return w[i]; }, [](Index) { return 1.0; });
  EXPECT_NEAR(X().sample_dot(w, ones), e.value, e.tolerance);
}

TEST_P(DesignContract, MomentsEqualThoseOfItsTwin) {
  for (const std::vector<double>& w : {std::vector<double>(), weights()}) {
    const ColumnMoments m = column_moments(X(), w);
    long double total = 0;
    for (Index i = 0; i < n(); ++i) total += w.empty() ? 1 : w[i];
    for (Index j = 0; j < X().cols(); ++j) {
      const double mean = static_cast<double>(dot(
                                                  column(j), [](Index) { return 1.0; }, w)
                                                  .value /
                                              total);
      const auto centered = [&](Index i) { return twin()(i, j) - mean; };
      const double deviation = std::sqrt(dot(centered, centered, w).value / static_cast<double>(total));
      ASSERT_NEAR(m.mean[j], mean, 1e-11);  // rounding of the standardized twin itself
      ASSERT_NEAR(m.deviation[j], deviation, 1e-7 * (deviation == 0) + 1e-11);
    }
    for (Index j = 1; j <= 2 && j < X().cols(); ++j) EXPECT_EQ(m.deviation[j], 0) << "of a constant column";
  }
}

// Results may depend on the number of right-hand sides, never on the neighbors of a column.
TEST_P(DesignContract, AColumnsProductDoesNotDependOnItsPlaceInABlock) {
  for (const Index m : widths) {
    const Matrix R = example_matrix(n(), m);
    Matrix all(X().cols(), m);
    X().transpose_multiply(X().all(), R, all);
    for (const Columns c : blocks_) {
      Matrix out(c.size(), m);
      X().transpose_multiply(c, R, out);
      for (Index k = 0; k < c.size(); ++k) {
        for (Index l = 0; l < m; ++l) ASSERT_EQ(out(k, l), all(c[k], l)) << "m = " << m << ", column " << c[k];
      }
    }
  }
}

TEST_P(DesignContract, VisitorsSeeEveryProductOnceAndToTheLastBit) {
  for (const Columns c : blocks_) {
    for (const Index m : widths) {
      const Matrix R = example_matrix(n() + 3, m);
      const ConstMatrixView rows_of_R(R.col(0), n(), m, n() + 3);
      Matrix expected(c.size(), m), seen(c.size(), m);
      X().transpose_multiply(c, rows_of_R, expected);
      std::vector<std::atomic<int>> visits(c.size());
      X().visit_products(c, rows_of_R, [&](Index k, MatrixView part) {
        for (Index r = 0; r < part.rows; ++r) {
          ++visits[k + r];
          for (Index l = 0; l < m; ++l) seen(k + r, l) = std::exchange(part(r, l), -1.0);  // it is the visitor's
        }
      });
      for (Index k = 0; k < c.size(); ++k) {
        ASSERT_EQ(visits[k], m > 0 ? 1 : 0) << "column " << c[k];
        for (Index l = 0; l < m; ++l) ASSERT_EQ(seen(k, l), expected(k, l)) << "m = " << m << ", column " << c[k];
      }
    }
  }
}

std::string name_of_case(const testing::TestParamInfo<std::tuple<DesignKind, Shape>>& info) {
  const Shape shape = std::get<1>(info.param);
  return std::get<0>(info.param).name + "_" + std::to_string(shape.first) + "x" + std::to_string(shape.second);
}

INSTANTIATE_TEST_SUITE_P(EveryKind, DesignContract,
                         testing::Combine(testing::ValuesIn(design_kinds()),
                                          testing::Values(Shape{1, 1}, Shape{1, 9}, Shape{30, 1}, Shape{9, 33},
                                                          Shape{67, 12}, Shape{401, 23})),
                         name_of_case);

// Large enough that work is shared between threads.
class DesignThreads : public testing::TestWithParam<DesignKind> {};

TEST_P(DesignThreads, DoNotChangeABit) {
  const DesignCase big = GetParam().make(example_matrix(1500, 260));
  const Design& X = big.X();
  const auto results = [&](int threads) {
    std::vector<double> all;
    const auto keep = [&](const Matrix& A) { all.insert(all.end(), A.col(0), A.col(0) + A.rows() * A.cols()); };
    with_threads(threads, [&] {
      for (const Index m : {1, 3, 8, 40}) {
        Matrix out(X.cols(), m), R = example_matrix(X.rows(), m);
        X.transpose_multiply(X.all(), R, out);
        keep(out);
        // Several parts: 1500 x 40 products of 260 columns are more than what one visit is given.
        X.visit_products(X.all(), R, [&](Index k, ConstMatrixView part) {
          for (Index l = 0; l < m; ++l) std::copy_n(part.col(l), part.rows, out.col(l) + k);
        });
        keep(out);
        X.multiply_add(X.all(), out, R);
        keep(R);
      }
      Matrix gram(X.cols(), X.cols()), norms(X.cols(), 1);
      X.gram(X.all(), {}, gram);
      X.squared_norms(X.all(), {}, norms.column(0));
      keep(gram);
      keep(norms);
      const ColumnMoments m = column_moments(X, {});
      all.insert(all.end(), m.deviation.begin(), m.deviation.end());
    });
    return all;
  };
  EXPECT_EQ(results(1), results(2));
}

INSTANTIATE_TEST_SUITE_P(EveryKind, DesignThreads, testing::ValuesIn(design_kinds()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tamis::contract
