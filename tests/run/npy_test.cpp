#include "core/base/error.hpp"
#include "core/run/npy.hpp"
#include "tests/catch.hpp"
#include "tests/run/support.hpp"

#include <fmt/format.h>

#include <limits>

using namespace gst;
using namespace gst::test;

namespace {

/// A .npy file as NumPy writes it.
std::string file_of(const std::string& header, const std::string& data, int version = 1) {
    std::string text = header;
    const std::size_t head = version == 1 ? 10 : 12;
    text.resize((text.size() + head) / 64 * 64 + 64 - head - 1, ' ');
    text += '\n';
    std::string out = "\x93NUMPY";
    out += static_cast<char>(version);
    out += '\0';
    for (std::size_t i = 0, length = text.size(); i < head - 8; ++i, length /= 256) {
        out += static_cast<char>(length % 256);
    }
    return out + text + data;
}

std::string header(const std::string& type, const std::string& shape, bool fortran = false) {
    return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type, fortran ? "True" : "False",
                       shape);
}

template<class T>
std::string bytes_of(std::initializer_list<T> values, bool swapped = false) {
    std::string out;
    for (const T v : values) {
        std::string element(reinterpret_cast<const char*>(&v), sizeof v);
        out += swapped ? std::string(element.rbegin(), element.rend()) : element;
    }
    return out;
}

std::string refusal(const std::filesystem::path& file, const field& f, int dimensions, extent3 size) {
    try {
        read_npy(file, f, dimensions, size);
        return "read";
    } catch (const user_error& e) {
        return e.what();
    } catch (const machine_error& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("an array that was written with its halo comes back bit for bit") {
    const temporary_folder folder;
    for (const scalar type : {scalar::i32, scalar::f16, scalar::f32, scalar::f64}) {
        for (int dimensions = 1; dimensions <= 3; ++dimensions) {
            const extent3 size{5, dimensions > 1 ? 4 : 1, dimensions > 2 ? 3 : 1};
            const field_data d = counting(some_field(type, dimensions), dimensions, size);
            write_npy(folder / "u.npy", d, true);
            CHECK(read_npy(folder / "u.npy", some_field(type, dimensions), dimensions, size) == d);
        }
    }
}

TEST_CASE("an array without halo fills the interior and leaves the halo 0") {
    const temporary_folder folder;
    const field f = some_field(scalar::f32, 2);
    const field_data d = counting(f, 2, {3, 2, 1});
    write_npy(folder / "u.npy", d);
    const field_data back = read_npy(folder / "u.npy", f, 2, {3, 2, 1});
    for (std::int64_t y = -1; y <= 2; ++y) {
        for (std::int64_t x = -1; x <= 3; ++x) {
            const bool interior = x >= 0 && x < 3 && y >= 0 && y < 2;
            CHECK(value_at(back, x, y) == (interior ? value_at(d, x, y) : 0));
        }
    }
}

TEST_CASE("what is written is what NumPy writes") {
    const temporary_folder folder;
    field f = some_field(scalar::f32, 2);
    f.halo = {};
    write_npy(folder / "u.npy", counting(f, 2, {3, 2, 1}));
    CHECK(contents(folder / "u.npy") == file_of(header("<f4", "(2, 3)"), bytes_of<float>({1, 2, 3, 4, 5, 6})));
    f.halo = {};
    write_npy(folder / "v.npy", counting(f, 1, {3, 1, 1}));
    CHECK(contents(folder / "v.npy") == file_of(header("<f4", "(3,)"), bytes_of<float>({1, 2, 3})));
}

TEST_CASE("every type, byte order, axis order and version is read") {
    const temporary_folder folder;
    field f = some_field(scalar::f64, 2);
    f.halo = {};
    const auto read = [&](const std::string& file) {
        write(folder / "u.npy", file);
        return to_values(read_npy(folder / "u.npy", f, 2, {3, 2, 1})).data;
    };
    const std::vector<double> expected{1, 2, 3, 4, 5, 6};
    CHECK(read(file_of(header("<f4", "(2, 3)"), bytes_of<float>({1, 2, 3, 4, 5, 6}))) == expected);
    CHECK(read(file_of(header("<f8", "(2, 3)"), bytes_of<double>({1, 2, 3, 4, 5, 6}))) == expected);
    CHECK(read(file_of(header(">f8", "(2, 3)"), bytes_of<double>({1, 2, 3, 4, 5, 6}, true))) == expected);
    CHECK(read(file_of(header(">i4", "(2, 3)"), bytes_of<std::int32_t>({1, 2, 3, 4, 5, 6}, true))) == expected);
    CHECK(read(file_of(header("<f2", "(2, 3)"),
                       bytes_of<std::uint16_t>({0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600}))) == expected);
    CHECK(read(file_of(header("|i1", "(2, 3)"), bytes_of<std::int8_t>({1, 2, 3, 4, 5, 6}))) == expected);
    CHECK(read(file_of(header("<i2", "(2, 3)"), bytes_of<std::int16_t>({1, 2, 3, 4, 5, 6}))) == expected);
    CHECK(read(file_of(header("<i8", "(2, 3)"), bytes_of<std::int64_t>({1, 2, 3, 4, 5, 6}))) == expected);
    CHECK(read(file_of(header("|u1", "(2, 3)"), bytes_of<std::uint8_t>({1, 2, 3, 4, 5, 6}))) == expected);
    CHECK(read(file_of(header("<u2", "(2, 3)"), bytes_of<std::uint16_t>({1, 2, 3, 4, 5, 6}))) == expected);
    CHECK(read(file_of(header("<u4", "(2, 3)"), bytes_of<std::uint32_t>({1, 2, 3, 4, 5, 6}))) == expected);
    CHECK(read(file_of(header("<u8", "(2, 3)"), bytes_of<std::uint64_t>({1, 2, 3, 4, 5, 6}))) == expected);
    CHECK(read(file_of(header("|b1", "(2, 3)"), std::string("\1\0\1\0\1\0", 6))) ==
          std::vector<double>{1, 0, 1, 0, 1, 0});
    CHECK(read(file_of(header("<f4", "(2, 3)", true), bytes_of<float>({1, 4, 2, 5, 3, 6}))) == expected);
    CHECK(read(file_of(header("<f4", "(2, 3)"), bytes_of<float>({1, 2, 3, 4, 5, 6}), 2)) == expected);
    CHECK(read(file_of(header("<f4", "(2, 3)"), bytes_of<float>({1, 2, 3, 4, 5, 6}), 3)) == expected);
    CHECK(read(file_of("{\"shape\":(2,3),\"descr\":\"<f4\",\"fortran_order\":False}",
                       bytes_of<float>({1, 2, 3, 4, 5, 6}))) == expected);
}

TEST_CASE("a shape that is neither the grid's nor the grid's with halo is refused") {
    const temporary_folder folder;
    const std::string name = (folder / "u.npy").string();
    write(name, file_of(header("<f4", "(64, 64)"), ""));
    CHECK(refusal(name, some_field(scalar::f32, 2), 2, {64, 32, 1}) ==
          fmt::format("error: '{}' is 64×64, the grid needs 32×64 or, with halo, 34×66 – (y, x) order", name));
    write(name, file_of(header("<f4", "(7,)"), ""));
    CHECK(refusal(name, some_field(scalar::f32, 3), 3, {4, 3, 2}) ==
          fmt::format("error: '{}' is 7, the grid needs 2×3×4 or, with halo, 4×5×6 – (z, y, x) order", name));
    write(name, file_of(header("<f4", "()"), ""));
    field bare = some_field(scalar::f32, 1);
    bare.halo = {};
    CHECK(refusal(name, bare, 1, {4, 1, 1}) ==
          fmt::format("error: '{}' is a single number, the grid needs 4 – (x) order", name));
}

TEST_CASE("values that the field cannot hold are refused with their place") {
    const temporary_folder folder;
    const std::string name = (folder / "u.npy").string();
    const auto refused = [&](scalar type, const std::string& file) {
        write(name, file);
        field f = some_field(type, 2);
        f.halo = {};
        return refusal(name, f, 2, {2, 2, 1});
    };
    CHECK(refused(scalar::i32, file_of(header("<f4", "(2, 2)"), bytes_of<float>({1, 2, 0.5, 4}))) ==
          fmt::format("error: '{}' holds 0.5 at [1, 0], which is no value of the i32 field 'u'", name));
    CHECK(refused(scalar::i32, file_of(header("<i8", "(2, 2)"), bytes_of<std::int64_t>({1, 2147483648, 3, 4}))) ==
          fmt::format("error: '{}' holds 2147483648 at [0, 1], which is no value of the i32 field 'u'", name));
    CHECK(refused(scalar::i32,
                  file_of(header("<i8", "(2, 2)"), bytes_of<std::int64_t>({1, -2147483648, 2147483647, 4}))) == "read");
    CHECK(refused(scalar::f32, file_of(header("<f8", "(2, 2)"), bytes_of<double>({1, 2, 3, 1e300}))) ==
          fmt::format("error: '{}' holds 1e+300 at [1, 1], which is no value of the f32 field 'u'", name));
    CHECK(refused(scalar::f16, file_of(header("<f4", "(2, 2)"), bytes_of<float>({70000, 2, 3, 4}))) ==
          fmt::format("error: '{}' holds 70000 at [0, 0], which is no value of the f16 field 'u'", name));
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(refused(scalar::f32, file_of(header("<f8", "(2, 2)"), bytes_of<double>({infinity, 2, 3, 0.1}))) == "read");
}

TEST_CASE("a file that is no whole array is refused") {
    const temporary_folder folder;
    const std::string name = (folder / "u.npy").string();
    const auto refused = [&](const std::string& bytes) {
        write(name, bytes);
        field f = some_field(scalar::f32, 2);
        f.halo = {};
        return refusal(name, f, 2, {2, 2, 1});
    };
    CHECK(refused("") == fmt::format("error: '{}' is no .npy file", name));
    CHECK(refused("PNG, or so") == fmt::format("error: '{}' is no .npy file", name));
    CHECK(refused(file_of(header("<f4", "(2, 2)"), bytes_of<float>({1, 2, 3}))) ==
          fmt::format("error: '{}' ends after 12 of its 16 bytes of data", name));
    CHECK(refused(file_of(header("<c8", "(2, 2)"), "")) ==
          fmt::format("error: '{}' holds elements of type '<c8'; gst reads f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1", name));
    CHECK(refused(file_of("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 2), }", "")) ==
          fmt::format("error: '{}' holds records; save each of their parts as an array of its own", name));
    CHECK(refused(file_of("{'descr': '<f4', 'shape': (2, 2), }", "")) ==
          fmt::format("error: the head of '{}' is damaged: it is no .npy file", name));
    CHECK(refused(file_of(header("<f4", "(2, 2)"), "", 9)) ==
          fmt::format("error: '{}' is of .npy version 9; gst reads 1, 2 and 3", name));
    CHECK(refusal(folder / "none.npy", some_field(scalar::f32, 1), 1, {4, 1, 1}) ==
          fmt::format("'{}' cannot be read (No such file or directory)", (folder / "none.npy").string()));
}

TEST_CASE("every head cut short is an error and no crash") {
    const temporary_folder folder;
    const std::string whole = file_of(header("<f4", "(2, 2)"), bytes_of<float>({1, 2, 3, 4}));
    field f = some_field(scalar::f32, 2);
    f.halo = {};
    for (std::size_t length = 0; length < whole.size(); ++length) {
        write(folder / "u.npy", whole.substr(0, length));
        CHECK(refusal(folder / "u.npy", f, 2, {2, 2, 1}) != "read");
    }
}
