// A toy kind of matrix: every second row and third column of a larger table, as numpy slices one with steps, read where
// it lies. It implements what is mandatory and leaves the rest to Design. Its maker puts it among the kinds that the
// contract suites try.
#include <memory>
#include <vector>

#include "contract/design_kinds.hpp"
#include "tamis/design/design.hpp"

namespace tamis::contract {
namespace {

/// Entry (i, j) is data[i * row_step + j * column_step]. A view: the memory must outlive it.
class ToyStrides final : public Design {
 public:
  ToyStrides(const double* data, Index rows, Index cols, Index row_step, Index column_step)
      : data_(data), rows_(rows), cols_(cols), row_step_(row_step), column_step_(column_step) {}
  Index rows() const override { return rows_; }
  Index cols() const override { return cols_; }

 protected:
  void local_gather(Columns c, MatrixView out) const override {
    for (Index k = 0; k < c.size(); ++k) {
      const double* column = data_ + c[k] * column_step_;
      for (Index i = 0; i < rows_; ++i) out(i, k) = column[i * row_step_];
    }
  }

 private:
  const double* data_;
  Index rows_, cols_, row_step_, column_step_;
};

DesignCase strided(const Matrix& A) {
  constexpr Index row_step = 2, column_step = 3;
  const Index stride = row_step * A.rows();
  const auto memory =
      std::make_shared<std::vector<double>>(stride * column_step * A.cols(), 1e300);  // never to be read
  for (Index j = 0; j < A.cols(); ++j) {
    for (Index i = 0; i < A.rows(); ++i) (*memory)[i * row_step + j * column_step * stride] = A(i, j);
  }
  auto X = std::make_shared<ToyStrides>(memory->data(), A.rows(), A.cols(), row_step, column_step * stride);
  return {{memory}, {X}, A};
}

[[maybe_unused]] const DesignKind& added = add_design_kind({"ToyStrides", strided});

}  // namespace
}  // namespace tamis::contract
