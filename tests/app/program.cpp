#include "app/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace tamis {
namespace {

using namespace std::chrono_literals;
constexpr auto time_limit = 60s;
constexpr auto glance = 5ms;

std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void redirect(int descriptor, const std::string& path) {
  const int opened = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (opened < 0 || ::dup2(opened, descriptor) < 0) ::_exit(126);
  if (opened != descriptor) ::close(opened);
}

void close_the_reading_end() {
  int ends[2];
  if (::pipe(ends) != 0 || ::dup2(ends[1], STDOUT_FILENO) < 0) ::_exit(126);
  ::close(ends[0]);
  ::close(ends[1]);
}

void limit_memory(std::size_t bytes) {
  const rlimit limit{bytes, bytes};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(126);
}

// Files that root may not write by their permissions it may not write then either.
void give_up_privileges() {
  if (::geteuid() == 0 && ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE) != 0) ::_exit(126);
}

// Numbers that look random and are the same everywhere: a small linear congruential generator, from -1 to 1.
class Numbers {
 public:
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) / 4503599627370496.0 - 1;
  }

 private:
  std::uint64_t state_ = 42;
};

}  // namespace

bool has_terminals() {
  int ours = -1, theirs = -1;
  if (::openpty(&ours, &theirs, nullptr, nullptr, nullptr) != 0) return false;
  ::close(ours);
  ::close(theirs);
  return true;
}

Running::Running(const std::filesystem::path& folder, const std::vector<std::string>& arguments, const Streams& streams)
    : out_(folder / "stdout"), err_(folder / "stderr") {
  int terminal_of_child = -1;
  if (streams.err_on_terminal) {
    winsize size{};
    size.ws_col = 90;
    size.ws_row = 25;
    if (::openpty(&terminal_, &terminal_of_child, nullptr, nullptr, &size) != 0) throw std::runtime_error("openpty");
    ::fcntl(terminal_, F_SETFL, O_NONBLOCK);
  }
  std::vector<std::string> words = {TAMIS_PROGRAM};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  child_ = ::fork();
  if (child_ == 0) {
    std::signal(SIGINT, SIG_DFL);  // a test in the background has it ignored, and the child would inherit that
    std::signal(SIGTERM, SIG_DFL);
    if (::chdir(folder.c_str()) != 0) ::_exit(126);
    if (streams.memory > 0) limit_memory(streams.memory);
    if (streams.obeys_permissions) give_up_privileges();
    if (streams.out_is_closed_pipe) {
      close_the_reading_end();
    } else if (streams.out_is_closed) {
      ::close(STDOUT_FILENO);
    } else {
      redirect(STDOUT_FILENO, streams.out.empty() ? out_.string() : streams.out);
    }
    if (streams.err_on_terminal) {
      ::dup2(terminal_of_child, STDERR_FILENO);
    } else {
      redirect(STDERR_FILENO, err_);
    }
    ::execv(TAMIS_PROGRAM, argv.data());
    ::_exit(127);
  }
  if (terminal_of_child >= 0) ::close(terminal_of_child);
}

Running::~Running() {
  if (!ended_) {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, &status_, 0);
  }
  if (terminal_ >= 0) ::close(terminal_);
}

bool Running::has_ended() {
  if (!ended_) ended_ = ::waitpid(child_, &status_, WNOHANG) == child_;
  return ended_;
}

void Running::read_terminal() {
  char buffer[4096];
  for (ssize_t n = 0; terminal_ >= 0 && (n = ::read(terminal_, buffer, sizeof buffer)) > 0;) {
    shown_on_terminal_.append(buffer, n);
  }
}

bool Running::says(const std::string& words) {
  const auto deadline = std::chrono::steady_clock::now() + time_limit;
  while (std::chrono::steady_clock::now() < deadline) {
    const bool last_look = has_ended();
    read_terminal();
    const std::string said = terminal_ >= 0 ? shown_on_terminal_ : content_of(err_);
    if (said.find(words) != std::string::npos) return true;
    if (last_look) return false;
    std::this_thread::sleep_for(glance);
  }
  return false;
}

void Running::signal(int number) const { ::kill(child_, number); }

Outcome Running::wait() {
  const auto deadline = std::chrono::steady_clock::now() + time_limit;
  while (!has_ended() && std::chrono::steady_clock::now() < deadline) {
    read_terminal();
    std::this_thread::sleep_for(glance);
  }
  read_terminal();
  Outcome outcome;
  if (ended_ && WIFEXITED(status_)) outcome.exit_code = WEXITSTATUS(status_);
  outcome.out = content_of(out_);
  outcome.err = terminal_ >= 0 ? shown_on_terminal_ : content_of(err_);
  return outcome;
}

void ProgramTest::SetUp() {
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  folder_ = std::filesystem::path(testing::TempDir()) / fmt::format("tamis_{}_{}", ::getpid(), info->name());
  std::filesystem::create_directories(folder_);
}

void ProgramTest::TearDown() {
  std::filesystem::permissions(folder_, std::filesystem::perms::owner_all);
  std::filesystem::remove_all(folder_);
}

Outcome ProgramTest::run(const std::vector<std::string>& arguments, const Streams& streams) const {
  return Running(folder_, arguments, streams).wait();
}

std::string ProgramTest::file(const std::string& name, const std::string& content) const {
  std::ofstream(folder_ / name, std::ios::binary) << content;
  return name;
}

std::string ProgramTest::read(const std::string& name) const { return content_of(folder_ / name); }

std::string ProgramTest::small_csv() const {
  Numbers number;
  std::string text = "y,a,b,c,d,e\n";
  for (int i = 0; i < 40; ++i) {
    const double a = number();
    const double b = number();
    const double noise = 0.1 * number();
    text += fmt::format("{},{},{},{},{},{}\n", 2 * a - b + noise, a, b, number(), number(), number());
  }
  return file("small.csv", text);
}

std::string ProgramTest::large_csv() const {
  constexpr int columns = 400, signals = 20;
  Numbers number;
  std::string text = "y";
  for (int j = 0; j < columns; ++j) text += fmt::format(",x{}", j);
  for (int i = 0; i < 300; ++i) {
    double y = 0;
    std::string row;
    for (int j = 0; j < columns; ++j) {
      const double x = number();
      if (j < signals) y += x;
      row += fmt::format(",{:.4f}", x);
    }
    text += fmt::format("\n{}", y) + row;
  }
  return file("large.csv", text + "\n");
}

std::string ProgramTest::small_model() const {
  const Outcome outcome = run({"fit", small_csv(), "--target", "y", "--method", "lasso", "-o", "model.json"});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return "model.json";
}

}  // namespace tamis
