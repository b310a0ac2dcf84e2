#include "core/codegen/parts.hpp"

#include <stdexcept>

namespace gst {

namespace {

using namespace nest;

class part {
  public:
    part(const in_parts& p, bool first, std::uint64_t work_items, bool copies_boxes)
        : condition_(p.first), first_(first), work_items_(work_items), drops_copies_(!first && copies_boxes) {}

    block code(const block& of_both) const {
        block out;
        for (const statement& s : of_both) {
            add(s, out);
        }
        return out;
    }

  private:
    void add(const statement& s, block& out) const {
        if (const auto* b = std::get_if<branch>(&s.what)) {
            if (b->condition == condition_) {
                for (const statement& one : first_ ? b->yes : b->no) {
                    add(one, out);
                }
            } else {
                out.push_back({branch{b->condition, code(b->yes), code(b->no)}});
            }
        } else if (const auto* l = std::get_if<loop>(&s.what)) {
            out.push_back({loop{l->name, l->begin, l->end, l->step, code(l->body), l->seldom, l->unrolled}});
        } else if (std::holds_alternative<barrier>(s.what)) {
            out.push_back({await_at{number(0), work_items_}});
        } else if (std::holds_alternative<prepare_boxes>(s.what)) {
            throw std::logic_error("all work-items prepare boxes together");
        } else if (std::holds_alternative<in_parts>(s.what)) {
            throw std::logic_error("parts of a part");
        } else if (!drops_copies_ || !std::holds_alternative<copy_box>(s.what)) {
            out.push_back(s);
        }
    }

    const value& condition_;
    bool first_;
    std::uint64_t work_items_;
    bool drops_copies_;
};

} // namespace

block code_of_part(const in_parts& p, bool first, std::uint64_t work_items, bool copies_boxes) {
    return part(p, first, work_items, copies_boxes).code(p.body);
}

} // namespace gst
