// svmlight / LIBSVM: one sample per line, `label index:value index:value ... # comment`. Columns are named by the
// file's own indices (x1, x2, ...; x0 too if index 0 occurs), so files of different widths and of either base agree.
// Labels that are all -1 or +1 become 0 and 1.
#pragma once

#include "io/table.hpp"

namespace tamis::io {

class Source;

/// By the first line with content, which has to be a label and a pair.
bool sniff_svmlight(std::string_view bytes);
Table read_svmlight(const Source& source, const ColumnFilter& filter);

}  // namespace tamis::io
