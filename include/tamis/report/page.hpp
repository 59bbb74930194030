// A page for people: sentences, numbers, charts and tables as one self-contained HTML file that opens from disk without
// network, prints, and can be sent to a colleague. What a page says is put together here as plain values; names and
// words may come from anywhere, they are shown as text and never run.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tamis/base/index.hpp"
#include "tamis/base/matrix.hpp"
#include "tamis/report/picture.hpp"

namespace tamis {

/// What a sentence is about: what was found, how sure that is, or what to be careful about.
enum class Tone { finding, certainty, caution };

struct Sentence {
  Tone tone = Tone::finding;
  std::string words = {};
};

/// What is read first: a list of sentences, each with a sign of its tone.
struct Summary {
  std::vector<Sentence> sentences = {};
};

struct Fact {
  std::string name = {};
  std::string value = {};
};

/// A few numbers in large type, side by side.
struct Figures {
  std::vector<Fact> facts = {};
};

/// Names and values in two columns: options, provenance.
struct FactList {
  std::string title = {};
  std::vector<Fact> facts = {};
};

/// A panel that can be zoomed, and whose points can be read off. Print, and readers without script, get it as SVG.
struct Chart {
  Panel panel = {};
  std::string caption = {};
  /// id of a Listing on the same page: x counts its rows from 1, and a point is called by its row's first column.
  std::string names_from = {};
  double height = 280;  ///< on the screen, in pixels
};

/// A column of a Listing: `words`, or `numbers`. With `lower` and `upper` a number is shown with its 95 % interval,
/// written or drawn.
struct ListingColumn {
  std::string title = {};
  std::string meaning = {};  ///< shown as a tooltip
  std::vector<std::string> words = {};
  std::vector<double> numbers = {};  ///< NaN: unknown
  std::vector<double> lower = {};
  std::vector<double> upper = {};
  bool drawn = false;  ///< the interval is drawn, on one scale for all rows
  bool share = false;  ///< numbers from 0 to 1, shown with a bar
};

/// A table that readers sort, search and leaf through; may be long. All columns have the same number of rows.
struct Listing {
  std::string id = {};  ///< for Chart::names_from; "": not referred to
  std::string title = {};
  std::string caption = {};
  std::vector<ListingColumn> columns = {};
  std::vector<Index> order = {};        ///< of the rows at first; empty: as they are
  std::vector<Index> marked = {};       ///< rows that stand out and can be shown alone
  std::string marked_label = "marked";  ///< what they are: "selected"
};

/// Small pictures on one scale of colors, from -most (blue) over 0 to most (red).
struct Images {
  std::string title = {};
  std::string caption = {};
  std::vector<Matrix> images = {};
  std::vector<std::string> names = {};
  double most = 1;
};

/// Named members that belong together, each with a share: what the strip and the list of one group show.
struct MemberGroup {
  std::string words = {};
  std::vector<std::string> names = {};
  std::vector<double> shares = {};     ///< of each, 0 to 1: width in the strip
  std::vector<double> closeness = {};  ///< of each to the first, 0.5 to 1: depth of color; empty: all as the first
};

/// Groups, one under the other: a sentence, a strip with a segment for each member, and their names. All strips are
/// drawn on one scale.
struct MemberGroups {
  std::string title = {};
  std::string caption = {};
  std::vector<MemberGroup> groups = {};
};

using Block = std::variant<Summary, Figures, FactList, Chart, Listing, Images, MemberGroups>;

/// Blocks under one heading. Charts that follow each other stand side by side where there is room.
struct Section {
  std::string title = {};
  std::string note = {};  ///< one or two sentences under the heading
  std::vector<Block> blocks = {};
};

/// One tab of a page.
struct Sheet {
  std::string name = {};   ///< on the tab
  std::string title = {};  ///< heading
  std::string note = {};   ///< under it
  std::vector<Section> sections = {};
};

struct Page {
  std::string title = {};
  std::vector<Sheet> sheets = {};  ///< one: no tabs are shown
};

/// The whole file. Same page, same bytes. Throws InvalidInput if the columns of a listing or the lengths of a series
/// differ.
std::string to_html(const Page& page);

}  // namespace tamis
