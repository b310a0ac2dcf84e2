#include "tests/codegen/mutate.hpp"

#include "core/codegen/stream/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gst {

namespace {

using namespace nest;
using nest::expression; // not those over parameters
using nest::value;

/// Whether it is a barrier of the whole work-group on a CPU, where other awaits at barriers with a number are nothing.
bool awaits_all(const statement& s) {
    const auto* a = std::get_if<await_at>(&s.what);
    return a != nullptr && a->all_pass;
}

/// Walks a kernel in a fixed order and counts the sites where it could do harm; does it at site number `target`.
class mutation {
  public:
    explicit mutation(int target) : target_(target) {}

    kernel apply(kernel k) {
        k.body = mutated(k.body);
        return k;
    }
    bool done() const { return !what_.empty(); }
    const std::string& what() const { return what_; }

  private:
    /// Whether this is the site to mutate.
    bool here(const std::string& what) {
        if (site_++ != target_) {
            return false;
        }
        what_ = what;
        return true;
    }

    // ---- expressions: the same tree with one change, or the tree itself

    value shifted(const value& v, const std::string& what) {
        for (const int by : {1, -1}) {
            if (here(fmt::format("{} shifted by {}", what, by))) {
                return plus(v, by);
            }
        }
        return v;
    }

    value mutated(const value& v) {
        expression e = *v;
        bool changed = false;
        const auto inside = [&](value& operand) {
            const value after = mutated(operand);
            changed = changed || after != operand;
            operand = after;
        };
        const auto shift = [&](value& at, const std::string& what) {
            const value after = shifted(at, what);
            changed = changed || after != at;
            at = after;
        };
        if (auto* u = std::get_if<nest::unary>(&e.op)) {
            inside(u->a);
        } else if (auto* b = std::get_if<nest::binary>(&e.op)) {
            const auto replace = [&](ir::binary_op from, ir::binary_op to, const char* what) {
                if (b->op == from && here(what)) {
                    b->op = to;
                    changed = true;
                }
            };
            using enum ir::binary_op;
            if (e.of != type::index) { // index arithmetic is shifted where it is used
                replace(add, subtract, "+ became -");
                replace(subtract, add, "- became +");
                replace(multiply, add, "* became +");
            }
            replace(minimum, maximum, "min became max");
            replace(less, less_equal, "< became <=");
            replace(greater_equal, greater, ">= became >");
            replace(equal, not_equal, "== became !=");
            inside(b->a);
            inside(b->b);
        } else if (auto* c = std::get_if<nest::call>(&e.op)) {
            inside(c->a);
        } else if (auto* s = std::get_if<nest::select>(&e.op)) {
            if (here("select swapped")) {
                std::swap(s->a, s->b);
                changed = true;
            }
            inside(s->condition);
            inside(s->a);
            inside(s->b);
        } else if (auto* k = std::get_if<nest::convert>(&e.op)) {
            inside(k->a);
        } else if (auto* l = std::get_if<load>(&e.op)) {
            shift(l->at, "load of " + l->array);
        } else if (auto* i = std::get_if<image_load>(&e.op)) {
            shift(i->at, "image load of " + i->image);
        } else if (auto* n = std::get_if<lane>(&e.op)) {
            if (n->width > 1 && here("other lane of " + n->vector)) {
                n->index = (n->index + 1) % n->width;
                changed = true;
            }
        } else if (auto* q = std::get_if<compose>(&e.op)) {
            for (value& one : q->lanes) {
                inside(one);
            }
        } else if (auto* again = std::get_if<renewed>(&e.op)) {
            inside(again->a);
        } else if (auto* r = std::get_if<reciprocal_root>(&e.op)) {
            inside(r->a);
        } else if (auto* h = std::get_if<shuffle>(&e.op)) {
            if (here("shuffle from the lane itself")) {
                return h->a;
            }
            if (here("shuffle from the other side")) {
                h->by = -h->by;
                changed = true;
            }
            inside(h->a);
        }
        return changed ? std::make_shared<const expression>(std::move(e)) : v;
    }

    // ---- statements

    block mutated(const block& b) {
        block out;
        for (const statement& s : b) {
            statement after = s;
            if (auto* d = std::get_if<declare>(&after.what)) {
                if (d->of == type::index) {
                    d->init = shifted(d->init, d->name);
                }
                d->init = mutated(d->init);
            } else if (auto* v = std::get_if<declare_vector>(&after.what)) {
                if (here("vector load of " + v->array + " shifted")) {
                    v->at = plus(v->at, v->width);
                }
            } else if (auto* t = std::get_if<store>(&after.what)) {
                if (here("store to " + t->array + " dropped")) {
                    continue;
                }
                t->at = shifted(t->at, "store to " + t->array);
                t->what = mutated(t->what);
            } else if (auto* w = std::get_if<vector_store>(&after.what)) {
                if (here("vector store to " + w->array + " dropped")) {
                    continue;
                }
                if (here("vector store to " + w->array + " shifted")) {
                    w->at = plus(w->at, w->width);
                }
                for (value& one : w->values) {
                    one = mutated(one);
                }
            } else if (auto* l = std::get_if<loop>(&after.what)) {
                if (here("loop " + l->name + " begins late")) {
                    l->begin = l->begin + l->step;
                }
                if (here("loop " + l->name + " ends early")) {
                    l->end = l->end - l->step;
                }
                if (here("loop " + l->name + " ends late")) {
                    l->end = l->end + l->step;
                }
                if (here("loop " + l->name + " skips every other")) {
                    l->step = l->step * number(2);
                }
                l->body = mutated(l->body);
            } else if (auto* parts = std::get_if<in_parts>(&after.what)) {
                parts->body = mutated(parts->body);
            } else if (auto* c = std::get_if<branch>(&after.what)) {
                if (here("condition negated")) {
                    c->condition = make(nest::unary{ir::unary_op::logical_not, c->condition}, type::boolean);
                }
                if (here("condition always true")) {
                    out.insert(out.end(), c->yes.begin(), c->yes.end());
                    continue;
                }
                if (here("condition always false")) {
                    out.insert(out.end(), c->no.begin(), c->no.end());
                    continue;
                }
                c->condition = mutated(c->condition);
                c->yes = mutated(c->yes);
                c->no = mutated(c->no);
            } else if (std::holds_alternative<barrier>(after.what) ||
                       std::holds_alternative<await_arrivals>(after.what) || awaits_all(after)) {
                if (here("barrier dropped")) {
                    continue;
                }
            } else if (auto* a = std::get_if<assign>(&after.what)) {
                if (here("assignment to " + a->name + " dropped")) {
                    continue;
                }
                a->what = mutated(a->what);
            } else if (auto* y = std::get_if<async_copy>(&after.what)) { // awaiting them is nothing on a CPU
                if (here("copy of " + y->array + " dropped")) {
                    continue;
                }
                if (here("copy of " + y->array + " shifted")) {
                    y->at = plus(y->at, y->width);
                }
                if (here("copy to " + y->local + " shifted")) {
                    y->to = plus(y->to, y->width);
                }
            }
            if (auto* boxed = std::get_if<copy_box>(&after.what)) {
                if (here("box of " + boxed->tensor + " dropped")) {
                    continue;
                }
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    if (here(fmt::format("box of {} shifted along {}", boxed->tensor, "xyz"[axis]))) {
                        boxed->at[axis] = plus(boxed->at[axis], 1);
                    }
                }
                if (here("box to " + boxed->local + " shifted")) {
                    boxed->to = plus(boxed->to, 1);
                }
            }
            out.push_back(std::move(after));
        }
        return out;
    }

    int target_;
    int site_ = 0;
    std::string what_;
};

/// The same program with one kernel per module, so that a mutant shares the compiled kernels that it leaves alone.
lowered_program split(const lowered_program& p) {
    lowered_program out{{}, p.rest};
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> module_of;
    for (std::uint32_t m = 0; m < p.modules.size(); ++m) {
        for (const kernel& k : p.modules[m]) {
            module_of[{m, k.name}] = static_cast<std::uint32_t>(out.modules.size());
            out.modules.push_back({k});
        }
    }
    for (auto* list : {&out.rest.call, &out.rest.halos, &out.rest.remainder}) {
        for (program_operation& o : *list) {
            if (auto* l = std::get_if<launch>(&o)) {
                l->module = module_of.at({l->module, l->kernel});
            }
        }
    }
    return out;
}

} // namespace

std::vector<nest::block*> inner_blocks(nest::statement& s) {
    if (auto* l = std::get_if<nest::loop>(&s.what)) {
        return {&l->body};
    }
    if (auto* c = std::get_if<nest::branch>(&s.what)) {
        return {&c->yes, &c->no};
    }
    auto* p = std::get_if<nest::in_parts>(&s.what);
    return p != nullptr ? std::vector{&p->body} : std::vector<nest::block*>();
}

int drop_last_barriers(nest::block& b) {
    int dropped = 0;
    for (nest::statement& one : b) {
        if (auto* l = std::get_if<nest::loop>(&one.what)) {
            dropped += drop_last_barriers(l->body);
        }
    }
    const auto is_barrier = [](const auto& one) { return std::holds_alternative<nest::barrier>(one.what); };
    const auto last = std::find_if(b.rbegin(), b.rend(), is_barrier);
    if (last != b.rend()) {
        b.erase(std::next(last).base());
        ++dropped;
    }
    return dropped;
}

int wait_at_arrivals(nest::block& b) {
    int arrivals = 0;
    std::erase_if(b, [](const auto& one) { return std::holds_alternative<nest::await_arrivals>(one.what); });
    for (nest::statement& one : b) {
        if (auto* l = std::get_if<nest::loop>(&one.what)) {
            arrivals += wait_at_arrivals(l->body);
        } else if (std::holds_alternative<nest::arrive>(one.what)) {
            one.what = nest::barrier{};
            ++arrivals;
        }
    }
    return arrivals;
}

int run_a_pass_behind(nest::block& b) {
    int loops = 0;
    const auto arrives = [](const auto& one) { return std::holds_alternative<nest::arrive_at>(one.what); };
    const auto awaits = [](const auto& one) { return std::holds_alternative<nest::await_at>(one.what); };
    std::erase_if(b, [&](const auto& one) { return arrives(one) || awaits(one); });
    for (nest::statement& one : b) {
        auto* l = std::get_if<nest::loop>(&one.what);
        const bool of_passes = l != nullptr && std::erase_if(l->body, awaits) > 0;
        loops += of_passes;
        for (nest::block* inner : inner_blocks(one)) {
            loops += run_a_pass_behind(*inner);
        }
        if (!of_passes) {
            continue;
        }
        nest::branch split = std::get<nest::branch>(l->body.back().what);
        l->body.pop_back();
        nest::block names; // of both groups' passes
        std::copy_if(l->body.begin(), l->body.end(), std::back_inserter(names),
                     [](const auto& s) { return std::holds_alternative<nest::declare>(s.what); });
        const nest::value now = var("ahead");
        nest::loop first{l->name, now, least(plus(now, 1), l->end), number(1), std::move(l->body)};
        first.body.push_back({nest::branch{split.condition, std::move(split.yes), {}}});
        nest::loop second{l->name, streaming::greatest(plus(now, -1), l->begin), now, number(1), std::move(names)};
        second.body.push_back({nest::branch{split.condition, {}, std::move(split.no)}});
        l->name = "ahead";
        l->end = plus(l->end, 1);
        l->body = {{nest::barrier{}}, {std::move(first)}, {std::move(second)}};
    }
    return loops;
}

std::vector<mutant> mutants_of(const lowered_program& whole) {
    const lowered_program p = split(whole);
    std::vector<mutant> out;
    for (std::size_t k = 0; k < p.modules.size(); ++k) {
        const kernel& right = p.modules[k].front();
        for (int site = 0;; ++site) {
            mutation m(site);
            lowered_program changed = p;
            changed.modules[k] = {m.apply(right)};
            if (!m.done()) {
                break;
            }
            out.push_back({right.name + ": " + m.what(), std::move(changed)});
        }
    }
    for (const auto list : {&program::call, &program::halos, &program::remainder}) {
        const std::vector<program_operation>& operations = p.rest.*list;
        for (std::size_t i = 0; i < operations.size(); ++i) {
            const auto* l = std::get_if<launch>(&operations[i]);
            // Verification compares level 0 behind a step of the remainder, which reads what `halos` fills of it, but
            // not all: the same launches in the remainder show what they leave.
            const bool of_halos = list == &program::halos;
            if (of_halos && std::get<field_argument>(l->arguments.front()).level < 0) {
                continue;
            }
            const std::string name = l ? l->kernel : "image copy";
            lowered_program dropped = p;
            std::vector<program_operation>& fewer_operations = dropped.rest.*list;
            fewer_operations.erase(fewer_operations.begin() + static_cast<std::ptrdiff_t>(i));
            out.push_back({name + ": launch dropped", std::move(dropped), true});
            for (std::size_t axis = 0; l && !of_halos && axis < 3; ++axis) {
                if (l->global[axis] > l->local[axis]) {
                    lowered_program fewer = p;
                    std::get<launch>((fewer.rest.*list)[i]).global[axis] -= l->local[axis];
                    out.push_back(
                        {fmt::format("{}: a work-group less along axis {}", name, axis), std::move(fewer), true});
                }
            }
        }
    }
    return out;
}

} // namespace gst
