# What every target is compiled with.
add_library(gst_options INTERFACE)
target_compile_options(gst_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                       -ffp-contract=off) # what is computed is what is written
# False alarms of g++ 12 in the standard library's own code at -O3 (GCC bugs 105651 and 80635).
target_compile_options(gst_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>)
if(GST_WERROR)
    target_compile_options(gst_options INTERFACE -Werror)
endif()
if(GST_SANITIZE)
    target_compile_options(gst_options INTERFACE -fsanitize=${GST_SANITIZE} -fno-omit-frame-pointer -g)
    target_link_options(gst_options INTERFACE -fsanitize=${GST_SANITIZE})
endif()
find_program(CCACHE ccache)
if(CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# gst_add_plugin(<name> <source>…): a shared library that exports its descriptor and nothing else.
function(gst_add_plugin name)
    add_library(gst_plugin_${name} MODULE ${ARGN})
    set_property(GLOBAL APPEND PROPERTY GST_PLUGINS gst_plugin_${name})
    target_link_libraries(gst_plugin_${name} PRIVATE gst_core)
    target_compile_options(gst_plugin_${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
    target_link_options(gst_plugin_${name} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/plugin.map)
    set_target_properties(gst_plugin_${name} PROPERTIES
        LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/plugin.map INSTALL_RPATH "$ORIGIN/.."
        PREFIX "" OUTPUT_NAME ${name}
        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/gst)
endfunction()
