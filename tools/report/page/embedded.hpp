// SPDX-License-Identifier: Apache-2.0
// The fixed parts of the page, made from page.html, page.css and script/.
#pragma once

namespace kasuri::report {

extern const char* const page_template;
extern const char* const page_style;
extern const char* const page_script;

}  // namespace kasuri::report
