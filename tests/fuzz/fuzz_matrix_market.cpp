#include "read_once.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tamis::io::read_once("fuzzed.mtx", data, size);
}
