# gst_add_plugin(<kind>_<name> <source>…): the target gst_plugin_<kind>_<name>, a shared library <kind>_<name>.so that
# exports its descriptor and nothing else.
function(gst_add_plugin name)
    add_library(gst_plugin_${name} MODULE ${ARGN})
    set_property(GLOBAL APPEND PROPERTY GST_PLUGINS gst_plugin_${name})
    target_link_libraries(gst_plugin_${name} PRIVATE gst::gst)
    target_compile_options(gst_plugin_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
    set(exports ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/plugin.map)
    target_link_options(gst_plugin_${name} PRIVATE -Wl,--version-script=${exports})
    set_target_properties(gst_plugin_${name} PROPERTIES
        LINK_DEPENDS ${exports} PREFIX "" OUTPUT_NAME ${name}
        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
