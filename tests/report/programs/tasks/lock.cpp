// SPDX-License-Identifier: Apache-2.0
// A kasuri::mutex.
#include "locked.hpp"

int main(int argc, char** argv) { return run_locked<kasuri::mutex>(argc, argv); }
