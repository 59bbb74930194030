#include "contract/design_kinds.hpp"

#include <algorithm>
#include <utility>

#include "tamis/design/column_subset.hpp"
#include "tamis/design/decorators.hpp"
#include "tamis/design/row_major.hpp"

namespace tamis::contract {
namespace {

// The least that a kind may implement: all else are the default bodies of Design.
class GatherOnlyDesign final : public Design {
 public:
  explicit GatherOnlyDesign(Matrix values) : values_(std::move(values)) {}
  Index rows() const override { return values_.rows(); }
  Index cols() const override { return values_.cols(); }

 protected:
  void local_gather(Columns c, MatrixView out) const override {
    for (Index k = 0; k < c.size(); ++k) std::copy_n(values_.col(c[k]), rows(), out.col(k));
  }

 private:
  Matrix values_;
};

// A column-major copy whose columns are `gap` apart; the gaps hold garbage that must never be read.
DesignCase dense(const Matrix& A, Index gap = 0) {
  const Index stride = A.rows() + gap;
  auto memory = std::make_shared<std::vector<double>>(stride * A.cols(), 1e300);
  for (Index j = 0; j < A.cols(); ++j) std::copy_n(A.col(j), A.rows(), memory->data() + j * stride);
  auto X = std::make_shared<DenseDesign>(ConstMatrixView(memory->data(), A.rows(), A.cols(), stride));
  return {{memory}, {X}, A};
}

// A row-major copy whose rows are `gap` apart, likewise.
DesignCase row_major(const Matrix& A, Index gap) {
  const Index stride = A.cols() + gap;
  auto memory = std::make_shared<std::vector<double>>(stride * A.rows(), 1e300);
  for (Index i = 0; i < A.rows(); ++i) {
    for (Index j = 0; j < A.cols(); ++j) (*memory)[i * stride + j] = A(i, j);
  }
  return {{memory}, {std::make_shared<RowMajorDesign>(memory->data(), A.rows(), A.cols(), stride)}, A};
}

DesignCase sparse(const Matrix& A) {
  SparseColumns s{.rows = A.rows(), .cols = A.cols(), .starts = {0}, .indices = {}, .values = {}};
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index i = 0; i < A.rows(); ++i) {
      if (A(i, j) == 0) continue;
      s.indices.push_back(static_cast<std::int32_t>(i));
      s.values.push_back(A(i, j));
    }
    s.starts.push_back(std::ssize(s.values));
  }
  return {{}, {std::make_shared<SparseDesign>(std::move(s))}, A};
}

DesignCase gather_only(const Matrix& A) { return {{}, {std::make_shared<GatherOnlyDesign>(A)}, A}; }

DesignCase standardized(DesignCase inner) {
  const ColumnMoments m = column_moments(inner.X(), {});
  for (Index j = 0; j < inner.twin.cols(); ++j) {
    for (double& x : inner.twin.column(j)) x = m.deviation[j] == 0 ? 0 : (x - m.mean[j]) / m.deviation[j];
  }
  inner.chain.push_back(std::make_shared<StandardizedDesign>(inner.X(), m.mean, m.deviation));
  return inner;
}

// Two thirds of the rows out of order, the first of them twice.
DesignCase row_subset(DesignCase inner) {
  const Index n = inner.twin.rows();
  std::vector<Index> rows;
  for (Index i = n - 1; i >= 0; --i) {
    if (i % 3 != 1 || n < 3) rows.push_back(i);
  }
  if (!rows.empty()) rows.push_back(rows.front());
  Matrix twin(std::ssize(rows), inner.twin.cols());
  for (Index j = 0; j < twin.cols(); ++j) {
    for (Index i = 0; i < twin.rows(); ++i) twin(i, j) = inner.twin(rows[i], j);
  }
  inner.twin = std::move(twin);
  inner.chain.push_back(std::make_shared<RowSubsetDesign>(inner.X(), std::move(rows)));
  return inner;
}

// Columns backwards, every third one that the inner Design does not have.
DesignCase column_subset(DesignCase inner) {
  std::vector<Index> columns;
  Matrix twin(inner.twin.rows(), inner.twin.cols());
  for (Index j = 0; j < twin.cols(); ++j) {
    const Index from = j == 1 || j == 2 ? j : twin.cols() - 1 - j;  // constant columns stay where tests expect them
    columns.push_back(j % 3 == 2 ? ColumnSubsetDesign::zero_column : from);
    if (j % 3 != 2) std::copy_n(inner.twin.col(from), twin.rows(), twin.col(j));
  }
  inner.twin = std::move(twin);
  inner.chain.push_back(std::make_shared<ColumnSubsetDesign>(inner.X(), std::move(columns)));
  return inner;
}

std::deque<DesignKind>& kinds() {
  static std::deque<DesignKind> all = {
      {"Dense", [](const Matrix& A) { return dense(A); }},
      {"DenseWithGaps", [](const Matrix& A) { return dense(A, 5); }},
      {"RowMajorWithGaps", [](const Matrix& A) { return row_major(A, 3); }},
      {"StandardisedRowMajor", [](const Matrix& A) { return standardized(row_major(A, 0)); }},
      {"Sparse", [](const Matrix& A) { return sparse(A); }},
      {"StandardisedDense", [](const Matrix& A) { return standardized(dense(A)); }},
      {"StandardisedSparse", [](const Matrix& A) { return standardized(sparse(A)); }},
      {"RowSubsetOfDense", [](const Matrix& A) { return row_subset(dense(A, 2)); }},
      {"RowSubsetOfSparse", [](const Matrix& A) { return row_subset(sparse(A)); }},
      {"StandardisedRowSubset", [](const Matrix& A) { return standardized(row_subset(dense(A))); }},
      {"RowSubsetOfStandardized", [](const Matrix& A) { return row_subset(standardized(sparse(A))); }},
      {"StandardisedTwice", [](const Matrix& A) { return standardized(standardized(dense(A))); }},
      {"ColumnSubsetOfDense", [](const Matrix& A) { return column_subset(dense(A)); }},
      {"ColumnSubsetOfSparse", [](const Matrix& A) { return column_subset(sparse(A)); }},
      {"GatherOnly", [](const Matrix& A) { return gather_only(A); }},
      {"StandardisedGatherOnly", [](const Matrix& A) { return standardized(gather_only(A)); }},
  };
  return all;
}

}  // namespace

const std::deque<DesignKind>& design_kinds() { return kinds(); }

const DesignKind& add_design_kind(DesignKind kind) { return kinds().emplace_back(std::move(kind)); }

Matrix example_matrix(Index rows, Index cols) {
  Matrix A(rows, cols);
  std::uint32_t state = 12345;
  const auto next = [&] { return static_cast<double>((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24); };
  for (Index j = 0; j < cols; ++j) {
    for (double& x : A.column(j)) {
      const double keep = next(), value = 4 * next() - 1;
      x = j == 1 ? 2.5 : (j == 2 || keep < 0.6) ? 0 : value;
    }
  }
  return A;
}

}  // namespace tamis::contract
