#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "interrupt.hpp"
#include "tamis/report/printable.hpp"

namespace tamis::app {
namespace {

constexpr Index phase_width = 24;

int terminal_columns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// "0:07", "12:34", "3:02:01".
std::string clock_words(double seconds) {
  const auto total = static_cast<long>(std::min(seconds, 3.6e6));
  const long hours = total / 3600;
  const long minutes = total / 60 % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, total % 60)
                   : fmt::format("{}:{:02}", minutes, total % 60);
}

void write_to_terminal(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

ProgressBar::ProgressBar(const std::string& mode)
    : terminal_(::isatty(STDERR_FILENO) == 1), shown_(mode == "always" || (mode == "auto" && terminal_)) {}

void ProgressBar::progress(double fraction, std::string_view phase) {
  if (!shown_) return;
  const Clock::time_point now = Clock::now();
  const bool new_phase = phase != phase_;
  if (new_phase) {
    phase_ = phase;
    phase_began_ = now;
  }
  constexpr std::chrono::milliseconds pause(100);
  if (drawn_ && !new_phase && fraction < 1 && now - last_drawn_ < pause) return;
  last_drawn_ = now;
  draw(std::clamp(fraction, 0.0, 1.0));
}

void ProgressBar::draw(double fraction) {
  const double elapsed = std::chrono::duration<double>(last_drawn_ - phase_began_).count();
  // An estimate from less than this is noise and only frightens.
  const bool can_tell = elapsed > 0.5 && fraction > 0.02;
  const std::string left = can_tell ? clock_words(std::ceil(elapsed * (1 - fraction) / fraction)) + " left" : "";
  const int cells = std::clamp(terminal_columns() - static_cast<int>(phase_width) - 24, 5, 40);
  const auto full = static_cast<std::size_t>(std::lround(fraction * cells));
  std::string bar(full, '#');
  bar.resize(cells, '.');
  write_to_terminal(fmt::format("\r{} [{}] {:3.0f}%  {:14}", fitted(phase_, phase_width), bar, 100 * fraction, left));
  drawn_ = true;
}

bool ProgressBar::cancelled() { return interrupted(); }

void ProgressBar::finish() {
  if (drawn_) write_to_terminal(terminal_ ? "\r\x1b[K" : "\n");
  drawn_ = false;
}

}  // namespace tamis::app
