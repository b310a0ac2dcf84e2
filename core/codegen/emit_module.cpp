#include "core/codegen/emit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace gst {

namespace {

using nest::kernel;

/// Where the language has one: that the work-items of as many work-groups as a kernel asks for have registers at once.
std::string register_option(const std::vector<kernel>& kernels, const dialect& language) {
    // Multiprocessors from compute capability 7.0 on are four parts, each with a quarter of the registers and of the
    // warps.
    constexpr std::uint64_t allocated_together = 8, lanes = 32, parts = 4;
    constexpr std::uint64_t of_part = multiprocessor_registers / parts / lanes;
    const auto word = language.words.find("option of groups at once");
    std::optional<std::uint64_t> least;
    for (const kernel& k : kernels) {
        if (is_bounded(k, language)) {
            const std::uint64_t warps = (k.work_items() + lanes - 1) / lanes * k.groups_at_once;
            const std::uint64_t left = of_part / ((warps + parts - 1) / parts);
            least = std::min({least.value_or(work_item_registers), work_item_registers,
                              left / allocated_together * allocated_together});
        }
    }
    return word == language.words.end() || !least
               ? ""
               : fmt::format(fmt::runtime(word->second), fmt::arg("registers", *least));
}

} // namespace

bool is_bounded(const kernel& k, const dialect& language) {
    return k.groups_at_once > 0 && k.work_items() <= language.bounded_work_items;
}

module_source emit_module(const std::vector<kernel>& kernels, const dialect& language, bool wide_index) {
    return {emit(kernels, language, wide_index), language.compile_options + register_option(kernels, language)};
}

} // namespace gst
