#include "dsl/dsl.hpp"

#include <fmt/format.h>

#include <array>

namespace gst::dsl {

namespace {

std::string_view symbol(ir::binary_op op) {
    constexpr std::array<std::string_view, 16> symbols{"+", "-",  "*", "/",  "%",  "minimum", "maximum", "pow",
                                                       "<", "<=", ">", ">=", "==", "!=",      "and",     "or"};
    return symbols[static_cast<std::size_t>(op)];
}

std::string_view reduction_name(ir::binary_op op) {
    return op == ir::binary_op::add ? "sum" : op == ir::binary_op::multiply ? "product" : symbol(op);
}

class printer {
  public:
    std::string text;

    void line(int depth, const std::string& what) {
        text += std::string(static_cast<std::size_t>(depth) * 2, ' ') + what + "\n";
    }

    void operator()(int depth, const ast::expression_ptr& e) {
        if (e) {
            (*this)(depth, *e);
        }
    }

    void operator()(int depth, const ast::expression& e) {
        std::visit([&](const auto& form) { print(depth, form); }, e.form);
    }

    void print(int depth, const ast::number& n) { line(depth, fmt::format("{}", n.value)); }

    void print(int depth, const ast::reference& r) {
        constexpr std::array<std::string_view, 3> brackets{"", "[]", "()"};
        line(depth, r.id.text + std::string(brackets[static_cast<std::size_t>(r.form)]));
        for (const ast::expression& e : r.arguments) {
            (*this)(depth + 1, e);
        }
    }

    void print(int depth, const ast::unary& u) {
        line(depth, u.op == ir::unary_op::negate ? "negate" : "not");
        (*this)(depth + 1, u.operand);
    }

    void print(int depth, const ast::chain& c) {
        line(depth, "operators");
        (*this)(depth + 1, c.first);
        for (const auto& link : c.rest) {
            line(depth + 1, std::string(symbol(link.op)));
            (*this)(depth + 1, link.operand);
        }
    }

    void print(int depth, const ast::reduction& r) {
        line(depth,
             fmt::format("{} {}{}", reduction_name(r.op), r.variable.text, r.last ? " in range" : " in pattern"));
        (*this)(depth + 1, r.domain);
        (*this)(depth + 1, r.last);
        line(depth, "of");
        (*this)(depth + 1, r.body);
    }

    void print(int depth, const ast::offset_table& t) {
        line(depth, "offsets");
        for (const auto& entry : t.entries) {
            line(depth + 1, entry.weight ? "offset and weight" : "offset");
            for (const ast::expression& e : entry.offset) {
                (*this)(depth + 2, e);
            }
            (*this)(depth + 2, entry.weight);
        }
    }

    void statement(const ast::parameter& p) {
        line(1, "param " + p.id.text);
        (*this)(2, p.value);
    }

    void statement(const ast::constant& c) {
        line(1, "const " + c.id.text + (c.first ? " over indices" : ""));
        (*this)(2, c.first);
        (*this)(2, c.last);
        if (const auto* values = std::get_if<std::vector<ast::expression>>(&c.value)) {
            line(2, "values");
            for (const ast::expression& e : *values) {
                (*this)(3, e);
            }
        } else {
            (*this)(2, std::get<ast::expression_ptr>(c.value));
        }
    }

    void statement(const ast::fields& f) {
        std::string names;
        for (const ast::name& id : f.ids) {
            names += " " + id.text;
        }
        line(1, (f.coefficient ? "coef" : "field") + names + (f.type ? " : " + f.type->text : "") +
                    (f.compute ? " compute " + f.compute->text : ""));
        for (const ast::face& face : f.faces) {
            line(2, fmt::format("face {}{} {}", face.where.text, face.side == 0 ? "" : std::string(1, face.side),
                                face.kind.text));
            (*this)(3, face.value);
        }
    }

    void statement(const ast::let& l) {
        line(1, "let " + l.id.text);
        (*this)(2, l.value);
    }

    void statement(const ast::update& u) {
        line(1, "update");
        (*this)(2, u.target);
        (*this)(2, u.value);
        if (u.where) {
            line(1, "where");
            (*this)(2, u.where);
        }
    }
};

} // namespace

std::string dump(const ast::file& file) {
    printer out;
    for (const ast::stencil_definition& s : file.stencils) {
        std::string axes;
        for (const ast::name& axis : s.axes) {
            axes += " " + axis.text;
        }
        out.line(0, "stencil " + s.id.text + axes);
        for (const ast::statement& statement : s.body) {
            std::visit([&](const auto& form) { out.statement(form); }, statement.form);
        }
    }
    return out.text;
}

} // namespace gst::dsl
