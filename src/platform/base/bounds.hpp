// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many threads there may be, in one place: what settings and calls accept, and what the fields
// of words can count. Code that packs one of these numbers into bits asserts beside the bits that
// it fits.

namespace kasuri::platform {

/// Workers that KASURI_NUM_WORKERS and kasuri::initialize accept.
inline constexpr int most_workers = 2048;
/// Spares that KASURI_MAX_SPARES accepts.
inline constexpr int most_spares = 1024;
/// Blocking calls at once that KASURI_MAX_BLOCKING accepts; they take no slots.
inline constexpr int most_blocking = 1'000'000;
/// Worker slots of a pool: workers, spares, and threads that call in.
inline constexpr int most_slots = 4095;
static_assert(most_workers + most_spares < most_slots, "threads that call in need slots too");
/// Tokens of a pool at any moment: those of the workers, one for each slot whose thread is blocked
/// or stuck, one for each that brought one, and, while the pool stops, one more for each slot.
inline constexpr int most_tokens = most_workers + 3 * most_slots;

}  // namespace kasuri::platform
