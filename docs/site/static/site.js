// SPDX-License-Identifier: Apache-2.0
// A page that is opened from a file may not read other files: then results of the search have titles alone.
document.addEventListener("DOMContentLoaded", () => {
  if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
});
