#include "tests/codegen/local_races.hpp"

#include "core/base/overloaded.hpp"
#include "core/codegen/stage_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace gst::testing {

namespace {

using namespace nest;
using nest::expression;
using nest::value;

/// What orders accesses: a whole barrier (number 0), one at which the work-item awaits others, or at which it arrives.
struct synchronisation {
    std::int64_t barrier = 0;
    bool arrives = false;
    bool operator==(const synchronisation&) const = default;
};

struct access {
    int item = 0;
    std::size_t position = 0; ///< synchronisations of the work-item before it
    bool writes = false;
    auto operator<=>(const access&) const = default;
};

using element = std::pair<std::string, std::int64_t>;
using accesses = std::map<element, std::set<access>>;

class walker {
  public:
    walker(const kernel& k, const std::array<std::int64_t, 3>& group, int item,
           const std::function<std::int64_t(const std::string&, std::int64_t)>& place, accesses& all)
        : kernel_(k), group_(group), item_(item), place_(place), all_(all) {
        std::int64_t left = item;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto size = static_cast<std::int64_t>(k.work_group[axis]);
            local_[axis] = left % size;
            left /= size;
        }
        walk(k.body);
        arrive(0);
    }
    const std::vector<synchronisation>& synchronisations() const { return synchronisations_; }
    /// Whether it was in the first of two parts, each time that there were some.
    const std::vector<std::int64_t>& ways() const { return ways_; }
    bool has_ended() const { return ended_; }
    bool writes_when_ended() const { return writes_ended_; }

  private:
    void walk(const block& b) {
        for (const statement& s : b) {
            walk(s);
        }
    }
    void walk(const statement& s) {
        std::visit(overloaded{[&](const declare& d) { give(d.name, d.init); },
                              [&](const assign& a) { give(a.name, a.what); },
                              [&](const declare_vector& d) {
                                  read(d.at);
                                  for (int i = 0; d.local && i < d.width; ++i) {
                                      note(d.array, known(d.at) + i, false);
                                  }
                              },
                              [&](const store& t) {
                                  writes_ended_ = writes_ended_ || ended_;
                                  read(t.what);
                                  if (t.local) {
                                      note(t.array, known(t.at), true);
                                  }
                              },
                              [&](const vector_store& t) {
                                  writes_ended_ = writes_ended_ || ended_;
                                  for (const value& v : t.values) {
                                      read(v);
                                  }
                                  for (int i = 0; t.local && i < t.width; ++i) {
                                      note(t.array, known(t.at) + i, true);
                                  }
                              },
                              [&](const loop& l) {
                                  for (std::int64_t i = known(l.begin); i < known(l.end); i += known(l.step)) {
                                      numbers_[l.name] = i;
                                      walk(l.body);
                                  }
                              },
                              [&](const branch& c) { walk(known(c.condition) != 0 ? c.yes : c.no); },
                              [&](const in_parts& p) { walk_parts(p); },
                              [&](const end_idle& e) { ended_ = ended_ || known(e.condition) != 0; },
                              [&](const barrier&) { synchronisations_.push_back({}); },
                              [&](const prepare_boxes&) {
                                  if (in_part_) {
                                      throw std::logic_error("boxes are prepared in a part");
                                  }
                                  synchronisations_.push_back({});
                              },
                              [&](const arrive_at& a) {
                                  synchronisations_.push_back({a.barrier, true});
                              },
                              [&](const await_at& a) {
                                  synchronisations_.push_back({known(a.barrier), false});
                              },
                              [&](const copy_box& c) {
                                  const auto& box = c.shape.box;
                                  for (std::int64_t i = 0; item_ == 0 && i < box[0] * box[1] * box[2]; ++i) {
                                      note(c.local, known(c.to) + i, true);
                                  }
                              },
                              [&](const async_copy& c) {
                                  writes_ended_ = writes_ended_ || ended_;
                                  for (int i = 0; i < c.width; ++i) {
                                      batch_.emplace_back(c.local, known(c.to) + i);
                                  }
                              },
                              [&](const commit_copies&) {
                                  on_their_way_.emplace_back(synchronisations_.size(), std::exchange(batch_, {}));
                              },
                              [&](const await_copies& a) { arrive(static_cast<std::size_t>(a.pending)); },
                              [](const await_boxes&) {},
                              [](const comment&) {},
                              [](const auto&) { throw std::logic_error("a statement that is not walked"); }},
                   s.what);
    }

    /// All batches but the latest ones have been written, at some time since they were committed.
    void arrive(std::size_t pending) {
        for (; on_their_way_.size() > pending; on_their_way_.pop_front()) {
            const auto& [since, elements] = on_their_way_.front();
            for (std::size_t position = since; position <= synchronisations_.size(); ++position) {
                for (const auto& [array, at] : elements) {
                    all_[{array, place_(array, at)}].insert({item_, position, true});
                }
            }
        }
    }

    /// A part goes its own way only if it does so as a whole and to the end.
    void walk_parts(const in_parts& p) {
        const auto first = known(p.first);
        if (in_part_) {
            throw std::logic_error("parts of a part");
        }
        in_part_ = true;
        walk(p.body);
        in_part_ = false;
        ways_.push_back(first);
        if (known(p.first) != first) {
            throw std::logic_error("a work-item that goes over to the other part");
        }
    }

    void give(const std::string& name, const value& what) {
        read(what);
        if (const auto number = evaluated(what)) {
            numbers_[name] = *number;
        } else {
            numbers_.erase(name);
        }
    }

    void note(const std::string& array, std::int64_t at, bool writes) {
        all_[{array, place_(array, at)}].insert({item_, synchronisations_.size(), writes});
    }

    /// Notes the elements of local memory that an expression reads.
    void read(const value& v) {
        std::visit(overloaded{[&](const nest::unary& u) { read(u.a); },
                              [&](const nest::binary& b) {
                                  read(b.a);
                                  read(b.b);
                              },
                              [&](const nest::call& c) { read(c.a); }, [&](const reciprocal_root& r) { read(r.a); },
                              [&](const nest::select& s) {
                                  read(s.condition);
                                  read(s.a);
                                  read(s.b);
                              },
                              [&](const renewed& r) { read(r.a); }, [&](const nest::convert& c) { read(c.a); },
                              [&](const load& l) {
                                  if (l.local) {
                                      note(l.array, known(l.at), false);
                                  }
                              },
                              [&](const compose& c) {
                                  for (const value& one : c.lanes) {
                                      read(one);
                                  }
                              },
                              [](const auto&) {}},
                   v->op);
    }

    std::int64_t known(const value& v) const {
        const auto number = evaluated(v);
        if (!number) {
            throw std::logic_error("a place, a condition or a bound that is not known");
        }
        return *number;
    }

    std::optional<std::int64_t> evaluated(const value& v) const {
        using result = std::optional<std::int64_t>;
        return std::visit(overloaded{[](const integer& i) -> result { return i.number; },
                                     [&](const variable& one) -> result {
                                         const auto found = numbers_.find(one.name);
                                         return found == numbers_.end() ? result() : found->second;
                                     },
                                     [&](const nest::unary& u) -> result {
                                         const result a = evaluated(u.a);
                                         return !a ? a : u.op == ir::unary_op::negate ? -*a : *a == 0;
                                     },
                                     [&](const nest::binary& b) -> result {
                                         const result x = evaluated(b.a);
                                         const result y = x ? evaluated(b.b) : x;
                                         return y ? evaluated(b.op, *x, *y) : y;
                                     },
                                     [&](const nest::select& s) -> result {
                                         const result c = evaluated(s.condition);
                                         return !c ? c : evaluated(*c != 0 ? s.a : s.b);
                                     },
                                     [&](const renewed& r) -> result { return evaluated(r.a); },
                                     [&](const nest::convert& c) -> result {
                                         return v->of == type::f32 || v->of == type::f64 ? result() : evaluated(c.a);
                                     },
                                     [&](const work_item& w) -> result {
                                         const auto axis = static_cast<std::size_t>(w.axis);
                                         const auto size = static_cast<std::int64_t>(kernel_.work_group[axis]);
                                         return w.which == id::local   ? local_[axis]
                                                : w.which == id::group ? group_[axis]
                                                : w.which == id::one   ? 1
                                                                       : group_[axis] * size + local_[axis];
                                     },
                                     [](const auto&) -> result { return {}; }},
                          v->op);
    }

    static std::optional<std::int64_t> evaluated(ir::binary_op op, std::int64_t a, std::int64_t b) {
        switch (op) {
        case ir::binary_op::add:
            return a + b;
        case ir::binary_op::subtract:
            return a - b;
        case ir::binary_op::multiply:
            return a * b;
        case ir::binary_op::divide:
            return a / b;
        case ir::binary_op::remainder:
            return a % b;
        case ir::binary_op::minimum:
            return std::min(a, b);
        case ir::binary_op::maximum:
            return std::max(a, b);
        case ir::binary_op::less:
            return a < b;
        case ir::binary_op::less_equal:
            return a <= b;
        case ir::binary_op::greater:
            return a > b;
        case ir::binary_op::greater_equal:
            return a >= b;
        case ir::binary_op::equal:
            return a == b;
        case ir::binary_op::not_equal:
            return a != b;
        case ir::binary_op::logical_and:
            return a != 0 && b != 0;
        case ir::binary_op::logical_or:
            return a != 0 || b != 0;
        default:
            return {};
        }
    }

    const kernel& kernel_;
    std::array<std::int64_t, 3> group_, local_{};
    int item_;
    const std::function<std::int64_t(const std::string&, std::int64_t)>& place_;
    accesses& all_;
    std::map<std::string, std::int64_t> numbers_;
    std::vector<synchronisation> synchronisations_;
    std::vector<element> batch_;                                            ///< of copies, not committed
    std::deque<std::pair<std::size_t, std::vector<element>>> on_their_way_; ///< and since when
    bool in_part_ = false, ended_ = false, writes_ended_ = false;
    std::vector<std::int64_t> ways_; ///< of all parts that it went through
};

/// Work-items that do the same, and of each of their positions how many synchronisations of each part are over then.
struct part {
    std::vector<synchronisation> all;
    std::vector<std::vector<std::size_t>> known;
    std::size_t done = 0;
};

/// Lets the parts run as far as their barriers let them; in words what keeps them from their ends, or "".
std::string run(std::vector<part>& parts) {
    struct counted {
        std::vector<std::vector<std::size_t>> arrivals;          ///< what those who arrived knew
        std::vector<std::pair<std::size_t, std::size_t>> awaits; ///< by whom, and their place in its sequence
    };
    std::map<std::int64_t, counted> barriers;
    for (part& p : parts) {
        p.known = {std::vector<std::size_t>(parts.size())};
    }
    const auto at_end = [](const part& p) { return p.done == p.all.size(); };
    const auto at_whole = [&](const part& p) { return !at_end(p) && p.all[p.done] == synchronisation{}; };
    const auto pass = [](part& p, std::size_t self, std::vector<std::size_t> knows) {
        knows[self] = ++p.done;
        p.known.push_back(std::move(knows));
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            part& p = parts[i];
            if (at_end(p) || at_whole(p)) {
                continue;
            }
            const synchronisation& now = p.all[p.done];
            counted& b = barriers[now.barrier];
            std::vector<std::size_t> knows = p.known.back();
            if (now.arrives) {
                if (!b.arrivals.empty()) {
                    const std::size_t last = b.arrivals.size() - 1; // which somebody should have awaited by now
                    if (b.awaits.size() <= last || knows[b.awaits[last].first] <= b.awaits[last].second) {
                        return fmt::format("arrival {} at barrier {} may come before the one before was awaited",
                                           last + 1, now.barrier);
                    }
                }
                knows[i] = p.done + 1;
                b.arrivals.push_back(knows);
            } else if (b.arrivals.size() > b.awaits.size()) {
                const std::vector<std::size_t>& others = b.arrivals[b.awaits.size()];
                b.awaits.emplace_back(i, p.done);
                std::transform(knows.begin(), knows.end(), others.begin(), knows.begin(),
                               [](auto x, auto y) { return std::max(x, y); });
            } else {
                continue;
            }
            pass(p, i, std::move(knows));
            moved = true;
        }
        if (!moved && std::all_of(parts.begin(), parts.end(), at_whole)) {
            std::vector<std::size_t> knows(parts.size());
            for (std::size_t i = 0; i < parts.size(); ++i) {
                knows[i] = parts[i].done + 1;
            }
            for (std::size_t i = 0; i < parts.size(); ++i) {
                pass(parts[i], i, knows);
            }
            moved = true;
        }
    }
    if (!std::all_of(parts.begin(), parts.end(), at_end)) {
        return "some wait for ever";
    }
    for (const auto& [number, b] : barriers) {
        if (b.arrivals.size() != b.awaits.size()) {
            return fmt::format("{} arrivals at barrier {}, {} of them awaited", b.arrivals.size(), number,
                               b.awaits.size());
        }
    }
    return "";
}

} // namespace

std::string local_race(const kernel& k, const std::array<std::int64_t, 3>& group,
                       const std::function<std::int64_t(const std::string&, std::int64_t)>& place) {
    accesses all;
    std::vector<part> parts;
    std::vector<std::size_t> part_of;
    const auto items = static_cast<int>(k.work_group[0] * k.work_group[1] * k.work_group[2]);
    std::vector<std::int64_t> ways; // of the work-items' sub-group
    int ended = 0;                  // of its work-items
    std::string wrong_end;
    for (int item = 0; item < items; ++item) {
        const walker w(k, group, item, place, all);
        ended = (item % stage_alignment == 0 ? 0 : ended) + (w.has_ended() ? 1 : 0);
        if (ended == stage_alignment || (item == 0 && ended > 0)) {
            return fmt::format("work-item {} ends with all of its sub-group, or is the one that copies", item);
        }
        if (wrong_end.empty() && w.writes_when_ended()) {
            wrong_end = fmt::format("work-item {} has ended, and writes", item);
        }
        if (item % stage_alignment == 0) {
            ways = w.ways();
        } else if (ways != w.ways()) {
            return fmt::format("work-item {} is in another part than others of its sub-group", item);
        }
        if (item == 0 && std::count(ways.begin(), ways.end(), 0) > 0) {
            return "the work-item that copies is in the second part";
        }
        const auto same =
            std::find_if(parts.begin(), parts.end(), [&](const part& p) { return p.all == w.synchronisations(); });
        part_of.push_back(static_cast<std::size_t>(same - parts.begin()));
        if (same == parts.end()) {
            parts.push_back({w.synchronisations(), {}});
        }
    }
    if (!wrong_end.empty()) {
        return wrong_end;
    }
    if (std::string wrong = run(parts); !wrong.empty()) {
        return wrong;
    }
    const auto before = [&](const access& a, const access& b) {
        const std::size_t of_a = part_of[static_cast<std::size_t>(a.item)];
        const std::size_t of_b = part_of[static_cast<std::size_t>(b.item)];
        if (of_a != of_b) {
            return parts[of_b].known[b.position][of_a] > a.position;
        }
        const auto& own = parts[of_a].all;
        return a.item == b.item
                   ? a.position <= b.position
                   : a.position < b.position && std::any_of(own.begin() + static_cast<std::ptrdiff_t>(a.position),
                                                            own.begin() + static_cast<std::ptrdiff_t>(b.position),
                                                            [](const synchronisation& s) { return !s.arrives; });
    };
    for (const auto& [where, of_it] : all) {
        for (const access& a : of_it) {
            for (const access& b : of_it) {
                if (a.writes && (a.item != b.item) && !before(a, b) && !before(b, a)) {
                    return fmt::format("work-item {} writes element {} of {} behind {} synchronisations, and work-item "
                                       "{} {} it behind {}",
                                       a.item, where.second, where.first, a.position, b.item,
                                       b.writes ? "writes" : "reads", b.position);
                }
            }
        }
    }
    return "";
}

} // namespace gst::testing
