# SPDX-License-Identifier: Apache-2.0
"""What a block did: seconds, processors, counters."""

import own_module

import kasuri

kasuri.activate()
module = own_module.open_pi(own_module.build_pi())

# block:
with kasuri.report() as report:
    module.pi(20_000_000)
print(report)
# end

# figures:
print(report.seconds, report.busy, report.counters["parks"])
for worker in report.workers:
    print(worker["worker"], worker["tasks"], worker["steals"])
print(kasuri.counters()["tasks"], "tasks since the pool started")
# end

assert report.seconds > 0
assert report.num_workers == kasuri.settings().num_workers
assert set(report.counters) == set(kasuri.counter_names())
assert sum(w["parks"] for w in report.workers) == report.counters["parks"]
