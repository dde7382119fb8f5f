// SPDX-License-Identifier: Apache-2.0
// Asks for a version that does not exist yet, and for a call that Kasuri leaves out.
void GOMP_of_tomorrow(void);
void GOACC_wait(int async, int waits, ...);

int main(void) {
  GOMP_of_tomorrow();
  GOACC_wait(0, 0);
  return 0;
}
