# SPDX-License-Identifier: Apache-2.0
"""A program that asks to be on Kasuri, whoever starts it and however."""

# begin:
import kasuri

if __name__ == "__main__":
    kasuri.restart()  # starts the program anew by `kasuri run`, unless it runs on Kasuri
    kasuri.require()  # raises kasuri.NotActiveError where that did not help
# end

    import sys

    import own_module

    module = own_module.open_pi(own_module.build_pi())
    assert abs(module.pi(1000) - 3.14159265) < 1e-3
    print("on Kasuri with", sys.argv[1:])
