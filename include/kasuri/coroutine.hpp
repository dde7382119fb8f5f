// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// Coroutines: tasks that wait without a stack. kasuri.hpp does not include this.
///
/// A coroutine of type kasuri::coro runs on the workers of the pool, beside tasks that block. While
/// it waits it keeps its frame alone, some hundred bytes, and no stack; so there may be millions. A
/// coroutine that calls what blocks (a lock(), a get(), a loop) blocks like any task, and its
/// worker goes on with others.
///
/// \code
/// kasuri::coro<int> answer(kasuri::channel<int>& questions) {
///   std::optional<int> q = co_await kasuri::receive_async(questions);
///   co_await kasuri::sleep_for_async(10ms);
///   co_return q.value_or(0) + 1;
/// }
/// kasuri::future<int> f = kasuri::async(answer(questions));
/// \endcode
///
/// Waits that take an object by reference need it for as long as they wait. A coroutine that has
/// begun runs to its end: there is no cancellation but by what it looks at.

#include "kasuri/detail/needs_cxx20.hpp"

#include "kasuri/coroutine/coro.hpp"
#include "kasuri/coroutine/future.hpp"
#include "kasuri/coroutine/objects.hpp"
#include "kasuri/coroutine/timed.hpp"
#include "kasuri/coroutine/turns.hpp"
