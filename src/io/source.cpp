// Bytes of an input file.
//
// Kinds      regular files are memory-mapped: parallel readers share one copy and untouched pages are never read. Pipes
//            and devices are read into memory up to the limit. gzip content is decompressed whatever the name says.
// Changes    a mapped file may be changed by another process while it is read. Size and modification time are compared
//            at the end, and a difference is refused; truncation raises SIGBUS, which only the program may handle
//            (apps/tamis/bus_error.cpp).
// Memory     release() drops pages that have been parsed (MADV_DONTNEED on a read-only private mapping: they are read
//            again from the file if touched), so that resident memory is that of the numbers.
#include "io/source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "io/inflate.hpp"
#include "tamis/base/error.hpp"

namespace tamis::io {

// File descriptor and the status at the time of open().
class OpenFile {
 public:
  explicit OpenFile(const std::string& path) : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) throw MissingFile(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
    if (::fstat(descriptor_, &status_) != 0 || S_ISDIR(status_.st_mode)) {
      ::close(descriptor_);
      throw MissingFile(fmt::format("{}: is a directory; expected a file", path));
    }
  }
  ~OpenFile() { ::close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int descriptor() const { return descriptor_; }
  bool is_regular() const { return S_ISREG(status_.st_mode); }
  std::size_t size() const { return status_.st_size; }
  bool has_changed() const {
    struct stat now {};
    return ::fstat(descriptor_, &now) != 0 || now.st_size != status_.st_size ||
           now.st_mtim.tv_sec != status_.st_mtim.tv_sec || now.st_mtim.tv_nsec != status_.st_mtim.tv_nsec;
  }

 private:
  int descriptor_;
  struct stat status_ {};
};

namespace {

std::string read_all(const OpenFile& file, const std::string& path, std::size_t limit) {
  std::string all;
  std::string block(1 << 18, '\0');
  for (;;) {
    const ssize_t got = ::read(file.descriptor(), block.data(), block.size());
    // A signal that interrupts the read (a resized terminal) is no error.
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw MissingFile(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
    if (got == 0) return all;
    all.append(block.data(), got);
    if (all.size() > limit) {
      throw InvalidInput(
          fmt::format("{}: received more than {} bytes from a pipe; write the data to a file first", path, limit));
    }
  }
}

// Extension without ".gz" and regardless of case: "Data.CSV.gz" is ".csv".
std::string extension_of(std::string_view name) {
  const auto slash = name.rfind('/');
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (lower.ends_with(".gz")) lower.resize(lower.size() - 3);
  const auto dot = lower.rfind('.');
  return dot == std::string::npos ? "" : lower.substr(dot);
}

}  // namespace

// Half of physical memory: the decompressed bytes and the numbers parsed from them are held at the same time.
Limits Limits::of_this_machine() {
  Limits limits;
  const Index pages = std::max(1L, ::sysconf(_SC_PHYS_PAGES));
  limits.unpacked_bytes = pages * ::sysconf(_SC_PAGESIZE) / 2;
  return limits;
}

Source::Source(std::string name, const Limits& limits)
    : name_(std::move(name)), extension_(extension_of(name_)), limits_(limits) {}

Source Source::open(const std::string& path) {
  Source source(path, Limits::of_this_machine());
  const auto file = std::make_shared<const OpenFile>(path);
  if (!file->is_regular()) {
    source.owned_ = std::make_shared<std::string>(read_all(*file, path, source.limits_.unpacked_bytes));
    source.bytes_ = *source.owned_;
  } else if (file->size() > 0) {
    source.file_ = file;
    const std::size_t size = file->size();
    void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file->descriptor(), 0);
    if (start == MAP_FAILED) throw MissingFile(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
    source.mapping_ =
        std::shared_ptr<const void>(start, [size](const void* p) { ::munmap(const_cast<void*>(p), size); });
    source.bytes_ = {static_cast<const char*>(start), size};
  }
  source.unpack_if_gzip();
  return source;
}

Source Source::of_bytes(std::string name, std::string_view bytes, const Limits& limits) {
  Source source(std::move(name), limits);
  source.bytes_ = bytes;
  source.unpack_if_gzip();
  return source;
}

void Source::unpack_if_gzip() {
  if (!bytes_.starts_with("\x1f\x8b")) return;
  owned_ = std::make_shared<std::string>(gunzip(bytes_, limits_.unpacked_bytes, name_));
  bytes_ = *owned_;
  mapping_.reset();
}

void Source::release(const char* begin, const char* end) const {
  // Anonymous memory would lose its content: only file mappings are released.
  const bool mapped = mapping_ != nullptr && begin >= bytes_.data() && end <= bytes_.data() + bytes_.size();
  if (!mapped) return;
  // Whole pages inside the range only: neighboring chunks may still be in use. The mapping starts at a page.
  const Index page = ::sysconf(_SC_PAGESIZE);
  const std::ptrdiff_t first = (begin - bytes_.data() + page - 1) / page * page;
  const std::ptrdiff_t last = (end - bytes_.data()) / page * page;
  if (first >= last) return;
  ::madvise(const_cast<char*>(bytes_.data()) + first, last - first, MADV_DONTNEED);
}

void Source::refuse_if_changed() const {
  if (file_ != nullptr && file_->has_changed()) {
    refuse("the file changed while it was being read; try again once it is complete");
  }
}

// O(position): for error messages only, so that readers need not count lines.
Index Source::line_of(const char* position) const { return 1 + std::count(bytes_.data(), position, '\n'); }

void Source::refuse(const std::string& sentence) const { throw InvalidInput(name_ + ": " + sentence); }

}  // namespace tamis::io
