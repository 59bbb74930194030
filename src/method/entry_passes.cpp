#include "method/entry_passes.hpp"

#include <cmath>
#include <numeric>

#include "base/vectorised.hpp"

namespace tamis {
namespace {

std::vector<double> row_by_row(const Matrix& D) {
  std::vector<double> rows(static_cast<std::size_t>(D.rows() * D.cols()));
  for (Index k = 0; k < D.cols(); ++k) {
    for (Index i = 0; i < D.rows(); ++i) rows[static_cast<std::size_t>(i * D.cols() + k)] = D(i, k);
  }
  return rows;
}

}  // namespace

// In order of their lengths, so that short loops end where the one before did, as processors expect.
std::optional<EntryPasses> EntryPasses::over(const Design& X, Columns c) {
  constexpr double far = 1e4;  // centres in units of the scale, beyond which digits would cancel
  if (!(X.stored_per_column() < 0.1 * static_cast<double>(X.rows()))) return std::nullopt;
  std::vector<ColumnView> views;
  views.reserve(static_cast<std::size_t>(c.size()));
  std::vector<std::size_t> places(static_cast<std::size_t>(X.rows()) + 2, 0);  // of the first column of each length
  Index entries = 0;
  for (Index k = 0; k < c.size(); ++k) {
    const std::optional<ColumnView> x = X.column(c[k]);
    if (!x || x->rows == nullptr || std::abs(x->centre * x->factor) > far) return std::nullopt;
    views.push_back(*x);
    ++places[static_cast<std::size_t>(x->count) + 1];
    entries += x->count;
  }
  std::partial_sum(places.begin(), places.end(), places.begin());
  EntryPasses passes;
  passes.rows_of_X_ = X.rows();
  passes.columns_.resize(views.size());
  for (std::size_t k = 0; k < views.size(); ++k)
    passes.columns_[places[static_cast<std::size_t>(views[k].count)]++] = k;
  passes.starts_.reserve(views.size() + 1);
  passes.centres_.reserve(views.size());
  passes.rows_.reserve(static_cast<std::size_t>(entries));
  passes.values_.reserve(static_cast<std::size_t>(entries));
  for (const std::size_t k : passes.columns_) {
    const ColumnView& x = views[k];
    passes.starts_.push_back(static_cast<Index>(passes.values_.size()));
    passes.centres_.push_back(x.factor * x.centre);
    passes.rows_.insert(passes.rows_.end(), x.rows, x.rows + x.count);
    for (Index e = 0; e < x.count; ++e) passes.values_.push_back(x.factor * x.values[e]);
  }
  passes.starts_.push_back(entries);
  return passes;
}

// Entries and centres apart: (x - m)(x - m)'d = (x - m)(x'd - m 1'd), and what m takes from every row is taken at once.
std::vector<double> EntryPasses::times(std::span<const double> d) const {
  std::vector<double> out(d.size(), 0.0);
  const double sum = std::accumulate(d.begin(), d.end(), 0.0);
  double shift = 0;
  const double* const values = values_.data();
  const std::int32_t* const rows = rows_.data();
  for (std::size_t k = 0; k < centres_.size(); ++k) {
    const Index begin = starts_[k], end = starts_[k + 1];
    double along = -centres_[k] * sum;
    for (Index e = begin; e < end; ++e) along += values[e] * d[static_cast<std::size_t>(rows[e])];
    shift += along * centres_[k];
    for (Index e = begin; e < end; ++e) out[static_cast<std::size_t>(rows[e])] += along * values[e];
  }
  for (double& v : out) v -= shift;
  return out;
}

std::vector<double> EntryPasses::diagonal() const {
  std::vector<double> out(static_cast<std::size_t>(rows_of_X_), 0.0);
  double everywhere = 0;
  for (std::size_t k = 0; k < centres_.size(); ++k) {
    everywhere += centres_[k] * centres_[k];
    for (Index e = starts_[k]; e < starts_[k + 1]; ++e) {
      out[static_cast<std::size_t>(rows_[e])] += values_[e] * (values_[e] - 2 * centres_[k]);
    }
  }
  for (double& v : out) v += everywhere;
  return out;
}

template <class Body>
void EntryPasses::for_each(std::span<const double> rows_of_D, std::size_t width, const Body& body) const {
  std::vector<double> sums(width, 0.0), products(width);
  double* const along = products.data();
  for (std::size_t i = 0; i < rows_of_D.size(); i += width) {
    for (std::size_t l = 0; l < width; ++l) sums[l] += rows_of_D[i + l];
  }
  vectorised([&] {
    for (std::size_t k = 0; k < centres_.size(); ++k) {
      for (std::size_t l = 0; l < width; ++l) along[l] = -centres_[k] * sums[l];
      for (Index e = starts_[k]; e < starts_[k + 1]; ++e) {
        const double v = values_[e];
        const double* const row = rows_of_D.data() + static_cast<std::size_t>(rows_[e]) * width;
        for (std::size_t l = 0; l < width; ++l) along[l] += v * row[l];
      }
      body(k, along);
    }
  });
}

Matrix EntryPasses::times(const Matrix& D, std::span<const double> scale) const {
  const auto width = static_cast<std::size_t>(D.cols());
  std::vector<double> to(static_cast<std::size_t>(D.rows()) * width, 0.0), shift(width, 0.0);
  for_each(row_by_row(D), width, [&](std::size_t k, double* along) {
    const double factor = scale[columns_[k]];
    for (std::size_t l = 0; l < width; ++l) {
      along[l] *= factor;
      shift[l] += centres_[k] * along[l];
    }
    for (Index e = starts_[k]; e < starts_[k + 1]; ++e) {
      const double v = values_[e];
      double* const row = to.data() + static_cast<std::size_t>(rows_[e]) * width;
      for (std::size_t l = 0; l < width; ++l) row[l] += v * along[l];
    }
  });
  Matrix out(D.rows(), D.cols());
  for (Index k = 0; k < D.cols(); ++k) {
    for (Index i = 0; i < D.rows(); ++i) {
      out(i, k) = to[static_cast<std::size_t>(i * D.cols() + k)] - shift[static_cast<std::size_t>(k)];
    }
  }
  return out;
}

std::vector<double> EntryPasses::squares(const Matrix& D) const {
  const auto width = static_cast<std::size_t>(D.cols());
  std::vector<double> out(columns_.size());
  for_each(row_by_row(D), width, [&](std::size_t k, const double* along) {
    double sum = 0;
    for (std::size_t l = 0; l < width; ++l) sum += along[l] * along[l];
    out[columns_[k]] = sum;
  });
  return out;
}

}  // namespace tamis
