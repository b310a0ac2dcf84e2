# cmake --install: a tree that can be moved as a whole. Everything finds everything else by relative paths.
include(CMakePackageConfigHelpers)
set_target_properties(gst gst_worker PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
set_target_properties(gst_core PROPERTIES INSTALL_RPATH "$ORIGIN")
set_target_properties(${GST_INSTALLED_PLUGINS} PROPERTIES INSTALL_RPATH "$ORIGIN/..")
install(TARGETS gst gst_worker gst_core RUNTIME DESTINATION bin LIBRARY DESTINATION lib)
install(TARGETS ${GST_INSTALLED_PLUGINS} LIBRARY DESTINATION lib/gst)
install(DIRECTORY examples DESTINATION share/gst USE_SOURCE_PERMISSIONS FILES_MATCHING PATTERN "*.toml" PATTERN "*.gst"
        PATTERN "*.md" PATTERN "*.csv.gz" PATTERN "*.py" PATTERN "LICENSE")
install(DIRECTORY plugins/new DESTINATION share/gst)
install(FILES README.md LICENSE CHANGELOG.md DESTINATION share/doc/gst)
install(DIRECTORY docs DESTINATION share/doc/gst)

# The headers that a plugin sees: core/api and what it includes.
file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS core/api/*.hpp)
set(seen "")
while(headers)
    list(POP_FRONT headers header)
    list(APPEND seen ${header})
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION include/gst/${folder})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
    file(STRINGS ${header} included REGEX "^#include \"")
    foreach(line IN LISTS included)
        string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" other ${line})
        if(NOT other IN_LIST seen AND NOT other IN_LIST headers)
            list(APPEND headers ${other})
        endif()
    endforeach()
endwhile()
configure_package_config_file(cmake/gstConfig.cmake.in gstConfig.cmake INSTALL_DESTINATION lib/cmake/gst)
write_basic_package_version_file(gstConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gstConfig.cmake ${PROJECT_BINARY_DIR}/gstConfigVersion.cmake
              cmake/gst_add_plugin.cmake cmake/plugin.map DESTINATION lib/cmake/gst)

# cmake --install … --component libraries: the other projects' libraries, with their licences, so that the tree runs on
# newer distributions that have other versions of them. Not these:
# - glibc belongs to the kernel and the drivers of the machine;
# - libstdc++ and libgcc_s are shared with the drivers that the workers load: a newer driver needs a newer one, and every
#   newer one serves older programs.
# libOpenCL.so.1, the ICD loader, is among them: it finds every vendor's driver through /etc/OpenCL/vendors.
# LD_LIBRARY_PATH puts another in its place.
foreach(target gst gst_worker gst_core ${GST_INSTALLED_PLUGINS})
    list(APPEND GST_INSTALLED_FILES $<TARGET_FILE:${target}>)
endforeach()
list(JOIN GST_INSTALLED_FILES " " GST_INSTALLED_FILES)
configure_file(cmake/install_libraries.cmake.in install_libraries.cmake.in @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/install_libraries.cmake
     INPUT ${PROJECT_BINARY_DIR}/install_libraries.cmake.in)
install(SCRIPT ${PROJECT_BINARY_DIR}/install_libraries.cmake COMPONENT libraries EXCLUDE_FROM_ALL)

# cpack: one archive with both.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_VENDOR gst)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};gst;ALL;/;${PROJECT_BINARY_DIR};gst;libraries;/")
include(CPack)
