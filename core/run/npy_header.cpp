#include "core/run/npy_header.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <istream>
#include <string_view>

namespace gst {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t longest_header = 1 << 16;
constexpr char native_order = std::endian::native == std::endian::little ? '<' : '>';

/// Reads the Python dictionary of a header, e.g. {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }.
class dictionary_reader {
  public:
    dictionary_reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    npy_header read() {
        npy_header h;
        int found = 0;
        expect('{');
        while (!accept('}')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr") {
                type(h);
            } else if (key == "fortran_order") {
                h.fortran = boolean();
            } else if (key == "shape") {
                h.shape = tuple();
            } else {
                damaged();
            }
            ++found;
            if (!accept(',')) {
                expect('}');
                break;
            }
        }
        if (found != 3) {
            damaged();
        }
        return h;
    }

    [[noreturn]] void damaged() const {
        throw user_error(fmt::format("the head of '{}' is damaged: it is no .npy file", file_));
    }

  private:
    void skip_blanks() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) {
            ++at_;
        }
    }
    bool accept(char c) {
        skip_blanks();
        if (at_ < text_.size() && text_[at_] == c) {
            ++at_;
            return true;
        }
        return false;
    }
    void expect(char c) {
        if (!accept(c)) {
            damaged();
        }
    }
    std::string quoted() {
        const char quote = accept('\'') ? '\'' : '"';
        if (quote == '"') {
            expect('"');
        }
        const std::size_t end = text_.find(quote, at_);
        if (end == std::string_view::npos) {
            damaged();
        }
        const std::string word(text_.substr(at_, end - at_));
        at_ = end + 1;
        return word;
    }
    bool boolean() {
        skip_blanks();
        for (const bool b : {true, false}) {
            const std::string_view word = b ? "True" : "False";
            if (text_.substr(at_, word.size()) == word) {
                at_ += word.size();
                return b;
            }
        }
        damaged();
    }
    std::int64_t size() {
        skip_blanks();
        std::int64_t n = 0;
        const std::size_t begin = at_;
        for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])); ++at_) {
            n = n * 10 + (text_[at_] - '0');
            if (n > (std::int64_t{1} << 40)) {
                damaged();
            }
        }
        if (at_ == begin) {
            damaged();
        }
        return n;
    }
    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> sizes;
        expect('(');
        while (!accept(')')) {
            sizes.push_back(size());
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        return sizes;
    }
    void type(npy_header& h) {
        skip_blanks();
        if (at_ < text_.size() && text_[at_] == '[') {
            throw user_error(fmt::format("'{}' holds records; save each of their parts as an array of its own", file_));
        }
        const std::string word = quoted();
        constexpr std::string_view known = "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1";
        if (word.size() != 3 || std::string_view("<>|=").find(word[0]) == std::string_view::npos ||
            known.find(word.substr(1)) == std::string_view::npos) {
            throw user_error(fmt::format("'{}' holds elements of type '{}'; gst reads {}", file_, word, known));
        }
        h.kind = word[1];
        h.bytes = word[2] - '0';
        h.swapped = (word[0] == '<' || word[0] == '>') && word[0] != native_order;
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
};

/// The next `count` bytes, fewer at the end.
std::string take(std::istream& in, std::size_t count) {
    std::string bytes(count, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(count));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    return bytes;
}

} // namespace

npy_header read_npy_header(std::istream& in, const std::string& file) {
    const std::string begin = take(in, 8);
    if (begin.size() != 8 || !begin.starts_with(magic)) {
        throw user_error(fmt::format("'{}' is no .npy file", file));
    }
    const int version = begin[6];
    if (version < 1 || version > 3) {
        throw user_error(fmt::format("'{}' is of .npy version {}; gst reads 1, 2 and 3", file, version));
    }
    std::size_t length = 0;
    const std::string length_bytes = take(in, version == 1 ? 2 : 4);
    for (std::size_t i = length_bytes.size(); i > 0; --i) { // little-endian
        length = length * 256 + static_cast<unsigned char>(length_bytes[i - 1]);
    }
    const std::string text = take(in, std::min(length, longest_header));
    dictionary_reader reader(text, file);
    if (text.size() != length) {
        reader.damaged();
    }
    return reader.read();
}

std::string npy_header_text(char kind, int bytes, const std::vector<std::int64_t>& shape) {
    std::string sizes;
    for (const std::int64_t n : shape) {
        sizes += fmt::format("{}, ", n);
    }
    if (shape.size() == 1) {
        sizes.pop_back(); // "(3,)", as NumPy writes a single one
    }
    if (shape.size() > 1) {
        sizes.resize(sizes.size() - 2);
    }
    std::string text =
        fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': ({}), }}", native_order, kind, bytes, sizes);
    text.resize((text.size() + 10) / 64 * 64 + 64 - 10 - 1, ' ');
    text += '\n';
    return std::string(magic) + '\x01' + '\0' + static_cast<char>(text.size() % 256) +
           static_cast<char>(text.size() / 256) + text;
}

} // namespace gst
