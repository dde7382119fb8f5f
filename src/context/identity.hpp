// SPDX-License-Identifier: Apache-2.0
#pragma once

// An identity: the thread-locals of a parked OS thread, lent to a user-level thread.
namespace kasuri::context { struct identity; }
