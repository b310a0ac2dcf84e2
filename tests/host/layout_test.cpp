#include "core/api/backend.hpp"
#include "core/api/plugin.hpp"
#include "core/api/predictor.hpp"
#include "core/api/search.hpp"
#include "tests/catch.hpp"

#include <cstddef>

using namespace gst;

// What a plugin was compiled with must be what it meets. When one of these numbers changes: raise GST_PLUGIN_API, then
// write the new number.
TEST_CASE("the layouts that plugins are compiled with belong to this interface version") {
    CHECK(GST_PLUGIN_API == 9);
    CHECK(sizeof(gst_option) == 48);
    CHECK(sizeof(gst_plugin_descriptor) == 80);
    CHECK(offsetof(gst_plugin_descriptor, api) == 0);
    CHECK(offsetof(gst_plugin_descriptor, size) == 4);
    CHECK(offsetof(gst_plugin_descriptor, abi) == 8);
    CHECK(sizeof(plugin_options) == 48);
    CHECK(sizeof(value) == 40);
    CHECK(std::variant_size_v<value> == 4);
    CHECK(sizeof(random_source) == 40);
    CHECK(sizeof(expression) == 16);
    CHECK(sizeof(parameter) == 184);
    CHECK(sizeof(constraint) == 48);
    CHECK(sizeof(configuration::value_type) == 2);
    CHECK(sizeof(space) == 16);
    CHECK(sizeof(measurement) == 136);
    CHECK(static_cast<int>(status::not_run) == 6);
    CHECK(sizeof(problem) == 8);
    CHECK(sizeof(search) == 8);
    CHECK(sizeof(training_table) == 144);
    CHECK(sizeof(training_table::feature) == 64);
    CHECK(sizeof(learned) == 40);
    CHECK(sizeof(prediction) == 56);
    CHECK(sizeof(model_shape) == 16);
    CHECK(sizeof(model_reader) == 40);
    CHECK(sizeof(predictor) == 8);
    CHECK(sizeof(device_info) == 552);
    CHECK(sizeof(dialect) == 176);
    CHECK(sizeof(binary) == 88);
    CHECK(sizeof(module_source) == 64);
    CHECK(sizeof(image_shape) == 24);
    CHECK(sizeof(launch_command) == 136);
    CHECK(sizeof(copy_command) == 24);
    CHECK(sizeof(tensor_shape) == 80);
    CHECK(sizeof(tensor) == 88);
    CHECK(std::variant_size_v<launch_argument> == 3);
}
