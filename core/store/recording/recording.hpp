#pragma once

#include "core/api/measurement.hpp"
#include "core/base/named_numbers.hpp"
#include "core/space/space.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gst {

/// What a recording says of one configuration. Times are in ms throughout, as the exchange formats have them, so that
/// what is written is read back to the last bit.
struct GST_API recorded {
    configuration which; ///< positions in the domains of the recording
    status outcome = status::correct;
    double time = 0;           ///< ms, the mean as it was recorded; 0 unless correct
    std::vector<double> times; ///< ms, the samples; may be missing
    bool censored = false;     ///< `time` is a lower bound
    /// ms: of cost_names, as far as they are recorded.
    named_numbers cost;
    named_numbers measurements; ///< what else was measured: "GFLOP/s", "registers" …
    std::string message;        ///< why it failed
    std::string timestamp;      ///< as written

    bool operator==(const recorded&) const = default;
};

/// What it may have cost to measure a configuration; "measure" is repetitions and all, "framework" what the tuner took.
inline constexpr std::array<const char*, 5> cost_names{"compile", "verify", "measure", "search", "framework"};

/// The outcome of that name. Throws user_error with the known ones.
GST_API status outcome_named(const std::string& name);

/// The measured configurations of one kernel on one device: a space without its device.
struct GST_API recording {
    std::string kernel;
    std::string device;
    std::vector<value> problem_size; ///< integers or texts
    /// Numbers in ascending order, the neutral value is the default. Roles are `other` until assign_role.
    std::vector<parameter> parameters;
    std::vector<constraint> constraints;      ///< as far as they are known: what is valid may be less
    std::vector<recorded> entries;            ///< each configuration once, in lexicographic order of positions
    std::map<std::string, std::string> units; ///< of measurements, as written; only T4 has them
    std::string definition; ///< JSON: all that a T1 file says, how its kernel is launched, too; only T1 has it
};

/// "4096x4096"; "" when it is not known.
GST_API std::string problem_text(const recording& r);

/// The values as expression::parse_values reads them: [16, 0.5, True, 'a']. Throws user_error for a text with both
/// kinds of quotes.
GST_API std::string values_text(const std::vector<value>& values);

/// The fastest complete correct entry; null when there is none.
GST_API const recorded* optimum(const recording& r);

/// Collects the entries of a recording. All throw user_error without a place.
class recording_builder {
  public:
    /// A parameter whose values are known beforehand; others are refused. The default is the first.
    void declare(const std::string& name, std::vector<value> domain);
    /// The default of the parameter that was declared last: one of its values.
    void set_default(const value& v);
    /// A parameter whose values are those of the entries; the default is the first.
    void declare_open(const std::string& name);
    /// An entry; a later one of the same configuration replaces it. Every entry has the same parameters: those
    /// that are declared or, where none is, the first one's.
    void add(const named_values& named, recorded entry);
    /// The recording with domains and entries in order.
    recording finish();

    recording out; ///< kernel, device, problem size, constraints and units are filled in directly

  private:
    /// Numbers by value, so that 1, 1.0 and true are one.
    using comparable = std::variant<double, std::string>;
    struct column {
        std::map<comparable, std::uint16_t> positions;
        bool closed = false;
    };
    static comparable key_of(const value& v);
    std::uint16_t position_of(std::size_t p, const value& v);
    void check(const recorded& entry) const;

    std::vector<column> columns_; ///< of out.parameters
};

/// The recording with the parameters, defaults and constraints of another (T1 says of T4 what T4 cannot). Throws
/// user_error when it has a parameter or a value that the definition does not.
GST_API recording defined_by(const recording& r, const recording& definition);

/// Throws user_error for an unknown parameter.
GST_API void assign_role(recording& r, const std::string& parameter, role purpose, int dimension);

/// The space of exactly the recorded configurations: rank i is entry i. Throws user_error for a recording without
/// parameters or entries.
GST_API space recorded_space(const recording& r);

/// The space of all configurations that satisfy the constraints, recorded or not.
GST_API space conditional_space(const recording& r);

} // namespace gst
