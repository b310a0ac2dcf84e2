#pragma once

#include "core/api/predictor.hpp"
#include "core/base/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace gst {

/// A binary tree of questions "is feature k at most t?" (CART, Breiman et al. 1984). What its leaves say is kept by
/// whoever grows it, by the leaf's number.
class decision_tree {
  public:
    struct node {
        std::int32_t feature = -1; ///< that is asked for; -1: a leaf
        double threshold = 0;
        std::uint32_t next = 0; ///< of a question the node for "no", the one for "yes" comes next; of a leaf its number
    };

    std::vector<node> nodes; ///< each before its successors

    std::size_t leaf_of(std::span<const double> row) const {
        std::size_t at = 0;
        while (nodes[at].feature >= 0) {
            const node& n = nodes[at];
            at = row[static_cast<std::size_t>(n.feature)] <= n.threshold ? at + 1 : n.next;
        }
        return nodes[at].next;
    }

    std::size_t leaves() const {
        return static_cast<std::size_t>(
            std::count_if(nodes.begin(), nodes.end(), [](const node& n) { return n.feature < 0; }));
    }

    /// The tree in lines, what a leaf says by `leaf`.
    template<class Leaf>
    std::string save(Leaf&& leaf) const {
        std::string out = "tree\n";
        for (const node& n : nodes) {
            out += n.feature < 0 ? "leaf" + leaf(n.next) + '\n'
                                 : "if " + std::to_string(n.feature) + ' ' + write_number(n.threshold) + '\n';
        }
        return out;
    }

    /// Reads what `save` wrote: `leaf` is called at each leaf, in the order of their numbers.
    template<class Leaf>
    void load(model_reader& in, std::size_t features, Leaf&& leaf) {
        nodes.clear();
        in.expect("tree");
        std::uint32_t number = 0;
        std::vector<std::uint32_t> open{none}; // nodes whose "no" is still to come; the root follows none
        while (!open.empty()) {
            const auto at = static_cast<std::uint32_t>(nodes.size());
            if (after_leaf()) {
                if (open.back() != none) {
                    nodes[open.back()].next = at;
                }
                open.pop_back();
            }
            if (in.accept("if")) {
                const auto last = static_cast<std::int64_t>(features) - 1;
                node n{static_cast<std::int32_t>(in.integer("the number of a feature", 0, last)), 0, 0};
                n.threshold = in.number("a threshold");
                nodes.push_back(n);
                open.push_back(at);
            } else {
                in.expect("leaf");
                leaf();
                nodes.push_back({-1, 0, number++});
            }
        }
    }

  private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    /// Whether the next node is not the "yes" of the one before it.
    bool after_leaf() const { return nodes.empty() || nodes.back().feature < 0; }
};

/// When a tree stops to grow, and what it may ask for.
struct growth {
    std::size_t depth = 0;      ///< most questions on the way to a leaf; 0: any
    std::size_t leaf = 1;       ///< least rows of a leaf
    std::size_t attributes = 0; ///< features that are looked at for a question, drawn anew for each; 0: all
};

/// Grows trees on a table: each question is the one after which the rows of a side are most alike – of least entropy
/// for classes, of least variance for values. Equally good questions: the feature drawn first, its least threshold.
class tree_grower {
  public:
    tree_grower(const training_table& table, growth how) : table_(table), how_(how) {
        how_.attributes = how_.attributes == 0 ? table.features.size() : how_.attributes;
        for (std::size_t n = 0; !table.classes.empty() && n <= table.size(); ++n) {
            const auto count = static_cast<double>(n);
            n_log_n_.push_back(n == 0 ? 0 : count * std::log2(count));
        }
    }

    /// A tree, and for each of its nodes the rows that come to it.
    struct grown {
        decision_tree tree;
        std::vector<std::size_t> rows;
        std::vector<std::pair<std::size_t, std::size_t>> ranges; ///< of a node: from, to in `rows`
        std::vector<double> explained; ///< per feature: impurity that its questions took away, in rows
    };

    /// From these rows, which may repeat.
    grown grow(std::vector<std::size_t> rows, random_source& rng) const {
        grown out{{}, std::move(rows), {}, std::vector<double>(table_.features.size())};
        std::vector<pending> open{{0, out.rows.size(), 0, no_parent}};
        std::uint32_t leaves = 0;
        while (!open.empty()) {
            const pending p = open.back();
            open.pop_back();
            const auto at = static_cast<std::uint32_t>(out.tree.nodes.size());
            if (p.parent != no_parent) {
                out.tree.nodes[p.parent].next = at;
            }
            out.ranges.emplace_back(p.from, p.to);
            const std::span<std::size_t> here = std::span(out.rows).subspan(p.from, p.to - p.from);
            const question best = how_.depth != 0 && p.depth >= how_.depth ? question{} : best_question(here, rng);
            if (best.feature < 0) {
                out.tree.nodes.push_back({-1, 0, leaves++});
                continue;
            }
            out.tree.nodes.push_back({best.feature, best.threshold, 0});
            const auto feature = static_cast<std::size_t>(best.feature);
            out.explained[feature] += best.explained;
            const auto middle = std::stable_partition(
                here.begin(), here.end(), [&](std::size_t i) { return table_.row(i)[feature] <= best.threshold; });
            const std::size_t cut = p.from + static_cast<std::size_t>(middle - here.begin());
            open.push_back({cut, p.to, p.depth + 1, at});
            open.push_back({p.from, cut, p.depth + 1, no_parent}); // comes next
        }
        return out;
    }

  private:
    static constexpr std::uint32_t no_parent = std::numeric_limits<std::uint32_t>::max();

    struct pending {
        std::size_t from, to, depth;
        std::uint32_t parent; ///< whose "no" this is
    };

    struct question {
        std::int32_t feature = -1; ///< -1: there is none
        double threshold = 0;
        double explained = -1;
    };

    using column = std::vector<std::pair<double, double>>; ///< of rows: feature, target

    /// The entropy of rows by their classes, in bits × rows.
    class entropy {
      public:
        entropy(const std::vector<double>& n_log_n, std::size_t classes) : n_log_n_(n_log_n), counts_(classes) {}
        void add(double target) { ++counts_[static_cast<std::size_t>(target)], ++rows_; }
        void remove(double target) { --counts_[static_cast<std::size_t>(target)], --rows_; }
        double impurity() const {
            double out = n_log_n_[rows_];
            for (const std::size_t count : counts_) {
                out -= n_log_n_[count];
            }
            return out;
        }

      private:
        const std::vector<double>& n_log_n_;
        std::vector<std::size_t> counts_;
        std::size_t rows_ = 0;
    };

    /// The variance of rows' values, × rows. Values are taken from a middle, for their squares to keep digits.
    class variance {
      public:
        explicit variance(double middle) : middle_(middle) {}
        void add(double target) { change(target, 1); }
        void remove(double target) { change(target, -1); }
        double impurity() const { return rows_ == 0 ? 0 : std::max(0.0, squares_ - sum_ * sum_ / rows_); }

      private:
        void change(double target, double by) {
            const double v = target - middle_;
            rows_ += by;
            sum_ += by * v;
            squares_ += by * v * v;
        }
        double middle_;
        double rows_ = 0;
        double sum_ = 0;
        double squares_ = 0;
    };

    /// Looks at `attributes` features, and at more until one separates the rows.
    question best_question(std::span<const std::size_t> rows, random_source& rng) const {
        question best;
        if (rows.size() < 2 * how_.leaf || alike(rows)) {
            return best;
        }
        std::vector<std::size_t> features(table_.features.size());
        std::iota(features.begin(), features.end(), std::size_t{0});
        for (std::size_t n = 0; n < features.size() && (n < how_.attributes || best.feature < 0); ++n) {
            if (how_.attributes < features.size()) {
                std::swap(features[n], features[n + rng.below(features.size() - n)]);
            }
            ask(features[n], rows, best);
        }
        return best;
    }

    bool alike(std::span<const std::size_t> rows) const {
        return std::all_of(rows.begin(), rows.end(),
                           [&](std::size_t i) { return table_.targets[i] == table_.targets[rows.front()]; });
    }

    /// Improves on the best question with one for this feature.
    void ask(std::size_t feature, std::span<const std::size_t> rows, question& best) const {
        column sorted;
        sorted.reserve(rows.size());
        double mean = 0;
        for (const std::size_t i : rows) {
            sorted.emplace_back(table_.row(i)[feature], table_.targets[i]);
            mean += table_.targets[i] / static_cast<double>(rows.size());
        }
        std::sort(sorted.begin(), sorted.end());
        if (table_.classes.empty()) {
            ask(feature, sorted, variance(mean), best);
        } else {
            ask(feature, sorted, entropy(n_log_n_, table_.classes.size()), best);
        }
    }

    template<class Impurity>
    void ask(std::size_t feature, const column& sorted, const Impurity& nothing, question& best) const {
        Impurity yes = nothing;
        Impurity no = nothing;
        for (const auto& [x, target] : sorted) {
            no.add(target);
        }
        const double before = no.impurity();
        const double rounding = 1e-9 * before; // what differs by less is equally good, on every machine
        for (std::size_t i = 0; i + how_.leaf < sorted.size(); ++i) {
            yes.add(sorted[i].second);
            no.remove(sorted[i].second);
            const double low = sorted[i].first;
            const double high = sorted[i + 1].first;
            if (i + 1 < how_.leaf || !(low < high)) {
                continue;
            }
            const double explained = std::max(0.0, before - yes.impurity() - no.impurity());
            if (best.feature < 0 || explained > best.explained + rounding) {
                const double middle = low / 2 + high / 2;
                best = {static_cast<std::int32_t>(feature), middle < high ? middle : low, explained};
            }
        }
    }

    const training_table& table_;
    growth how_;
    std::vector<double> n_log_n_; ///< in bits
};

} // namespace gst
