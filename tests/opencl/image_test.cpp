#include "tests/catch.hpp"
#include "tests/opencl/support.hpp"

#include <fmt/format.h>

using namespace gst;
using namespace gst::test;

namespace {

/// Copies `values` to an image `width` wide and reads every texel in a kernel: element i from texel (i mod width, i /
/// width).
template<class T>
std::vector<T> through_an_image(const std::vector<T>& values, std::uint64_t width, scalar type, const std::string& name,
                                const std::string& texel) {
    const image_shape shape{width, (values.size() + width - 1) / width, type};
    const auto from = buffer_of(values), to = buffer_of(std::vector<T>(values.size()));
    const auto image = opened().allocate(values.size() * sizeof(T), &shape, from.get());
    const auto program = load(fmt::format("__kernel void k(__read_only image2d_t image, __global {}* to) {{\n"
                                          "    int i = get_global_id(0);\n"
                                          "    int2 at = (int2)(i % {}, i / {});\n"
                                          "    to[i] = {};\n"
                                          "}}\n",
                                          name, width, width, texel));
    const command all[] = {
        copy_command{from.get(), image.get(), values.size() * sizeof(T)},
        launch_command{program.get(), "k", {values.size(), 1, 1}, {1, 1, 1}, {0, 0, 0}, {image.get(), to.get()}}};
    CHECK(opened().run(all) > 0);
    return contents<T>(*to, values.size());
}

template<class T>
std::vector<T> numbers(std::size_t count) {
    std::vector<T> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(static_cast<T>(static_cast<double>(i) * -123.456));
    }
    return values;
}

} // namespace

TEST_CASE("f32 elements are read from an image over a buffer") {
    const auto values = numbers<float>(64 * 5);
    CHECK(through_an_image(values, 64, scalar::f32, "float", "read_imagef(image, at).x") == values);
}

TEST_CASE("i32 elements are read from an image over a buffer") {
    const auto values = numbers<std::int32_t>(32 * 3);
    CHECK(through_an_image(values, 32, scalar::i32, "int", "read_imagei(image, at).x") == values);
}

TEST_CASE("f64 elements travel through an image as four 16-bit channels") {
    const auto values = numbers<double>(16 * 7);
    CHECK(through_an_image(values, 16, scalar::f64, "double", "as_double(convert_ushort4(read_imageui(image, at)))") ==
          values);
}

TEST_CASE("the last row of an image may be in use in part") {
    const auto values = numbers<float>(64 * 2 + 5);
    CHECK(through_an_image(values, 64, scalar::f32, "float", "read_imagef(image, at).x") == values);
    const auto few = numbers<float>(5);
    CHECK(through_an_image(few, 64, scalar::f32, "float", "read_imagef(image, at).x") == few);
}

TEST_CASE("an image copied anew holds the new elements, and the copy counts") {
    const image_shape shape{16, 2, scalar::f32};
    const auto first = buffer_of(numbers<float>(32)), to = buffer_of(std::vector<float>(32));
    const auto image = opened().allocate(128, &shape, first.get());
    const auto program = load("__kernel void k(__read_only image2d_t image, __global float* to) {\n"
                              "    int i = get_global_id(0);\n"
                              "    to[i] = read_imagef(image, (int2)(i % 16, i / 16)).x;\n"
                              "}\n");
    const command copy = copy_command{first.get(), image.get(), 128};
    const command read = launch_command{program.get(), "k", {32, 1, 1}, {1, 1, 1}, {0, 0, 0}, {image.get(), to.get()}};
    for (const float by : {1.0f, 2.0f}) {
        std::vector<float> values = numbers<float>(32);
        for (float& v : values) {
            v *= by;
        }
        opened().write(*first, 0, std::as_bytes(std::span(values)));
        const command both[] = {copy, read};
        opened().run(both);
        CHECK(contents<float>(*to, 32) == values);
    }
    const double alone = opened().run({&copy, 1});
    CHECK((pocl().image_from_buffer ? alone == 0 : alone > 0));
}

TEST_CASE("an image larger than the device allows is refused with both sizes") {
    const auto over = buffer_of(numbers<float>(16));
    const image_shape shape{pocl().image_width + 1, 3, scalar::f32};
    CHECK(message_of([&] { opened().allocate(64, &shape, over.get()); }) ==
          fmt::format(
              "the backend plugin 'opencl' failed to allocate: an image of {} × 3 texels is too large: {} allows {} × "
              "{}",
              pocl().image_width + 1, pocl().name, pocl().image_width, pocl().image_height));
}
