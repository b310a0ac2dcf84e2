#include "core/codegen/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace gst {

namespace {

using nest::kernel;

/// Where the language has one: that the work-items of as many work-groups as a kernel asks for have registers at once.
std::string register_option(const std::vector<kernel>& kernels, const dialect& language) {
    constexpr std::uint64_t allocated_together = 8, lanes = 32; // on NVIDIA's GPUs
    const auto word = language.words.find("option of groups at once");
    std::optional<std::uint64_t> least;
    for (const kernel& k : kernels) {
        if (k.groups_at_once > 0) {
            const std::uint64_t work_items = (k.work_items() + lanes - 1) / lanes * lanes;
            const std::uint64_t left = multiprocessor_registers / (work_items * k.groups_at_once);
            least = std::min({least.value_or(work_item_registers), work_item_registers,
                              left / allocated_together * allocated_together});
        }
    }
    return word == language.words.end() || !least
               ? ""
               : fmt::format(fmt::runtime(word->second), fmt::arg("registers", *least));
}

} // namespace

module_source emit_module(const std::vector<kernel>& kernels, const dialect& language, bool wide_index) {
    return {emit(kernels, language, wide_index), language.compile_options + register_option(kernels, language)};
}

} // namespace gst
