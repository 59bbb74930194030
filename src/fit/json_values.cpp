// Values of model files. nlohmann::json writes doubles with few digits that read back to the same bits (Grisu2); what
// it does not do, null for NaN and integers for whole options, is done here.
#include "fit/json_values.hpp"

#include <cmath>
#include <cstdint>

namespace tamis::json {
namespace {

// Options are counts and seeds as often as measures: 10, not 10.0. Exact below 2^53; -0.0 stays a double, for an
// integer has no sign of zero.
Value option_number(double value) {
  constexpr double exact_below = 9007199254740992;  // 2^53
  const bool whole = std::abs(value) < exact_below && value == std::floor(value);
  return whole && (value != 0 || !std::signbit(value)) ? Value(static_cast<std::int64_t>(value)) : number(value);
}

struct OptionToJson {
  Value operator()(std::monostate) const { return nullptr; }
  Value operator()(bool value) const { return value; }
  Value operator()(double value) const { return option_number(value); }
  Value operator()(const std::string& value) const { return value; }
};

}  // namespace

Value number(double value) { return std::isfinite(value) ? Value(value) : Value(nullptr); }
Value number(const std::optional<double>& value) { return value ? number(*value) : Value(nullptr); }

Value numbers(const std::vector<double>& values) {
  Value list = Value::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

Value options(const std::map<std::string, OptionValue>& values) {
  Value result = Value::object();
  for (const auto& [name, value] : values) result[name] = std::visit(OptionToJson{}, value);
  return result;
}

Value trace(const std::vector<TracePoint>& points) {
  Value list = Value::array();
  for (const TracePoint& point : points) {
    list.push_back({{"iteration", point.iteration},
                    {"objective", number(point.objective)},
                    {"change", number(point.change)},
                    {"active", point.active},
                    {"certificate", number(point.certificate)}});
  }
  return list;
}

// error_handler_t::replace: feature names come from data files and need not be UTF-8; dump() would throw by default.
void Lines::add(const char* key, const Value& value) {
  begin(key) += value.dump(-1, ' ', false, Value::error_handler_t::replace);
}

std::string& Lines::begin(const char* key) {
  text_ += begun_ ? ",\n\"" : "{\n\"";
  begun_ = true;
  text_ += key;
  text_ += "\": ";
  return text_;
}

// Pieces of about 1 MB: few system calls, little memory.
void Lines::flush() {
  constexpr std::size_t long_piece = std::size_t{1} << 20;
  if (!sink_ || text_.size() < long_piece) return;
  sink_(text_);
  text_.clear();
}

}  // namespace tamis::json
