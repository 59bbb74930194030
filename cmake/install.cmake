# Installed: the library, its public headers, the program, and what find_package(tamis) needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS tamis EXPORT tamisTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY include/tamis DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library FILES_MATCHING PATTERN "*.hpp")
if(TARGET tamis_app)
  install(TARGETS tamis_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tamis)
install(EXPORT tamisTargets NAMESPACE tamis:: DESTINATION ${package_folder} COMPONENT library)
get_target_property(library_type tamis TYPE)
if(library_type STREQUAL "SHARED_LIBRARY")
  set(TAMIS_IS_SHARED TRUE)
else()
  set(TAMIS_IS_SHARED FALSE)
endif()
configure_package_config_file(cmake/tamisConfig.cmake.in ${PROJECT_BINARY_DIR}/tamisConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tamisConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tamisConfig.cmake ${PROJECT_BINARY_DIR}/tamisConfigVersion.cmake cmake/openblas.cmake
  DESTINATION ${package_folder} COMPONENT library)
