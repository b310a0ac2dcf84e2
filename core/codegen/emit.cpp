#include "core/codegen/emit.hpp"

#include "core/base/overloaded.hpp"
#include "core/codegen/joined_branches.hpp"
#include "core/codegen/parts.hpp"
#include "core/codegen/spell.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gst {

namespace {

using namespace nest;

class emitter : speller {
  public:
    using speller::speller;

    std::string module(const std::vector<kernel>& kernels) {
        std::string body;
        for (const kernel& k : kernels) {
            body += (body.empty() ? "" : "\n") + kernel_text(k);
        }
        const std::string above = head();
        return above.empty() ? body : above + "\n" + body;
    }

  private:
    template<class... Parts>
    void line(int depth, const Parts&... parts) {
        out_.append(static_cast<std::size_t>(depth) * 4, ' ');
        add(parts..., "\n");
    }

    void statement_text(const statement& s, int depth) {
        std::visit(
            overloaded{
                [&](const declare& d) {
                    line(depth, d.varies ? "" : "const ", vector_type(d.of, d.init->width), " ", d.name, " = ", d.init,
                         ";");
                },
                [&](const assign& a) { line(depth, a.name, " = ", a.what, ";"); },
                [&](const declare_vector& d) {
                    const bool half = d.stored == scalar::f16 && !d.local;
                    const std::string load_word = fmt::format("{}{}vector load{}", d.local ? "local " : "",
                                                              d.aligned ? "" : "unaligned ", half ? " f16" : "");
                    if (half) {
                        use("stored f16");
                    }
                    const std::string vector = vector_type(register_type(d.stored), d.width);
                    const std::string at = plain(d.at);
                    const auto text = [&](const std::string& words) {
                        return spell(words, fmt::arg("vector", vector), fmt::arg("array", d.array), fmt::arg("at", at),
                                     fmt::arg("width", d.width));
                    };
                    const std::string load = text(load_word);
                    line(depth, "const ", vector, " ", d.name, " = ", load, ";");
                    if (is_apart_by_lanes(d)) {
                        const std::size_t begin = out_.size() - load.size() - std::string_view(";\n").size();
                        settle_load(d.name);
                        loads_.emplace(d.name, local_load{begin, load.size(), text("whole local vector load")});
                    }
                },
                [&](const store& t) {
                    if (t.stored == scalar::f16 && !t.local) {
                        use("stored f16");
                        line(depth,
                             spell("store f16", fmt::arg("what", plain(t.what)), fmt::arg("at", plain(t.at)),
                                   fmt::arg("array", t.array)),
                             ";");
                    } else {
                        line(depth, t.array, "[", t.at, "] = ", t.what, ";");
                    }
                },
                [&](const vector_store& t) {
                    const bool half = t.stored == scalar::f16 && !t.local;
                    const bool streaming = t.streaming && t.aligned && !half;
                    const std::string store_word = fmt::format("{}vector store{}",
                                                               t.local      ? "local "
                                                               : !t.aligned ? "unaligned "
                                                               : streaming  ? "streaming "
                                                                            : "",
                                                               half ? " f16" : "");
                    if (half) {
                        use("stored f16");
                    } else if (streaming) {
                        use("streaming stores");
                    }
                    const std::string vector = vector_type(register_type(t.stored), t.width);
                    const std::string what = t.values.size() == 1 && t.values[0]->width == t.width
                                                 ? plain(t.values[0])
                                                 : composed(vector, t.values);
                    line(depth,
                         spell(store_word, fmt::arg("vector", vector), fmt::arg("array", t.array),
                               fmt::arg("at", plain(t.at)), fmt::arg("what", what), fmt::arg("width", t.width)),
                         ";");
                },
                [&](const loop& l) {
                    if (l.seldom) {
                        line(depth, spell("seldom"));
                    }
                    if (l.unrolled > 1) {
                        line(depth, spell("unrolled", fmt::arg("iterations", l.unrolled)));
                    }
                    const std::string step =
                        literal(l.step) == 1 ? "++" + l.name : fmt::format("{} += {}", l.name, plain(l.step));
                    line(depth, "for (", spell_type(type::index), " ", l.name, " = ", l.begin, "; ", l.name, " < ",
                         plain(l.end, sum), "; ", step, ") {");
                    block_text(l.body, depth + 1);
                    line(depth, "}");
                },
                [&](const branch& b) {
                    if (b.yes.empty() && !b.no.empty()) {
                        statement_text({branch{opposite(b.condition), b.no, {}}}, depth);
                        return;
                    }
                    const std::size_t before = out_.size();
                    line(depth, "if (", b.condition, ") {");
                    const std::size_t inside = out_.size();
                    block_text(b.yes, depth + 1);
                    if (out_.size() == inside && b.no.empty()) { // of what the language has no words for
                        out_.resize(before);
                        return;
                    }
                    const branch* last = &b;
                    while (last->no.size() == 1 && std::holds_alternative<branch>(last->no.front().what)) {
                        last = &std::get<branch>(last->no.front().what);
                        line(depth, "} else if (", last->condition, ") {");
                        block_text(last->yes, depth + 1);
                    }
                    if (!last->no.empty()) {
                        line(depth, "} else {");
                        block_text(last->no, depth + 1);
                    }
                    line(depth, "}");
                },
                [&](const barrier&) { line(depth, word("barrier"), ";"); },
                [&](const prepare_arrivals& p) {
                    if (language().words.contains("prepare arrivals")) {
                        use("barriers in halves");
                        line(depth,
                             spell("prepare arrivals", fmt::arg("counter", p.counter),
                                   fmt::arg("work_items", p.work_items)),
                             ";");
                    }
                },
                [&](const arrive& a) {
                    if (language().words.contains("arrive")) {
                        line(depth,
                             spell(a.token.empty() ? "arrive in a phase" : "arrive", fmt::arg("counter", a.counter),
                                   fmt::arg("token", a.token)),
                             ";");
                    }
                },
                [&](const await_arrivals& a) {
                    if (!language().words.contains("await arrivals")) {
                        line(depth, word("barrier"), ";");
                    } else if (a.phase) {
                        use("phases");
                        line(depth,
                             spell("await phase", fmt::arg("counter", a.counter), fmt::arg("phase", plain(a.phase))),
                             ";");
                    } else {
                        line(depth, spell("await arrivals", fmt::arg("counter", a.counter), fmt::arg("token", a.token)),
                             ";");
                    }
                },
                [&](const arrive_at& a) {
                    if (language().words.contains("arrive at")) {
                        use("numbered barriers");
                        line(depth,
                             spell("arrive at", fmt::arg("barrier", a.barrier), fmt::arg("work_items", a.work_items)),
                             ";");
                    }
                },
                [&](const await_at& a) {
                    if (!language().words.contains("await at")) {
                        if (a.all_pass) {
                            line(depth, word("barrier"), ";");
                        }
                        return;
                    }
                    use("numbered barriers");
                    line(depth,
                         spell("await at", fmt::arg("barrier", plain(a.barrier)), fmt::arg("work_items", a.work_items)),
                         ";");
                },
                [&](const in_parts& p) { parts_text(p, depth); },
                [&](const end_idle& e) {
                    if (language().words.contains("end idle")) {
                        line(depth, spell("end idle", fmt::arg("condition", plain(e.condition))), ";");
                    }
                },
                [&](const async_copy& a) { copy_text(a, depth); },
                [&](const prepare_boxes& p) {
                    if (copies_boxes()) {
                        if (p.again) {
                            line(depth,
                                 spell("end boxes", fmt::arg("counters", p.counters), fmt::arg("number", p.number)),
                                 ";");
                        }
                        line(depth,
                             spell("prepare boxes", fmt::arg("counters", p.counters), fmt::arg("number", p.number),
                                   fmt::arg("boxes", p.boxes)),
                             ";");
                    }
                },
                [&](const copy_box& c) {
                    if (!copies_boxes()) {
                        block_text(copied_by_all(c, work_group_), depth);
                        return;
                    }
                    const auto& box = c.shape.box;
                    line(depth,
                         spell("copy box",
                               fmt::arg("bytes", static_cast<std::uint64_t>(c.counted * box[0] * box[1] * box[2]) *
                                                     size_of(c.shape.type)),
                               fmt::arg("local", c.local), fmt::arg("to", plain(c.to)), fmt::arg("tensor", c.tensor),
                               fmt::arg("x", plain(c.at[0])), fmt::arg("y", plain(c.at[1])),
                               fmt::arg("z", plain(c.at[2])), fmt::arg("counters", c.counters),
                               fmt::arg("counter", plain(c.counter, prefix))),
                         ";");
                },
                [&](const await_boxes& a) {
                    if (copies_boxes()) {
                        use("phases");
                        line(depth,
                             spell("await boxes", fmt::arg("counters", a.counters),
                                   fmt::arg("counter", plain(a.counter, prefix)), fmt::arg("phase", plain(a.phase))),
                             ";");
                    }
                },
                [&](const cache_prefetch& p) {
                    use("cache prefetches");
                    line(depth, spell("cache prefetch", fmt::arg("array", p.array), fmt::arg("at", plain(p.at))), ";");
                },
                [&](const commit_copies&) {
                    if (language().words.contains("commit copies")) {
                        use("asynchronous copies");
                        line(depth, word("commit copies"), ";");
                    }
                },
                [&](const await_copies& a) {
                    if (language().words.contains("await copies")) {
                        use("asynchronous copies");
                        line(depth, spell("await copies", fmt::arg("pending", a.pending)), ";");
                    }
                },
                [&](const comment& c) { line(depth, "// ", c.text); },
                [&](const atomic& a) {
                    const std::string which = a.op == atomic_op::add       ? "atomic add"
                                              : a.op == atomic_op::minimum ? "atomic minimum"
                                                                           : "atomic maximum";
                    line(depth,
                         spell(which, fmt::arg("array", a.array), fmt::arg("at", plain(a.at)),
                               fmt::arg("what", plain(a.what))),
                         ";");
                },
            },
            s.what);
    }

    /// Whether a compiler may make loads of single lanes of it, of which each takes as long as all together: where
    /// work-items side by side read vectors side by side, a lane of each is in a quarter of the banks.
    bool is_apart_by_lanes(const declare_vector& d) const {
        return d.local && d.aligned && d.width == 4 && register_type(d.stored) == type::f32 &&
               language().words.contains("whole local vector load");
    }
    /// A load whose lanes between those that were needed are not is spelled such that it stays one.
    void settle_load(const std::string& vector) {
        const std::set<int> needed = std::exchange(lanes_[vector], {});
        const auto load = loads_.extract(vector);
        if (!load.empty() && !needed.empty() &&
            *needed.rbegin() - *needed.begin() + 1 != static_cast<int>(needed.size())) {
            use("whole vector loads");
            whole_loads_.push_back(load.mapped());
        }
    }
    void settle_loads() {
        while (!loads_.empty()) {
            settle_load(std::string(loads_.begin()->first));
        }
        std::sort(whole_loads_.begin(), whole_loads_.end(),
                  [](const local_load& a, const local_load& b) { return a.begin > b.begin; });
        for (const local_load& l : whole_loads_) {
            out_.replace(l.begin, l.length, l.whole);
        }
        whole_loads_.clear();
        lanes_.clear();
    }

    /// Whether boxes of tensors are copied as wholes.
    bool copies_boxes() {
        const bool native = language().words.contains("copy box");
        if (native) {
            use("tensors");
        }
        return native;
    }

    void parts_text(const in_parts& p, int depth) {
        if (!language().words.contains("await at")) {
            block_text(p.body, depth);
            return;
        }
        const auto code = [&](bool first) {
            block_text(code_of_part(p, first, work_group_[0] * work_group_[1] * work_group_[2], copies_boxes()),
                       depth + 1);
        };
        line(depth, "if (", p.first, ") {");
        code(true);
        line(depth, "} else {");
        code(false);
        line(depth, "}");
    }

    void copy_text(const async_copy& a, int depth) {
        const std::string element = spell_type(type_of(a.stored));
        const std::string vector = vector_type(type_of(a.stored), a.width);
        const auto spelled = [&](const std::string& words, const std::string& array, const std::string& at,
                                 const std::string& what) {
            return spell(words, fmt::arg("vector", vector), fmt::arg("array", array), fmt::arg("at", at),
                         fmt::arg("what", what), fmt::arg("width", a.width));
        };
        if (language().words.contains("asynchronous copy")) {
            use("asynchronous copies");
            line(depth,
                 spell("asynchronous copy", fmt::arg("vector", a.aligned ? vector : element),
                       fmt::arg("width", a.aligned ? 1 : a.width), fmt::arg("local", a.local),
                       fmt::arg("to", plain(a.to)), fmt::arg("array", a.array), fmt::arg("at", plain(a.at))),
                 ";");
        } else if (a.width == 1) {
            line(depth, a.local, "[", a.to, "] = ", a.array, "[", a.at, "];");
        } else {
            const std::string what =
                spelled(a.aligned ? "vector load" : "unaligned vector load", a.array, plain(a.at), "");
            line(depth, spelled("local vector store", a.local, plain(a.to), what), ";");
        }
    }

    void block_text(const block& b, int depth) {
        for (const statement& s : b) {
            statement_text(s, depth);
        }
    }

    std::string formal_text(const formal& f) {
        switch (f.what) {
        case formal::kind::input:
            return spell("input", fmt::arg("type", array_type(f.type)), fmt::arg("name", f.name));
        case formal::kind::output:
            return spell("output", fmt::arg("type", array_type(f.type)), fmt::arg("name", f.name));
        case formal::kind::in_out:
            return spell("in_out", fmt::arg("type", array_type(f.type)), fmt::arg("name", f.name));
        case formal::kind::counters:
            return spell("in_out", fmt::arg("type", word("u32")), fmt::arg("name", f.name));
        case formal::kind::image:
            return spell("image", fmt::arg("name", f.name));
        case formal::kind::tensor:
            if (copies_boxes()) {
                return spell("tensor", fmt::arg("name", f.name));
            }
            return spell("input", fmt::arg("type", array_type(f.type)), fmt::arg("name", f.name));
        case formal::kind::scalar:
            return "const " + spell_type(type_of(f.type)) + " " + f.name;
        }
        throw std::logic_error("no such formal");
    }

    std::string launch_bounds(const kernel& k) const {
        const std::uint64_t threads = k.work_items();
        return is_bounded(k, language()) ? fmt::format("{}, {}", threads, k.groups_at_once) : std::to_string(threads);
    }

    /// The word for its beginning.
    std::string kernel_word(const kernel& k) {
        constexpr const char* of_groups = "kernel of groups at once";
        return is_bounded(k, language()) && language().words.contains(of_groups) ? of_groups : "kernel";
    }

    std::string constants_text(const kernel& k) {
        std::string out;
        for (const constant_table& t : k.constants) {
            std::string all;
            for (const double n : t.elements) {
                all += (all.empty() ? "" : ", ") + number_text(n, type_of(t.stored));
            }
            out += spell("constant table", fmt::arg("type", spell_type(type_of(t.stored))), fmt::arg("name", t.name),
                         fmt::arg("elements", t.elements.size()), fmt::arg("numbers", all)) +
                   ";\n";
        }
        return out;
    }

    std::string kernel_text(const kernel& k) {
        out_.clear();
        work_group_ = k.work_group;
        if (!k.about.empty()) {
            line(0, "// ", k.about);
        }
        std::string formals;
        for (const formal& f : k.formals) {
            formals += (formals.empty() ? "" : ",\n    ") + formal_text(f);
        }
        const auto& g = k.work_group;
        line(0, spell(kernel_word(k), g[0], g[1], g[2], fmt::arg("name", k.name), fmt::arg("bounds", launch_bounds(k))),
             "\n    ", formals, ")");
        line(0, "{");
        const std::vector<std::uint64_t> begins = local_places(k);
        const std::uint64_t local_bytes = begins.back();
        const bool one_block = language().static_local_bytes > 0 && local_bytes > language().static_local_bytes;
        if (one_block) {
            out_ = spell("size of local block", fmt::arg("name", k.name), fmt::arg("bytes", local_bytes)) + out_;
            line(1, word("local block"), ";");
        }
        for (std::size_t i = 0; i < k.locals.size(); ++i) {
            const local_array& a = k.locals[i];
            line(1,
                 spell(one_block ? "local array in block" : "local array",
                       fmt::arg("type", spell_type(register_type(a.stored))), fmt::arg("name", a.name),
                       fmt::arg("elements", a.elements), fmt::arg("begin", begins[i]),
                       fmt::arg("alignment", a.alignment)),
                 ";");
        }
        block_text(language().joins_branches ? joined_branches(k.body) : k.body, 1);
        line(0, "}");
        settle_loads();
        return constants_text(k) + out_;
    }

    struct local_load {                    ///< of a vector
        std::size_t begin = 0, length = 0; ///< in the text
        std::string whole;                 ///< how it is spelled as one that a compiler keeps as such
    };
    std::map<std::string, local_load> loads_; ///< whose lanes are being written, by the vector
    std::vector<local_load> whole_loads_;
    std::array<std::uint64_t, 3> work_group_{1, 1, 1}; ///< of the kernel that is spelled
};

} // namespace

bool needs_wide_index(std::uint64_t elements) {
    return elements > 0x7fff0000;
}

std::string emit(const std::vector<kernel>& kernels, const dialect& language, bool wide_index) {
    return emitter(language, wide_index).module(kernels);
}

} // namespace gst
