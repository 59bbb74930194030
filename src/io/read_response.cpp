#include "io/read_response.hpp"

#include "io/read_csv.hpp"
#include "io/source.hpp"

namespace tamis::io {

Response read_response(const std::string& path, const std::string& target) {
  return read_response_csv(Source::open(path), target);
}

}  // namespace tamis::io
