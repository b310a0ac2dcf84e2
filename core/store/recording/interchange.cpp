#include "core/store/recording/interchange.hpp"

#include "core/base/error.hpp"
#include "core/store/recording/file.hpp"
#include "core/store/recording/formats.hpp"
#include "core/store/recording/results_recording.hpp"

#include <fmt/format.h>

namespace gst {

namespace {

/// What each JSON format has and no other.
constexpr std::array<std::pair<const char*, recording (*)(const std::shared_ptr<const source>&)>, 3> marks{
    {{"\"ConfigurationSpace\"", read_t1}, {"\"tune_params_keys\"", read_kernel_tuner}, {"\"results\"", read_t4}}};

constexpr const char* formats =
    "a recording is a Kernel Tuner cache, a T4, T1 or CSV file, plain or gzip, or a results "
    "database of gst";

} // namespace

recording read_recording(const std::filesystem::path& file, const std::string& shown, const result_filter& filter) {
    const std::shared_ptr<const source> text = read_plain_or_gzip(
        file, shown, "give the path of a recording: a Kernel Tuner cache, T4, T1 or CSV file, or a database");
    if (text->text.starts_with("SQLite format 3")) {
        result_store store(file, std::chrono::seconds(30), store_use::read);
        return recording_of(store, filter);
    }
    const std::size_t first = text->text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) {
        throw user_error(fmt::format("'{}' is empty", shown), "it is cut off, or not yet written");
    }
    if (text->text.find('\0') != std::string::npos) {
        throw user_error(fmt::format("'{}' is no recording: it is neither text nor a results database", shown),
                         formats);
    }
    if (text->text[first] != '{' && text->text[first] != '[') {
        return read_csv(text);
    }
    for (const auto& [mark, read] : marks) {
        if (text->text.find(mark) != std::string::npos) {
            return read(without_nan(text));
        }
    }
    throw user_error(
        fmt::format("'{}' begins like JSON, but is no recording that gst knows", shown),
        "it reads Kernel Tuner caches (tune_params_keys, cache), T4 (results) and T1 (ConfigurationSpace)");
}

recording read_defined(const std::string& file, const std::string& definition, const result_filter& filter) {
    const recording r = read_recording(file, file, filter);
    if (definition.empty()) {
        return r;
    }
    return defined_as(r, file, read_recording(definition, definition), definition);
}

recording defined_as(const recording& r, const std::string& file, const recording& definition,
                     const std::string& shown) {
    try {
        return defined_by(r, definition);
    } catch (const user_error& e) {
        throw user_error(fmt::format("'{}' is not what '{}' defines: {}", file, shown, e.diagnostics().front().message),
                         e.diagnostics().front().hint);
    }
}

void write_recording(const recording& r, recording_format format, std::ostream& to) {
    switch (format) {
    case recording_format::kernel_tuner:
        return write_kernel_tuner(r, to);
    case recording_format::t4:
        return write_t4(r, to);
    case recording_format::t1:
        return write_t1(r, to);
    case recording_format::csv:
        return write_csv(r, to);
    }
}

} // namespace gst
