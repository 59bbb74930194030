#include "bench/measure.hpp"

#include <malloc.h>

#include <chrono>
#include <ctime>
#include <fstream>
#include <string>

namespace tamis::bench {
namespace {

double status_bytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(field + ":")) return 1024 * std::stod(line.substr(field.size() + 1));
  }
  return 0;
}

double processor_clock() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace

Measured measure(const std::function<void()>& work) {
  malloc_trim(0);  // memory that the last run gave back must not serve this one for free
  std::ofstream("/proc/self/clear_refs") << '5' << std::flush;  // resets the peak
  const double before = status_bytes("VmRSS");
  const double processor = processor_clock();
  const auto start = std::chrono::steady_clock::now();
  work();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {seconds, processor_clock() - processor, status_bytes("VmHWM") - before};
}

}  // namespace tamis::bench
