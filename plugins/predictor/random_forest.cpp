#include "core/api/plugin.hpp"
#include "core/base/processors.hpp"
#include "plugins/predictor/decision_tree.hpp"

#include <bit>
#include <exception>
#include <mutex>
#include <thread>

namespace {

using namespace gst;

/// Breiman's random forest (2001), of classes or of values, as Garvey (§6.1) and Han use it: every tree grows on as
/// many rows as there are, drawn with replacement, and looks at a few features, drawn at random, for each question.
/// Predicted are the mean of the trees' class frequencies, or of their values.
///
/// Own code, since no library of the distributions does it: OpenCV's `ml` cuts trees off at 25 questions, ALGLIB's
/// forest has no limit of the depth and a licence that is not ours, dlib's knows values only; and each writes models of
/// its own, which another version of it may grow differently from the same seed.
class random_forest : public predictor {
  public:
    explicit random_forest(const plugin_options& o)
        : trees_(static_cast<std::size_t>(o.integer("trees"))), how_{static_cast<std::size_t>(o.integer("depth")),
                                                                     static_cast<std::size_t>(o.integer("leaf")),
                                                                     static_cast<std::size_t>(o.integer("attributes"))},
          seed_(static_cast<std::uint64_t>(o.integer("seed"))) {}

    learned learn(const training_table& table) override {
        classes_ = table.classes.size();
        growth how = how_;
        if (how.attributes == 0) { // Weka's default
            how.attributes = static_cast<std::size_t>(std::bit_width(table.features.size()));
        }
        const tree_grower grower(table, how);
        forest_.assign(trees_, {});
        std::vector<bag> bags(trees_);
        in_parallel(trees_, [&](std::size_t t) { bags[t] = grow(table, grower, t); });
        return {out_of_bag_error(table, bags), importances(bags, table.features.size())};
    }

    prediction predict(std::span<const double> row) const override {
        prediction out;
        out.probabilities.assign(classes_, 0);
        for (const tree& t : forest_) {
            add(t, row, 1.0 / static_cast<double>(forest_.size()), out);
        }
        return out;
    }

    std::string save() const override {
        std::string out = "trees " + std::to_string(forest_.size()) + '\n';
        for (const tree& t : forest_) {
            out += t.questions.save([&](std::size_t leaf) {
                std::string line;
                for (std::size_t k = 0; k < width(); ++k) {
                    line += ' ' + write_number(t.leaves[leaf * width() + k]);
                }
                return line;
            });
        }
        return out;
    }

    void load(model_reader& in, const model_shape& shape) override {
        classes_ = shape.classes;
        in.expect("trees");
        forest_.assign(static_cast<std::size_t>(in.integer("the number of trees", 1, most_trees)), {});
        for (tree& t : forest_) {
            t.questions.load(in, shape.features, [&] {
                double rows = 0;
                for (std::size_t k = 0; k < width(); ++k) {
                    t.leaves.push_back(in.number(classes_ == 0 ? "the value of a leaf" : "the rows of a leaf"));
                    rows += t.leaves.back();
                    if (classes_ > 0 && t.leaves.back() < 0) {
                        in.fail("there are no fewer than 0 rows");
                    }
                }
                if (classes_ > 0 && rows == 0) {
                    in.fail("a leaf has at least one row");
                }
            });
        }
    }

    static constexpr std::int64_t most_trees = 10000;

  private:
    struct tree {
        decision_tree questions;
        std::vector<double> leaves; ///< leaves × classes: rows of each class; or of each leaf its value
    };

    /// What is known of a tree's growth.
    struct bag {
        std::vector<bool> has; ///< per row, whether the tree has seen it
        std::vector<double> explained;
    };

    std::size_t width() const { return std::max<std::size_t>(classes_, 1); }

    bag grow(const training_table& table, const tree_grower& grower, std::size_t number) {
        random_source rng = random_source(seed_).fork("tree " + std::to_string(number));
        bag out{std::vector<bool>(table.size()), {}};
        std::vector<std::size_t> rows(table.size());
        for (std::size_t& i : rows) {
            i = rng.below(table.size());
            out.has[i] = true;
        }
        tree_grower::grown g = grower.grow(std::move(rows), rng);
        tree& t = forest_[number];
        for (std::size_t n = 0; n < g.tree.nodes.size(); ++n) {
            if (g.tree.nodes[n].feature < 0) {
                add_leaf(table, std::span(g.rows).subspan(g.ranges[n].first, g.ranges[n].second - g.ranges[n].first),
                         t);
            }
        }
        t.questions = std::move(g.tree);
        out.explained = std::move(g.explained);
        return out;
    }

    void add_leaf(const training_table& table, std::span<const std::size_t> rows, tree& t) const {
        const std::size_t at = t.leaves.size();
        t.leaves.resize(at + width());
        for (const std::size_t i : rows) {
            if (classes_ > 0) {
                t.leaves[at + table.class_of(i)] += 1;
            } else {
                t.leaves[at] += table.targets[i] / static_cast<double>(rows.size());
            }
        }
    }

    /// Adds what a tree says of a row, with a weight.
    void add(const tree& t, std::span<const double> row, double weight, prediction& to) const {
        const double* leaf = t.leaves.data() + t.questions.leaf_of(row) * width();
        if (classes_ == 0) {
            to.value += weight * *leaf;
            return;
        }
        const double rows = std::accumulate(leaf, leaf + classes_, 0.0);
        for (std::size_t k = 0; k < classes_; ++k) {
            to.probabilities[k] += weight * leaf[k] / rows;
        }
    }

    /// Nothing when every tree has seen every row.
    std::optional<double> out_of_bag_error(const training_table& table, const std::vector<bag>& bags) const {
        double wrong = 0;
        std::size_t rows = 0;
        for (std::size_t i = 0; i < table.size(); ++i) {
            prediction sum;
            sum.probabilities.assign(classes_, 0);
            double votes = 0;
            for (std::size_t t = 0; t < trees_; ++t) {
                if (!bags[t].has[i]) {
                    add(forest_[t], table.row(i), 1, sum);
                    votes += 1;
                }
            }
            if (votes == 0) {
                continue;
            }
            ++rows;
            const double off =
                classes_ > 0 ? (sum.choice() != table.class_of(i) ? 1.0 : 0.0) : sum.value / votes - table.targets[i];
            wrong += off * off;
        }
        if (rows == 0) {
            return std::nullopt;
        }
        const double mean = wrong / static_cast<double>(rows);
        return classes_ > 0 ? mean : std::sqrt(mean);
    }

    /// The impurity that each feature's questions take away (mean decrease of impurity, Breiman), in shares.
    static std::vector<double> importances(const std::vector<bag>& bags, std::size_t features) {
        std::vector<double> out(features);
        for (const bag& b : bags) {
            const double all = std::accumulate(b.explained.begin(), b.explained.end(), 0.0);
            for (std::size_t k = 0; k < features && all > 0; ++k) {
                out[k] += b.explained[k] / all;
            }
        }
        const double all = std::accumulate(out.begin(), out.end(), 0.0);
        if (!(all > 0)) {
            return {}; // no tree asks for anything
        }
        for (double& share : out) {
            share /= all;
        }
        return out;
    }

    /// Calls `work` with 0 … count-1 on as many threads as there are cores.
    template<class Work>
    static void in_parallel(std::size_t count, Work&& work) {
        std::mutex access;
        std::size_t next = 0;
        std::exception_ptr failed;
        const auto run = [&] {
            for (;;) {
                std::size_t mine = 0;
                {
                    const std::lock_guard lock(access);
                    mine = failed ? count : next++;
                }
                if (mine >= count) {
                    return;
                }
                try {
                    work(mine);
                } catch (...) {
                    const std::lock_guard lock(access);
                    failed = std::current_exception();
                }
            }
        };
        const std::size_t cores = processors();
        std::vector<std::jthread> threads(std::min(count, cores) - 1); // beside this one
        for (std::jthread& t : threads) {
            t = std::jthread(run);
        }
        run();
        threads.clear(); // joins
        if (failed) {
            std::rethrow_exception(failed);
        }
    }

    std::size_t trees_;
    growth how_;
    std::uint64_t seed_;
    std::size_t classes_ = 0;
    std::vector<tree> forest_;
};

} // namespace

GST_PLUGIN_OPTIONS = {{"trees", "integer", "10", "1", "10000", "trees of the forest"},
                      {"depth", "integer", "0", "0", "1000000", "most questions on the way to a leaf; 0: any number"},
                      {"attributes", "integer", "0", "0", "1000000",
                       "features that are looked at for each question; 0: the whole part of log2(features), and one"},
                      {"leaf", "integer", "1", "1", "1000000", "least rows of a leaf"},
                      {"seed", "integer", "1", "0", nullptr, "of the rows and the features that are drawn"}};
GST_PREDICTOR_PLUGIN(random_forest, "random_forest", "1.0", "trees of random rows and features (Garvey, Han)");
