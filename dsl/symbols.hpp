#pragma once

#include "dsl/ast.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the names of a stencil stand for.
namespace gst::dsl {

struct symbol {
    enum class kind : std::uint8_t {
        axis,
        field,
        coefficient,
        parameter,
        constant, ///< one number
        array,    ///< numbers over a range of indices
        weights,  ///< gaussian or random: generated for the pattern at hand
        table,    ///< offsets with weights
        pattern,  ///< offsets
        let,
    };
    kind what{};
    std::uint32_t index = 0; ///< of the axis, field or parameter
    span declared;
    const ast::constant* constant = nullptr;
    const ast::let* let = nullptr;
    bool condition = false; ///< a let that holds or not
};

/// "a field", "a let"
std::string_view described(symbol::kind k);

/// A stencil whose names, forms and kinds are right; what is left to check depends on values.
struct checked_stencil {
    const ast::stencil_definition* tree = nullptr;
    std::map<std::string, symbol> symbols;
};

/// Functions written with parentheses that keep or give numbers.
struct function_info {
    std::string_view name;
    std::size_t least = 1; ///< arguments
    std::size_t most = 1;
};
const std::vector<function_info>& functions();
const function_info* function_named(std::string_view name);
std::optional<ir::function> unary_function_named(std::string_view name);

/// The type that `f16(e)`, `f32(e)`, `f64(e)` or `i32(e)` computes in.
std::optional<scalar> conversion_named(std::string_view name);

bool is_pattern_name(std::string_view name);
/// "gaussian" and "random"
bool is_weights_name(std::string_view name);
/// A word that no declaration may take.
bool is_taken_by_the_language(std::string_view name);

/// An index item: a name, plus and minus what follows. `x+2*r`, `t-1`, `o`.
struct index_item {
    const ast::reference* head = nullptr;                ///< null: it has another form
    const std::vector<ast::chain::link>* rest = nullptr; ///< null: the name alone
};
index_item taken_apart(const ast::expression& e);

} // namespace gst::dsl
