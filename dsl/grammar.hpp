#pragma once

#include <tao/pegtl.hpp>

/// The grammar of stencil files. Every token skips the blanks before it; a new line matters only at the end of a
/// statement.
namespace gst::dsl::grammar {

using namespace tao::pegtl;

// Blanks and comments.
struct comment : seq<one<'#'>, until<at<eolf>>> {};
struct gap : star<sor<one<' ', '\t', '\r', '\n'>, comment>> {};
struct blanks : star<one<' ', '\t', '\r'>> {};

// Words.
struct word_end : not_at<identifier_other> {};
template<char... C>
struct keyword : seq<string<C...>, word_end> {};
struct reserved
    : seq<sor<TAO_PEGTL_STRING("stencil"), TAO_PEGTL_STRING("param"), TAO_PEGTL_STRING("const"),
              TAO_PEGTL_STRING("field"), TAO_PEGTL_STRING("coef"), TAO_PEGTL_STRING("compute"), TAO_PEGTL_STRING("let"),
              TAO_PEGTL_STRING("where"), TAO_PEGTL_STRING("sum"), TAO_PEGTL_STRING("product"),
              TAO_PEGTL_STRING("minimum"), TAO_PEGTL_STRING("maximum"), TAO_PEGTL_STRING("in"),
              TAO_PEGTL_STRING("offsets"), TAO_PEGTL_STRING("and"), TAO_PEGTL_STRING("or"), TAO_PEGTL_STRING("not")>,
          word_end> {};
struct name : seq<not_at<reserved>, identifier> {};
struct a_name : seq<gap, name> {};
template<class Word>
struct word : seq<gap, Word, word_end> {};
template<char... C>
struct sign : seq<gap, string<C...>> {};

// PEGTL's own opt_must does not go back over the blanks when the condition fails after them.
template<class Condition, class... Rest>
struct maybe : opt<if_must<Condition, Rest...>> {};

// Numbers: the first dot of `1..4` is not a decimal point.
struct exponent : seq<one<'e', 'E'>, opt<one<'+', '-'>>, plus<digit>> {};
struct fraction : seq<one<'.'>, not_at<one<'.'>>, star<digit>> {};
struct number : seq<sor<seq<plus<digit>, opt<fraction>>, seq<one<'.'>, plus<digit>>>, opt<exponent>> {};

// Expressions, loosest first.
struct expression;
struct a_value : seq<expression> {};
struct close_paren : sign<')'> {};
struct close_bracket : sign<']'> {};
struct open_paren : sign<'('> {};
struct open_bracket : sign<'['> {};
struct open_brace : sign<'{'> {};
struct close_brace : sign<'}'> {};
struct comma : sign<','> {};
struct colon : sign<':'> {};
struct parenthesized : if_must<open_paren, a_value, close_paren> {};

struct index_end : sign<']'> {};
struct index_item : seq<expression> {};
struct index_items : list_must<index_item, comma> {};
struct index : if_must<seq<blanks, one<'['>>, index_items, index_end> {};
struct argument : seq<expression> {};
struct arguments_end : sign<')'> {};
struct argument_list : list_must<argument, comma> {};
struct arguments : if_must<seq<blanks, one<'('>>, argument_list, arguments_end> {};
struct reference : seq<name, opt<sor<index, arguments>>> {};

struct sum_word : TAO_PEGTL_STRING("sum") {};
struct product_word : TAO_PEGTL_STRING("product") {};
struct minimum_word : TAO_PEGTL_STRING("minimum") {};
struct maximum_word : TAO_PEGTL_STRING("maximum") {};
struct reduction_word : seq<sor<sum_word, product_word, minimum_word, maximum_word>, word_end> {};
struct reduction_paren : open_paren {};
struct reduction_variable : a_name {};
struct in_word : word<TAO_PEGTL_STRING("in")> {};
struct domain : seq<expression> {};
struct domain_end : sign<')'> {};
struct last : seq<expression> {};
struct dots : sign<'.', '.'> {};
struct body_begin : sign<'{'> {};
struct body_end : sign<'}'> {};
struct reduction : seq<if_must<reduction_word, reduction_paren, reduction_variable, in_word, domain>, maybe<dots, last>,
                       must<domain_end, body_begin, a_value, body_end>> {};

struct component : seq<expression> {};
struct offset_end : sign<')'> {};
struct components : list_must<component, comma> {};
struct offset : if_must<open_paren, components, offset_end> {};
struct weight : seq<expression> {};
struct weighted_offset : seq<offset, maybe<colon, weight>> {};
struct offset_item : seq<gap, weighted_offset> {};
struct table_begin : sign<'['> {};
struct table_end : sign<']'> {};
struct table_word : seq<TAO_PEGTL_STRING("offsets"), word_end> {};
struct offset_items : list_must<offset_item, comma> {};
struct offset_table : if_must<table_word, table_begin, offset_items, table_end> {};

struct operand : seq<gap, sor<number, reduction, offset_table, reference, parenthesized>> {};
struct operator_minus : one<'-'> {};
struct minus_sign : seq<gap, operator_minus> {};
struct signed_operand : seq<star<minus_sign>, operand> {};

struct right_operand : signed_operand {};
struct times : one<'*'> {};
struct over : one<'/'> {};
struct modulo : one<'%'> {};
struct term : seq<signed_operand, star<if_must<seq<gap, sor<times, over, modulo>>, right_operand>>> {};
struct right_term : term {};
struct added : one<'+'> {};
struct subtracted : one<'-'> {};
struct total : seq<term, star<if_must<seq<gap, sor<added, subtracted>>, right_term>>> {};
struct less_equal : string<'<', '='> {};
struct greater_equal : string<'>', '='> {};
struct equal : string<'=', '='> {};
struct not_equal : string<'!', '='> {};
struct less : one<'<'> {};
struct greater : one<'>'> {};
struct right_total : total {};
struct comparison
    : seq<total,
          star<if_must<seq<gap, sor<less_equal, greater_equal, equal, not_equal, less, greater>>, right_total>>> {};
struct operator_not : seq<TAO_PEGTL_STRING("not"), word_end> {};
struct negated : seq<star<seq<gap, operator_not>>, comparison> {};
struct right_negated : negated {};
struct operator_and : seq<TAO_PEGTL_STRING("and"), word_end> {};
struct conjunction : seq<negated, star<if_must<seq<gap, operator_and>, right_negated>>> {};
struct right_conjunction : conjunction {};
struct operator_or : seq<TAO_PEGTL_STRING("or"), word_end> {};
struct disjunction : seq<conjunction, star<if_must<seq<gap, operator_or>, right_conjunction>>> {};
struct expression : disjunction {};

// Statements.
struct equals : seq<gap, one<'='>, not_at<one<'='>>> {};
struct parameter_name : a_name {};
struct parameter : seq<if_must<keyword<'p', 'a', 'r', 'a', 'm'>, parameter_name>, maybe<equals, a_value>> {};

struct first_index : seq<expression> {};
struct index_dots : dots {};
struct last_index : seq<expression> {};
struct index_range : if_must<seq<blanks, one<'['>>, first_index, index_dots, last_index, index_end> {};
struct array_item : seq<expression> {};
struct array_items : list_must<array_item, comma> {};
struct array : if_must<open_bracket, array_items, table_end> {};
struct balanced : seq<one<'('>, star<sor<balanced, not_one<'(', ')'>>>, one<')'>> {};
struct tuple_ahead : at<open_bracket, gap, balanced, sor<comma, colon, close_bracket>> {}; ///< (0, 1): … or (0, 1), …
struct bare_offset_table : seq<tuple_ahead, open_bracket, must<offset_items, table_end>> {};
struct const_name : a_name {};
struct const_equals : equals {};
struct const_value : sor<bare_offset_table, array, expression> {};
struct constant
    : seq<if_must<keyword<'c', 'o', 'n', 's', 't'>, const_name>, opt<index_range>, must<const_equals, const_value>> {};

struct face_axis : seq<gap, name> {};
struct face_side : one<'-', '+'> {};
struct face_colon : colon {};
struct face_kind : a_name {};
struct face
    : seq<face_axis, opt<blanks, face_side>, must<face_colon, face_kind>, maybe<open_paren, a_value, close_paren>> {};
struct face_gap : star<sor<one<' ', '\t', '\r', '\n', ';', ','>, comment>> {};
struct faces_end : one<'}'> {};
struct faces : seq<open_brace, face_gap, star<face, face_gap>, must<faces_end>> {};
struct type_name : a_name {};
struct compute_name : a_name {};
struct type : if_must<colon, type_name> {};
struct compute : if_must<word<TAO_PEGTL_STRING("compute")>, compute_name> {};
struct field_name : a_name {};
struct coefficient_word : keyword<'c', 'o', 'e', 'f'> {};
struct field_word : keyword<'f', 'i', 'e', 'l', 'd'> {};
struct field_names : list_must<field_name, comma> {};
struct fields : seq<if_must<sor<coefficient_word, field_word>, field_names>, opt<type>, opt<compute>, opt<faces>> {};

struct let_name : a_name {};
struct let_equals : equals {};
struct let : if_must<keyword<'l', 'e', 't'>, let_name, let_equals, a_value> {};

struct target : reference {};
struct update_equals : equals {};
struct condition : seq<expression> {};
struct update : seq<if_must<target, update_equals, a_value>, maybe<word<TAO_PEGTL_STRING("where")>, condition>> {};

struct statement : sor<parameter, constant, fields, let, update> {};
struct statement_end : seq<blanks, sor<one<';', '\n'>, comment, at<one<'}'>>, eof>> {};
struct statement_gap : star<sor<one<' ', '\t', '\r', '\n', ';'>, comment>> {};
struct statements_end : one<'}'> {};

struct stencil_name : a_name {};
struct axis_name : a_name {};
struct axes_begin : open_paren {};
struct axes_end : close_paren {};
struct statements_begin : open_brace {};
struct stencil_word : keyword<'s', 't', 'e', 'n', 'c', 'i', 'l'> {};
struct axis_names : list_must<axis_name, comma> {};
struct stencil : seq<if_must<stencil_word, stencil_name, axes_begin, axis_names, axes_end, statements_begin>,
                     statement_gap, star<statement, must<statement_end>, statement_gap>, must<statements_end>> {};
struct end_of_file : eof {};
struct file : seq<gap, star<stencil, gap>, must<end_of_file>> {};

} // namespace gst::dsl::grammar
