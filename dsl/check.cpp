#include "dsl/check.hpp"

#include "dsl/check_expression.hpp"
#include "dsl/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace gst::dsl {

namespace {

class stencil_checker {
  public:
    stencil_checker(const ast::stencil_definition& tree, report& out)
        : tree_(tree), report_(out), expressions_(result_.symbols, later_, out) {
        result_.tree = &tree;
    }

    checked_stencil run() {
        axes();
        for (const ast::statement& s : tree_.body) {
            std::visit(
                [&](const auto& form) { names_of(form, [&](const ast::name& id) { later_.emplace(id.text, id.at); }); },
                s.form);
        }
        for (const ast::statement& s : tree_.body) {
            std::visit([&](const auto& form) { statement(form); }, s.form);
        }
        if (updates_ == 0) {
            report_.error(tree_.id.at, fmt::format("the stencil '{}' updates nothing", tree_.id.text),
                          "write an update: u[t+1] = …");
        } else {
            unwritten_fields();
        }
        return std::move(result_);
    }

  private:
    template<class Form, class F>
    static void names_of(const Form& form, F&& f) {
        if constexpr (std::is_same_v<Form, ast::fields>) {
            std::for_each(form.ids.begin(), form.ids.end(), f);
        } else if constexpr (!std::is_same_v<Form, ast::update>) {
            f(form.id);
        }
    }

    void axes() {
        if (tree_.axes.size() > 3) {
            report_.error(tree_.axes[3].at,
                          fmt::format("a stencil has at most 3 axes, this one has {}", tree_.axes.size()));
        }
        for (std::uint32_t i = 0; i < tree_.axes.size(); ++i) {
            declare(tree_.axes[i], {symbol::kind::axis, i, {}, nullptr, nullptr, false});
        }
    }

    void declare(const ast::name& id, symbol s) {
        s.declared = id.at;
        later_.erase(id.text);
        if (is_taken_by_the_language(id.text)) {
            report_.error(id.at, fmt::format("'{}' is a word of the language", id.text), "choose another name");
            return;
        }
        const auto [at, fresh] = result_.symbols.emplace(id.text, s);
        if (!fresh) {
            const position before = locate(report_.text()->text, at->second.declared.begin);
            report_.error(id.at, fmt::format("'{}' is already {}, declared in line {}", id.text,
                                             described(at->second.what), before.line));
        }
    }

    void statement(const ast::parameter& p) {
        if (p.value) {
            expressions_.constant(*p.value);
        }
        if (parameters_ == limits::parameters) {
            report_.error(p.id.at, fmt::format("a stencil has at most {} parameters", limits::parameters));
        }
        declare(p.id, {symbol::kind::parameter, parameters_++, {}, nullptr, nullptr, false});
    }

    void statement(const ast::constant& c) {
        if (c.first) {
            expressions_.constant(*c.first);
            expressions_.constant(*c.last);
        }
        declare(c.id, {kind_of(c), 0, {}, &c, nullptr, false});
    }

    symbol::kind kind_of(const ast::constant& c) {
        if (const auto* values = std::get_if<std::vector<ast::expression>>(&c.value)) {
            for (const ast::expression& e : *values) {
                expressions_.constant(e);
            }
            if (!c.first) {
                report_.error(c.value_at, "a list needs its indices",
                              fmt::format("write const {}[0..{}] = […]", c.id.text, values->size() - 1));
            }
            return symbol::kind::array;
        }
        const ast::expression& value = *std::get<ast::expression_ptr>(c.value);
        const auto* r = std::get_if<ast::reference>(&value.form);
        const bool weights = r != nullptr && is_weights_name(r->id.text);
        const auto* table = std::get_if<ast::offset_table>(&value.form);
        const bool pattern = r != nullptr && r->form == ast::reference::kind::called && is_pattern_name(r->id.text);
        if (c.first) {
            report_.error(c.value_at, fmt::format("'{}' has indices: its value is a list", c.id.text),
                          fmt::format("write const {}[0..1] = [1, 2]", c.id.text));
            return symbol::kind::array;
        }
        if (table != nullptr) {
            expressions_.table(*table);
            return table->entries.front().weight ? symbol::kind::table : symbol::kind::pattern;
        }
        if (pattern) {
            expressions_.pattern(value);
            return symbol::kind::pattern;
        }
        if (weights) {
            generated(value, *r);
            return symbol::kind::weights;
        }
        const bool misspelt = r != nullptr && r->form == ast::reference::kind::plain &&
                              !result_.symbols.contains(r->id.text) &&
                              !nearest(r->id.text, {"gaussian", "random"}).empty();
        if (misspelt) {
            expressions_.unknown("name", r->id, {"gaussian", "random"});
            return symbol::kind::weights;
        }
        expressions_.constant(value);
        return symbol::kind::constant;
    }

    void generated(const ast::expression& at, const ast::reference& r) {
        const bool random = r.id.text == "random";
        if (r.form == ast::reference::kind::indexed || r.arguments.size() > 1 || (random && r.arguments.size() != 1)) {
            report_.error(at.at, random ? "random weights need a seed" : "a Gaussian has at most one width",
                          random ? "write random(1)" : "write gaussian or gaussian(1.5)");
            return;
        }
        for (const ast::expression& e : r.arguments) {
            expressions_.constant(e);
        }
    }

    void statement(const ast::fields& f) {
        for (const ast::name& id : f.ids) {
            if (fields_ == limits::fields) {
                report_.error(id.at, fmt::format("a stencil has at most {} fields", limits::fields));
            }
            declare(id, {f.coefficient ? symbol::kind::coefficient : symbol::kind::field,
                         fields_++,
                         {},
                         nullptr,
                         nullptr,
                         false});
        }
        const auto type = checked_type(f.type);
        const auto compute = checked_type(f.compute);
        if (f.coefficient && f.compute) {
            report_.error(f.compute->at, "a coefficient is never computed", "leave out 'compute'");
        } else if (type && compute && (is_real(*type) != is_real(*compute) || *compute < *type)) {
            report_.error(f.compute->at,
                          fmt::format("a field of {} cannot be computed in {}", f.type->text, f.compute->text),
                          *type == scalar::i32 ? "an i32 field is computed in i32"
                                               : fmt::format("compute in {} or a wider type", f.type->text));
        }
        std::set<std::string> seen;
        for (const ast::face& face : f.faces) {
            checked_face(face, seen);
        }
    }

    std::optional<scalar> checked_type(const std::optional<ast::name>& id) {
        const auto type = id ? scalar_named(id->text) : std::nullopt;
        if (id && (!type || *type == scalar::boolean)) {
            report_.error(
                id->at,
                fmt::format("unknown type '{}'{}", id->text, did_you_mean(id->text, {"f16", "f32", "f64", "i32"})),
                "the types are f16, f32 (float), f64 (double) and i32");
            return std::nullopt;
        }
        return type;
    }

    void checked_face(const ast::face& face, std::set<std::string>& seen) {
        const auto found = result_.symbols.find(face.where.text);
        const bool axis = found != result_.symbols.end() && found->second.what == symbol::kind::axis;
        std::vector<std::string> axes;
        for (const ast::name& a : tree_.axes) {
            axes.push_back(a.text);
        }
        if (face.where.text == "all" && face.side != 0) {
            report_.error(face.where.at, "'all' has no sides",
                          fmt::format("write all: …, or one side: {0}-: …, {0}+: …", axes.front()));
        } else if (!axis && face.where.text != "all") {
            axes.emplace_back("all");
            report_.error(face.where.at,
                          fmt::format("unknown axis '{}'{}", face.where.text, did_you_mean(face.where.text, axes)),
                          fmt::format("write a face as {0}: …, {0}-: …, {0}+: … or all: …", axes.front()));
        } else if (!seen.insert(face.where.text + face.side).second) {
            report_.error(face.where.at, "this face has its boundary already");
        }
        const bool constant = face.kind.text == "constant";
        const std::vector<std::string> kinds{"fixed", "constant", "clamp", "periodic", "mirror"};
        if (std::find(kinds.begin(), kinds.end(), face.kind.text) == kinds.end()) {
            report_.error(face.kind.at,
                          fmt::format("unknown boundary '{}'{}", face.kind.text, did_you_mean(face.kind.text, kinds)),
                          "the boundaries are fixed, constant(v), clamp, periodic and mirror");
        } else if (constant != (face.value != nullptr)) {
            report_.error(constant ? face.kind.at : face.value->at,
                          constant ? "this boundary needs its value"
                                   : fmt::format("the boundary '{}' takes no value", face.kind.text),
                          constant ? "write constant(0)" : "");
        }
        if (face.value) {
            expressions_.constant(*face.value);
        }
    }

    void statement(const ast::let& l) {
        later_.erase(l.id.text);
        const std::size_t errors = recursion_;
        refuse_recursion(*l.value, l.id.text);
        const value_kind kind = recursion_ == errors ? expressions_.kind_of(*l.value) : value_kind::unknown;
        declare(l.id, {symbol::kind::let, 0, {}, nullptr, &l, kind == value_kind::condition});
    }

    void refuse_recursion(const ast::expression& e, const std::string& name) {
        const auto descend = [&](const ast::expression_ptr& p) {
            if (p) {
                refuse_recursion(*p, name);
            }
        };
        if (const auto* r = std::get_if<ast::reference>(&e.form)) {
            if (r->id.text == name && !result_.symbols.contains(name)) {
                ++recursion_;
                report_.error(r->id.at, fmt::format("the let '{}' refers to itself", name),
                              "a let names an expression; a value of an earlier step is read from a field, u[t-1]");
            }
            for (const ast::expression& a : r->arguments) {
                refuse_recursion(a, name);
            }
        } else if (const auto* u = std::get_if<ast::unary>(&e.form)) {
            descend(u->operand);
        } else if (const auto* c = std::get_if<ast::chain>(&e.form)) {
            descend(c->first);
            for (const auto& link : c->rest) {
                descend(link.operand);
            }
        } else if (const auto* s = std::get_if<ast::reduction>(&e.form)) {
            descend(s->domain);
            descend(s->last);
            descend(s->body);
        }
    }

    void statement(const ast::update& u) {
        ++updates_;
        const std::string field = target(*u.target);
        expressions_.number(*u.value);
        if (u.where) {
            expressions_.condition(*u.where);
        }
        if (!field.empty()) {
            const bool continues = !updated_.empty() && updated_.back() == field;
            if (!continues && std::find(updated_.begin(), updated_.end(), field) != updated_.end()) {
                report_.error(u.target->at, fmt::format("'{}' is already updated above", field),
                              "put its where-clauses one below the other");
            } else if (continues && !u.where) {
                report_.error(u.target->at, fmt::format("this replaces the update of '{}' above", field),
                              "add 'where' and a condition, or remove one of the two");
            }
            if (!continues) {
                updated_.push_back(field);
            }
        }
    }

    /// Silent where an update may be meant for the field but names what does not exist.
    void unwritten_fields() {
        if (unknown_target_) {
            return;
        }
        for (const auto& [name, s] : result_.symbols) {
            if (s.what == symbol::kind::field && !targets_.contains(name)) {
                report_.error(s.declared, fmt::format("no update writes '{}'", name),
                              fmt::format("declare it 'coef {0}', or write {0}[t+1] = …", name));
            }
        }
    }

    /// The name of the field that is written, "" after an error.
    std::string target(const ast::expression& e) {
        const auto& r = std::get<ast::reference>(e.form);
        const std::string& name = r.id.text;
        const auto found = result_.symbols.find(name);
        targets_.insert(name);
        unknown_target_ = unknown_target_ || found == result_.symbols.end();
        if (found == result_.symbols.end()) {
            expressions_.unknown("field", r.id);
            return "";
        }
        if (found->second.what != symbol::kind::field) {
            report_.error(
                r.id.at, fmt::format("'{}' is {}: only a field is updated", name, described(found->second.what)),
                found->second.what == symbol::kind::coefficient ? fmt::format("declare it with field {}", name) : "");
            return "";
        }
        if (r.form != ast::reference::kind::indexed) {
            report_.error(e.at, "an update says which time it writes", fmt::format("write {}[t+1] = …", name));
            return "";
        }
        const index_item item = taken_apart(r.arguments[0]);
        const auto step = item.head != nullptr && item.head->id.text == "t" ? step_of(item) : std::nullopt;
        const std::string remedy = fmt::format("a step writes {}[t+1]", name);
        if (!step) {
            report_.error(r.arguments[0].at, "an update says which time it writes",
                          fmt::format("write {}[t+1] = …", name));
        } else if (const int steps = step.value_or(1); steps != 1) {
            const std::string written = steps == 0 ? "" : fmt::format("{:+}", steps);
            report_.error(r.arguments[0].at, fmt::format("{}[t{}] lies in the {}: {}", name, written,
                                                         steps > 1    ? "future"
                                                         : steps == 0 ? "present"
                                                                      : "past",
                                                         remedy));
        } else if (r.arguments.size() > 1) {
            report_.error(r.arguments[1].at, "an update writes the point itself",
                          fmt::format("write {}[t+1] = …", name));
        } else {
            return name;
        }
        return "";
    }

    /// n of t+n where n is written as plain numbers.
    static std::optional<int> step_of(const index_item& item) {
        double sum = 0;
        if (item.rest != nullptr) {
            for (const auto& link : *item.rest) {
                const auto* n = std::get_if<ast::number>(&link.operand->form);
                if (n == nullptr || std::abs(n->value) > 1000 || n->value != std::floor(n->value)) {
                    return std::nullopt;
                }
                sum += link.op == ir::binary_op::add ? n->value : -n->value;
            }
        }
        return static_cast<int>(sum);
    }

    const ast::stencil_definition& tree_;
    report& report_;
    checked_stencil result_;
    std::map<std::string, span> later_; ///< names declared below the statement at hand
    expression_checker expressions_;
    std::vector<std::string> updated_;
    std::set<std::string> targets_; ///< what updates name, right or wrong
    bool unknown_target_ = false;
    std::uint32_t fields_ = 0;
    std::uint32_t parameters_ = 0;
    std::size_t recursion_ = 0;
    std::size_t updates_ = 0;
};

} // namespace

checked_stencil check(const ast::stencil_definition& tree, report& out) {
    return stencil_checker(tree, out).run();
}

} // namespace gst::dsl
