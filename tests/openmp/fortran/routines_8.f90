! SPDX-License-Identifier: Apache-2.0
! The same calls with default integers and logicals of 8 bytes: the names that end in _8_.
! test: flags=-fdefault-integer-8
#include "fortran/routines.f90"
