# SPDX-License-Identifier: Apache-2.0
"""Bounds for a part of a program, as threadpoolctl sets them."""

import own_module

import kasuri

kasuri.activate()
module = own_module.open_pi(own_module.build_pi())
kasuri.settings().num_threads = 4

# scope:
with kasuri.threadpool_limits(limits=2):
    inside = module.members()


@kasuri.threadpool_limits(limits=1)
def serial() -> int:
    return int(module.members())
# end


assert inside == 2
assert serial() == 1
assert module.members() == 4  # as before
