#pragma once

#include "core/base/error.hpp"
#include "core/stencil/stencil.hpp"
#include "dsl/ast.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The language that stencils are written in (docs/language.md): text → AST → checked → stencil IR.
namespace gst::dsl {

struct options {
    scalar type = scalar::f32; ///< of a field that does not say its type
    std::optional<scalar>
        compute; ///< of a field that says neither type nor compute type; default: its type, f32 for f16
};

/// The file as written. Throws user_error at the first place that is not of the language.
ast::file parse(std::shared_ptr<const source> text);

/// Every stencil of the file, in order. Throws user_error with everything found wrong (at most limits::diagnostics).
std::vector<stencil> compile(std::shared_ptr<const source> text, const options& defaults = {});

/// The tree, a node per line, for `gst show --stage ast`.
std::string dump(const ast::file& file);

} // namespace gst::dsl
