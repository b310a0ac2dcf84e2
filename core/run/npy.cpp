#include "core/run/npy.hpp"

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/run/npy_header.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>

namespace gst {

namespace {

/// Sizes per axis in the file's order, slowest first.
std::vector<std::int64_t> file_shape(int dimensions, extent3 size, offset3 halo) {
    std::vector<std::int64_t> shape;
    for (int axis = dimensions - 1; axis >= 0; --axis) {
        shape.push_back(size[axis] + 2 * halo[axis]);
    }
    return shape;
}

std::string shown(const std::vector<std::int64_t>& shape) {
    return shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, "×"));
}

template<class T>
void to_reals(const std::byte* from, bool swapped, std::span<double> values) {
    for (double& v : values) {
        std::array<std::byte, sizeof(T)> bytes{};
        std::memcpy(bytes.data(), from, sizeof(T));
        if (swapped) {
            std::reverse(bytes.begin(), bytes.end());
        }
        T element;
        std::memcpy(&element, bytes.data(), sizeof(T));
        v = static_cast<double>(element);
        from += sizeof(T);
    }
}

/// Elements of the file's type as doubles.
void decode(const npy_header& h, const std::byte* from, std::span<double> values) {
    switch (h.kind) {
    case 'f':
        return h.bytes == 2   ? to_reals<half>(from, h.swapped, values)
               : h.bytes == 4 ? to_reals<float>(from, h.swapped, values)
                              : to_reals<double>(from, h.swapped, values);
    case 'i':
        return h.bytes == 1   ? to_reals<std::int8_t>(from, h.swapped, values)
               : h.bytes == 2 ? to_reals<std::int16_t>(from, h.swapped, values)
               : h.bytes == 4 ? to_reals<std::int32_t>(from, h.swapped, values)
                              : to_reals<std::int64_t>(from, h.swapped, values);
    case 'u':
        return h.bytes == 1   ? to_reals<std::uint8_t>(from, h.swapped, values)
               : h.bytes == 2 ? to_reals<std::uint16_t>(from, h.swapped, values)
               : h.bytes == 4 ? to_reals<std::uint32_t>(from, h.swapped, values)
                              : to_reals<std::uint64_t>(from, h.swapped, values);
    default:
        return to_reals<std::uint8_t>(from, h.swapped, values);
    }
}

bool fits(scalar type, double v) {
    switch (type) {
    case scalar::i32:
        return v == std::trunc(v) && std::abs(v + 0.5) < 2147483648.0;
    case scalar::f16:
        return !std::isfinite(v) || std::abs(v) < 65520;
    case scalar::f32:
        return !std::isfinite(v) || std::isfinite(static_cast<float>(v));
    default:
        return true;
    }
}

/// One reading of one file: where it is and what is wanted of it.
class reader {
  public:
    /// Reads the head. `like` is the array that is wanted, whose values are not needed for that.
    reader(const std::filesystem::path& file, field_data like)
        : file_(file), in_(file, std::ios::binary), data_(std::move(like)) {
        std::error_code unknown;
        if (in_ && std::filesystem::is_directory(file, unknown)) {
            errno = EISDIR;
            in_.setstate(std::ios::failbit);
        }
        if (!in_) {
            throw machine_error(fmt::format("'{}' cannot be read ({})", file.string(), std::strerror(errno)));
        }
        header_ = read_npy_header(in_, file.string());
        with_halo_ = header_.shape == file_shape(data_.dimensions, data_.size, data_.halo);
        if (!with_halo_ && header_.shape != file_shape(data_.dimensions, data_.size, {})) {
            refuse_shape();
        }
    }

    /// Throws when fewer bytes follow the head than the shape needs.
    void check_length() {
        const std::istream::pos_type begin = in_.tellg();
        const std::istream::pos_type end = in_.seekg(0, std::ios::end).tellg();
        if (end - begin < all_bytes()) {
            refuse_length(end - begin);
        }
    }

    field_data read() {
        header_.fortran ? read_transposed() : read_rows();
        return std::move(data_);
    }

  private:
    [[noreturn]] void refuse_shape() const {
        const auto without = file_shape(data_.dimensions, data_.size, {});
        const auto with = file_shape(data_.dimensions, data_.size, data_.halo);
        throw user_error(
            fmt::format("'{}' is {}, the grid needs {}{} – {} order", file_.string(), shown(header_.shape),
                        shown(without), with == without ? "" : " or, with halo, " + shown(with),
                        std::array{"(x)", "(y, x)", "(z, y, x)"}[static_cast<std::size_t>(data_.dimensions - 1)]));
    }

    std::vector<std::byte> take(std::int64_t elements) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(elements * header_.bytes));
        in_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        taken_ += in_.gcount();
        if (in_.gcount() != static_cast<std::streamsize>(bytes.size())) {
            refuse_length(taken_);
        }
        return bytes;
    }

    std::int64_t all_bytes() const {
        std::int64_t all = header_.bytes;
        for (const std::int64_t n : header_.shape) {
            all *= n;
        }
        return all;
    }

    [[noreturn]] void refuse_length(std::int64_t there) const {
        throw user_error(fmt::format("'{}' ends after {} of its {} bytes of data", file_.string(), there, all_bytes()));
    }

    extent3 extent_in_file() const {
        return with_halo_ ? extent3{data_.extent(0), data_.extent(1), data_.extent(2)} : data_.size;
    }

    /// Puts the values of row (y, z) of the file in their place.
    void place(std::span<const double> values, std::int64_t y, std::int64_t z) {
        const offset3 shift = with_halo_ ? offset3{} : data_.halo;
        for (std::size_t x = 0; x < values.size(); ++x) {
            if (!fits(data_.type, values[x])) {
                refuse_value(values[x], {static_cast<std::int64_t>(x), y, z});
            }
        }
        row_.resize(static_cast<std::size_t>(data_.extent(0)));
        std::copy(values.begin(), values.end(), row_.begin() + shift[0]);
        write_row(data_, (z + shift[2]) * data_.extent(1) + y + shift[1], row_);
    }

    [[noreturn]] void refuse_value(double v, extent3 at) const {
        std::string index;
        for (int axis = data_.dimensions - 1; axis >= 0; --axis) {
            index += fmt::format("{}{}", at[axis], axis == 0 ? "" : ", ");
        }
        throw user_error(fmt::format("'{}' holds {} at [{}], which is no value of the {} field '{}'", file_.string(), v,
                                     index, name_of(data_.type), data_.name));
    }

    void read_rows() {
        const extent3 n = extent_in_file();
        std::vector<double> values(static_cast<std::size_t>(n[0]));
        for (std::int64_t z = 0; z < n[2]; ++z) {
            for (std::int64_t y = 0; y < n[1]; ++y) {
                decode(header_, take(n[0]).data(), values);
                place(values, y, z);
            }
        }
    }

    void read_transposed() {
        const extent3 n = extent_in_file();
        const std::vector<std::byte> all = take(n[0] * n[1] * n[2]);
        std::vector<double> values(static_cast<std::size_t>(n[0]));
        for (std::int64_t z = 0; z < n[2]; ++z) {
            for (std::int64_t y = 0; y < n[1]; ++y) {
                for (std::int64_t x = 0; x < n[0]; ++x) { // z is contiguous
                    decode(header_, all.data() + (z + n[2] * (y + n[1] * x)) * header_.bytes, std::span(&values[x], 1));
                }
                place(values, y, z);
            }
        }
    }

    std::filesystem::path file_;
    std::ifstream in_;
    field_data data_;
    npy_header header_;
    bool with_halo_ = false;
    std::int64_t taken_ = 0;
    std::vector<double> row_;
};

} // namespace

field_data read_npy(const std::filesystem::path& file, const field& f, int dimensions, extent3 size) {
    return reader(file, make_field_data(f, dimensions, size)).read();
}

void check_npy(const std::filesystem::path& file, const field& f, int dimensions, extent3 size) {
    std::error_code failed;
    if (std::filesystem::exists(file, failed) && !std::filesystem::is_regular_file(file, failed) &&
        !std::filesystem::is_directory(file, failed)) {
        return; // a pipe can be read once
    }
    field_data like;
    like.name = f.name;
    like.type = f.type;
    like.dimensions = dimensions;
    like.size = size;
    like.halo = f.halo;
    reader(file, std::move(like)).check_length();
}

void write_npy(const std::filesystem::path& file, const field_data& d, bool with_halo) {
    atomic_file out(file);
    out.write(npy_header_text(d.type == scalar::i32 ? 'i' : 'f', static_cast<int>(size_of(d.type)),
                              file_shape(d.dimensions, d.size, with_halo ? d.halo : offset3{})));
    for_each_row(d, with_halo, [&](std::span<const std::byte> row) { out.write(row); });
    out.commit();
}

} // namespace gst
