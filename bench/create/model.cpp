// SPDX-License-Identifier: Apache-2.0
#include "create/model.hpp"

int main(int argc, char** argv) {
  using namespace bench;
  return run<chosen_system, create::problem>(argc, argv, create::model_variants());
}
