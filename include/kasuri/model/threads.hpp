// SPDX-License-Identifier: Apache-2.0
#pragma once

/// \file
/// The common model over user-level threads: what create and join make of it.
///
/// A thread system is a type with `using thread`, `static void create(thread&, void* (*)(void*),
/// void*)` and `static void join(thread&)`, which also gives the thread back. The `thread` stays
/// where it is in between.

#include "kasuri/detail/needs_cxx20.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "kasuri/model.hpp"

namespace kasuri::model {

/// Closures that stay where they are until all are dropped: a small buffer, then blocks that grow.
class closure_store {
 public:
  closure_store() = default;
  ~closure_store() { drop_blocks(); }
  closure_store(const closure_store&) = delete;
  closure_store& operator=(const closure_store&) = delete;

  /// A T made of these arguments. Its destructor is the caller's business.
  template <class T, class... Arguments>
  T* make(Arguments&&... arguments) {
    static_assert(alignof(T) <= alignof(std::max_align_t));
    constexpr std::size_t size = (sizeof(T) + alignof(std::max_align_t) - 1) /
                                 alignof(std::max_align_t) * alignof(std::max_align_t);
    if (static_cast<std::size_t>(end_ - next_) < size) add_block(size);
    void* const place = next_;
    next_ += size;
    return new (place) T{std::forward<Arguments>(arguments)...};
  }

  /// Forgets all of them.
  void clear() {
    drop_blocks();
    next_ = own_;
    end_ = own_ + sizeof own_;
  }

 private:
  struct block {
    block* before;
  };
  static constexpr std::size_t header = alignof(std::max_align_t);
  static constexpr std::size_t first_block = 4096;
  static constexpr std::size_t largest_block = std::size_t{1} << 20;

  void add_block(std::size_t least) {
    while (size_ < least + header) size_ *= 2;
    auto* const memory = static_cast<std::byte*>(::operator new(size_));
    blocks_ = new (memory) block{blocks_};
    next_ = memory + header;
    end_ = memory + size_;
    if (size_ < largest_block) size_ *= 2;
  }
  void drop_blocks() {
    while (blocks_ != nullptr) ::operator delete(std::exchange(blocks_, blocks_->before));
    size_ = first_block;
  }

  alignas(std::max_align_t) std::byte own_[256];
  std::byte* next_ = own_;
  std::byte* end_ = own_ + sizeof own_;
  block* blocks_ = nullptr;
  std::size_t size_ = first_block;
};

/// Children that are threads, with their closures.
template <class Threads>
class thread_group {
 public:
  /// Creates a thread that calls f.
  template <class F>
  void spawn(F f) {
    struct task : child {
      F closure;
      static void* entry(void* self) {
        auto* const own = static_cast<task*>(self);
        own->closure();
        std::destroy_at(&own->closure);
        return nullptr;
      }
    };
    auto* const made = closures_.make<task>(child{last_, {}}, std::move(f));
    last_ = made;
    Threads::create(made->thread, &task::entry, made);
  }

  /// Joins them all.
  void wait() {
    for (child* each = last_; each != nullptr; each = each->before) Threads::join(each->thread);
    last_ = nullptr;
    closures_.clear();
  }

 private:
  struct child {
    child* before;
    typename Threads::thread thread;
  };

  closure_store closures_;
  child* last_ = nullptr;
};

/// The way of a thread system: a thread for every task.
template <class Threads>
struct thread_way {
  using threads = Threads;              ///< create and join without the model
  using group = thread_group<Threads>;  ///< of threads

  /// A thread calls g; its closure lies in this frame.
  template <class F, class G>
  static results_of<F, G> fork_join(F f, G g) {
    struct call {
      G& closure;
      detail::value_of<G> value;
      static void* entry(void* self) {
        auto* const own = static_cast<call*>(self);
        own->value = detail::call(own->closure);
        return nullptr;
      }
    } other{g, {}};
    typename Threads::thread child;
    Threads::create(child, &call::entry, &other);
    auto first = detail::call(f);
    Threads::join(child);
    return {std::move(first), std::move(other.value)};
  }
};

}  // namespace kasuri::model
