#include "core/store/recording/file.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <zlib.h>

namespace gst {

namespace {

constexpr std::size_t longest = std::size_t{2} << 30;

[[noreturn]] void refuse(const std::string& shown, const std::string& why, const std::string& hint) {
    throw user_error(fmt::format("cannot read '{}' ({})", shown, why), hint);
}

} // namespace

std::shared_ptr<const source> read_plain_or_gzip(const std::filesystem::path& file, const std::string& shown,
                                                 const std::string& remedy) {
    std::error_code unknown;
    if (std::filesystem::is_directory(file, unknown)) {
        refuse(shown, "it is a folder", remedy);
    }
    errno = 0;
    // Reads files that are not compressed as they are.
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"), gzclose);
    if (!in) {
        refuse(shown, std::generic_category().message(errno != 0 ? errno : EIO), remedy);
    }
    auto text = std::make_shared<source>(source{shown, ""});
    std::array<char, 1 << 16> piece{};
    for (;;) {
        const int count = gzread(in.get(), piece.data(), piece.size());
        int error = Z_OK;
        gzerror(in.get(), &error);
        if (error == Z_ERRNO) {
            refuse(shown, std::generic_category().message(errno), remedy);
        }
        if (count < 0 || error == Z_BUF_ERROR) {
            refuse(shown,
                   error == Z_BUF_ERROR ? "its compressed data ends too early" : "its compressed data is damaged",
                   "get the file again");
        }
        if (count == 0) {
            constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; // spreadsheets write it
            text->text.erase(0, text->text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
            return text;
        }
        text->text.append(piece.data(), static_cast<std::size_t>(count));
        if (text->text.size() > longest) {
            refuse(shown, "it is larger than 2 GiB", "split it");
        }
    }
}

std::string gzip(std::string_view text) {
    z_stream state{};
    constexpr int with_gzip_header = 15 + 16;
    if (deflateInit2(&state, Z_BEST_COMPRESSION, Z_DEFLATED, with_gzip_header, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::bad_alloc();
    }
    std::string out(deflateBound(&state, text.size()), '\0');
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    state.avail_in = static_cast<uInt>(text.size());
    state.next_out = reinterpret_cast<Bytef*>(out.data());
    state.avail_out = static_cast<uInt>(out.size());
    const int end = deflate(&state, Z_FINISH);
    out.resize(state.total_out);
    deflateEnd(&state);
    if (end != Z_STREAM_END) {
        throw std::logic_error("the bound of compressed data does not hold");
    }
    return out;
}

std::shared_ptr<const source> without_nan(const std::shared_ptr<const source>& text) {
    const std::string& from = text->text;
    if (from.find("NaN") == std::string::npos && from.find("Infinity") == std::string::npos) {
        return text;
    }
    auto to = std::make_shared<source>(source{text->name, ""});
    bool quoted = false;
    for (std::size_t at = 0; at < from.size();) {
        const std::string_view rest = std::string_view(from).substr(at);
        std::size_t length = 0;
        for (const std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
            length = !quoted && rest.starts_with(word) ? word.size() : length;
        }
        if (length > 0) {
            to->text += "null";
            at += length;
            continue;
        }
        const std::size_t escape = quoted && from[at] == '\\' && at + 1 < from.size() ? 1 : 0;
        quoted = from[at] == '"' ? !quoted : quoted;
        to->text.append(from, at, 1 + escape);
        at += 1 + escape;
    }
    return to;
}

} // namespace gst
