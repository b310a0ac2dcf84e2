#include "core/run/vti.hpp"
#include "tests/catch.hpp"
#include "tests/run/support.hpp"

#include <cstring>

using namespace gst;
using namespace gst::test;

namespace {

template<class T>
std::vector<T> block(const std::string& file, std::size_t offset) {
    const std::size_t begin = file.find("encoding=\"raw\">\n_") + std::strlen("encoding=\"raw\">\n_") + offset;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, file.data() + begin, sizeof bytes);
    std::vector<T> values(bytes / sizeof(T));
    std::memcpy(values.data(), file.data() + begin + sizeof bytes, bytes);
    return values;
}

} // namespace

TEST_CASE("an image has one appended block per field, of its interior") {
    const temporary_folder folder;
    std::vector<field_data> fields{
        counting(some_field(scalar::f32, 2), 2, {3, 2, 1}), counting(some_field(scalar::f16, 2), 2, {3, 2, 1}),
        counting(some_field(scalar::i32, 2), 2, {3, 2, 1}), counting(some_field(scalar::f64, 2), 2, {3, 2, 1})};
    fields[1].name = "v";
    fields[2].name = "w";
    fields[3].name = "q";
    write_vti(folder / "image.vti", fields);
    const std::string file = contents(folder / "image.vti");
    CHECK(file.substr(0, file.find('_', file.find("<AppendedData")) + 1) ==
          "<?xml version=\"1.0\"?>\n"
          "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
          "  <ImageData WholeExtent=\"0 2 0 1 0 0\" Origin=\"0 0 0\" Spacing=\"1 1 1\">\n"
          "    <Piece Extent=\"0 2 0 1 0 0\">\n"
          "      <PointData Scalars=\"u\">\n"
          "        <DataArray type=\"Float32\" Name=\"u\" format=\"appended\" offset=\"0\"/>\n"
          "        <DataArray type=\"Float32\" Name=\"v\" format=\"appended\" offset=\"32\"/>\n"
          "        <DataArray type=\"Int32\" Name=\"w\" format=\"appended\" offset=\"64\"/>\n"
          "        <DataArray type=\"Float64\" Name=\"q\" format=\"appended\" offset=\"96\"/>\n"
          "      </PointData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_");
    // Rows of 5 with the halo: the interior begins at 7 and, a row on, at 12.
    CHECK(block<float>(file, 0) == std::vector<float>{7, 8, 9, 12, 13, 14});
    CHECK(block<float>(file, 32) == std::vector<float>{7, 8, 9, 12, 13, 14});
    CHECK(block<std::int32_t>(file, 64) == std::vector<std::int32_t>{7, 8, 9, 12, 13, 14});
    CHECK(block<double>(file, 96) == std::vector<double>{7, 8, 9, 12, 13, 14});
    CHECK(file.ends_with("\n  </AppendedData>\n</VTKFile>\n"));
}
