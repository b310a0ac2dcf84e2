#pragma once

#include "core/base/diagnostic.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace gst {

/// Reads the text of a model word by word: words are separated by blanks and ends of lines. What does not fit is
/// thrown as user_error with file, line and column.
class GST_API model_reader {
  public:
    explicit model_reader(std::shared_ptr<const source> text) : text_(std::move(text)) {}

    /// Whether the next word is this one, which is then read; `word` has no quotes.
    bool accept(std::string_view word);
    /// Whether the next word is a text in quotes.
    bool next_is_text() { return peek().starts_with('"'); }
    /// Reads this word.
    void expect(std::string_view word);
    /// A text in quotes. `what` says in messages what should be here, as in all that follow.
    std::string text(std::string_view what);
    std::int64_t integer(std::string_view what, std::int64_t low, std::int64_t high);
    /// A finite number, exactly as write_number wrote it.
    double number(std::string_view what);
    /// The next word as it stands in the file.
    std::string_view word(std::string_view what);
    /// Whether nothing but blanks is left.
    bool at_end();
    /// The word that was read last.
    span last() const { return last_; }
    /// Throws user_error at the word that was read last.
    [[noreturn]] void fail(const std::string& message) const;

  private:
    void skip_blanks();
    std::string_view peek();

    std::shared_ptr<const source> text_;
    std::size_t at_ = 0;
    span last_;
};

/// The number in the fewest digits that model_reader reads back to the last bit.
GST_API std::string write_number(double v);
/// The text in quotes, in one line.
GST_API std::string write_text(std::string_view text);

} // namespace gst
