#include "dsl/lower.hpp"

#include "core/stencil/canonical.hpp"
#include "dsl/check.hpp"
#include "dsl/expand.hpp"
#include "dsl/fold.hpp"

#include <cmath>
#include <set>

namespace gst::dsl {

namespace {

boundary_kind boundary_named(std::string_view name) {
    for (const auto k :
         {boundary_kind::fixed, boundary_kind::constant, boundary_kind::clamp, boundary_kind::periodic}) {
        if (name_of(k) == name) {
            return k;
        }
    }
    return boundary_kind::mirror;
}

class lowering {
  public:
    lowering(const checked_stencil& checked, const options& defaults, report& out)
        : checked_(checked), defaults_(defaults), report_(out) {}

    stencil run() {
        result_.name = checked_.tree->id.text;
        result_.dimensions = static_cast<int>(checked_.tree->axes.size());
        for (std::size_t i = 0; i < checked_.tree->axes.size(); ++i) {
            result_.axes[i] = checked_.tree->axes[i].text;
        }
        declare_fields();
        expand_.emplace(checked_, report_.text(), result_);
        for (const ast::statement& s : checked_.tree->body) {
            attempt([&] { std::visit([&](const auto& form) { statement(form); }, s.form); });
        }
        report_.throw_if_any();
        finish_update();
        stencil out = canonical(result_);
        infer_reach(out);
        verify(out);
        return out;
    }

  private:
    template<class F>
    void attempt(F&& f) {
        try {
            f();
        } catch (const user_error& e) {
            report_.add(e);
        }
    }

    /// Fields come first: the builder reads their types. Their faces follow with the constants, in the order of the
    /// text.
    void declare_fields() {
        for (const ast::statement& s : checked_.tree->body) {
            if (const auto* f = std::get_if<ast::fields>(&s.form)) {
                for (const ast::name& id : f->ids) {
                    result_.fields.push_back(declared(*f, id));
                }
            }
        }
    }

    field declared(const ast::fields& f, const ast::name& id) const {
        field out;
        out.name = id.text;
        out.coefficient = f.coefficient;
        out.type = f.type ? *scalar_named(f.type->text) : defaults_.type;
        out.compute = out.type == scalar::f16 ? scalar::f32 : out.type;
        if (f.compute) {
            out.compute = *scalar_named(f.compute->text);
        } else if (!f.type && defaults_.compute && !f.coefficient) {
            out.compute = *defaults_.compute;
        }
        return out;
    }

    void statement(const ast::parameter& p) {
        result_.parameters.push_back({p.id.text, std::nullopt}); // first: what follows counts on its place
        if (p.value) {
            result_.parameters.back().value = expand_->constant(*p.value);
        }
    }

    void statement(const ast::constant& c) { expand_->define(c); }

    void statement(const ast::let&) {}

    void statement(const ast::fields& f) {
        // The more special face wins: all, then an axis, then one side of it.
        for (const int rank : {0, 1, 2}) {
            for (const ast::face& face : f.faces) {
                if (rank == (face.where.text == "all" ? 0 : face.side == 0 ? 1 : 2)) {
                    const boundary b{boundary_named(face.kind.text), face.value ? expand_->constant(*face.value) : 0};
                    for (const ast::name& id : f.ids) {
                        set_faces(result_.fields[checked_.symbols.at(id.text).index], face, b);
                    }
                }
            }
        }
    }

    void set_faces(field& f, const ast::face& face, boundary b) const {
        if (b.kind == boundary_kind::constant) {
            b.value = rounded(b.value, f.type);
            const bool whole = b.value == std::trunc(b.value) && std::abs(b.value) < 0x1p31;
            if (!std::isfinite(b.value) || (f.type == scalar::i32 && !whole)) {
                throw user_error(diagnostic{"this value does not fit the field's type", report_.text(), face.value->at,
                                            "the type of '" + f.name + "' is " + std::string(name_of(f.type))});
            }
        }
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(result_.dimensions); ++axis) {
            if (face.where.text == "all" || face.where.text == result_.axes[axis]) {
                if (face.side != '+') {
                    f.faces[axis][0] = b;
                }
                if (face.side != '-') {
                    f.faces[axis][1] = b;
                }
            }
        }
    }

    void statement(const ast::update& u) {
        const std::uint32_t index = checked_.symbols.at(std::get<ast::reference>(u.target->form).id.text).index;
        if (!pending_ || pending_->field != index) {
            finish_update();
            pending_ = update{index, 0};
            fresh_ = true;
        }
        const scalar type = result_.fields[index].compute;
        try {
            const node_id value = expand_->value(*u.value, type);
            const node_id before = fresh_ && u.where ? expand_->current(index, type) : pending_->value;
            pending_->value = u.where ? expand_->select(expand_->condition(*u.where, type), value, before) : value;
        } catch (const user_error& e) {
            report_.add(e);
        }
        fresh_ = false;
    }

    void finish_update() {
        if (pending_) {
            result_.updates.push_back(*pending_);
            expand_->written(pending_->field);
            pending_.reset();
        }
    }

    const checked_stencil& checked_;
    const options& defaults_;
    report& report_;
    stencil result_;
    std::optional<expander> expand_;
    std::optional<update> pending_; ///< of the field whose where-clauses are being read
    bool fresh_ = false;
};

} // namespace

stencil lower(const checked_stencil& checked, const options& defaults, report& out) {
    return lowering(checked, defaults, out).run();
}

std::vector<stencil> compile(std::shared_ptr<const source> text, const options& defaults) {
    const ast::file file = parse(text);
    report all(text);
    std::set<std::string> names;
    if (file.stencils.empty()) {
        all.error({0, 0}, "there is no stencil in this file", "write stencil name(x, y) { … }");
    }
    std::vector<checked_stencil> checked;
    for (const ast::stencil_definition& s : file.stencils) {
        checked.push_back(check(s, all));
        if (!names.insert(s.id.text).second) {
            all.error(s.id.at, "there is already a stencil '" + s.id.text + "' in this file");
        }
    }
    all.throw_if_any();
    std::vector<stencil> out;
    for (const checked_stencil& c : checked) {
        try {
            out.push_back(lower(c, defaults, all));
        } catch (const user_error&) {
            // reported already; the next stencil may have mistakes of its own
        }
    }
    all.throw_if_any();
    return out;
}

} // namespace gst::dsl
