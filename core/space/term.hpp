#pragma once

#include "core/space/expression_tree.hpp"
#include "core/space/space.hpp"

#include <limits>
#include <map>
#include <string>
#include <vector>

namespace gst {

/// What layers are compiled from: an expression whose names are resolved, constants folded and negations pushed to the
/// leaves.
struct term {
    enum class kind : std::uint8_t { constant, parameter, call };
    kind what = kind::constant;
    operation call = operation::add;
    /// Stands where only true counts: the value is 1 or 0, and 0 where there is none. Only and, or, comparisons and
    /// member.
    bool condition = false;
    bool negated = false; ///< of member as a condition: the first is none of the others
    // Of a product that is compared with a number below 2^53 both hold up to 2^53; beyond it is beyond in any order.
    bool folds = false;   ///< the operands may be taken in any order, exactly
    bool integer = false; ///< all values are integers up to 2^53 (or undefined)
    bool total = true;    ///< never undefined
    double low = 0;       ///< bounds of the defined values
    double high = 0;
    double number = 0;         ///< of a constant
    std::size_t parameter = 0; ///< of a parameter
    std::vector<term> operands;

    /// The layers that assign the first and the last parameter in it. A constant counts as assigned before all layers.
    static constexpr int never = std::numeric_limits<int>::max();
    int first = never;
    int last = -1;
};

/// Parameters and constants as terms see them: everything is a number, texts by their rank in order.
class scope {
  public:
    scope(const std::vector<gst::parameter>& parameters, const std::map<std::string, value>& constants,
          const std::vector<const expression*>& expressions);

    /// The parts of the condition that must all hold, activity conditions included as `active or parameter == neutral`.
    /// Throws user_error: unknown name, text for a number.
    std::vector<term> conditions(const expression& e) const;
    std::vector<term> inactive_is_neutral(std::size_t parameter) const;

    /// The domain of each parameter as numbers.
    const std::vector<std::vector<double>>& domains() const { return domains_; }

  private:
    friend class term_maker;
    double number_of(const value& v) const;

    const std::vector<gst::parameter>& parameters_;
    const std::map<std::string, value>& constants_;
    std::map<std::string, std::size_t> positions_; ///< by name and alias
    std::map<std::string, double> texts_;
    std::vector<std::vector<double>> domains_;
};

/// Adds the parameters in the term, each once.
void collect_parameters(const term& t, std::vector<std::size_t>& parameters);

/// Sets first and last; `layer` of each parameter.
void set_layers(term& t, const std::vector<int>& layer);

// term_algebra.cpp: constructors that simplify.
term constant_term(double number);
term parameter_term(std::size_t parameter, const std::vector<double>& domain);
/// An operation as a value; constants folded, chains of one operation merged where that is exact.
term value_term(operation o, std::vector<term> operands);
/// A comparison or member as a condition, negated if asked.
term comparison_term(operation o, std::vector<term> operands, bool negated);
/// `and` (or `or`) of conditions.
term joined_term(operation o, std::vector<term> operands);

} // namespace gst
