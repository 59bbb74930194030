// Where results go: standard output, or a file by -o. Words for people go to standard error.
#pragma once

#include <string>
#include <string_view>

namespace tamis::app {

/// Makes sure that descriptors 0 to 2 exist and that a reader who went away is an error of write(), not a death.
void prepare_streams();

/// Writes all of it. Throws OutputError if it cannot be written (a full disk); a reader who has gone away
/// (`tamis ... | head -1`) has seen enough, and that is no error.
void print(std::string_view text);

/// Result to `path`, or to standard output if it is empty.
void deliver(const std::string& path, std::string_view content);

/// "tamis: words" on standard error, unless quiet. Unprintable characters are spelled out.
void note(bool quiet, std::string_view words);

/// Throws OutputError if `path` could not be written now (no such folder, no permission, a folder itself), so that
/// hours of work are not lost in the end. An empty path passes.
void check_writable(const std::string& path);

/// Throws InvalidOption if `output` is the file `input`, so that data are not overwritten.
void check_not_input(const std::string& output, const std::string& input);

}  // namespace tamis::app
