# SPDX-License-Identifier: Apache-2.0
# Sets KASURI_HAS_FORTRAN where the Fortran modules are built, and turns the language on for the tree.
set(KASURI_HAS_FORTRAN FALSE)
set(wanted ${KASURI_FORTRAN})
if(wanted STREQUAL "auto" AND
    (NOT PROJECT_IS_TOP_LEVEL OR CMAKE_CROSSCOMPILING OR NOT KASURI_SANITIZE STREQUAL "none"))
  set(wanted OFF)
endif()
if(NOT wanted STREQUAL "OFF")
  include(CheckLanguage)
  check_language(Fortran)
  if(CMAKE_Fortran_COMPILER)
    enable_language(Fortran)
    set(KASURI_HAS_FORTRAN TRUE)
  elseif(wanted STREQUAL "ON")
    message(FATAL_ERROR "KASURI_FORTRAN=ON: no Fortran compiler was found; accepted here: OFF, or FC set to one")
  endif()
endif()
