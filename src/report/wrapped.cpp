// Greedy line breaking at blanks by display width; for messages and explanations, where hyphenation is not worth its
// rules.
#include "report/wrapped.hpp"

#include <sstream>

#include "tamis/report/printable.hpp"

namespace tamis {

// Runs of blanks and line breaks in `text` count as one blank.
std::string wrapped(const std::string& text, Index width) {
  std::string result;
  Index used = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const Index size = display_width(word);
    const bool fits = used + 1 + size <= width;
    if (used > 0) result += fits ? ' ' : '\n';
    used = used > 0 && fits ? used + 1 + size : size;
    result += word;
  }
  return result + "\n";
}

}  // namespace tamis
