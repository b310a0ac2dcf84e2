#include "core/store/result_key.hpp"

#include "core/base/hash.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gst {

namespace {

/// Length and text, so that no two lists of parts give the same bytes.
void append(std::string& out, std::string_view part) {
    out += fmt::format("{}:", part.size());
    out += part;
}

std::string text_of(const kernel_argument& argument) {
    struct visitor {
        std::string operator()(const field_argument& a) const {
            return fmt::format("{}{}@{}", a.as_image ? "image" : "field", a.field, a.level);
        }
        std::string operator()(const parameter_argument& a) const {
            return fmt::format("parameter{}:{}", a.index, name_of(a.type));
        }
        std::string operator()(const step_argument&) const { return "step"; }
        std::string operator()(const extra_argument& a) const { return fmt::format("extra{}", a.index); }
        std::string operator()(const tensor_argument& a) const {
            const tensor_shape& t = a.shape;
            return fmt::format("tensor{}@{}:{} from {} of {} every {} boxes {}", a.of.field, a.of.level,
                               name_of(t.type), t.first, fmt::join(t.size, " "), fmt::join(t.stride, " "),
                               fmt::join(t.box, " "));
        }
    };
    return std::visit(visitor{}, argument);
}

std::string text_of(const program_operation& o) {
    if (const auto* copy = std::get_if<image_copy>(&o)) {
        return fmt::format("copy field{}@{}\n", copy->field, copy->level);
    }
    const launch& l = std::get<launch>(o);
    std::string out;
    append(out, l.kernel);
    out += fmt::format(" module {} global {} local {} offset {}", l.module, fmt::join(l.global, " "),
                       fmt::join(l.local, " "), fmt::join(l.offset, " "));
    for (const kernel_argument& a : l.arguments) {
        out += " " + text_of(a);
    }
    return "launch " + out + "\n";
}

} // namespace

std::string digest_of(const result_key& key) {
    std::string all;
    for (const std::string* part :
         {&key.stencil, &key.problem, &key.grid, &key.program, &key.backend, &key.device, &key.driver, &key.method}) {
        append(all, *part);
    }
    return digest(all);
}

std::string problem_text(const stencil& s) {
    stencil without = s;
    for (parameter_declaration& p : without.parameters) {
        p.value.reset();
    }
    return to_dsl(without);
}

std::string grid_text(int dimensions, extent3 size) {
    return fmt::format("{}", fmt::join(size.begin(), size.begin() + dimensions, "x"));
}

std::string program_text(const program& p) {
    std::string out;
    for (const module_source& m : p.modules) {
        append(out, m.text);
        append(out, m.options);
    }
    const array_layout& l = p.layout;
    out += fmt::format("\nlayout aligned {} size {} halo {} lead {} origin {} row {} plane {} guard {} elements {}\n",
                       l.alignment, fmt::join(l.size, " "), fmt::join(l.halo, " "), l.lead, l.origin, l.row, l.plane,
                       l.guard, l.elements);
    for (std::size_t f = 0; f < p.types.size(); ++f) {
        out += fmt::format("field {} kept {} {}\n", name_of(p.types[f]), p.kept[f],
                           p.coefficient[f] ? "coefficient" : "rotating");
    }
    for (const image_shape& i : p.images) {
        out += fmt::format("image {} {} {}\n", i.width, i.height, name_of(i.type));
    }
    out += fmt::format("call of {} steps\n", p.steps);
    for (const program_operation& o : p.call) {
        out += text_of(o);
    }
    for (const program_operation& o : p.halos) {
        out += "halo " + text_of(o);
    }
    out += "remainder\n";
    for (const program_operation& o : p.remainder) {
        out += text_of(o);
    }
    return out;
}

} // namespace gst
