#include "base/handover.hpp"

namespace tamis {

void Handover::give() { given_.fetch_add(1, std::memory_order_release); }
void Handover::take() { given_.load(std::memory_order_acquire); }

}  // namespace tamis
