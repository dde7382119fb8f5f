! SPDX-License-Identifier: Apache-2.0
! Arrays whose pages are distributed over the NUMA nodes: pointers of rank 1 to 3, of integers and
! reals of 4 and of 8 bytes. For arrays of other types there are the procedures that take addresses
! (c_loc) and bytes.
module kasuri_numa
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use kasuri_base
  use kasuri_c, only: kasuri_success, kasuri_error_invalid, kasuri_distribution, &
      kasuri_huge_pages, c_alloc => kasuri_numa_alloc, c_free => kasuri_numa_free, &
      c_move => kasuri_numa_move, &
      c_nodes => kasuri_numa_nodes, c_node_of => kasuri_numa_node_of
  implicit none
  private
  public :: kasuri_numa_alloc, kasuri_numa_free, kasuri_numa_alloc_bytes, kasuri_numa_free_bytes, &
      kasuri_numa_move, kasuri_numa_node_of, kasuri_numa_nodes

  ! (array, shape, distribution): zeroed memory; without a distribution, where it is touched first.
  interface kasuri_numa_alloc
    module procedure alloc_r4_1, alloc_r4_2, alloc_r4_3
    module procedure alloc_r8_1, alloc_r8_2, alloc_r8_3
    module procedure alloc_i4_1, alloc_i4_2, alloc_i4_3
    module procedure alloc_i8_1, alloc_i8_2, alloc_i8_3
  end interface
  ! Gives back what kasuri_numa_alloc gave, whole; the pointer is null then.
  interface kasuri_numa_free
    module procedure free_r4_1, free_r4_2, free_r4_3
    module procedure free_r8_1, free_r8_2, free_r8_3
    module procedure free_i4_1, free_i4_2, free_i4_3
    module procedure free_i8_1, free_i8_2, free_i8_3
  end interface

  ! The names of C, under which gfortran would take other procedures for those of C.
  interface kasuri_numa_move; procedure do_numa_move; end interface
  interface kasuri_numa_node_of; procedure do_numa_node_of; end interface
  interface kasuri_numa_nodes; procedure do_numa_nodes; end interface

contains

  subroutine kasuri_numa_alloc_bytes(memory, bytes, distribution, huge_pages, stat)
    type(c_ptr), intent(out) :: memory
    integer(c_size_t), intent(in) :: bytes
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    type(kasuri_distribution) :: where_touched
    integer(c_int) :: flags
    memory = c_null_ptr
    flags = 0
    if (present(huge_pages)) flags = merge(kasuri_huge_pages, 0_c_int, huge_pages)
    if (bytes < 0) then
      call settle(kasuri_error_invalid, "kasuri_numa_alloc", stat)
    else if (present(distribution)) then
      call settle(c_alloc(memory, bytes, distribution, flags), "kasuri_numa_alloc", stat)
    else
      call settle(c_alloc(memory, bytes, where_touched, flags), "kasuri_numa_alloc", stat)
    end if
  end subroutine

  subroutine kasuri_numa_free_bytes(memory, bytes, stat)
    type(c_ptr), intent(in) :: memory
    integer(c_size_t), intent(in) :: bytes
    integer, optional, intent(out) :: stat
    call settle(c_free(memory, bytes), "kasuri_numa_free", stat)
  end subroutine

  ! Moves the pages of a range of any origin; `left` is how many are elsewhere afterwards.
  subroutine do_numa_move(start, bytes, distribution, left, stat)
    type(c_ptr), intent(in) :: start
    integer(c_size_t), intent(in) :: bytes
    type(kasuri_distribution), intent(in) :: distribution
    integer(c_size_t), optional, intent(out) :: left
    integer, optional, intent(out) :: stat
    integer(c_size_t) :: elsewhere
    elsewhere = 0
    call settle(c_move(start, bytes, distribution, elsewhere), "kasuri_numa_move", stat)
    if (present(left)) left = elsewhere
  end subroutine

  ! The node that holds the page of an address, or -1 when nobody knows.
  integer function do_numa_node_of(address)
    type(c_ptr), intent(in) :: address
    do_numa_node_of = int(c_node_of(address))
  end function

  ! The nodes that have memory for this process, and the CPUs that are nearest to each.
  subroutine do_numa_nodes(numbers, cpus)
    integer(c_int), allocatable, intent(out) :: numbers(:)
    integer(c_int), allocatable, optional, intent(out) :: cpus(:)
    integer(c_int) :: no_numbers(0), no_cpus(0), n
    integer(c_int), allocatable :: near(:)
    n = c_nodes(no_numbers, no_cpus, 0_c_int)
    allocate (numbers(n), near(n))
    n = min(n, c_nodes(numbers, near, n))
    numbers = numbers(:n)
    if (present(cpus)) cpus = near(:n)
  end subroutine

  ! The bytes of an array, or -1 where an extent is negative.
  pure function bytes_of(extents, bits) result(bytes)
    integer, intent(in) :: extents(:), bits
    integer(c_size_t) :: bytes
    bytes = product(int(extents, c_size_t)) * (bits / 8)
    if (any(extents < 0)) bytes = -1
  end function

  subroutine alloc_r4_1(array, shape, distribution, huge_pages, stat)
    real(real32), pointer, intent(out) :: array(:)
    integer, intent(in) :: shape
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    real(real32) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of([shape], storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, [shape])
  end subroutine

  subroutine free_r4_1(array, stat)
    real(real32), pointer, intent(inout) :: array(:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_r4(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  subroutine alloc_r4_2(array, shape, distribution, huge_pages, stat)
    real(real32), pointer, intent(out) :: array(:,:)
    integer, intent(in) :: shape(2)
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    real(real32) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of(shape, storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, shape)
  end subroutine

  subroutine free_r4_2(array, stat)
    real(real32), pointer, intent(inout) :: array(:,:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_r4(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  subroutine alloc_r4_3(array, shape, distribution, huge_pages, stat)
    real(real32), pointer, intent(out) :: array(:,:,:)
    integer, intent(in) :: shape(3)
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    real(real32) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of(shape, storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, shape)
  end subroutine

  subroutine free_r4_3(array, stat)
    real(real32), pointer, intent(inout) :: array(:,:,:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_r4(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  function first_byte_r4(array, n) result(memory)
    integer(c_size_t), intent(in) :: n
    real(real32), target, intent(in) :: array(n)
    type(c_ptr) :: memory
    memory = c_null_ptr
    if (n > 0) memory = c_loc(array)
  end function

  subroutine alloc_r8_1(array, shape, distribution, huge_pages, stat)
    real(real64), pointer, intent(out) :: array(:)
    integer, intent(in) :: shape
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    real(real64) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of([shape], storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, [shape])
  end subroutine

  subroutine free_r8_1(array, stat)
    real(real64), pointer, intent(inout) :: array(:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_r8(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  subroutine alloc_r8_2(array, shape, distribution, huge_pages, stat)
    real(real64), pointer, intent(out) :: array(:,:)
    integer, intent(in) :: shape(2)
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    real(real64) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of(shape, storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, shape)
  end subroutine

  subroutine free_r8_2(array, stat)
    real(real64), pointer, intent(inout) :: array(:,:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_r8(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  subroutine alloc_r8_3(array, shape, distribution, huge_pages, stat)
    real(real64), pointer, intent(out) :: array(:,:,:)
    integer, intent(in) :: shape(3)
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    real(real64) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of(shape, storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, shape)
  end subroutine

  subroutine free_r8_3(array, stat)
    real(real64), pointer, intent(inout) :: array(:,:,:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_r8(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  function first_byte_r8(array, n) result(memory)
    integer(c_size_t), intent(in) :: n
    real(real64), target, intent(in) :: array(n)
    type(c_ptr) :: memory
    memory = c_null_ptr
    if (n > 0) memory = c_loc(array)
  end function

  subroutine alloc_i4_1(array, shape, distribution, huge_pages, stat)
    integer(int32), pointer, intent(out) :: array(:)
    integer, intent(in) :: shape
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    integer(int32) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of([shape], storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, [shape])
  end subroutine

  subroutine free_i4_1(array, stat)
    integer(int32), pointer, intent(inout) :: array(:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_i4(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  subroutine alloc_i4_2(array, shape, distribution, huge_pages, stat)
    integer(int32), pointer, intent(out) :: array(:,:)
    integer, intent(in) :: shape(2)
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    integer(int32) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of(shape, storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, shape)
  end subroutine

  subroutine free_i4_2(array, stat)
    integer(int32), pointer, intent(inout) :: array(:,:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_i4(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  subroutine alloc_i4_3(array, shape, distribution, huge_pages, stat)
    integer(int32), pointer, intent(out) :: array(:,:,:)
    integer, intent(in) :: shape(3)
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    integer(int32) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of(shape, storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, shape)
  end subroutine

  subroutine free_i4_3(array, stat)
    integer(int32), pointer, intent(inout) :: array(:,:,:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_i4(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  function first_byte_i4(array, n) result(memory)
    integer(c_size_t), intent(in) :: n
    integer(int32), target, intent(in) :: array(n)
    type(c_ptr) :: memory
    memory = c_null_ptr
    if (n > 0) memory = c_loc(array)
  end function

  subroutine alloc_i8_1(array, shape, distribution, huge_pages, stat)
    integer(int64), pointer, intent(out) :: array(:)
    integer, intent(in) :: shape
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    integer(int64) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of([shape], storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, [shape])
  end subroutine

  subroutine free_i8_1(array, stat)
    integer(int64), pointer, intent(inout) :: array(:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_i8(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  subroutine alloc_i8_2(array, shape, distribution, huge_pages, stat)
    integer(int64), pointer, intent(out) :: array(:,:)
    integer, intent(in) :: shape(2)
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    integer(int64) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of(shape, storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, shape)
  end subroutine

  subroutine free_i8_2(array, stat)
    integer(int64), pointer, intent(inout) :: array(:,:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_i8(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  subroutine alloc_i8_3(array, shape, distribution, huge_pages, stat)
    integer(int64), pointer, intent(out) :: array(:,:,:)
    integer, intent(in) :: shape(3)
    type(kasuri_distribution), optional, intent(in) :: distribution
    logical, optional, intent(in) :: huge_pages
    integer, optional, intent(out) :: stat
    integer(int64) :: element
    type(c_ptr) :: memory
    call kasuri_numa_alloc_bytes(memory, bytes_of(shape, storage_size(element)), &
        distribution, huge_pages, stat)
    nullify (array)
    if (c_associated(memory)) call c_f_pointer(memory, array, shape)
  end subroutine

  subroutine free_i8_3(array, stat)
    integer(int64), pointer, intent(inout) :: array(:,:,:)
    integer, optional, intent(out) :: stat
    integer(c_int) :: status
    status = kasuri_success
    if (associated(array)) &
        status = c_free(first_byte_i8(array, size(array, kind=c_size_t)), &
        bytes_of(shape(array), storage_size(array)))
    nullify (array)
    call settle(status, "kasuri_numa_free", stat)
  end subroutine

  function first_byte_i8(array, n) result(memory)
    integer(c_size_t), intent(in) :: n
    integer(int64), target, intent(in) :: array(n)
    type(c_ptr) :: memory
    memory = c_null_ptr
    if (n > 0) memory = c_loc(array)
  end function
end module
