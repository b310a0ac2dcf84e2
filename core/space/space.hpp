#pragma once

#include "core/base/random.hpp"
#include "core/space/expression.hpp"
#include "core/space/value.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gst {

/// What a parameter is for, so that a heuristic can speak of "all merge factors" or "all of X".
enum class role : std::uint8_t {
    thread_block,
    block_merge,
    cyclic_merge,
    unroll,
    vector_width,
    load,
    streaming,
    temporal,
    other
};
GST_API std::string_view name_of(role r);

/// A tuning parameter. Where `active` is false the parameter holds its neutral value (zero padding, GeST §4.2).
struct GST_API parameter {
    std::string name;
    std::vector<value> domain; ///< distinct, in ascending order where they are numbers
    value neutral;             ///< in the domain
    role purpose = role::other;
    int dimension = -1;               ///< axis it belongs to (0 = x), or -1
    std::optional<expression> active; ///< absent: always
    std::string meaning;              ///< one line for `gst space --explain`
    std::vector<std::string> aliases; ///< other names that input may use, e.g. WX for TBx
};

/// Whether the values are numbers, so that there is a way from one to the next.
GST_API bool is_ordered(const parameter& p);

struct constraint {
    expression condition;
    std::string reason; ///< "the work-group is larger than the device allows"; shown when it rejects something
};

/// What a space of these would refuse of the constraints themselves, without making it. Throws user_error with the
/// place: an unknown name, a text where a number belongs.
GST_API void check_constraints(const std::vector<parameter>& parameters, const std::vector<constraint>& constraints);

/// For each parameter of the space, by position, the position of its value in the parameter's domain.
using configuration = std::vector<std::uint16_t>;

/// The valid configurations of a set of parameters, never listed.
///
/// A layered decision diagram over the parameters: two prefixes lead to the same node when all that is left of every
/// constraint is the same (the values of its sub-expressions over assigned parameters). Count, rank, unrank and uniform
/// samples walk it.
class GST_API space {
  public:
    /// `constants` are names that constraints may use beside the parameters (grid size, device limits).
    /// Throws user_error: unknown name (with the nearest), domain empty or over 65,535 values, diagram over its size
    /// limit.
    space(std::vector<parameter> parameters, std::vector<constraint> constraints,
          std::map<std::string, value> constants = {});

    /// The space of exactly these configurations, which are ranked in lexicographic order of their positions.
    /// `otherwise` is why others are not valid: "it was not recorded". Throws user_error for what is wrong with a
    /// parameter; domains of numbers must already be in ascending order, and nothing may be conditionally active.
    static space listed(std::vector<parameter> parameters, std::vector<configuration> configurations,
                        std::string otherwise);

    const std::vector<parameter>& parameters() const;
    const std::vector<constraint>& constraints() const;
    const std::map<std::string, value>& constants() const;
    std::size_t
    index_of(const std::string& parameter) const; ///< by name or alias; throws user_error with the nearest name

    std::uint64_t count() const;                ///< valid configurations; throws user_error when it passes 2^64-1
    long double cartesian() const;              ///< product of the domain sizes
    configuration at(std::uint64_t rank) const; ///< 0 ≤ rank < count(); the order is fixed for equal definitions
    std::optional<std::uint64_t> rank(const configuration& c) const; ///< nothing when c is not valid
    bool contains(const configuration& c) const;
    configuration sample(random_source& rng) const; ///< uniform over the valid ones; count() > 0
    configuration neutral() const;                  ///< every parameter neutral, whether that is valid or not

    const value& get(const configuration& c, std::size_t parameter) const;
    std::optional<configuration>
    find(const named_values& values) const; ///< absent names are neutral; nothing when not valid
    named_values describe(const configuration& c) const;
    std::string
    to_string(const configuration& c) const; ///< "load=vector WX=32 …": names and values, inactive ones left out
    bool is_active(const configuration& c, std::size_t parameter) const;

    /// The reasons of the constraints that c breaks (inactive parameters off neutral included); empty when it is valid.
    std::vector<std::string> violations(const configuration& c) const;

    /// Valid configurations that differ from c in exactly one parameter (any other value of it), parameter by
    /// parameter.
    std::vector<configuration> neighbours(const configuration& c) const;

    /// A valid configuration as near to c as any: the number of steps between the positions of its values, where the
    /// values of a parameter are no numbers one step between any two. c itself when it is valid; count() > 0.
    configuration nearest(const configuration& c) const;

    /// The sub-space in which the named parameters are restricted to the given values. Domains stay, so that
    /// configurations of one are configurations of the other.
    space restricted(const std::map<std::string, std::vector<value>>& values) const;
    /// The sub-space of what differs from c in these parameters (true, by position) alone.
    space around(const configuration& c, const std::vector<bool>& free) const;
    /// The sub-space that also satisfies these constraints.
    space constrained(std::vector<constraint> more, std::map<std::string, value> constants = {}) const;
    /// The sub-space without the configurations whose values of these parameters (one or more, by position) are one of
    /// these combinations: positions in the domains, in the order of `parameters`. `reason` is what violations()
    /// says of them.
    space without(const std::vector<std::size_t>& parameters, const std::vector<configuration>& combinations,
                  const std::string& reason) const;

  private:
    struct state;
    explicit space(std::shared_ptr<const state> s) : state_(std::move(s)) {}
    space with_allowed(std::vector<std::vector<bool>> allowed) const;
    std::shared_ptr<const state> state_;
};

/// Which of the constraints leaves nothing of a space.
struct emptying_constraint {
    std::size_t which = 0;
    bool alone = false; ///< false: together with those before it
};
/// The first one that does so alone, else the one with which those before it do; nothing when some configuration
/// satisfies all, or the space has none.
GST_API std::optional<emptying_constraint> what_empties(const space& s, const std::vector<constraint>& constraints,
                                                        const std::map<std::string, value>& constants = {});

} // namespace gst
