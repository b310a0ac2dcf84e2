#pragma once

#include "dsl/grammar.hpp"

/// What was expected where a `must` of the grammar fails. A rule without a message does not compile.
namespace gst::dsl {

struct messages {
    template<class Rule>
    static constexpr const char* message = nullptr;
    template<class Rule>
    static constexpr bool raise_on_failure = false; ///< only where the grammar says must
};

// clang-format off
template<> inline constexpr auto messages::message<grammar::a_value> = "expected a value";
template<> inline constexpr auto messages::message<grammar::right_operand> = "expected a value after the operator";
template<> inline constexpr auto messages::message<grammar::right_term> = "expected a value after the operator";
template<> inline constexpr auto messages::message<grammar::right_total> = "expected a value after the comparison";
template<> inline constexpr auto messages::message<grammar::right_negated> = "expected a condition after 'and'";
template<> inline constexpr auto messages::message<grammar::right_conjunction> = "expected a condition after 'or'";
template<> inline constexpr auto messages::message<grammar::condition> = "expected a condition after 'where'";
template<> inline constexpr auto messages::message<grammar::close_paren> = "expected ')' to close the parenthesis";

template<> inline constexpr auto messages::message<grammar::index_item> = "expected an offset, for example x+1";
template<> inline constexpr auto messages::message<grammar::index_items> = "expected an offset, for example x+1";
template<> inline constexpr auto messages::message<grammar::index_end> = "expected ']' to close the index";
template<> inline constexpr auto messages::message<grammar::argument> = "expected an argument";
template<> inline constexpr auto messages::message<grammar::argument_list> = "expected an argument";
template<> inline constexpr auto messages::message<grammar::arguments_end> = "expected ',' or ')' after the argument";

template<> inline constexpr auto messages::message<grammar::reduction_paren> = "expected '(' with a range, for example sum(r in 1..4) { … }";
template<> inline constexpr auto messages::message<grammar::reduction_variable> = "expected the name of the running variable";
template<> inline constexpr auto messages::message<grammar::in_word> = "expected 'in' after the running variable";
template<> inline constexpr auto messages::message<grammar::domain> = "expected a range like 1..4 or a pattern like star(1)";
template<> inline constexpr auto messages::message<grammar::last> = "expected the end of the range";
template<> inline constexpr auto messages::message<grammar::domain_end> = "expected ')' after the range or pattern";
template<> inline constexpr auto messages::message<grammar::body_begin> = "expected '{' before what is to be summed";
template<> inline constexpr auto messages::message<grammar::body_end> = "expected '}' after what is to be summed";

template<> inline constexpr auto messages::message<grammar::table_begin> = "expected '[' with offsets, for example offsets [(0, 0), (1, -1)]";
template<> inline constexpr auto messages::message<grammar::offset_item> = "expected an offset like (1, -1)";
template<> inline constexpr auto messages::message<grammar::offset_items> = "expected an offset like (1, -1)";
template<> inline constexpr auto messages::message<grammar::component> = "expected a whole number";
template<> inline constexpr auto messages::message<grammar::components> = "expected a whole number";
template<> inline constexpr auto messages::message<grammar::offset_end> = "expected ',' or ')' in the offset";
template<> inline constexpr auto messages::message<grammar::weight> = "expected the weight of the offset";
template<> inline constexpr auto messages::message<grammar::table_end> = "expected ',' or ']' in the list";
template<> inline constexpr auto messages::message<grammar::array_item> = "expected a number";
template<> inline constexpr auto messages::message<grammar::array_items> = "expected a number";

template<> inline constexpr auto messages::message<grammar::parameter_name> = "expected the name of the parameter";
template<> inline constexpr auto messages::message<grammar::const_name> = "expected the name of the constant";
template<> inline constexpr auto messages::message<grammar::const_equals> = "expected '=' and the value of the constant";
template<> inline constexpr auto messages::message<grammar::const_value> = "expected the value of the constant";
template<> inline constexpr auto messages::message<grammar::first_index> = "expected the indices, for example w[0..4]";
template<> inline constexpr auto messages::message<grammar::index_dots> = "expected '..' between the first and the last index";
template<> inline constexpr auto messages::message<grammar::last_index> = "expected the last index";
template<> inline constexpr auto messages::message<grammar::field_name> = "expected the name of the field";
template<> inline constexpr auto messages::message<grammar::field_names> = "expected the name of the field";
template<> inline constexpr auto messages::message<grammar::type_name> = "expected a type: f16, f32, f64 or i32";
template<> inline constexpr auto messages::message<grammar::compute_name> = "expected the type to compute in: f16, f32, f64 or i32";
template<> inline constexpr auto messages::message<grammar::face_colon> = "expected ':' after the face, for example x-: periodic";
template<> inline constexpr auto messages::message<grammar::face_kind> = "expected a boundary: fixed, constant(v), clamp, periodic or mirror";
template<> inline constexpr auto messages::message<grammar::faces_end> = "expected a face like x: periodic, or '}'";
template<> inline constexpr auto messages::message<grammar::let_name> = "expected the name of the let";
template<> inline constexpr auto messages::message<grammar::let_equals> = "expected '=' and what the let stands for";
template<> inline constexpr auto messages::message<grammar::update_equals> = "expected '='";

template<> inline constexpr auto messages::message<grammar::statement_end> = "expected the end of the statement";
template<> inline constexpr auto messages::message<grammar::statements_end> = "expected a statement or '}'";
template<> inline constexpr auto messages::message<grammar::stencil_name> = "expected the name of the stencil";
template<> inline constexpr auto messages::message<grammar::axes_begin> = "expected '(' and the axes, for example stencil heat(x, y)";
template<> inline constexpr auto messages::message<grammar::axis_name> = "expected the name of an axis";
template<> inline constexpr auto messages::message<grammar::axis_names> = "expected the name of an axis";
template<> inline constexpr auto messages::message<grammar::axes_end> = "expected ',' or ')' after the axis";
template<> inline constexpr auto messages::message<grammar::statements_begin> = "expected '{' before the statements of the stencil";
template<> inline constexpr auto messages::message<grammar::end_of_file> = "expected 'stencil'";
// clang-format on

} // namespace gst::dsl
