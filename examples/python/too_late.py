# SPDX-License-Identifier: Apache-2.0
"""What a program sees that asks for Kasuri when another runtime is loaded already."""

import warnings

import own_module

module = own_module.open_pi(own_module.build_pi())  # with its own runtime, unless it is Kasuri's
module.members()

with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    import kasuri

if kasuri.active():  # python -m kasuri too_late.py
    assert not told
else:
    assert [w.category for w in told] == [kasuri.TooLateWarning]
    # refused:
    try:
        kasuri.activate()
    except kasuri.TooLateError as error:
        print(error)  # names the runtime that is loaded, and what to do
    # end
    else:
        raise AssertionError("activate() took the place of a runtime that is in use")
