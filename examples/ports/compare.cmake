# SPDX-License-Identifier: Apache-2.0
# Runs the commands `serial` and `form`, and fails unless both succeed and print the same.
foreach(name serial form)
  execute_process(COMMAND ${${name}} OUTPUT_VARIABLE ${name}_printed RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${${name}}: status ${status}")
  endif()
endforeach()
if(serial_printed STREQUAL "")
  message(FATAL_ERROR "${serial} prints nothing")
endif()
if(NOT form_printed STREQUAL serial_printed)
  message(FATAL_ERROR "${form} prints\n${form_printed}\nand not, as ${serial},\n${serial_printed}")
endif()
