// Everything: read, fit, look.
#pragma once

#include "tamis/base/error.hpp"              // IWYU pragma: export
#include "tamis/base/observer.hpp"           // IWYU pragma: export
#include "tamis/base/parallel.hpp"           // IWYU pragma: export
#include "tamis/compare/compare.hpp"         // IWYU pragma: export
#include "tamis/design/decorators.hpp"       // IWYU pragma: export
#include "tamis/design/design.hpp"           // IWYU pragma: export
#include "tamis/design/row_major.hpp"        // IWYU pragma: export
#include "tamis/factor/factor.hpp"           // IWYU pragma: export
#include "tamis/factor/new_rows.hpp"         // IWYU pragma: export
#include "tamis/family/family.hpp"           // IWYU pragma: export
#include "tamis/fit/comparison.hpp"          // IWYU pragma: export
#include "tamis/fit/components.hpp"          // IWYU pragma: export
#include "tamis/fit/factor_fit.hpp"          // IWYU pragma: export
#include "tamis/fit/fit.hpp"                 // IWYU pragma: export
#include "tamis/io/cells.hpp"                // IWYU pragma: export
#include "tamis/io/components.hpp"           // IWYU pragma: export
#include "tamis/io/dataset.hpp"              // IWYU pragma: export
#include "tamis/io/write_draws.hpp"          // IWYU pragma: export
#include "tamis/method/method.hpp"           // IWYU pragma: export
#include "tamis/report/comparison_page.hpp"  // IWYU pragma: export
#include "tamis/report/comparison_text.hpp"  // IWYU pragma: export
#include "tamis/report/factor_text.hpp"      // IWYU pragma: export
#include "tamis/report/text.hpp"             // IWYU pragma: export
#include "tamis/version.hpp"                 // IWYU pragma: export
