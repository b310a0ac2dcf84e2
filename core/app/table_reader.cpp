#include "core/app/table_reader.hpp"

#include "core/host/find_plugin.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

using toml_document::item;
using toml_document::mistake;

namespace {

/// "'a', 'b' or 'c'"
std::string alternatives(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        out += (i == 0 ? "'" : i + 1 == words.size() ? " or '" : ", '") + words[i] + "'";
    }
    return out;
}

std::string range_text(const std::string& what, double low, double high) {
    if (high < 9e15) {
        return fmt::format("{} from {} to {}", what, low, high);
    }
    return fmt::format("{} of at least {}", what, low);
}

std::string written_value(const item& n) {
    if (const std::optional<value> v = scalar_value(n)) {
        const bool is_text = std::holds_alternative<std::string>(*v);
        return is_text ? "'" + to_string(*v) + "'" : to_string(*v);
    }
    return toml_document::kind_of(n);
}

} // namespace

std::optional<value> scalar_value(const item& n) {
    if (const auto* b = std::get_if<bool>(&n.what)) {
        return *b;
    }
    if (const auto* i = std::get_if<std::int64_t>(&n.what)) {
        return *i;
    }
    if (const auto* d = std::get_if<double>(&n.what)) {
        return *d;
    }
    if (const auto* s = std::get_if<std::string>(&n.what)) {
        return *s;
    }
    return std::nullopt;
}

std::optional<double> real_value(const item& n) {
    if (const auto* i = std::get_if<std::int64_t>(&n.what)) {
        return static_cast<double>(*i);
    }
    if (const auto* d = std::get_if<double>(&n.what)) {
        return *d;
    }
    return std::nullopt;
}

table_reader::table_reader(const item& table, std::string name, std::vector<diagnostic>& mistakes)
    : table_(table), name_(std::move(name)), mistakes_(mistakes) {}

const item* table_reader::take(const std::string& key) {
    known_.insert(key);
    return table_.find(key);
}

void table_reader::wrong(const item& n, const std::string& key, const std::string& expected) {
    mistakes_.push_back(
        mistake(n.written, fmt::format("{} must be {}, not {}", full(key), expected, written_value(n))));
}

void table_reader::read(const std::string& key, setting<bool>& to) {
    const item* n = take(key);
    if (n == nullptr) {
        return;
    }
    if (const auto* b = std::get_if<bool>(&n->what)) {
        to = {*b, n->written};
    } else {
        wrong(*n, key, "true or false");
    }
}

void table_reader::read(const std::string& key, setting<std::string>& to) {
    const item* n = take(key);
    if (n == nullptr) {
        return;
    }
    const auto* s = std::get_if<std::string>(&n->what);
    if (s == nullptr && scalar_value(*n)) {
        const std::string written = written_value(*n);
        mistakes_.push_back(mistake(n->written, fmt::format("{} must be text, not {}", full(key), written),
                                    fmt::format("write it in quotes: {} = \"{}\"", full(key), written)));
    } else if (s == nullptr || s->empty()) {
        wrong(*n, key, "text");
    } else {
        to = {*s, n->written};
    }
}

void table_reader::read_plugin(const std::string& key, setting<std::string>& to) {
    read(key, to);
    if (to.given() && toml_document::is_typed(to.written) && is_plugin_path(to.value)) {
        to.value = std::filesystem::absolute(to.value).lexically_normal().string();
    }
}

void table_reader::read(const std::string& key, setting<std::int64_t>& to, std::int64_t low, std::int64_t high) {
    const item* n = take(key);
    if (n == nullptr) {
        return;
    }
    const auto* i = std::get_if<std::int64_t>(&n->what);
    if (i == nullptr || *i < low || *i > high) {
        wrong(*n, key, range_text("an integer", static_cast<double>(low), static_cast<double>(high)));
    } else {
        to = {*i, n->written};
    }
}

void table_reader::read(const std::string& key, setting<double>& to, double low, double high) {
    const item* n = take(key);
    if (n == nullptr) {
        return;
    }
    const std::optional<double> d = real_value(*n);
    if (!d || !(*d >= low && *d <= high)) {
        wrong(*n, key, low > std::numeric_limits<double>::lowest() ? range_text("a number", low, high) : "a number");
    } else {
        to = {*d, n->written};
    }
}

void table_reader::read(const std::string& key, setting<std::filesystem::path>& to,
                        const std::filesystem::path& folder) {
    setting<std::string> text;
    read(key, text);
    if (text.given()) {
        const bool typed = toml_document::is_typed(text.written);
        to = {((typed ? std::filesystem::current_path() : folder) / text.value).lexically_normal(), text.written};
    }
}

std::optional<std::size_t> table_reader::choose(const std::string& key, const std::vector<std::string>& words,
                                                place& written) {
    const item* n = take(key);
    if (n == nullptr) {
        return std::nullopt;
    }
    if (const auto* s = std::get_if<std::string>(&n->what)) {
        const auto found = std::find(words.begin(), words.end(), *s);
        if (found != words.end()) {
            written = n->written;
            return static_cast<std::size_t>(found - words.begin());
        }
    }
    wrong(*n, key, alternatives(words));
    return std::nullopt;
}

void table_reader::read_choice(const std::string& key, setting<std::string>& to,
                               const std::vector<std::string>& words) {
    if (const auto chosen = choose(key, words, to.written)) {
        to.value = words[*chosen];
    }
}

void table_reader::read(const std::string& key, setting<std::vector<std::string>>& to) {
    const item* n = take(key);
    if (n == nullptr) {
        return;
    }
    if (const auto* s = std::get_if<std::string>(&n->what)) {
        to = {{*s}, n->written};
        return;
    }
    const auto* elements = std::get_if<item::array>(&n->what);
    if (elements == nullptr) {
        wrong(*n, key, "an array of texts");
        return;
    }
    to = {{}, n->written};
    for (const item& element : *elements) {
        if (const auto* s = std::get_if<std::string>(&element.what)) {
            to.value.push_back(*s);
        } else {
            wrong(element, key, "an array of texts");
        }
    }
}

void table_reader::read(const std::string& key, setting<std::vector<double>>& to) {
    const item* n = take(key);
    if (n == nullptr) {
        return;
    }
    const auto* elements = std::get_if<item::array>(&n->what);
    if (elements == nullptr) {
        wrong(*n, key, "an array of numbers");
        return;
    }
    to = {{}, n->written};
    for (const item& element : *elements) {
        if (const std::optional<double> d = real_value(element)) {
            to.value.push_back(*d);
        } else {
            wrong(element, key, "an array of numbers");
        }
    }
}

void table_reader::read(const std::string& key, setting<std::vector<std::int64_t>>& to, std::int64_t low,
                        std::int64_t high) {
    const item* n = take(key);
    if (n == nullptr) {
        return;
    }
    const auto* elements = std::get_if<item::array>(&n->what);
    if (elements == nullptr) {
        wrong(*n, key, "an array of integers");
        return;
    }
    to = {{}, n->written};
    for (const item& element : *elements) {
        const auto* i = std::get_if<std::int64_t>(&element.what);
        if (i != nullptr && *i >= low && *i <= high) {
            to.value.push_back(*i);
        } else {
            wrong(element, key,
                  "an array of " + range_text("integers", static_cast<double>(low), static_cast<double>(high)));
        }
    }
}

void table_reader::table(const std::string& key, const std::function<void(table_reader&)>& each) {
    const item* n = take(key);
    if (n == nullptr) {
        return;
    }
    if (!std::holds_alternative<item::table>(n->what)) {
        wrong(*n, key, "a table");
        return;
    }
    table_reader inner(*n, full(key), mistakes_);
    each(inner);
    inner.finish();
}

void table_reader::entries(const std::string& key, const std::function<void(const toml_document::entry&)>& each) {
    const item* n = take(key);
    if (n == nullptr) {
        return;
    }
    if (const auto* all = std::get_if<item::table>(&n->what)) {
        std::for_each(all->begin(), all->end(), each);
    } else {
        wrong(*n, key, "a table");
    }
}

void table_reader::tables(const std::string& key, const std::string& example,
                          const std::function<void(table_reader&, const item&)>& each) {
    const item* n = take(key);
    const auto* elements = n == nullptr ? nullptr : std::get_if<item::array>(&n->what);
    if (elements == nullptr || elements->empty()) {
        mistakes_.push_back(
            n == nullptr ? diagnostic{fmt::format("there is no {}", full(key)), nullptr, {}, example}
                         : mistake(n->written, fmt::format("{} must be an array of tables", full(key)), example));
        return;
    }
    for (const item& element : *elements) {
        if (!std::holds_alternative<item::table>(element.what)) {
            wrong(element, key, "an array of tables");
            continue;
        }
        table_reader r(element, full(key), mistakes_);
        each(r, element);
        r.finish();
    }
}

void table_reader::read_options(const std::string& key, std::map<std::string, setting<value>>& to) {
    entries(key, [&](const toml_document::entry& e) {
        if (const std::optional<value> v = scalar_value(e.value)) {
            to[e.key] = {*v, e.value.written};
        } else {
            wrong(e.value, key + "." + e.key, "a value");
        }
    });
}

void table_reader::finish() {
    const std::vector<std::string> known(known_.begin(), known_.end());
    for (const toml_document::entry& e : std::get<item::table>(table_.what)) {
        if (known_.count(e.key) == 0) {
            const std::string of = name_.empty() ? "" : " in [" + name_ + "]";
            mistakes_.push_back(mistake(e.written,
                                        fmt::format("unknown key '{}'{}{}", e.key, of, did_you_mean(e.key, known)),
                                        "known keys: " + enumerate(known)));
        }
    }
}

} // namespace gst
