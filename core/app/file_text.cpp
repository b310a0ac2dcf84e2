#include "core/app/file_text.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace gst {

namespace {
constexpr std::size_t longest = std::size_t{16} << 20;
}

std::string file_text(const std::filesystem::path& file) {
    const auto refuse = [](int why) { throw std::system_error(why, std::generic_category()); };
    std::error_code unknown;
    if (std::filesystem::is_directory(file, unknown)) {
        refuse(EISDIR);
    }
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        refuse(errno != 0 ? errno : EIO);
    }
    std::string text;
    std::array<char, 1 << 16> piece{};
    while (in.read(piece.data(), piece.size()), in.gcount() > 0) {
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() > longest) {
            refuse(EFBIG);
        }
    }
    if (in.bad()) {
        refuse(errno != 0 ? errno : EIO);
    }
    return text;
}

toml_document::item read_toml(const std::filesystem::path& file, const std::vector<std::string>& assignments,
                              const std::string& remedy) {
    if (file.extension() == ".gst") {
        throw user_error(fmt::format("'{}' is a stencil, not the TOML file that is needed here", file.string()),
                         remedy);
    }
    std::string text;
    try {
        text = file_text(file);
    } catch (const std::system_error& e) {
        throw user_error(fmt::format("cannot read '{}' ({})", file.string(), e.code().message()), remedy);
    }
    toml_document::item document =
        toml_document::parse(std::make_shared<const source>(source{file.string(), std::move(text)}));
    for (const std::string& assignment : assignments) {
        toml_document::assign(document, assignment);
    }
    return document;
}

std::error_code make_writable(const std::filesystem::path& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (!failed && ::access(folder.c_str(), W_OK | X_OK) != 0) {
        failed = {errno, std::generic_category()};
    }
    return failed;
}

} // namespace gst
