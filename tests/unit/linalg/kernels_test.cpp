// Every set of kernels that this processor can run, against plain loops.
#include "linalg/kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "linalg/panels.hpp"

namespace tamis {
namespace {

// In units of the sum of absolute terms: rounding of a few thousand additions of numbers below one.
constexpr double tolerance = 1e-13;

constexpr Index lengths[] = {0, 1, 2, 3, 5, 7, 8, 9, 15, 31, 32, 33, 100, 515};

std::vector<double> numbers(Index count, std::uint32_t state) {
  std::vector<double> out(count);
  for (double& x : out) x = static_cast<double>((state = state * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
  return out;
}

struct Columns11 {
  explicit Columns11(Index n) : values(numbers(11 * n, 5)) {
    for (Index k = 0; k < 11; ++k) pointers.push_back(values.data() + k * n);
  }
  std::vector<double> values;
  std::vector<const double*> pointers;
};

double plain_dot(const double* x, const double* r, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += x[i] * r[i];
  return sum;
}

class KernelsTest : public testing::TestWithParam<const Kernels*> {
 protected:
  const Kernels& k_ = *GetParam();
};

TEST_P(KernelsTest, DotsAddToTheirOutputAndEqualALoneDot) {
  for (const Index n : lengths) {
    const Columns11 x(n);
    const std::vector<double> r = numbers(n, 9);
    std::vector<double> out(12, 0.0);
    k_.dots(x.pointers.data(), 11, 0, r.data(), n, out.data());
    for (Index k = 0; k < 11; ++k) {
      EXPECT_NEAR(out[k], plain_dot(x.pointers[k], r.data(), n), tolerance * static_cast<double>(n));
      EXPECT_EQ(out[k], k_.dot(x.pointers[k], r.data(), n));
    }
    EXPECT_EQ(out[11], 0);
    k_.dots(x.pointers.data(), 11, 0, r.data(), n, out.data());
    EXPECT_EQ(out[4], 2 * k_.dot(x.pointers[4], r.data(), n));
  }
}

TEST_P(KernelsTest, PanelDotsEqualPlainDots) {
  for (const Index n : lengths) {
    const Columns11 x(n);
    for (Index m = 2; m <= 43; ++m) {
      const std::vector<double> r = numbers(n * m, 3);
      Panels({r.data(), n, m}, k_.widest_panel).for_each([&](const Panel& panel, Index) {
        std::vector<double> out(11 * panel.width, 0.0);
        k_.panel_dots(x.pointers.data(), 11, 0, panel.data, panel.width, n, out.data());
        for (Index k = 0; k < 11; ++k) {
          for (int l = 0; l < panel.count; ++l) {
            const double expected = plain_dot(x.pointers[k], r.data() + (panel.first + l) * n, n);
            ASSERT_NEAR(out[k * panel.width + l], expected, tolerance * static_cast<double>(n)) << "m = " << m;
          }
        }
      });
    }
  }
}

TEST_P(KernelsTest, MultiplyAddAddsColumnsAndTouchesNothingElse) {
  for (const Index n : lengths) {
    const Columns11 x(n);
    for (const Index m : {1, 2, 5}) {
      const std::vector<double> v = numbers(11 * m, 7), before = numbers((n + 1) * m, 8);
      std::vector<double> r = before;
      k_.multiply_add(x.pointers.data(), 11, v.data(), MatrixView(r.data(), n, m, n + 1));
      for (Index l = 0; l < m; ++l) {
        for (Index i = 0; i < n; ++i) {
          double expected = before[i + l * (n + 1)];
          for (Index k = 0; k < 11; ++k) expected += v[k * m + l] * x.pointers[k][i];
          ASSERT_NEAR(r[i + l * (n + 1)], expected, 12 * tolerance);
        }
        ASSERT_EQ(r[n + l * (n + 1)], before[n + l * (n + 1)]);
      }
    }
  }
}

TEST_P(KernelsTest, CenteredSumsEqualPlainSums) {
  for (const Index n : lengths) {
    const std::vector<double> x = numbers(n, 1), w = numbers(n, 2);
    for (const double* weights : {static_cast<const double*>(nullptr), w.data()}) {
      double sum = 0, square = 0, sums[2];
      for (Index i = 0; i < n; ++i) {
        const double d = x[i] - 0.5, wi = weights == nullptr ? 1 : weights[i];
        sum += wi * d;
        square += wi * d * d;
      }
      k_.centered_sums(x.data(), weights, n, 0.5, sums);
      EXPECT_NEAR(sums[0], sum, 2 * tolerance * static_cast<double>(n));
      EXPECT_NEAR(sums[1], square, 4 * tolerance * static_cast<double>(n));
    }
  }
}

TEST_P(KernelsTest, SparseDotsEqualPlainDots) {
  constexpr Index n = 600;
  for (const Index count : lengths) {
    const std::vector<double> x = numbers(count, 1);
    std::vector<std::int32_t> rows;
    for (Index e = 0; e < count; ++e) rows.push_back(static_cast<std::int32_t>(e * 7 % n));
    for (Index m = 1; m <= 43; ++m) {
      const std::vector<double> r = numbers(n * m, 3);
      const auto expect = [&](Index l, double value) {
        double expected = 0;
        for (Index e = 0; e < count; ++e) expected += x[e] * r[rows[e] + l * n];
        ASSERT_NEAR(value, expected, tolerance * static_cast<double>(count)) << "m = " << m;
      };
      double out[64];
      if (m == 1) {
        k_.sparse_dots(x.data(), rows.data(), count, r.data(), 1, out);
        expect(0, out[0]);
        continue;
      }
      Panels({r.data(), n, m}, k_.widest_panel).for_each([&](const Panel& panel, Index) {
        k_.sparse_dots(x.data(), rows.data(), count, panel.data, panel.width, out);
        for (int l = 0; l < panel.count; ++l) expect(panel.first + l, out[l]);
      });
    }
  }
}

TEST_P(KernelsTest, WeightedAdditionTouchesEveryEntryOnce) {
  for (const Index n : {0, 1, 7, 8, 9, 33}) {
    std::vector<double> x(n), h(x.size()), q(x.size() + 1, 1.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = static_cast<double>(i) - 2.5;
      h[i] = 0.5 * static_cast<double>(i);
    }
    GetParam()->add_weighted(-1.0, h.data(), x.data(), n, q.data());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_DOUBLE_EQ(q[i], 1.0 - h[i] * x[i]);
    EXPECT_EQ(q.back(), 1.0);
  }
}

// A symmetric matrix of small integers, whose products are exact in single precision, in tiles.
struct TiledMatrix {
  static constexpr Index blocks = 19, size = 16 * blocks;  // more than two groups of tiles
  static float entry(Index i, Index j) { return static_cast<float>((i + 1) * (j + 1) % 23) - 11.0F; }
  static std::vector<float> tiles() {
    std::vector<float> tiles(blocks * (blocks + 1) / 2 * 256);
    for (Index i = 0; i < blocks; ++i) {
      for (Index j = 0; j <= i; ++j) {
        for (Index e = 0; e < 256; ++e) {
          tiles[(i * (i + 1) / 2 + j) * 256 + e] = entry(16 * i + e % 16, 16 * j + e / 16);
        }
      }
    }
    return tiles;
  }
};

TEST_P(KernelsTest, TilesBelowHearOfASteppingTile) {
  const std::vector<float> tiles = TiledMatrix::tiles();
  std::vector<float> d(16);
  for (std::size_t c = 0; c < d.size(); ++c) d[c] = static_cast<float>(c) - 4.0F;
  for (Index block = 0; block < TiledMatrix::blocks; ++block) {
    std::vector<double> g(TiledMatrix::size, 5.0);
    GetParam()->tile_push(tiles.data(), block, TiledMatrix::blocks, d.data(), g.data());
    for (Index i = 0; i < TiledMatrix::size; ++i) {
      double expected = 5.0;
      for (Index c = 0; c < 16 && i / 16 > block; ++c) {
        const double entry = TiledMatrix::entry(i, 16 * block + c);
        expected -= entry * static_cast<double>(d[c]);
      }
      EXPECT_EQ(g[i], expected);
    }
  }
}

TEST_P(KernelsTest, ATileHearsOfThoseBelowThatMoved) {
  const std::vector<float> tiles = TiledMatrix::tiles();
  std::vector<float> d(TiledMatrix::size);
  bool moved[TiledMatrix::blocks];
  for (std::size_t c = 0; c < d.size(); ++c) d[c] = static_cast<float>(c % 9) - 4.0F;
  for (Index i = 0; i < TiledMatrix::blocks; ++i) moved[i] = i % 3 != 1 && i < 16;
  for (Index block = 0; block < TiledMatrix::blocks; ++block) {
    std::vector<double> own(16, 5.0);
    GetParam()->tile_pull(tiles.data(), block, TiledMatrix::blocks, d.data(), moved, own.data());
    for (Index i = 0; i < 16; ++i) {
      double expected = 5.0;
      for (Index k = 16 * (block + 1); k < TiledMatrix::size; ++k) {
        if (!moved[k / 16]) continue;
        const double entry = TiledMatrix::entry(k, 16 * block + i);
        expected -= entry * static_cast<double>(d[k]);
      }
      EXPECT_EQ(own[i], expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EverySet, KernelsTest, testing::ValuesIn(runnable_kernels().begin(), runnable_kernels().end()),
                         [](const auto& info) { return std::string(info.param->name); });

TEST(Panels, CoverEveryColumnOnce) {
  for (Index m = 0; m <= 100; ++m) {
    const std::vector<double> r = numbers(3 * m, 1);
    for (const int widest : {8, 40}) {
      const Panels panels({r.data(), 3, m}, widest);
      Index next = 0, width = 0;
      panels.for_each([&](const Panel& panel, Index offset) {
        EXPECT_EQ(panel.first, next);
        EXPECT_EQ(offset, width);
        for (int l = 0; l < panel.width; ++l) {
          const double expected = l < panel.count ? r[2 + (panel.first + l) * 3] : 0;
          EXPECT_EQ(panel.data[2 * panel.width + l], expected);
        }
        next += panel.count;
        width += panel.width;
      });
      EXPECT_EQ(next, m);
      EXPECT_EQ(width, panels.total_width());
      EXPECT_LE(width, m + 3);
    }
  }
}

}  // namespace
}  // namespace tamis
