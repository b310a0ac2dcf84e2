#include "core/base/error.hpp"
#include "core/run/checkpoint.hpp"
#include "core/run/initial_state.hpp"
#include "tests/catch.hpp"
#include "tests/run/support.hpp"

#include <fmt/format.h>

using namespace gst;
using namespace gst::test;

namespace {

const extent3 size{5, 4, 1};
const std::vector<double> parameters{0.1};

run_state some_state() {
    run_state state = make_initial_state(some_stencil(), size, {{"u", {initial::noise{}, initial::constant{1}}}});
    state.step = 1234567890123;
    return state;
}

std::string refusal(const std::filesystem::path& file, const stencil& s, extent3 grid,
                    const std::vector<double>& values) {
    try {
        load_checkpoint(file, s, grid, values);
        return "loaded";
    } catch (const user_error& e) {
        CHECK(e.diagnostics().front().hint == "leave run.resume out to begin anew, or name another run.checkpoint");
        return "error: " + e.diagnostics().front().message;
    } catch (const machine_error& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("a run goes on from exactly what was saved") {
    const temporary_folder folder;
    save_checkpoint(folder / "a" / "state.gst", some_stencil(), size, parameters, some_state());
    CHECK(load_checkpoint(folder / "a" / "state.gst", some_stencil(), size, parameters) == some_state());
}

TEST_CASE("a checkpoint of something else is refused") {
    const temporary_folder folder;
    const auto file = folder / "state.gst";
    const std::string cannot = fmt::format("error: cannot go on from '{}': ", file.string());
    save_checkpoint(file, some_stencil(), size, parameters, some_state());
    stencil other = some_stencil();
    other.name = "heat";
    CHECK(refusal(file, other, size, parameters) == cannot + "it is of the stencil 'wave', not 'heat'");
    stencil changed = some_stencil();
    changed.fields[0].faces[0][0] = {boundary_kind::periodic, 0};
    CHECK(refusal(file, changed, size, parameters) == cannot + "the stencil 'wave' has changed since");
    CHECK(refusal(file, some_stencil(), {5, 5, 1}, parameters) == cannot + "its grid is 5×4, not 5×5");
    CHECK(refusal(file, some_stencil(), size, {0.2}) == cannot + "its parameter 'alpha' is 0.1, not 0.2");
    CHECK(refusal(folder / "none", some_stencil(), size, parameters) ==
          fmt::format("'{}' cannot be read (No such file or directory)", (folder / "none").string()));
    write(file, "a letter");
    CHECK(refusal(file, some_stencil(), size, parameters) == cannot + "it is no checkpoint of gst");
    write(file, R"({"format": "gst checkpoint", "version": 2})");
    CHECK(refusal(file, some_stencil(), size, parameters) == cannot + "it is of format 2, this gst reads 1");
    write(file, R"({"format": "gst checkpoint", "version": 1})");
    CHECK(refusal(file, some_stencil(), size, parameters) == cannot + "its head is damaged");
}

TEST_CASE("no flipped bit of an array and no cut goes unnoticed") {
    const temporary_folder folder;
    const auto file = folder / "state.gst";
    save_checkpoint(file, some_stencil(), size, parameters, some_state());
    const std::string whole = contents(file);
    for (std::size_t at = whole.find('\n') + 1; at < whole.size(); at += 7) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 4);
        write(file, damaged);
        CHECK(refusal(file, some_stencil(), size, parameters).find("': it is damaged at field '") != std::string::npos);
        write(file, whole.substr(0, at));
        CHECK(refusal(file, some_stencil(), size, parameters).find("': it is damaged at field '") != std::string::npos);
    }
}

TEST_CASE("a checkpoint that cannot be written leaves the old one") {
    const temporary_folder folder;
    const auto file = folder / "state.gst";
    save_checkpoint(file, some_stencil(), size, parameters, some_state());
    save_checkpoint(file, some_stencil(), size, parameters, some_state());
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1); // nothing beside it
    CHECK_THROWS_WITH(save_checkpoint(file / "below", some_stencil(), size, parameters, some_state()),
                      fmt::format("'{}' cannot be written (Not a directory)", (file / "below").string()));
    CHECK(load_checkpoint(file, some_stencil(), size, parameters) == some_state());
}
