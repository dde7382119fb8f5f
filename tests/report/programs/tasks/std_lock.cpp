// SPDX-License-Identifier: Apache-2.0
// A std::mutex.
#include "locked.hpp"

int main(int argc, char** argv) { return run_locked<std::mutex>(argc, argv); }
