#include "tests/run/support.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace gst::test {

std::string contents(const std::filesystem::path& file) {
    std::ostringstream out;
    out << std::ifstream(file, std::ios::binary).rdbuf();
    return out.str();
}

void write(const std::filesystem::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

field some_field(scalar type, int dimensions) {
    field f;
    f.name = "u";
    f.type = type;
    f.compute = type;
    for (int axis = 0; axis < dimensions; ++axis) {
        f.halo[axis] = 1;
    }
    return f;
}

field_data counting(const field& f, int dimensions, extent3 size) {
    field_data d = make_field_data(f, dimensions, size);
    std::vector<double> row(static_cast<std::size_t>(d.extent(0)));
    double next = 1;
    for (std::int64_t r = 0; r < d.rows(); ++r) {
        for (double& v : row) {
            v = next++;
        }
        write_row(d, r, row);
    }
    return d;
}

double value_at(const field_data& d, std::int64_t x, std::int64_t y, std::int64_t z) {
    return to_values(d).at(x, y, z);
}

stencil some_stencil() {
    stencil s;
    s.name = "wave";
    s.dimensions = 2;
    s.parameters = {{"alpha", 0.5}};
    s.fields = {some_field(scalar::f32, 2), some_field(scalar::f64, 2)};
    s.fields[1].name = "k";
    s.fields[1].coefficient = true;
    stencil_builder b(s);
    const node_id before = b.read(0, -1, {});
    const node_id beside = b.binary(ir::binary_op::add, b.read(0, 0, {-1, 0, 0}), b.read(0, 0, {0, 1, 0}));
    const node_id weighted =
        b.binary(ir::binary_op::multiply, beside, b.convert(b.read(1, 0, {1, -1, 0}), scalar::f32));
    const node_id scaled = b.binary(ir::binary_op::multiply, weighted, b.add({ir::parameter{0}, scalar::f32}));
    s.updates = {{0, b.binary(ir::binary_op::subtract, scaled, before)}};
    infer_reach(s);
    return s;
}

} // namespace gst::test
