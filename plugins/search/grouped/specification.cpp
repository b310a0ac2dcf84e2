#include "plugins/search/grouped/specification.hpp"

#include "core/base/error.hpp"
#include "plugins/search/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace gst::grouped {

namespace {

using toml_document::item;
using toml_document::kind_of;
using toml_document::mistake;
using toml_document::place;

constexpr std::string_view axes = "xyz";
constexpr const char* best_prefix = "best_";

constexpr role roles[] = {role::thread_block, role::block_merge, role::cyclic_merge, role::unroll, role::vector_width,
                          role::load,         role::streaming,   role::temporal,     role::other};

std::vector<std::string> parameter_names(const space& s) {
    std::vector<std::string> names;
    for (const parameter& p : s.parameters()) {
        names.push_back(p.name);
    }
    return names;
}

[[noreturn]] void refuse(const place& at, const std::string& message, const std::string& hint = "") {
    throw user_error(mistake(at, message, hint));
}

/// The entries of a table, all of whose keys are known.
const item::table& table_of(const item& i, const std::vector<std::string>& known) {
    const auto* t = std::get_if<item::table>(&i.what);
    if (t == nullptr) {
        refuse(i.written, fmt::format("a table is wanted, not {}", kind_of(i)));
    }
    for (const toml_document::entry& e : *t) {
        if (!known.empty() && std::find(known.begin(), known.end(), e.key) == known.end()) {
            refuse(e.written, fmt::format("unknown key '{}'{}", e.key, did_you_mean(e.key, known)),
                   "known keys: " + enumerate(known));
        }
    }
    return *t;
}

template<class T>
const T& get(const item& i, const char* wanted) {
    const T* held = std::get_if<T>(&i.what);
    if (held == nullptr) {
        refuse(i.written, fmt::format("{} is wanted, not {}", wanted, kind_of(i)));
    }
    return *held;
}

value value_of(const item& i) {
    if (const auto* b = std::get_if<bool>(&i.what)) {
        return *b;
    }
    if (const auto* n = std::get_if<std::int64_t>(&i.what)) {
        return *n;
    }
    if (const auto* d = std::get_if<double>(&i.what)) {
        return *d;
    }
    return get<std::string>(i, "a value");
}

/// The parameter of the name or alias; an unknown one gets the place.
std::size_t index_of(const space& s, const std::string& name, const place& written) {
    try {
        return s.index_of(name);
    } catch (const user_error& e) {
        refuse(written, e.diagnostics().front().message, e.diagnostics().front().hint);
    }
}

class reader {
  public:
    explicit reader(const space& s) : space_(s) {}

    specification read(const item& root) const {
        specification out;
        table_of(root, {"summary", "passes", "where", "start", "step"});
        if (const item* passes = root.find("passes")) {
            const std::int64_t n = get<std::int64_t>(*passes, "a number of passes");
            if (n < 1) {
                refuse(passes->written, "a specification has at least one pass");
            }
            out.passes = static_cast<std::size_t>(n);
        }
        out.where = conditions(root.find("where"));
        if (const item* start = root.find("start")) {
            for (const toml_document::entry& e : table_of(*start, {})) {
                for (const std::size_t p : selected(e)) {
                    out.start[p] = position(p, e.value);
                }
            }
        }
        const item* steps = root.find("step");
        if (steps == nullptr) {
            refuse(root.written, "the specification has no step", "a step is a table [[step]] with tune = { … }");
        }
        for (const item& i : get<item::array>(*steps, "an array of tables [[step]]")) {
            out.steps.push_back(read_step(i));
        }
        if (std::all_of(out.steps.begin(), out.steps.end(), [](const step& one) { return one.tune.empty(); })) {
            refuse(steps->written, "the specification selects no parameter of this space",
                   "its parameters: " + enumerate(parameter_names(space_)));
        }
        if (std::none_of(out.steps.begin(), out.steps.end(), [](const step& one) { return one.first; })) {
            refuse(out.steps.front().written, "no step is done in the first pass, which so measures nothing",
                   "when = \"always\" or \"first\" in at least one of them");
        }
        return out;
    }

  private:
    step read_step(const item& i) const {
        table_of(i, {"name", "when", "tune", "where"});
        step out;
        out.written = i.written;
        if (const item* name = i.find("name")) {
            out.name = get<std::string>(*name, "a text");
        }
        if (const item* when = i.find("when")) {
            const std::string& text = get<std::string>(*when, "a text");
            const std::vector<std::string> known{"always", "first", "later"};
            if (std::find(known.begin(), known.end(), text) == known.end()) {
                refuse(when->written, fmt::format("unknown passes '{}'{}", text, did_you_mean(text, known)),
                       "known: " + enumerate(known));
            }
            out.first = text != "later";
            out.later = text != "first";
        }
        const item* tune = i.find("tune");
        if (tune == nullptr) {
            refuse(i.written, "the step tunes nothing", "tune = { TBx = \"all\" }");
        }
        for (const toml_document::entry& e : table_of(*tune, {})) {
            for (const std::size_t p : selected(e)) {
                out.tune.insert_or_assign(p, read_choice(p, e.value));
            }
        }
        out.where = conditions(i.find("where"));
        return out;
    }

    choice read_choice(std::size_t p, const item& i) const {
        if (const auto* text = std::get_if<std::string>(&i.what)) {
            if (*text == "all") {
                return all_values{};
            }
            return parsed(i);
        }
        if (const auto* list = std::get_if<item::array>(&i.what)) {
            if (list->empty()) {
                refuse(i.written, "the list has no value", "\"all\", a value or [values]");
            }
            std::vector<value> values;
            for (const item& v : *list) {
                values.push_back(space_.parameters()[p].domain[position(p, v)]);
            }
            return values;
        }
        if (std::holds_alternative<item::table>(i.what)) {
            return read_range(i);
        }
        return std::vector<value>{space_.parameters()[p].domain[position(p, i)]};
    }

    range read_range(const item& i) const {
        table_of(i, {"range", "samples"});
        const item* bounds = i.find("range");
        if (bounds == nullptr || get<item::array>(*bounds, "[low, high]").size() != 2) {
            refuse(i.written, "a range has two bounds", "{ range = [16, \"Nx / 4\"] }");
        }
        const auto& both = std::get<item::array>(bounds->what);
        range out{bound(both[0]), bound(both[1]), std::nullopt};
        if (out.low.names().empty() && out.high.names().empty()) {
            const auto number_at = [](const expression& e) {
                return number_of(e.evaluate([](const std::string&) { return value(); }));
            };
            if (number_at(out.low) > number_at(out.high)) {
                refuse(bounds->written, "the range is empty: its first bound is the lower one", "[low, high]");
            }
        }
        if (const item* samples = i.find("samples")) {
            const std::int64_t n = get<std::int64_t>(*samples, "a number of samples");
            if (n < 1) {
                refuse(samples->written, "at least one sample is taken");
            }
            out.samples = static_cast<std::size_t>(n);
        }
        return out;
    }

    expression bound(const item& i) const {
        return std::holds_alternative<std::string>(i.what) ? parsed(i) : expression::parse(to_string(value_of(i)));
    }

    /// The position of the value, or of the first one for "least".
    std::uint16_t position(std::size_t p, const item& i) const {
        const parameter& of = space_.parameters()[p];
        const value v = value_of(i);
        const auto found = std::find_if(of.domain.begin(), of.domain.end(), [&](const value& d) { return same(d, v); });
        if (found != of.domain.end()) {
            return static_cast<std::uint16_t>(found - of.domain.begin());
        }
        if (v == value(std::string("least"))) {
            return 0;
        }
        std::vector<std::string> domain;
        for (const value& d : of.domain) {
            domain.push_back(to_string(d));
        }
        refuse(i.written, fmt::format("{} cannot be {} here", of.name, to_string(v)),
               fmt::format("{} is one of {}", of.name, enumerate(domain)));
    }

    std::vector<expression> conditions(const item* list) const {
        std::vector<expression> out;
        if (list != nullptr) {
            for (const item& i : get<item::array>(*list, "a list of conditions")) {
                out.push_back(parsed(i));
            }
        }
        return out;
    }

    /// The expression of a text, whose names must be known.
    expression parsed(const item& i) const {
        const std::string& text = get<std::string>(i, "an expression");
        // Between the quotes, unless something in the text is escaped.
        const span inside{i.written.at.begin + 1, i.written.at.end - 1};
        const bool verbatim = i.written.where->text.substr(inside.begin, inside.end - inside.begin) == text;
        expression e = verbatim ? expression::parse(i.written.where, inside) : expression::parse(text);
        for (const std::string& name : e.names()) {
            if (space_.constants().contains(name)) {
                continue;
            }
            const bool of_best = name.starts_with(best_prefix);
            index_of(space_, of_best ? name.substr(std::string_view(best_prefix).size()) : name, i.written);
        }
        return e;
    }

    /// The parameters that a key stands for; a group may be empty.
    std::vector<std::size_t> selected(const toml_document::entry& e) const {
        if (!e.key.starts_with('@')) {
            return {index_of(space_, e.key, e.written)};
        }
        const std::string text = e.key.substr(1);
        const std::size_t dot = text.find('.');
        const std::string last = dot == std::string::npos ? text : text.substr(dot + 1);
        const bool has_axis = last.size() == 1 && axes.find(last[0]) != std::string_view::npos;
        const int axis = has_axis ? static_cast<int>(axes.find(last[0])) : -1;
        const std::string purpose = !has_axis ? text : dot == std::string::npos ? "all" : text.substr(0, dot);
        const bool known = purpose == "all" || std::any_of(std::begin(roles), std::end(roles),
                                                           [&](role r) { return name_of(r) == purpose; });
        if (!known) {
            refuse(e.written, fmt::format("unknown group '{}'{}", e.key, did_you_mean(purpose, group_names())),
                   "groups: @ and " + enumerate(group_names()) + ", with .x, .y or .z behind it");
        }
        std::vector<std::size_t> out;
        for (std::size_t p = 0; p < space_.parameters().size(); ++p) {
            const parameter& one = space_.parameters()[p];
            if ((purpose == "all" || name_of(one.purpose) == purpose) && (!has_axis || one.dimension == axis)) {
                out.push_back(p);
            }
        }
        return out;
    }

    static std::vector<std::string> group_names() {
        std::vector<std::string> names{"all", "x", "y", "z"};
        for (const role r : roles) {
            names.emplace_back(name_of(r));
        }
        return names;
    }

    const space& space_;
};

} // namespace

toml_document::item read_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) {
        throw user_error(fmt::format("the specification file {} cannot be read", file.string()),
                         "give the path of one, or the name of one that comes with gst: gst plugins grouped");
    }
    return toml_document::parse(std::make_shared<const source>(source{file.string(), text.str()}));
}

specification specification_for(const space& s, const toml_document::item& file) {
    return reader(s).read(file);
}

} // namespace gst::grouped
