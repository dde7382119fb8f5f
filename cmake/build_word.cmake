# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a source with a word that stands for the contents of all object files listed in the file
# OBJECTS: libraries that hold the same objects have the same word.
file(READ ${OBJECTS} objects)
set(sums)
foreach(object IN LISTS objects)
  file(SHA256 ${object} sum)
  list(APPEND sums ${sum})
endforeach()
string(SHA256 word "${sums}")
string(SUBSTRING ${word} 0 16 word)
string(CONCAT text "// SPDX-License-Identifier: Apache-2.0\n"
  "extern \"C\" {\n"
  "// The loader's first, and this library's own.\n"
  "[[gnu::visibility(\"default\")]] extern const char kasuri_build_word[17];\n"
  "[[gnu::visibility(\"hidden\")]] extern const char kasuri_own_build_word[17];\n"
  "const char kasuri_build_word[17] = \"${word}\";\n"
  "const char kasuri_own_build_word[17] = \"${word}\";\n"
  "}\n")
set(there "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} there)
endif()
if(NOT there STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
