#include "core/run/vti.hpp"

#include "core/base/atomic_file.hpp"

#include <fmt/format.h>

#include <bit>

namespace gst {

namespace {

struct vtk_type {
    const char* name;
    std::size_t bytes;
};

vtk_type type_of(scalar s) {
    switch (s) {
    case scalar::i32:
        return {"Int32", 4};
    case scalar::f64:
        return {"Float64", 8};
    default:
        return {"Float32", 4};
    }
}

std::uint64_t bytes_of(const field_data& d) {
    return static_cast<std::uint64_t>(d.size[0] * d.size[1] * d.size[2]) * type_of(d.type).bytes;
}

void write_interior(atomic_file& out, const field_data& d) {
    std::vector<float> widened(static_cast<std::size_t>(d.size[0]));
    for_each_row(d, false, [&](std::span<const std::byte> row) {
        if (d.type != scalar::f16) {
            out.write(row);
            return;
        }
        for (std::size_t x = 0; x < widened.size(); ++x) {
            half element;
            std::memcpy(&element, row.data() + x * sizeof element, sizeof element);
            widened[x] = static_cast<float>(static_cast<double>(element));
        }
        out.write(std::as_bytes(std::span(widened)));
    });
}

} // namespace

void write_vti(const std::filesystem::path& file, std::span<const field_data> fields) {
    const extent3 n = fields.front().size;
    const std::string extent = fmt::format("0 {} 0 {} 0 {}", n[0] - 1, n[1] - 1, n[2] - 1);
    atomic_file out(file);
    out.write(fmt::format("<?xml version=\"1.0\"?>\n"
                          "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"{}\" header_type=\"UInt64\">\n"
                          "  <ImageData WholeExtent=\"{}\" Origin=\"0 0 0\" Spacing=\"1 1 1\">\n"
                          "    <Piece Extent=\"{}\">\n"
                          "      <PointData Scalars=\"{}\">\n",
                          std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian", extent, extent,
                          fields.front().name));
    std::uint64_t offset = 0;
    for (const field_data& d : fields) {
        out.write(fmt::format("        <DataArray type=\"{}\" Name=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
                              type_of(d.type).name, d.name, offset));
        offset += sizeof(std::uint64_t) + bytes_of(d);
    }
    out.write("      </PointData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_");
    for (const field_data& d : fields) {
        const std::uint64_t bytes = bytes_of(d);
        out.write(std::as_bytes(std::span(&bytes, 1)));
        write_interior(out, d);
    }
    out.write("\n  </AppendedData>\n</VTKFile>\n");
    out.commit();
}

} // namespace gst
