#include "core/base/error.hpp"
#include "dsl/dsl.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>

// Any bytes are a stencil file: they compile, or there is a diagnostic. What compiles is printed as a text that
// compiles to the same stencil.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace gst;
    const auto text = std::make_shared<source>(source{"fuzz.gst", std::string(data, data + size)});
    std::vector<stencil> all;
    try {
        all = dsl::compile(text);
    } catch (const user_error& e) {
        if (e.diagnostics().empty() || std::strlen(e.what()) == 0) {
            std::abort();
        }
        return 0;
    }
    for (const stencil& s : all) {
        constexpr std::size_t printable = 5000; // larger ones may reach the limits of a source when they are printed
        if (s.nodes.size() > printable) {
            continue;
        }
        const auto again = dsl::compile(std::make_shared<source>(source{"again.gst", to_dsl(s)}));
        if (again.size() != 1 || again[0] != s) {
            std::abort();
        }
    }
    return 0;
}
