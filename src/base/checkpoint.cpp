// Checkpoints of long runs.
//
// Format     one line of text; then three 64-bit words: fingerprint of the run, size of the state, digest of the state;
//            then the state, numbers as they are in memory. Not portable between byte orders: it is for the same
//            machine.
// Guaranteed A checkpoint is loaded only into the run that wrote it (data, options, seed, version), complete and
//            unchanged; it is replaced atomically, so that a kill leaves the last complete one.
// Untrusted  everything after the first line: sizes are compared with what is left of the file before memory is taken,
//            and whatever does not fit throws InvalidInput with the remedy.
// Cost       saving takes at most a twentieth of the run: if it is slow, it is done less often.
// The digest is FNV-1a on 64-bit words: it detects accidents, not forgery.
#include "base/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tamis/base/atomic_file.hpp"
#include "tamis/base/error.hpp"

namespace tamis {
namespace {

// The line of text, for people who open the file.
constexpr std::string_view opening = "tamis checkpoint 1: give it to the same command by --checkpoint to go on\n";
constexpr double most_share_for_saving = 0.05;

std::string word(std::uint64_t value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::uint64_t word_at(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::uint64_t digest_of(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.value();
}

}  // namespace

void Archive::refuse(std::string_view reason) const { throw InvalidInput(fmt::format("{}: {}", where_, reason)); }

void Archive::raw(void* data, std::size_t size) {
  if (!loading_) {
    saved_.append(static_cast<const char*>(data), size);
    return;
  }
  if (size > left_.size()) refuse("the checkpoint is truncated; delete it and start again");
  std::memcpy(data, left_.data(), size);
  left_.remove_prefix(size);
}

void Archive::operator()(bool& value) {
  Index number = value ? 1 : 0;
  (*this)(number);
  value = number != 0;
}

// A corrupt count must not allocate: a list cannot be longer than what is left of the file.
Index Archive::checked_count(Index count, Index size) const {
  if (count < 0 || count > std::ssize(left_) / size) {
    refuse("the checkpoint is corrupt (a list is longer than the file); delete it and start again");
  }
  return count;
}

void Archive::expect(Index value, std::string_view what) {
  Index saved = value;
  (*this)(saved);
  if (saved != value)
    refuse(fmt::format("{} is {} in the checkpoint but {} in this run; use another file for this run", what, saved,
                       value));
}

void Archive::finish() const {
  if (!left_.empty())
    refuse(
        "the checkpoint holds more than this run needs and was written by another version; delete it and start again");
}

void Digest::add(const void* data, std::size_t size) {
  constexpr std::uint64_t prime = 1099511628211ULL;
  const char* bytes = static_cast<const char*>(data);
  for (; size > 0;) {
    std::uint64_t piece = 0;
    const std::size_t taken = std::min(size, sizeof piece);
    std::memcpy(&piece, bytes, taken);
    // A multiplication carries upwards only: without this, low bits of the digest would ignore high bits of the words.
    state_ = (state_ ^ piece) * prime;
    state_ ^= state_ >> 29;
    bytes += taken;
    size -= taken;
  }
}

void Digest::add(std::string_view text) {
  add(static_cast<double>(text.size()));
  add(text.data(), text.size());
}

Checkpoint::Checkpoint(std::string path, std::uint64_t run, double seconds_between)
    : path_(std::move(path)), run_(run), seconds_between_(seconds_between) {}

bool Checkpoint::load(const std::function<void(Archive&)>& exchange) {
  if (path_.empty()) return false;
  std::ifstream file(path_, std::ios::binary);
  if (!file) return false;
  const std::string content((std::istreambuf_iterator<char>(file)), {});
  const auto refuse = [&](std::string_view reason) { throw InvalidInput(fmt::format("{}: {}", path_, reason)); };
  const std::size_t head = opening.size() + 3 * sizeof(std::uint64_t);
  if (content.empty()) return false;  // made by `touch` or mktemp: no state yet
  if (!content.starts_with(opening) || content.size() < head)
    refuse("not a checkpoint of this version of tamis; use another file");
  if (word_at(content, opening.size()) != run_) {
    refuse("the checkpoint belongs to another run (data, options and seed must be the same); use another file");
  }
  const std::string_view state = std::string_view(content).substr(head);
  if (word_at(content, opening.size() + 8) != state.size() ||
      word_at(content, opening.size() + 16) != digest_of(state)) {
    refuse("the checkpoint is corrupt; delete it and start again");
  }
  Archive archive(state, path_);
  exchange(archive);
  archive.finish();
  return true;
}

void Checkpoint::save_if_due(const std::function<void(Archive&)>& exchange) {
  if (path_.empty()) return;
  const double wait = std::max(seconds_between_, seconds_to_save_ / most_share_for_saving);
  if (std::chrono::duration<double>(Clock::now() - last_).count() >= wait) save(exchange);
}

void Checkpoint::save(const std::function<void(Archive&)>& exchange) {
  if (path_.empty()) return;
  const Clock::time_point start = Clock::now();
  Archive archive;
  exchange(archive);
  const std::string& state = archive.bytes();
  write_file_atomically(path_, std::string(opening) + word(run_) + word(state.size()) + word(digest_of(state)) + state);
  last_ = Clock::now();
  seconds_to_save_ = std::chrono::duration<double>(last_ - start).count();
}

}  // namespace tamis
