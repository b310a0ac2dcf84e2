#include "core/codegen/stream/paired_halves.hpp"

#include "core/codegen/stream/banks.hpp"
#include "core/codegen/stream/mentioned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gst::streaming {

namespace {

/// A value as a variable and a number that is added to it; the name is "" where it is something else.
std::pair<std::string, std::int64_t> variable_and_number(const value& v) {
    if (const auto* name = std::get_if<variable>(&v->op)) {
        return {name->name, 0};
    }
    const auto* sum = std::get_if<nest::binary>(&v->op);
    const auto added = sum != nullptr ? literal(sum->b) : std::nullopt;
    if (!added || (sum->op != ir::binary_op::add && sum->op != ir::binary_op::subtract)) {
        return {"", 0};
    }
    const auto [name, number] = variable_and_number(sum->a);
    return {name, number + (sum->op == ir::binary_op::add ? *added : -*added)};
}

/// A load of a vector, half of which is needed.
struct half_vector {
    std::size_t place = 0; ///< among the statements
    declare_vector load;
    std::string base;
    std::int64_t at = 0; ///< the half's first element, from the base
};

class pairing {
  public:
    pairing(block& all, const value& item) : all_(all), item_(item) {}

    void pair() {
        find();
        while (pair_nearest()) {
        }
        if (!pairs_.empty()) {
            rewrite();
        }
    }

  private:
    void find() {
        const mentioned m(all_);
        std::set<std::string> constants; // that are declared here
        for (std::size_t i = 0; i < all_.size(); ++i) {
            if (const auto* c = std::get_if<declare>(&all_[i].what); c != nullptr && !c->varies) {
                constants.insert(c->name);
            }
            const auto* d = std::get_if<declare_vector>(&all_[i].what);
            if (d == nullptr || !d->local || !d->aligned || (d->width != 2 && d->width != 4) ||
                m.whole.contains(d->name)) {
                continue;
            }
            const auto lanes = m.lanes.find(d->name);
            const auto [base, number] = variable_and_number(d->at);
            if (lanes == m.lanes.end() || !constants.contains(base)) {
                continue;
            }
            const int of_half = d->width / 2, which = *lanes->second.begin() / of_half;
            if (*lanes->second.rbegin() / of_half == which) {
                halves_[static_cast<std::size_t>(which)].push_back({i, *d, base, number + which * of_half});
            }
        }
    }

    bool only_declarations(std::size_t begin, std::size_t end) const {
        return std::all_of(all_.begin() + static_cast<std::ptrdiff_t>(begin),
                           all_.begin() + static_cast<std::ptrdiff_t>(end), [](const statement& s) {
                               return std::holds_alternative<declare>(s.what) ||
                                      std::holds_alternative<declare_vector>(s.what) ||
                                      std::holds_alternative<comment>(s.what);
                           });
    }

    bool fit(const half_vector& a, const half_vector& b) const {
        return a.load.array == b.load.array && a.base == b.base && a.load.width == b.load.width &&
               only_declarations(std::min(a.place, b.place), std::max(a.place, b.place));
    }

    /// Those two that are nearest to each other in memory, earlier ones first.
    bool pair_nearest() {
        using place = std::vector<half_vector>::iterator;
        std::optional<std::pair<place, place>> best;
        const auto apart = [](place a, place b) { return std::abs(a->at - b->at); };
        for (place a = halves_[0].begin(); a != halves_[0].end(); ++a) {
            for (place b = halves_[1].begin(); b != halves_[1].end(); ++b) {
                if (fit(*a, *b) && (!best || apart(a, b) < apart(best->first, best->second))) {
                    best = {a, b};
                }
            }
        }
        if (!best) {
            return false;
        }
        const half_vector first = *best->first, second = *best->second;
        halves_[0].erase(best->first);
        halves_[1].erase(best->second);
        later_.insert(std::max(first.place, second.place));
        pairs_.emplace(std::min(first.place, second.place), std::make_pair(first, second));
        return true;
    }

    void rewrite() {
        block before = std::move(all_);
        all_.clear();
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (const auto found = pairs_.find(i); found != pairs_.end()) {
                load_both(found->second.first, found->second.second);
            } else if (!later_.contains(i)) {
                all_.push_back(std::move(before[i]));
            }
        }
    }

    /// Whose work-items load the second half first: every other one of those parts that read all banks with vectors as
    /// long as the first pair's.
    value swaps() {
        const declare_vector& d = pairs_.begin()->second.first.load;
        const std::int64_t items = bytes_of_banks / (d.width * static_cast<std::int64_t>(register_size(d.stored)));
        return swaps_ ? swaps_ : swaps_ = named(all_, "swaps", modulo(quotient(item_, items), 2));
    }

    void load_both(const half_vector& first, const half_vector& second) {
        const declare_vector& d = first.load;
        const type of = register_type(d.stored);
        const int lanes = d.width / 2;
        const std::int64_t apart = second.at - first.at;
        auto& [up, down] = bases_[{first.base, apart}];
        if (!up) {
            const value by =
                named(all_, fmt::format("{}_by{}", first.base, signed_word(apart)), swaps() * number(apart));
            up = named(all_, fmt::format("{}_up{}", first.base, signed_word(apart)), var(first.base) + by);
            down = named(all_, fmt::format("{}_down{}", first.base, signed_word(apart)), var(first.base) - by);
        }
        plane read[2];
        const memory_piece piece{d.array, d.stored, lanes, true, true};
        load_piece(read[0], piece, plus(up, first.at), d.name + "_read0", all_);
        load_piece(read[1], piece, plus(down, second.at), d.name + "_read1", all_);
        if (lanes == 1) {
            read[0] = named_plane(all_, d.name + "_read0", read[0]);
            read[1] = named_plane(all_, d.name + "_read1", read[1]);
        }
        for (const auto& [to, k] : {std::make_pair(&first.load, 0), std::make_pair(&second.load, 1)}) {
            plane half;
            for (std::size_t l = 0; l < static_cast<std::size_t>(lanes); ++l) {
                half.push_back(chosen(at_least(swaps_, 1), read[1 - k][l], read[k][l]));
            }
            half = named_plane(all_, to->name + "_half", half);
            plane both(static_cast<std::size_t>(lanes), zero(of)); // the half that is not mentioned
            both.insert(k == 0 ? both.begin() : both.end(), half.begin(), half.end());
            all_.push_back({declare{of, to->name, make(compose{both}, of, d.width)}});
        }
    }

    block& all_;
    value item_;
    std::array<std::vector<half_vector>, 2> halves_;                   ///< first and second ones
    std::map<std::size_t, std::pair<half_vector, half_vector>> pairs_; ///< by the earlier one's place
    std::set<std::size_t> later_;                                      ///< places of the others
    std::map<std::pair<std::string, std::int64_t>, std::pair<value, value>> bases_;
    value swaps_;
};

} // namespace

void pair_halves(block& all, const value& item) {
    pairing(all, item).pair();
}

} // namespace gst::streaming
