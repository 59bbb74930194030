// For any processor: vectors of two doubles (SSE2, NEON).
#include "linalg/kernel_bodies.hpp"
#include "linalg/kernel_sets.hpp"

namespace tamis {
namespace {

struct Baseline {
  static constexpr int lanes = 2;
  static constexpr int dot_columns = 2;
  static constexpr int dot_chains = 4;
  static constexpr int panel_vectors = 4;
  static Vector<2> load_part(const double* p, int) { return Vector<2>{p[0], 0}; }
  static void store_part(double* p, Vector<2> v, int) { p[0] = v[0]; }
};

}  // namespace

constexpr Kernels baseline_kernels = kernels_of<Baseline>("baseline");

}  // namespace tamis
