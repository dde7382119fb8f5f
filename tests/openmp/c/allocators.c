// SPDX-License-Identifier: Apache-2.0
// omp_alloc and its family, allocators with traits, the allocate clause and directive.
#include "support/check.h"

#include <stdint.h>

static bool is_filled(const unsigned char* bytes, int value, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (bytes[i] != value) {
      return false;
    }
  }
  return true;
}

static void predefined_allocators(void) {
  const omp_allocator_handle_t allocators[] = {
      omp_default_mem_alloc, omp_large_cap_mem_alloc, omp_const_mem_alloc, omp_high_bw_mem_alloc,
      omp_low_lat_mem_alloc, omp_cgroup_mem_alloc,    omp_pteam_mem_alloc, omp_thread_mem_alloc};
  for (int at = 0; at < 8; at++) {
    for (size_t size = 1; size < 20000; size = size * 3 + 1) {
      unsigned char* memory = (unsigned char*)omp_alloc(size, allocators[at]);
      CHECK(memory != NULL);
      CHECK_EQ((uintptr_t)memory % 8, 0);
      if (memory != NULL) {
        memset(memory, 0x5a, size);
        CHECK(is_filled(memory, 0x5a, size));
      }
      omp_free(memory, allocators[at]);
      memory = (unsigned char*)omp_alloc(size, allocators[at]);
      omp_free(memory, omp_null_allocator);
    }
  }
  omp_free(NULL, omp_null_allocator);
  omp_free(NULL, omp_default_mem_alloc);
}

static void aligned_and_zeroed(void) {
  for (size_t alignment = 8; alignment <= 4096; alignment *= 2) {
    unsigned char* a =
        (unsigned char*)omp_aligned_alloc(alignment, 3 * alignment, omp_default_mem_alloc);
    unsigned char* b =
        (unsigned char*)omp_aligned_calloc(alignment, 3, alignment, omp_default_mem_alloc);
    CHECK_EQ((uintptr_t)a % alignment, 0);
    CHECK_EQ((uintptr_t)b % alignment, 0);
    CHECK(is_filled(b, 0, 3 * alignment));
    memset(a, 1, 3 * alignment);
    memset(b, 2, 3 * alignment);
    CHECK(is_filled(a, 1, 3 * alignment));
    omp_free(a, omp_default_mem_alloc);
    omp_free(b, omp_null_allocator);
  }
  for (int round = 0; round < 5; round++) {
    unsigned char* zeroed = (unsigned char*)omp_calloc(100, 7, omp_default_mem_alloc);
    CHECK(is_filled(zeroed, 0, 700));
    memset(zeroed, 0xff, 700);
    omp_free(zeroed, omp_default_mem_alloc);
  }
  if (!known_bug("libomp", "omp_calloc does not see that the product overflows")) {
    CHECK(omp_calloc(SIZE_MAX / 4, 8, omp_low_lat_mem_alloc) == NULL);
  }
}

static void reallocation(void) {
  unsigned char* memory = (unsigned char*)omp_alloc(10, omp_default_mem_alloc);
  memset(memory, 7, 10);
  for (size_t size = 20; size < 100000; size *= 3) {
    memory =
        (unsigned char*)omp_realloc(memory, size, omp_default_mem_alloc, omp_default_mem_alloc);
    CHECK(is_filled(memory, 7, 10));
    memset(memory, 7, size);
  }
  memory = (unsigned char*)omp_realloc(memory, 5, omp_large_cap_mem_alloc, omp_null_allocator);
  CHECK(is_filled(memory, 7, 5));
  CHECK(omp_realloc(memory, 0, omp_large_cap_mem_alloc, omp_large_cap_mem_alloc) == NULL);
  memory = (unsigned char*)omp_realloc(NULL, 30, omp_default_mem_alloc, omp_null_allocator);
  CHECK(memory != NULL);
  omp_free(memory, omp_null_allocator);
}

// A block may grow into what is left of its pool: there need not be room for both.
static void reallocation_in_a_pool(size_t alignment) {
  const omp_alloctrait_t traits[] = {{omp_atk_pool_size, 8192},
                                     {omp_atk_alignment, alignment},
                                     {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 3, traits);
  CHECK(pool != omp_null_allocator);
  for (int round = 0; round < 3; round++) {
    unsigned char* block = (unsigned char*)omp_alloc(5000, pool);
    CHECK(block != NULL);
    memset(block, 3, 5000);
    unsigned char* grown = (unsigned char*)omp_realloc(block, 6000, pool, pool);
    CHECK(grown != NULL);
    block = grown == NULL ? block : grown;
    CHECK(is_filled(block, 3, 5000));
    CHECK_EQ((uintptr_t)block % alignment, 0);
    CHECK(omp_realloc(block, 9000, pool, pool) == NULL);
    CHECK(is_filled(block, 3, 5000));  // as it was
    block = (unsigned char*)omp_realloc(block, 100, omp_null_allocator, omp_null_allocator);
    CHECK(block != NULL && is_filled(block, 3, 100));
    void* other = omp_alloc(7000, pool);  // from what the block gave back
    CHECK(other != NULL);
    omp_free(other, pool);
    omp_free(block, pool);
  }
  omp_destroy_allocator(pool);
}

static void alignment_trait(void) {
  omp_alloctrait_t traits[] = {{omp_atk_alignment, 256},
                               {omp_atk_sync_hint, omp_atv_contended},
                               {omp_atk_access, omp_atv_all}};
  omp_allocator_handle_t allocator = omp_init_allocator(omp_default_mem_space, 3, traits);
  CHECK(allocator != omp_null_allocator);
  for (int i = 0; i < 10; i++) {
    void* memory = omp_alloc(33, allocator);
    CHECK_EQ((uintptr_t)memory % 256, 0);
    omp_free(memory, allocator);
    memory = omp_aligned_alloc(1024, 1024, allocator);
    CHECK_EQ((uintptr_t)memory % 1024, 0);
    omp_free(memory, allocator);
    memory = omp_calloc(10, 10, allocator);
    CHECK_EQ((uintptr_t)memory % 256, 0);
    omp_free(memory, allocator);
  }
  omp_destroy_allocator(allocator);
}

static omp_allocator_handle_t small_pool(omp_alloctrait_value_t fallback,
                                         omp_allocator_handle_t other) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, 4096},
                               {omp_atk_fallback, fallback},
                               {omp_atk_fb_data, (omp_uintptr_t)other}};
  int count = fallback == omp_atv_allocator_fb ? 3 : 2;
  return omp_init_allocator(omp_default_mem_space, count, traits);
}

static void pool_size_trait(void) {
  omp_allocator_handle_t allocator = small_pool(omp_atv_null_fb, omp_null_allocator);
  void* first = omp_alloc(2000, allocator);
  CHECK(first != NULL);
  CHECK(omp_alloc(3000, allocator) == NULL);
  CHECK(omp_alloc(100000, allocator) == NULL);
  omp_free(first, allocator);
  for (int i = 0; i < 20; i++) {  // freed memory counts again
    void* again = omp_alloc(3000, allocator);
    CHECK(again != NULL);
    omp_free(again, allocator);
  }
  omp_destroy_allocator(allocator);
  allocator = small_pool(omp_atv_default_mem_fb, omp_null_allocator);
  void* large = omp_alloc(100000, allocator);
  CHECK(large != NULL);
  omp_free(large, allocator);
  omp_allocator_handle_t first_choice = small_pool(omp_atv_allocator_fb, allocator);
  large = omp_alloc(50000, first_choice);
  CHECK(large != NULL);
  memset(large, 1, 50000);
  omp_free(large, omp_null_allocator);
  omp_destroy_allocator(first_choice);
  omp_destroy_allocator(allocator);
}

// Together the members never hold more than the pool; what is refused is refused cleanly.
static void pool_shared_by_a_team(void) {
  omp_allocator_handle_t allocator = small_pool(omp_atv_null_fb, omp_null_allocator);
  int held = 0, bad = 0;
#pragma omp parallel reduction(+ : bad)
  for (int i = 0; i < 100; i++) {
    void* memory = omp_alloc(1500, allocator);
    if (memory != NULL) {
      int now;
#pragma omp atomic capture
      now = ++held;
      bad += now > 2;
      memset(memory, i, 1500);
#pragma omp atomic
      held--;
      omp_free(memory, allocator);
    }
  }
  CHECK_EQ(bad, 0);
  omp_destroy_allocator(allocator);
}

static void other_traits(void) {
  omp_alloctrait_t traits[] = {{omp_atk_partition, omp_atv_interleaved},
                               {omp_atk_sync_hint, omp_atv_uncontended},
                               {omp_atk_access, omp_atv_thread},
                               {omp_atk_pinned, omp_atv_false},
                               {omp_atk_fallback, omp_atv_default_mem_fb}};
  const omp_memspace_handle_t spaces[] = {omp_default_mem_space, omp_large_cap_mem_space,
                                          omp_const_mem_space, omp_high_bw_mem_space,
                                          omp_low_lat_mem_space};
  for (int at = 0; at < 5; at++) {
    omp_allocator_handle_t allocator = omp_init_allocator(spaces[at], 5, traits);
    if (allocator == omp_null_allocator) {
      continue;  // a space that the machine lacks
    }
    int* memory = (int*)omp_alloc(100 * sizeof(int), allocator);
    CHECK(memory != NULL);
    memory[99] = at;
    omp_free(memory, allocator);
    omp_destroy_allocator(allocator);
  }
}

static void default_allocator(void) {
  omp_allocator_handle_t before = omp_get_default_allocator();
  CHECK(before == omp_default_mem_alloc);
  omp_set_default_allocator(omp_large_cap_mem_alloc);
  CHECK(omp_get_default_allocator() == omp_large_cap_mem_alloc);
#pragma omp parallel num_threads(2)
  {
    CHECK(omp_get_default_allocator() == omp_large_cap_mem_alloc);  // inherited
    void* memory = omp_alloc(100, omp_null_allocator);
    CHECK(memory != NULL);
    omp_free(memory, omp_null_allocator);
  }
  omp_set_default_allocator(before);
}

static void allocate_clause(void) {
  int a = 1, b = 2, bad = 0, sum = 0;
  double values[10];
#pragma omp parallel private(a) firstprivate(b) allocate(omp_default_mem_alloc : a, b) \
    reduction(+ : bad)
  {
    a = omp_get_thread_num();
#pragma omp barrier
    bad += a != omp_get_thread_num() || b != 2;
  }
  CHECK_EQ(bad, 0);
#pragma omp parallel for reduction(+ : sum) allocate(omp_large_cap_mem_alloc : sum)
  for (int i = 0; i < 100; i++) {
    sum += i;
  }
  CHECK_EQ(sum, 4950);
#pragma omp parallel private(values) allocate(values)
  {
    values[9] = omp_get_thread_num();
#pragma omp barrier
    CHECK(values[9] == omp_get_thread_num());
  }
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(i, b) allocate(omp_default_mem_alloc : b) shared(sum)
    {
#pragma omp atomic
      sum += b;
    }
  }
  CHECK_EQ(sum, 4970);
}

#ifdef __clang__  // GCC 12 knows this directive in Fortran alone
static void allocate_directive(void) {
  double values[100];
#pragma omp allocate(values) allocator(omp_large_cap_mem_alloc) align(128)
  int number;
#pragma omp allocate(number) allocator(omp_default_mem_alloc)
  CHECK_EQ((uintptr_t)values % 128, 0);
  values[99] = number = 4;
#pragma omp parallel
  CHECK(values[99] == number);
}
#else
static void allocate_directive(void) {}
#endif

static void test(void) {
  predefined_allocators();
  aligned_and_zeroed();
  reallocation();
  if (!known_bug("libomp", "takes the new block before it gives the old one back") &&
      !known_bug("libgomp", "the same")) {
    reallocation_in_a_pool(16);
    reallocation_in_a_pool(256);
  }
  alignment_trait();
  pool_size_trait();
  pool_shared_by_a_team();
  other_traits();
  default_allocator();
  allocate_clause();
  allocate_directive();
}
