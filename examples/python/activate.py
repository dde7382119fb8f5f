# SPDX-License-Identifier: Apache-2.0
"""Kasuri takes the place of the OpenMP runtime of all that is loaded behind activate()."""

import own_module

path = own_module.build_pi()

# first lines:
import kasuri

kasuri.activate()  # before the imports whose packages bring OpenMP
# end

module = own_module.open_pi(path)
assert abs(module.pi(1_000_000) - 3.14159265) < 1e-6

# look:
print(kasuri.info())
for runtime in kasuri.loaded():
    print(runtime.name, runtime.path, "served by", runtime.served_by)
# end

assert kasuri.active()
assert [r.served_by for r in kasuri.loaded()] == ["kasuri"] * len(kasuri.loaded())
