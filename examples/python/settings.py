# SPDX-License-Identifier: Apache-2.0
"""Settings that are in force, those that may change, and what is refused."""

import own_module

import kasuri

kasuri.activate()
module = own_module.open_pi(own_module.build_pi())

# show:
settings = kasuri.settings()
print(settings.num_workers, settings.num_threads, settings.schedule)
for setting in settings.values():
    print(f"{setting.name} = {setting.value} ({setting.origin}); accepted: {setting.accepted}")
# end

# change:
settings.num_threads = 3
settings.schedule = "dynamic,4"
settings.max_active_levels = 2  # nested regions get threads too
# end
assert module.members() == 3
assert settings.schedule == kasuri.Schedule("dynamic", 4)
assert settings.max_active_levels == 2

# refuse:
try:
    settings.num_threads = 0
except kasuri.SettingError as error:
    print(error)  # num_threads = 0; accepted: a whole number from 1 to 2147483647
    assert (error.setting, error.value) == ("num_threads", 0)
# end
else:
    raise AssertionError("0 threads were accepted")
assert settings.num_threads == 3
