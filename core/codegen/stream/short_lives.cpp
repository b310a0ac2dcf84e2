#include "core/codegen/stream/short_lives.hpp"

#include "core/codegen/stream/mentioned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace gst::streaming {

namespace {

/// A store comes so many results late, so that their loads need not wait for it, nor their sums for each other.
constexpr std::size_t stores_behind = 2;

/// Whether it gives a value, or what another lane has of it, a name.
bool renames(const statement& s) {
    const auto* d = std::get_if<declare>(&s.what);
    if (d == nullptr || d->varies) {
        return false;
    }
    const auto* other = std::get_if<shuffle>(&d->init->op);
    return std::holds_alternative<variable>(other != nullptr ? other->a->op : d->init->op);
}

const nest::binary* addition(const value& v) {
    const auto* b = std::get_if<nest::binary>(&v->op);
    return b != nullptr && (b->op == ir::binary_op::add || b->op == ir::binary_op::subtract) ? b : nullptr;
}

/// The declaration of a sum of real numbers, or null.
const declare* declared_sum(const statement& s) {
    const auto* d = std::get_if<declare>(&s.what);
    return d != nullptr && !d->varies && (d->of == type::f32 || d->of == type::f64) && addition(d->init) != nullptr
               ? d
               : nullptr;
}

/// Statements in a new order.
class ordering {
  public:
    void add(statement s) {
        if (std::string name = loaded(s); !name.empty()) {
            waiting_.emplace_back(std::move(name), std::move(s));
            return;
        }
        if (const declare* sum = declared_sum(s)) {
            s = begin_sum(*sum);
        }
        const mentioned m(s);
        const bool early = renames(s) || (declared_sum(s) != nullptr && !waits(m));
        for (auto load = waiting_.begin(); load != waiting_.end();) {
            if (m.barrier || m.names.count(load->first) > 0) {
                settled_[load->first] = push(std::move(load->second));
                load = waiting_.erase(load);
            } else {
                ++load;
            }
        }
        if (early) {
            add_early(std::move(s), 0);
            return;
        }
        const bool arrives = std::holds_alternative<arrive>(s.what);
        const std::size_t here = push(std::move(s));
        for (const std::string& name : m.assigned) {
            settled_[name] = here;
        }
        last_barrier_ = m.barrier ? here : last_barrier_;
        last_arrival_ = arrives ? here : last_arrival_;
    }

    void finish_loads() {
        for (auto& [name, s] : waiting_) {
            settled_[name] = push(std::move(s));
        }
        waiting_.clear();
    }

    /// Stores, each as soon as what it mentions is known and some later results are.
    void add_stores(block stores) {
        const std::size_t first = early_.size();
        for (statement& s : stores) {
            add_early(std::move(s), last_barrier_);
        }
        std::set<std::size_t> all;
        for (std::size_t i = first; i < early_.size(); ++i) {
            all.insert(early_[i].first);
        }
        const std::vector<std::size_t> places(all.begin(), all.end()); // about one for each result
        for (std::size_t i = first; i < early_.size(); ++i) {
            const auto found = std::lower_bound(places.begin(), places.end(), early_[i].first);
            const std::size_t later = static_cast<std::size_t>(found - places.begin()) + stores_behind;
            early_[i].first = later < places.size() ? places[later] : ordered_.size();
        }
    }

    void append_to(block& all) {
        std::stable_sort(early_.begin(), early_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        auto next = early_.begin();
        for (std::size_t i = 0; i <= ordered_.size(); ++i) {
            for (; next != early_.end() && next->first == i; ++next) {
                all.push_back(std::move(next->second));
            }
            if (i < ordered_.size()) {
                all.push_back(std::move(ordered_[i]));
            }
        }
    }

  private:
    /// How many there are then.
    std::size_t push(statement s) {
        ordered_.push_back(std::move(s));
        return ordered_.size();
    }

    bool waits(const mentioned& m) const {
        return m.memory || std::any_of(waiting_.begin(), waiting_.end(),
                                       [&](const auto& load) { return m.names.count(load.first) > 0; });
    }

    /// Behind how many statements what is mentioned has its value. What comes between the halves of a barrier stays.
    std::size_t known(const mentioned& m) const {
        std::size_t place = last_arrival_;
        for (const std::string& name : m.names) {
            const auto found = settled_.find(name);
            place = found == settled_.end() ? place : std::max(place, found->second);
        }
        return place;
    }

    /// As soon as what it mentions is known, but not before a place.
    void add_early(statement s, std::size_t earliest) {
        const mentioned m(s);
        const std::size_t place = std::max(earliest, known(m));
        for (const std::string& name : m.assigned) {
            settled_[name] = place;
        }
        early_.emplace_back(place, std::move(s));
    }

    /// Adds sums of the first terms early, where the next one is known later or waits for a load, and returns what is
    /// left to add to them.
    statement begin_sum(const declare& sum) {
        std::vector<value> sums; // of ever fewer terms
        value begun = sum.init;
        while (const nest::binary* one = addition(begun)) {
            sums.push_back(begun);
            begun = one->a;
        }
        if (waits(mentioned(begun))) {
            return {sum};
        }
        std::size_t place = known(mentioned(begun));
        const auto name_it = [&] {
            if (std::holds_alternative<nest::binary>(begun->op)) {
                const std::string name = fmt::format("{}_begun{}", sum.name, sums.size());
                add_early({declare{sum.of, name, begun}}, 0);
                begun = make(variable{name}, begun->of, begun->width);
            }
        };
        const auto add_next = [&] {
            const nest::binary* one = addition(sums.back());
            begun = make(nest::binary{one->op, begun, one->b}, sums.back()->of, sums.back()->width);
            sums.pop_back();
        };
        while (!sums.empty()) {
            const mentioned m(addition(sums.back())->b);
            if (waits(m)) {
                break;
            }
            if (known(m) > place) {
                name_it();
                place = known(m);
            }
            add_next();
        }
        if (!sums.empty()) {
            name_it();
        }
        while (!sums.empty()) {
            add_next();
        }
        return {declare{sum.of, sum.name, begun}};
    }

    block ordered_;
    std::vector<std::pair<std::string, statement>> waiting_; ///< loads that nothing has needed yet
    std::vector<std::pair<std::size_t, statement>> early_;   ///< and behind how many statements they come
    std::unordered_map<std::string, std::size_t> settled_;   ///< behind how many statements it has its value
    std::size_t last_barrier_ = 0;                           ///< the same
    std::size_t last_arrival_ = 0;                           ///< the same
};

} // namespace

std::string loaded(const statement& s) {
    if (const auto* v = std::get_if<declare_vector>(&s.what)) {
        return v->local ? v->name : "";
    }
    const auto* d = std::get_if<declare>(&s.what);
    const auto* from = d != nullptr && !d->varies ? std::get_if<load>(&d->init->op) : nullptr;
    return from != nullptr && from->local ? d->name : "";
}

void shorten_lives(block& all, std::size_t first, block stores) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    block body(std::make_move_iterator(begin), std::make_move_iterator(all.end()));
    all.erase(begin, all.end());
    ordering order;
    for (statement& s : body) {
        order.add(std::move(s));
    }
    order.finish_loads();
    order.add_stores(std::move(stores));
    order.append_to(all);
}

} // namespace gst::streaming
