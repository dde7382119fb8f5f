// SPDX-License-Identifier: Apache-2.0
#include "kasuri/kasuri.h"

const char* kasuri_strerror(int error) {
  switch (error) {
    case KASURI_SUCCESS:
      return "success";
    case KASURI_ERROR_INVALID:
      return "an argument is null, out of range, or of the wrong kind";
    case KASURI_ERROR_MEMORY:
      return "no memory";
    case KASURI_ERROR_BUSY:
      return "the object is held or waited for";
    case KASURI_ERROR_DEADLOCK:
      return "the caller would wait for itself";
    case KASURI_ERROR_PERMISSION:
      return "what is to be given back is not held";
    case KASURI_ERROR_AGAIN:
      return "nothing to take now, or too many exist";
    case KASURI_ERROR_RANGE:
      return "a counter would leave its range";
    case KASURI_ERROR_STATE:
      return "the pool runs already, or is in use";
    case KASURI_ERROR_TIMEOUT:
      return "the time of the wait was over";
    default:
      return "unknown error";
  }
}
