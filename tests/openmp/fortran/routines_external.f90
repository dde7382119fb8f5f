! SPDX-License-Identifier: Apache-2.0
! The routines through omp_lib.h, as old programs call them, with no interface to check.
#include "support/check.inc"

subroutine test
  use check, only: expect, base_level
  implicit none
  include "omp_lib.h"
  integer :: members
  integer(kind=omp_lock_kind) :: lock
  members = 0
  call omp_set_num_threads(2)
  call omp_init_lock(lock)
  !$omp parallel shared(members)
  call omp_set_lock(lock)
  members = members + 1
  call omp_unset_lock(lock)
  CHECK(omp_get_num_threads() == 2)
  CHECK(omp_in_parallel())
  CHECK(omp_get_level() == base_level() + 1)
  !$omp end parallel
  call omp_destroy_lock(lock)
  CHECK(members == 2)
  CHECK(omp_get_wtime() > 0)
end subroutine
