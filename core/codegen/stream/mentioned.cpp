#include "core/codegen/stream/mentioned.hpp"

#include "core/base/overloaded.hpp"

namespace gst::streaming {

void mentioned::look_at(const value& v) {
    if (!v || !seen_.insert(v.get()).second) {
        return;
    }
    std::visit(overloaded{
                   [](const integer&) {},
                   [](const real&) {},
                   [](const work_item&) {},
                   [&](const variable& one) {
                       names.insert(one.name);
                       whole.insert(one.name);
                   },
                   [&](const lane& l) {
                       names.insert(l.vector);
                       lanes[l.vector].insert(l.index);
                   },
                   [&](const nest::unary& u) { look_at(u.a); },
                   [&](const nest::binary& b) {
                       look_at(b.a);
                       look_at(b.b);
                   },
                   [&](const nest::call& c) { look_at(c.a); },
                   [&](const reciprocal_root& r) { look_at(r.a); },
                   [&](const nest::select& s) {
                       look_at(s.condition);
                       look_at(s.a);
                       look_at(s.b);
                   },
                   [&](const renewed& r) { look_at(r.a); },
                   [&](const nest::convert& c) { look_at(c.a); },
                   [&](const load& l) { // a number in constant memory is always the same one
                       memory = memory || l.local || !std::holds_alternative<integer>(l.at->op);
                       look_at(l.at);
                   },
                   [&](const image_load& l) {
                       memory = true;
                       look_at(l.at);
                   },
                   [&](const compose& c) { look_at(c.lanes); },
                   [&](const shuffle& s) { look_at(s.a); },
               },
               v->op);
}
void mentioned::look_at(const std::vector<value>& all) {
    for (const value& v : all) {
        look_at(v);
    }
}
void mentioned::look_at(const block& all) {
    for (const statement& s : all) {
        look_at(s);
    }
}
void mentioned::look_at(const statement& s) {
    std::visit(overloaded{
                   [&](const declare& d) {
                       assigned.insert(d.name);
                       look_at(d.init);
                   },
                   [&](const assign& a) {
                       names.insert(a.name);
                       assigned.insert(a.name);
                       look_at(a.what);
                   },
                   [&](const declare_vector& d) {
                       assigned.insert(d.name);
                       look_at(d.at);
                   },
                   [&](const store& t) {
                       look_at(t.at);
                       look_at(t.what);
                   },
                   [&](const vector_store& t) {
                       look_at(t.at);
                       look_at(t.values);
                   },
                   [&](const loop& l) {
                       look_at(std::vector<value>{l.begin, l.end, l.step});
                       look_at(l.body);
                   },
                   [&](const branch& b) {
                       look_at(b.condition);
                       look_at(b.yes);
                       look_at(b.no);
                   },
                   [&](const atomic& a) {
                       look_at(a.at);
                       look_at(a.what);
                   },
                   [&](const async_copy& c) {
                       look_at(c.at);
                       look_at(c.to);
                   },
                   [&](const cache_prefetch& p) { look_at(p.at); }, [](const comment&) {},
                   [&](const auto&) { barrier = true; }, // and all that awaits or counts
               },
               s.what);
}

} // namespace gst::streaming
