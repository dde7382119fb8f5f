/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/**
 * @file
 * What the pool has counted, and the settings in force, for programs that read them by name: other
 * languages, monitors. Both Kasuri's library and its OpenMP library have these functions.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * The name of a counter, as a member of kasuri::worker_counters has it ("tasks", "work_ns").
 * @param index  from 0; later versions may have more counters, behind those of this one.
 * @return a constant string; null for an index that no counter has.
 */
const char* kasuri_counter_name(int index);

/**
 * The counts of each worker since the pool started, guests and spares included.
 * @param values    receives a row for each worker: its number, then its counters in the order of
 *                  kasuri_counter_name. May be null where `rows` is 0.
 * @param counters  counters in a row, so that a row has one more value. Those that do not exist
 *                  are 0.
 * @param rows      rows that `values` has room for.
 * @return how many rows there are, which may be more than `rows`: then the others are left out. 0
 *         where no pool runs; -1 for a negative argument, null where a row is expected, or no
 *         memory.
 */
int kasuri_counters(uint64_t* values, int counters, int rows);

/**
 * The name of a setting ("KASURI_NUM_WORKERS").
 * @param index  from 0, in the order of `kasuri info`.
 * @return a constant string; null for an index that no setting has.
 */
const char* kasuri_setting_name(int index);

/**
 * The value in force of a setting, in the form in which it could be set. The first use of Kasuri
 * in a process reads the environment, and this may be the first.
 * @param index  of the setting.
 * @param text   receives the value, cut to `bytes` and ended by a zero. May be null where `bytes`
 *               is 0.
 * @param bytes  room in `text`.
 * @return the length of the whole value; -1 for an index that no setting has, or null where text is
 *         expected.
 */
ptrdiff_t kasuri_setting_value(int index, char* text, size_t bytes);

/**
 * Where the value in force of a setting is from.
 * @param index  of the setting.
 * @return "default", "environment", "kasuri run" or "API"; null for an index that no setting has.
 */
const char* kasuri_setting_origin(int index);

/**
 * The values that a setting accepts, in words ("1 to 2048").
 * @param index  of the setting.
 * @param text   receives them, cut to `bytes` and ended by a zero. May be null where `bytes` is 0.
 * @param bytes  room in `text`.
 * @return the length of the whole text; -1 as kasuri_setting_value.
 */
ptrdiff_t kasuri_setting_accepted(int index, char* text, size_t bytes);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
