# What every target is compiled with.
add_library(gst_options INTERFACE)
target_compile_options(gst_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                       -ffp-contract=off) # what is computed is what is written
# False alarms of g++ 12 in the standard library's own code at -O3 (GCC bugs 105651 and 80635).
target_compile_options(gst_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>)
# Of GCC 13 and later: it takes every reference for one into the arguments, and sees fmt 9 copy words too many.
target_compile_options(gst_options INTERFACE
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference;-Wno-array-bounds;-Wno-stringop-overflow>)
if(GST_WERROR)
    target_compile_options(gst_options INTERFACE -Werror)
endif()
if(GST_SANITIZE)
    # With assertions; -O0 -g1 compiles in a quarter of the time of -O2 -g, and the interpreter is optimised anyway.
    target_compile_options(gst_options INTERFACE -fsanitize=${GST_SANITIZE} -fno-omit-frame-pointer -O0 -g1 -UNDEBUG)
    target_link_options(gst_options INTERFACE -fsanitize=${GST_SANITIZE})
endif()
find_program(CCACHE ccache)
if(CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
