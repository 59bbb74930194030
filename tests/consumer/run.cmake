# Installs tamis into an empty prefix, builds the consumer project against it, and runs it on a real file.
#   cmake -DBUILD=<build of tamis> -DSOURCE=<this folder> -DWORK=<scratch> -DDATA=<csv> -DCXX=<compiler>
#         -DFLAGS=<compiler flags> -P run.cmake
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}: exit ${code}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --component library)
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G Ninja -DCMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=${FLAGS}"
  -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer ${DATA})
if(NOT output MATCHES "body_mass_index")
  message(FATAL_ERROR "the consumer ran, but its table lacks body_mass_index:\n${output}")
endif()
run(${WORK}/build/former_names)
