#include "core/codegen/joined_branches.hpp"

#include <algorithm>
#include <utility>

namespace gst {

namespace {

using namespace nest;

const declare* index_of(const statement& s) {
    const auto* d = std::get_if<declare>(&s.what);
    return d && !d->varies && d->of == type::index ? d : nullptr;
}

bool is_store(const statement& s) {
    const auto* one = std::get_if<store>(&s.what);
    const auto* vector = std::get_if<vector_store>(&s.what);
    return (one && !one->local) || (vector && !vector->local);
}

bool is_branch_of_stores(const statement& s) {
    const auto* b = std::get_if<branch>(&s.what);
    return b && b->no.empty() && std::all_of(b->yes.begin(), b->yes.end(), is_store);
}

bool declares(const block& b, const std::string& name) {
    return std::any_of(b.begin(), b.end(), [&](const statement& s) {
        const auto* d = std::get_if<declare>(&s.what);
        const auto* vector = std::get_if<declare_vector>(&s.what);
        return (d && d->name == name) || (vector && vector->name == name);
    });
}

/// Whether the branch may become those in it, in a block of which `before` is done and `rest` is not.
bool is_joined(const branch& outer, const block& before, const block& rest) {
    const block& in = outer.yes;
    return outer.no.empty() && std::any_of(in.begin(), in.end(), is_branch_of_stores) &&
           std::all_of(in.begin(), in.end(), [&](const statement& s) {
               const declare* d = index_of(s);
               return is_branch_of_stores(s) || (d && !declares(before, d->name) && !declares(rest, d->name));
           });
}

} // namespace

block joined_branches(const block& b) {
    block out;
    for (statement s : b) {
        if (auto* l = std::get_if<loop>(&s.what)) {
            l->body = joined_branches(l->body);
        } else if (auto* p = std::get_if<in_parts>(&s.what)) {
            p->body = joined_branches(p->body);
        } else if (auto* outer = std::get_if<branch>(&s.what)) {
            outer->yes = joined_branches(outer->yes);
            outer->no = joined_branches(outer->no);
            if (is_joined(*outer, out, b)) {
                for (statement& inner : outer->yes) {
                    if (auto* stores = std::get_if<branch>(&inner.what)) {
                        stores->condition = both(outer->condition, stores->condition);
                    }
                    out.push_back(std::move(inner));
                }
                continue;
            }
        }
        out.push_back(std::move(s));
    }
    return out;
}

} // namespace gst
