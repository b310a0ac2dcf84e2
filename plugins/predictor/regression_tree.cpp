#include "core/api/plugin.hpp"
#include "core/base/ridge.hpp"
#include "plugins/predictor/decision_tree.hpp"

namespace {

using namespace gst;

/// G-ADAPT+'s regression tree (papers.md §3): questions that reduce the entropy of the classes, or the variance of the
/// values, and a least-squares model of all features in each leaf. Of classes a leaf has the frequencies.
///
/// Ours: a question stays when the least-squares models after it err less than the one before it does, squared errors
/// being enlarged by (n + v) / (n - v) for n rows and v weights, as in M5 (Quinlan 1992); where the mean errs less than
/// the least-squares model, it takes its place. What is predicted stays between the least and the greatest value
/// learned.
class regression_tree : public predictor {
  public:
    explicit regression_tree(const plugin_options& o)
        : how_{static_cast<std::size_t>(o.integer("depth")), static_cast<std::size_t>(o.integer("leaf")), 0} {}

    learned learn(const training_table& table) override {
        classes_ = table.classes.size();
        std::vector<std::size_t> rows(table.size());
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        random_source unused(0); // every feature is looked at
        const tree_grower::grown g = tree_grower(table, how_).grow(std::move(rows), unused);
        std::vector<fit> fits;
        for (const auto& [from, to] : g.ranges) {
            fits.push_back(classes_ > 0 ? frequencies(table, std::span(g.rows).subspan(from, to - from))
                                        : least_squares(table, std::span(g.rows).subspan(from, to - from)));
        }
        const auto [least, greatest] = std::minmax_element(table.targets.begin(), table.targets.end());
        low_ = *least;
        high_ = *greatest;
        // Sums of squared errors that differ by less are the same.
        const double rounding = 1e-12 * static_cast<double>(table.size()) * (high_ - low_) * (high_ - low_);
        keep(g.tree, fits, rounding);
        return {};
    }

    prediction predict(std::span<const double> row) const override {
        const std::vector<double>& says = leaves_[tree_.leaf_of(row)];
        prediction out;
        if (classes_ > 0) {
            const double rows = std::accumulate(says.begin(), says.end(), 0.0);
            for (const double count : says) {
                out.probabilities.push_back(count / rows);
            }
            return out;
        }
        out.value = std::inner_product(row.begin(), row.end(), says.begin(), says.back());
        out.value = std::clamp(out.value, low_, high_);
        return out;
    }

    std::string save() const override {
        return "values " + write_number(low_) + ' ' + write_number(high_) + '\n' + tree_.save([&](std::size_t leaf) {
            std::string line;
            for (const double number : leaves_[leaf]) {
                line += ' ' + write_number(number);
            }
            return line;
        });
    }

    void load(model_reader& in, const model_shape& shape) override {
        classes_ = shape.classes;
        in.expect("values");
        low_ = in.number("the least value");
        high_ = in.number("the greatest value");
        if (high_ < low_) {
            in.fail("the greatest value lies below the least");
        }
        leaves_.clear();
        tree_.load(in, shape.features, [&] {
            std::vector<double>& says = leaves_.emplace_back();
            double rows = 0;
            for (std::size_t k = 0; k < (classes_ > 0 ? classes_ : shape.features + 1); ++k) {
                says.push_back(in.number(classes_ > 0 ? "the rows of a leaf" : "a weight of a leaf"));
                rows += says.back();
                if (classes_ > 0 && says.back() < 0) {
                    in.fail("there are no fewer than 0 rows");
                }
            }
            if (classes_ > 0 && rows == 0) {
                in.fail("a leaf has at least one row");
            }
        });
    }

  private:
    /// What is said of some rows, and how far off it is.
    struct fit {
        std::vector<double> says; ///< rows of each class; or a weight per feature and what is added to their sum
        double error = 0;         ///< sum of the squared errors, enlarged
    };

    static fit frequencies(const training_table& table, std::span<const std::size_t> rows) {
        fit out{std::vector<double>(table.classes.size()), 0};
        for (const std::size_t i : rows) {
            out.says[table.class_of(i)] += 1;
        }
        return out;
    }

    /// The mean, or the least-squares model where it errs less.
    static fit least_squares(const training_table& table, std::span<const std::size_t> rows) {
        const std::size_t features = table.features.size();
        double mean = 0;
        for (const std::size_t i : rows) {
            mean += table.targets[i] / static_cast<double>(rows.size());
        }
        std::vector<double> constant(features + 1);
        constant.back() = mean;
        fit out{constant, error_of(constant, 1, table, rows)};
        std::size_t weights = 1;
        for (std::size_t k = 0; k < features; ++k) {
            weights += std::any_of(rows.begin(), rows.end(),
                                   [&](std::size_t i) { return table.row(i)[k] != table.row(rows.front())[k]; })
                           ? 1
                           : 0;
        }
        if (weights == 1 || rows.size() <= weights) {
            return out;
        }
        std::vector<std::vector<double>> x;
        std::vector<double> y;
        for (const std::size_t i : rows) {
            x.emplace_back(table.row(i).begin(), table.row(i).end());
            y.push_back(table.targets[i]);
        }
        // A penalty that only decides between features that say the same.
        auto [linear, added] = ridge(x, y, 1e-9 * static_cast<double>(rows.size())).affine();
        linear.push_back(added);
        const double error = error_of(linear, weights, table, rows);
        return error < out.error ? fit{std::move(linear), error} : out;
    }

    static double error_of(const std::vector<double>& says, std::size_t weights, const training_table& table,
                           std::span<const std::size_t> rows) {
        double sum = 0;
        for (const std::size_t i : rows) {
            const std::span<const double> row = table.row(i);
            const double off = std::inner_product(row.begin(), row.end(), says.begin(), says.back()) - table.targets[i];
            sum += off * off;
        }
        const auto n = static_cast<double>(rows.size());
        const auto v = static_cast<double>(weights);
        return sum * (n + v) / std::max(1.0, n - v);
    }

    /// The tree that was grown without the questions that are not worth it, and what its leaves say; `fits` are of its
    /// nodes.
    void keep(const decision_tree& grown, const std::vector<fit>& fits, double rounding) {
        const std::vector<decision_tree::node>& nodes = grown.nodes;
        std::vector<double> error(nodes.size());    // of a node with what comes after it
        std::vector<std::size_t> end(nodes.size()); // the first node that does not come after it
        std::vector<bool> leaf(nodes.size());
        for (std::size_t i = nodes.size(); i-- > 0;) {
            leaf[i] = nodes[i].feature < 0;
            end[i] = leaf[i] ? i + 1 : end[nodes[i].next];
            error[i] = leaf[i] ? fits[i].error : error[i + 1] + error[nodes[i].next];
            if (classes_ == 0 && fits[i].error <= error[i] + rounding) {
                leaf[i] = true;
                error[i] = fits[i].error;
            }
        }
        tree_.nodes.clear();
        leaves_.clear();
        std::vector<std::uint32_t> place(nodes.size()); // in the tree that is kept
        std::vector<std::size_t> questions;
        for (std::size_t i = 0; i < nodes.size(); i = leaf[i] ? end[i] : i + 1) {
            place[i] = static_cast<std::uint32_t>(tree_.nodes.size());
            if (leaf[i]) {
                tree_.nodes.push_back({-1, 0, static_cast<std::uint32_t>(leaves_.size())});
                leaves_.push_back(fits[i].says);
            } else {
                tree_.nodes.push_back(nodes[i]);
                questions.push_back(i);
            }
        }
        for (const std::size_t i : questions) {
            tree_.nodes[place[i]].next = place[nodes[i].next];
        }
    }

    growth how_;
    std::size_t classes_ = 0;
    decision_tree tree_;
    std::vector<std::vector<double>> leaves_; ///< fit::says
    double low_ = 0;                          ///< of all values that were learned
    double high_ = 0;
};

} // namespace

GST_PLUGIN_OPTIONS = {{"depth", "integer", "0", "0", "1000000", "most questions on the way to a leaf; 0: any number"},
                      {"leaf", "integer", "4", "1", "1000000", "least rows of a leaf"}};
GST_PREDICTOR_PLUGIN(regression_tree, "regression_tree", "1.0", "least-squares models in a tree's leaves (G-ADAPT+)");
