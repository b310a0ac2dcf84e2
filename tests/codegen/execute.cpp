#include "tests/codegen/execute.hpp"

#include "core/codegen/generate.hpp"
#include "core/codegen/rotation.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/host/check_options.hpp"
#include "core/host/make_plugin.hpp"
#include "core/measure/choose_device.hpp"
#include "core/measure/typed_values.hpp"
#include "tests/codegen/emulated_lanes.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace gst {

namespace {

void put(std::vector<std::byte>& bytes, std::size_t element, scalar type, double v) {
    put_value(type, v, bytes.data() + element * size_of(type));
}

template<class F>
void for_each_point(const field_values& v, F&& f) {
    for (std::int64_t z = -v.halo[2]; z < v.size[2] + v.halo[2]; ++z) {
        for (std::int64_t y = -v.halo[1]; y < v.size[1] + v.halo[1]; ++y) {
            for (std::int64_t x = -v.halo[0]; x < v.size[0] + v.halo[0]; ++x) {
                f(x, y, z);
            }
        }
    }
}

/// The module with local arrays that start as NaN (integers as -1), so that what a kernel makes of an element that it
/// has not written shows. Arrays in CUDA's dynamic shared memory stay as they are.
module_source with_poisoned_locals(module_source m) {
    m = with_lanes(std::move(m));
    const bool opencl = m.text.find("__kernel") != std::string::npos;
    const std::string space = opencl ? "__local " : "";
    const std::string declared = opencl ? "    __local " : "    __shared__ ";
    const std::string first =
        opencl ? "get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2))"
               : "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)";
    const std::string step =
        opencl ? "get_local_size(0) * get_local_size(1) * get_local_size(2)" : "blockDim.x * blockDim.y * blockDim.z";
    std::istringstream lines(m.text);
    std::string out, poison;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t bracket = line.find('[');
        if (line.rfind(declared, 0) == 0 && bracket != std::string::npos) {
            const std::string name = line.substr(line.rfind(' ', bracket) + 1, bracket - line.rfind(' ', bracket) - 1);
            poison += fmt::format("    for (unsigned i = {}; i < sizeof({}) / 2; i += {}) {{\n        (({}unsigned "
                                  "short*){})[i] = 0xffff;\n    }}\n",
                                  first, name, step, space, name);
        } else if (!poison.empty()) { // the last array of its kernel was the one before
            out += poison + (opencl ? "    barrier(CLK_LOCAL_MEM_FENCE);\n" : "    __syncthreads();\n");
            poison.clear();
        }
        out += line + "\n";
    }
    m.text = out;
    return m;
}

} // namespace

const plugin& test_backend() {
    const char* wanted = std::getenv("GST_TEST_BACKEND");
    return find_plugin("backend", wanted ? wanted : "opencl", {});
}

test_device open_test_device(double compile_seconds) {
    test_device t;
    const plugin& p = test_backend();
    const plugin_options options = check_options(p, {});
    t.backend = make_backend(p, options);
    const auto all = t.backend->devices();
    if (all.empty()) {
        throw std::runtime_error("the backend " + p.name + " has no device");
    }
    const char* wanted = std::getenv("GST_TEST_DEVICE");
    t.info = choose_device(all, wanted ? wanted : p.name == "opencl" ? "cpu" : "auto");
    t.device = t.backend->open(t.info);
    if (t.info.platform.find("Oclgrind") != std::string::npos) {
        t.info.language = with_emulated_lanes(t.info.language, 8);
    }
    worker_limits limits;
    limits.compile_seconds = compile_seconds;
    t.compilers = std::make_unique<compile_pool>(backend_choice{p.file.string(), options.all()}, t.info, limits, 2);
    return t;
}

test_device open_test_device_with_lanes() {
    test_device t = open_test_device();
    if (t.info.language.sub_group == 0) {
        t.info.language = with_emulated_lanes(t.info.language, 8);
    }
    return t;
}

std::string unoptimized(const device_info& device) {
    return device.backend == "opencl" ? "-cl-opt-disable" : "";
}

std::string quick_to_compile(const device_info& device) {
    return device.type == "cpu" ? unoptimized(device) : "";
}

program with_options(program p, const std::string& options) {
    for (module_source& m : p.modules) {
        m.options += (m.options.empty() || options.empty() ? "" : " ") + options;
    }
    return p;
}

void compile_ahead(test_device& on, const program& p) {
    for (const module_source& m : p.modules) {
        on.compilers->compile(with_poisoned_locals(m));
    }
}

std::vector<std::shared_ptr<const compiled>> compile(test_device& on, const program& p) {
    std::vector<module_source> sources;
    for (const module_source& m : p.modules) {
        sources.push_back(with_poisoned_locals(m));
    }
    std::vector<std::shared_ptr<const compiled>> modules = on.compilers->compile_all(sources);
    for (const auto& m : modules) {
        if (m->compiler_failed) {
            throw compiler_failure(m->message);
        }
        if (m->outcome != status::correct) {
            throw compile_error(m->message);
        }
    }
    return modules;
}

namespace {

using buffers_of_fields = std::vector<std::vector<std::unique_ptr<memory>>>;

/// Overwrites what program::halos fills: no call may read it. What is copied may have been filled by a call before the
/// last one, where that did not write the level.
void poison_left(test_device& on, const program& p, const stencil& s, const buffers_of_fields& buffers,
                 const std::vector<rotation>& rotations) {
    for (const program_operation& o : p.halos) {
        const auto& filled = std::get<field_argument>(std::get<launch>(o).arguments.front());
        const field& f = s.fields[filled.field];
        memory& buffer = *buffers[filled.field][rotations[filled.field].held(-filled.level)];
        std::vector<std::byte> bytes(allocated_elements(p.layout) * size_of(f.type));
        on.device->read(buffer, 0, bytes);
        for_each_point({p.layout.size, f.halo}, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
            const extent3 point{x, y, z};
            for (std::size_t axis = 3; axis-- > 0;) {
                if (point[axis] >= 0 && point[axis] < p.layout.size[axis]) {
                    continue;
                }
                const boundary& face = f.faces[axis][point[axis] < 0 ? 0 : 1];
                if (!is_frozen(face) && (face.kind == boundary_kind::periodic || -filled.level < p.steps)) {
                    put_poison(f.type,
                               bytes.data() + static_cast<std::size_t>(p.layout.index(x, y, z)) * size_of(f.type));
                }
                break;
            }
        });
        on.device->write(buffer, 0, bytes);
    }
}

/// What fills halos in a call that has just run.
std::vector<program_operation> fills_of_last_call(const program& p) {
    std::vector<program_operation> fills(p.call.begin() + 1, p.call.end());
    for (program_operation& o : fills) {
        std::get<field_argument>(std::get<launch>(o).arguments.front()).level -= p.steps;
    }
    return fills;
}

} // namespace

interpreter_state execute(test_device& on, const program& p, const stencil& s, const interpreter_state& state,
                          std::span<const double> parameters, int steps) {
    const auto elements = allocated_elements(p.layout);
    std::vector<std::unique_ptr<executable>> modules;
    for (const auto& m : compile(on, p)) {
        modules.push_back(on.device->load(m->code));
    }
    std::vector<std::vector<std::unique_ptr<memory>>> buffers(s.fields.size());
    std::vector<std::vector<std::unique_ptr<memory>>> images(s.fields.size());
    std::vector<rotation> rotations = rotations_of(p);
    for (std::uint32_t f = 0; f < s.fields.size(); ++f) {
        const scalar type = p.types[f];
        for (int b = 0; b < buffers_of(p, f); ++b) {
            buffers[f].push_back(on.device->allocate(elements * size_of(type), nullptr, nullptr));
            images[f].push_back(
                p.images[f].width ? on.device->allocate(elements * size_of(type), &p.images[f], buffers[f].back().get())
                                  : nullptr);
        }
        const auto upload = [&](std::size_t buffer, const field_values& halo, const field_values* interior) {
            std::vector<std::byte> bytes(elements * size_of(type));
            for (std::size_t e = 0; e < elements; ++e) {
                put_poison(type, bytes.data() + e * size_of(type));
            }
            for_each_point(halo, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                const bool inside =
                    x >= 0 && y >= 0 && z >= 0 && x < halo.size[0] && y < halo.size[1] && z < halo.size[2];
                if (!inside || interior) {
                    const auto at = static_cast<std::size_t>(p.layout.index(x, y, z));
                    put(bytes, at, type, inside ? interior->at(x, y, z) : (interior ? interior : &halo)->at(x, y, z));
                }
            });
            memory& to = *buffers[f][buffer];
            on.device->write(to, 0, bytes);
            if (memory* image = images[f][buffer].get()) {
                const command sync = copy_command{&to, image, bytes.size()};
                on.device->run({&sync, 1});
            }
        };
        for (std::size_t age = 0; age < state.levels[f].size(); ++age) {
            upload(age, state.levels[f][age], &state.levels[f][age]);
        }
        for (std::size_t b = state.levels[f].size(); b < buffers[f].size(); ++b) {
            upload(b, state.levels[f][0], nullptr); // the static halo, and poison inside
        }
    }
    int done = 0;
    const auto run = [&](const std::vector<program_operation>& list, int list_steps) {
        std::vector<command> commands;
        for (const program_operation& o : list) {
            if (const auto* c = std::get_if<image_copy>(&o)) {
                const std::size_t b = rotations[c->field].buffer_of(c->level, list_steps);
                commands.push_back(copy_command{buffers[c->field][b].get(), images[c->field][b].get(),
                                                elements * size_of(p.types[c->field])});
                continue;
            }
            const launch& l = std::get<launch>(o);
            launch_command out{modules.at(l.module).get(), l.kernel, l.global, l.local, l.offset, {}};
            const auto buffer_of = [&](const field_argument& f) {
                return rotations[f.field].buffer_of(f.level, list_steps);
            };
            for (const kernel_argument& a : l.arguments) {
                if (const auto* boxed = std::get_if<tensor_argument>(&a)) {
                    memory* of = buffers[boxed->of.field][buffer_of(boxed->of)].get();
                    out.arguments.emplace_back(tensor{of, boxed->shape});
                } else if (const auto* f = std::get_if<field_argument>(&a)) {
                    const std::size_t b = buffer_of(*f);
                    out.arguments.emplace_back(f->as_image ? images[f->field][b].get() : buffers[f->field][b].get());
                } else if (const auto* q = std::get_if<parameter_argument>(&a)) {
                    std::vector<std::byte> bytes(size_of(q->type));
                    put(bytes, 0, q->type, parameters[q->index]);
                    out.arguments.emplace_back(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
                } else {
                    const auto t = static_cast<std::int32_t>(state.step + done);
                    out.arguments.emplace_back(std::string(reinterpret_cast<const char*>(&t), sizeof t));
                }
            }
            commands.emplace_back(std::move(out));
        }
        on.device->run(commands);
        done += list_steps;
        for (rotation& r : rotations) {
            r.advance(list_steps);
        }
    };
    bool leaves_halos = false;
    while (done < steps) {
        const bool whole = p.steps <= steps - done;
        if (whole && !p.halos.empty()) {
            poison_left(on, p, s, buffers, rotations);
            run(fills_of_last_call(p), 0);
        } else if (leaves_halos) {
            run(p.halos, 0);
        }
        run(whole ? p.call : p.remainder, whole ? p.steps : 1);
        leaves_halos = whole && !p.halos.empty();
    }
    if (leaves_halos) {
        run(p.halos, 0);
    }
    interpreter_state result = state;
    result.step += steps;
    for (std::uint32_t f = 0; f < s.fields.size(); ++f) {
        for (std::size_t age = 0; age < state.levels[f].size(); ++age) {
            std::vector<std::byte> bytes(elements * size_of(p.types[f]));
            on.device->read(*buffers[f][rotations[f].held(static_cast<int>(age))], 0, bytes);
            field_values& v = result.levels[f][age];
            for_each_point(v, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
                v.at(x, y, z) = get_value(p.types[f], bytes.data() + static_cast<std::size_t>(p.layout.index(x, y, z)) *
                                                                         size_of(p.types[f]));
            });
        }
    }
    return result;
}

} // namespace gst
