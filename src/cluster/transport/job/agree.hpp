// SPDX-License-Identifier: Apache-2.0
#pragma once

// The ranks of a new job find out about one another.

namespace kasuri::cluster {

class transport;

/// Collective: ends the job with a line if the ranks do not all run the same program and library.
void check_programs(transport& network);

/// Collective: gives each rank its share of the CPUs that it has in common with others, as the
/// default of KASURI_NUM_WORKERS, and has it keep to them: unless KASURI_BIND=off, or its workers
/// are more.
void divide_cpus(transport& network);

}  // namespace kasuri::cluster
