#include "core/base/error.hpp"
#include "core/store/recording/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ostream>
#include <set>
#include <string_view>

namespace gst {

namespace {

constexpr std::string_view separators = ",\"\r\n";

/// The columns behind the parameters; measurements follow.
const std::vector<std::string>& columns() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all{"status", "time_ms", "times_ms", "censored", "timestamp", "message"};
        for (const char* cost : cost_names) {
            all.push_back(fmt::format("{}_ms", cost));
        }
        return all;
    }();
    return names;
}

template<class T>
bool parse_whole(std::string_view text, T& to) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), to);
    return end.ec == std::errc{} && end.ptr == text.data() + text.size();
}

/// A boolean, an integer, a real, else a text; one in single quotes is always a text.
value value_of(std::string_view field) {
    std::int64_t integer = 0;
    double real = 0;
    if (field == "true" || field == "True" || field == "false" || field == "False") {
        return field[0] == 't' || field[0] == 'T';
    }
    if (parse_whole(field, integer)) {
        return integer;
    }
    if (parse_whole(field, real)) {
        return real;
    }
    const bool quoted = field.size() >= 2 && field.front() == '\'' && field.back() == '\'';
    return std::string(quoted ? field.substr(1, field.size() - 2) : field);
}

std::string field_of(const value& v) {
    std::string text = to_string(v);
    return value_of(text) == v ? text : "'" + text + "'";
}

std::string escaped(const std::string& field) {
    if (field.find_first_of(separators) == std::string::npos && !field.starts_with('#')) {
        return field;
    }
    std::string out = "\"";
    for (const char c : field) {
        out += c == '"' ? "\"\"" : std::string(1, c);
    }
    return out + "\"";
}

/// Reads line by line and knows where it is.
class csv_reader {
  public:
    explicit csv_reader(const std::shared_ptr<const source>& text) : text_(text) {}

    /// The fields of the next line; nothing at the end.
    std::vector<std::string> line() {
        begin_ = at_;
        fields_.clear();
        std::vector<std::string> fields;
        if (at_ == text_->text.size()) {
            return fields;
        }
        do {
            const std::size_t first = at_;
            fields.push_back(field());
            fields_.push_back({first, std::max(at_, first + 1)});
        } while (take(','));
        end_ = at_;
        take('\r');
        if (!take('\n') && at_ != text_->text.size()) {
            fail("this quoted field goes on behind its end", "write \"\" for a quote inside of quotes");
        }
        return fields;
    }
    /// A line that begins with "#", without it.
    std::string comment() {
        begin_ = at_;
        if (at_ == text_->text.size() || text_->text[at_] != '#') {
            return "";
        }
        end_ = std::min(text_->text.find('\n', at_), text_->text.size());
        at_ = std::min(end_ + 1, text_->text.size());
        const std::size_t first = text_->text.find_first_not_of("# ", begin_);
        return first < end_ ? text_->text.substr(first, end_ - first) : " ";
    }
    [[noreturn]] void fail(std::string message, std::string hint) const {
        throw user_error(diagnostic{std::move(message), text_, {begin_, std::max(end_, begin_ + 1)}, std::move(hint)});
    }
    /// Marks that field of the line.
    [[noreturn]] void fail_at(std::size_t field, std::string message, std::string hint) const {
        throw user_error(diagnostic{std::move(message), text_, fields_[field], std::move(hint)});
    }

  private:
    bool take(char c) {
        const bool found = at_ < text_->text.size() && text_->text[at_] == c;
        at_ += found ? 1 : 0;
        return found;
    }
    std::string field() {
        std::string out;
        if (!take('"')) {
            const std::size_t end = std::min(text_->text.find_first_of(",\r\n", at_), text_->text.size());
            out = text_->text.substr(at_, end - at_);
            at_ = end;
            return out;
        }
        for (;;) {
            if (at_ == text_->text.size()) {
                fail("the file ends inside of a quoted field", "it is cut off: get it again");
            }
            const char c = text_->text[at_++];
            if (c == '"' && !take('"')) { // two of them are one
                return out;
            }
            out += c;
        }
    }

    std::shared_ptr<const source> text_;
    std::size_t at_ = 0;
    std::size_t begin_ = 0; ///< of the line
    std::size_t end_ = 0;
    std::vector<span> fields_; ///< of the line
};

double number_of(const std::string& field, const std::string& name) {
    double number = 0;
    if (!parse_whole(field, number)) {
        throw user_error(fmt::format("'{}' in the column '{}' is no number", field, name),
                         "write it like 0.25 or 2.5e-3, several with one blank between them, or leave the cell empty");
    }
    return number;
}

/// The names of the first line and what its columns are.
struct header {
    std::vector<std::string> names;
    std::size_t parameters = 0; ///< those before `status`
};

header read_header(csv_reader& in) {
    header h;
    h.names = in.line();
    h.parameters = static_cast<std::size_t>(std::find(h.names.begin(), h.names.end(), "status") - h.names.begin());
    if (h.names.size() == 1) {
        in.fail("this is no recording",
                "it may be a Kernel Tuner cache, T4, T1, a results database, or CSV: parameters, status, time_ms, …");
    }
    if (h.parameters == h.names.size() || h.parameters == 0) {
        in.fail(h.parameters == 0 ? "there is no parameter before the column 'status'"
                                  : "the column 'status' is missing",
                "the columns are the parameters, then status, time_ms and what else was measured");
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i < h.names.size(); ++i) {
        if (!seen.insert(h.names[i]).second) {
            in.fail_at(i, fmt::format("there are two columns '{}'", h.names[i]), "rename or remove one of them");
        }
    }
    return h;
}

/// Puts a field behind the parameters where it belongs. Empty ones say nothing.
void read_field(const std::string& name, const std::string& field, recorded& to) {
    if (name == "status") {
        to.outcome = outcome_named(field);
    } else if (name == "timestamp") {
        to.timestamp = field;
    } else if (name == "message") {
        to.message = field;
    } else if (field.empty()) {
        return;
    } else if (name == "time_ms") {
        to.time = number_of(field, name);
    } else if (name == "times_ms") {
        for (std::size_t at = 0; at <= field.size();) {
            const std::size_t end = std::min(field.find(' ', at), field.size());
            to.times.push_back(number_of(field.substr(at, end - at), name));
            at = end + 1;
        }
    } else if (name == "censored") {
        to.censored = value_of(field) == value(true);
    } else if (std::find(columns().begin(), columns().end(), name) != columns().end()) {
        to.cost[name.substr(0, name.size() - 3)] = number_of(field, name);
    } else {
        to.measurements[name] = number_of(field, name);
    }
}

void read_comment(const std::string& comment, const std::string& file, recording& to) {
    const auto after = [&](const std::string& key) {
        return comment.starts_with(key) ? comment.substr(std::min(key.size() + 1, comment.size())) : "";
    };
    if (const std::string kernel = after("kernel:"); !kernel.empty()) {
        to.kernel = kernel;
    } else if (const std::string device = after("device:"); !device.empty()) {
        to.device = device;
    } else if (const std::string problem = after("problem:"); !problem.empty()) {
        to.problem_size = expression::parse_values(problem, fmt::format("{}, problem", file));
    }
}

} // namespace

recording read_csv(const std::shared_ptr<const source>& text) {
    csv_reader in(text);
    recording_builder b;
    for (std::string comment = in.comment(); !comment.empty(); comment = in.comment()) {
        read_comment(comment, text->name, b.out);
    }
    const header h = read_header(in);
    for (std::vector<std::string> fields = in.line(); !fields.empty(); fields = in.line()) {
        if (fields.size() == 1 && fields.front().empty()) {
            continue;
        }
        if (fields.size() != h.names.size()) {
            in.fail(
                fmt::format("this line has {} fields, the first one {}", fields.size(), h.names.size()),
                "a field with a comma in it stands in quotes; the last line of a file that is cut off may be short");
        }
        named_values named;
        recorded to;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            if (i < h.parameters) {
                named.emplace_back(h.names[i], value_of(fields[i]));
                continue;
            }
            try {
                read_field(h.names[i], fields[i], to);
            } catch (const user_error& e) {
                in.fail_at(i, e.diagnostics().front().message, e.diagnostics().front().hint);
            }
        }
        try {
            b.add(named, std::move(to));
        } catch (const user_error& e) {
            in.fail(e.diagnostics().front().message, e.diagnostics().front().hint);
        }
    }
    return b.finish();
}

void write_csv(const recording& r, std::ostream& to) {
    std::set<std::string> measurements;
    for (const recorded& e : r.entries) {
        for (const auto& [name, number] : e.measurements) {
            measurements.insert(name);
        }
    }
    std::vector<std::string> names;
    for (const parameter& p : r.parameters) {
        names.push_back(p.name);
    }
    names.insert(names.end(), columns().begin(), columns().end());
    names.insert(names.end(), measurements.begin(), measurements.end());
    if (std::set<std::string>(names.begin(), names.end()).size() != names.size()) {
        throw user_error("CSV cannot hold this recording: a parameter or measurement is called as a column of gst is",
                         "write T4");
    }
    for (const auto& [key, text] : {std::pair("kernel", r.kernel), {"device", r.device}}) {
        to << (text.empty() ? "" : fmt::format("# {}: {}\n", key, text));
    }
    if (!r.problem_size.empty()) {
        to << fmt::format("# problem: {}\n", values_text(r.problem_size));
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        to << (i == 0 ? "" : ",") << escaped(names[i]);
    }
    to << "\n";
    for (const recorded& e : r.entries) {
        for (std::size_t p = 0; p < r.parameters.size(); ++p) {
            to << escaped(field_of(r.parameters[p].domain[e.which[p]])) << ",";
        }
        const std::string time = e.outcome == status::correct ? fmt::format("{}", e.time) : "";
        to << fmt::format("{},{},{},{},{},{}", name_of(e.outcome), time, fmt::join(e.times, " "),
                          e.censored ? "true" : "", escaped(e.timestamp), escaped(e.message));
        for (const char* cost : cost_names) {
            const auto found = e.cost.find(cost);
            to << "," << (found == e.cost.end() ? "" : fmt::format("{}", found->second));
        }
        for (const std::string& name : measurements) {
            const auto found = e.measurements.find(name);
            to << "," << (found == e.measurements.end() ? "" : fmt::format("{}", found->second));
        }
        to << "\n";
    }
}

} // namespace gst
