# OpenBLAS as the target tamis::openblas, for the build and for programs that use an installed static tamis.
# OpenBLAS and not any BLAS: tamis holds it to one thread with OpenBLAS's own switch (src/base/single_threaded_blas.cpp).
if(NOT TARGET tamis::openblas)
  find_library(TAMIS_OPENBLAS_LIBRARY openblas PATH_SUFFIXES openblas-pthread openblas-serial)
  mark_as_advanced(TAMIS_OPENBLAS_LIBRARY)
  if(TAMIS_OPENBLAS_LIBRARY)
    add_library(tamis::openblas UNKNOWN IMPORTED)
    set_target_properties(tamis::openblas PROPERTIES IMPORTED_LOCATION "${TAMIS_OPENBLAS_LIBRARY}")
  endif()
endif()
