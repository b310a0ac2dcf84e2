#include "core/measure/wire.hpp"
#include "tests/catch.hpp"

using namespace gst;

TEST_CASE("a program travels to a worker and back unchanged") {
    program p;
    p.modules = {{"first", ""}, {"second", "-O"}};
    p.layout = make_layout({5, 4, 3}, {1, 1, 1}, padded_rows);
    p.types = {scalar::f32, scalar::i32};
    p.kept = {1, 1};
    p.coefficient = {0, 1};
    p.images = {{}, {64, 3, scalar::i32}};
    p.steps = 3;
    p.call = {launch{"advance",
                     {8, 4, 3},
                     {4, 1, 1},
                     {1, 2, 3},
                     {field_argument{0, 1, false}, field_argument{1, 0, true}, parameter_argument{2, scalar::f64},
                      step_argument{}, extra_argument{7},
                      tensor_argument{{1, -1, false}, {scalar::f64, 3, {8, 7, 6}, {10, 70}, {4, 5, 1}}}},
                     1},
              image_copy{1, 0}};
    p.halos = {image_copy{0, -1}};
    p.remainder = {image_copy{0, 1}};

    const bound_program sent = bind_modules(p, {"a", "b"});
    const auto bytes = nlohmann::json::to_cbor(nlohmann::json(sent));
    const auto got = nlohmann::json::from_cbor(bytes).get<bound_program>();

    CHECK(got.modules == std::vector<std::string>{"a", "b"});
    CHECK(got.layout == p.layout);
    CHECK(got.types == p.types);
    CHECK(got.kept == p.kept);
    CHECK(got.coefficient == p.coefficient);
    CHECK(got.images == p.images);
    CHECK(got.steps == p.steps);
    CHECK(got.call == p.call);
    CHECK(got.halos == p.halos);
    CHECK(got.remainder == p.remainder);
}

TEST_CASE("every member of a device and its language travels") {
    // As many names as members, or this does not compile: where one is added, wire.hpp needs it, too.
    device_info device;
    device.id = "1.2";
    device.compute_units = 132;
    device.local_bytes = 232448;
    device.work_items = {1024, 512, 64};
    device.images = true;
    device.language = nvidia_opencl_dialect();
    [[maybe_unused]] const auto& [backend, id, name, vendor, platform, driver, type, architecture, compute_units,
                                  memory_bytes, allocation_bytes, local_bytes, cache_bytes, work_group, work_items,
                                  work_groups, f64, f16, images, image_from_buffer, image_width, image_height,
                                  language] = device;
    CHECK(nlohmann::json(device).size() == 23);
    [[maybe_unused]] const auto& [language_name, file_suffix, compile_options, vector_arithmetic, joins_branches,
                                  static_local_bytes, bounded_work_items, sub_group, words] = device.language;
    CHECK(nlohmann::json(device.language).size() == 9);
    const nlohmann::json written = device;
    CHECK(nlohmann::json(nlohmann::json::from_cbor(nlohmann::json::to_cbor(written)).get<device_info>()) == written);
    for (const dialect& sent : {opencl_dialect(), nvidia_opencl_dialect(), cuda_dialect()}) {
        const auto got = nlohmann::json::from_cbor(nlohmann::json::to_cbor(nlohmann::json(sent))).get<dialect>();
        CHECK(nlohmann::json(got) == nlohmann::json(sent));
        CHECK(got.bounded_work_items == sent.bounded_work_items);
        CHECK(got.sub_group == sent.sub_group);
        CHECK(got.joins_branches == sent.joins_branches);
    }
}

TEST_CASE("options of a plugin keep their types on the way") {
    const std::map<std::string, value> options{
        {"a", true}, {"b", std::int64_t{2}}, {"c", 2.0}, {"d", std::string("2")}};
    const auto got = options_from_json(nlohmann::json::from_cbor(nlohmann::json::to_cbor(to_json(options))));
    CHECK(got == options);
}
