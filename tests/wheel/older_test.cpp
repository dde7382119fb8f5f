// SPDX-License-Identifier: Apache-2.0
// The wheel's own functions against the C library's, and by what they promise.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <older.hpp>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <set>
#include <string>
#include <thread>

extern "C" {
std::uint32_t arc4random() noexcept;
void older_addref(std::exception_ptr* self) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv");
void older_release(std::exception_ptr* self) noexcept
    asm("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv");
[[noreturn]] void older_bad_length() asm("_ZSt28__throw_bad_array_new_lengthv");
}

namespace {

using namespace kasuri;
using find_call = int(void*, dl_find_object*);

void somewhere() {}

TEST(wheel_find_object, is_that_of_the_c_library) {
  auto* const real = reinterpret_cast<find_call*>(::dlsym(RTLD_DEFAULT, "_dl_find_object"));
  if (real == nullptr) GTEST_SKIP() << "the C library is older than 2.35 and has none";
  for (void* const address : {reinterpret_cast<void*>(somewhere), ::dlsym(RTLD_DEFAULT, "qsort"),
                              ::dlsym(RTLD_DEFAULT, "__cxa_throw")}) {
    ASSERT_NE(address, nullptr);
    dl_find_object ours{};
    dl_find_object theirs{};
    ASSERT_EQ(older::find_object(address, &ours), 0);
    ASSERT_EQ(real(address, &theirs), 0);
    EXPECT_EQ(ours.dlfo_eh_frame, theirs.dlfo_eh_frame);
    EXPECT_LE(ours.dlfo_map_start, address);
    EXPECT_GT(ours.dlfo_map_end, address);
  }
}

TEST(wheel_find_object, finds_nothing_where_no_object_is) {
  int on_the_stack = 0;
  dl_find_object found{};
  EXPECT_EQ(older::find_object(&on_the_stack, &found), -1);
  EXPECT_EQ(older::find_object(nullptr, &found), -1);
}

/// The exit status of a child that runs this.
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool is_open(int descriptor) { return ::fcntl(descriptor, F_GETFD) >= 0; }

int close_some() {
  constexpr int low = 100;
  constexpr int count = 300;  // more than one reading of the folder holds
  const int first = ::open("/dev/null", O_RDONLY);
  for (int i = 0; i < count; ++i) {
    if (::dup2(first, low - 50 + i) < 0) return 2;
  }
  older::close_by_proc(low);
  for (int i = 0; i < count; ++i) {
    if (is_open(low - 50 + i) != (i < 50)) return 3;
  }
  return is_open(first) ? 0 : 4;
}

TEST(wheel_closefrom, closes_what_lies_above_and_nothing_else) {
  EXPECT_EQ(in_child(close_some), 0);
}

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

timespec from_now(clockid_t clock, std::int64_t more) {
  timespec time{};
  ::clock_gettime(clock, &time);
  const std::int64_t end = nanoseconds(time) + more;
  return {static_cast<time_t>(end / 1'000'000'000), static_cast<long>(end % 1'000'000'000)};
}

TEST(wheel_cond_clockwait, ends_when_the_clock_of_the_caller_is_there) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  for (const clockid_t clock : {CLOCK_MONOTONIC, CLOCK_REALTIME}) {
    const timespec until = from_now(clock, 20'000'000);
    ::pthread_mutex_lock(&m);
    int error = 0;
    while (error == 0) error = older::cond_clockwait(&c, &m, clock, &until);
    ::pthread_mutex_unlock(&m);
    EXPECT_EQ(error, ETIMEDOUT);
    EXPECT_GE(nanoseconds(from_now(clock, 0)), nanoseconds(until));
  }
}

TEST(wheel_cond_clockwait, is_woken_and_refuses_what_is_no_time) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  bool ready = false;
  std::thread other([&] {
    ::pthread_mutex_lock(&m);
    ready = true;
    ::pthread_cond_signal(&c);
    ::pthread_mutex_unlock(&m);
  });
  const timespec until = from_now(CLOCK_MONOTONIC, 3'600'000'000'000);
  ::pthread_mutex_lock(&m);
  while (!ready) EXPECT_EQ(older::cond_clockwait(&c, &m, CLOCK_MONOTONIC, &until), 0);
  const timespec no_time{0, 1'000'000'000};
  EXPECT_EQ(older::cond_clockwait(&c, &m, CLOCK_MONOTONIC, &no_time), EINVAL);
  ::pthread_mutex_unlock(&m);
  other.join();
}

TEST(wheel_small_ones, tell_what_the_kernel_tells) {
  EXPECT_EQ(::gettid(), static_cast<pid_t>(::syscall(SYS_gettid)));
  std::set<std::uint32_t> values;
  for (int i = 0; i < 100; ++i) values.insert(::arc4random());
  EXPECT_GT(values.size(), 90U);  // of 2^32, drawn at random
}

struct counted {
  inline static int alive = 0;
  counted() { ++alive; }
  counted(const counted&) { ++alive; }
  ~counted() { --alive; }
};

TEST(wheel_exceptions, are_counted) {
  std::exception_ptr first = std::make_exception_ptr(counted());
  ASSERT_EQ(counted::alive, 1);
  older_addref(&first);
  // What the reference belongs to that was just counted.
  alignas(std::exception_ptr) unsigned char second[sizeof(std::exception_ptr)];
  *reinterpret_cast<void**>(second) = *reinterpret_cast<void**>(&first);
  older_release(&first);
  EXPECT_FALSE(first);
  EXPECT_EQ(counted::alive, 1);
  older_release(reinterpret_cast<std::exception_ptr*>(second));
  EXPECT_EQ(*reinterpret_cast<void**>(second), nullptr);
  EXPECT_EQ(counted::alive, 0);
}

TEST(wheel_exceptions, of_length_are_those_of_the_library) {
  EXPECT_THROW(older_bad_length(), std::bad_array_new_length);
}

}  // namespace
