# SPDX-License-Identifier: Apache-2.0
"""How Sphinx makes the site of what stage.py has gathered."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

project = "Kasuri"
copyright = "the authors of Kasuri; Apache-2.0"
version = release = os.environ["KASURI_SITE_VERSION"]

extensions = ["myst_parser", "sphinx_copybutton", "accessible"]
exclude_patterns = ["_extra"]
highlight_language = "text"
myst_heading_anchors = 6
myst_links_external_new_tab = False
# Text is shown as it is written: "--help", "..." and quotes of shells.
smartquotes = False
nitpicky = True

pygments_style = "github-light-high-contrast"
pygments_dark_style = "github-dark-high-contrast"

html_theme = "furo"
html_theme_options = {
    "light_css_variables": {"kasuri-code": "#f3f4f6"},
    "dark_css_variables": {"kasuri-code": "#1c2027"},
}
html_title = f"Kasuri {version}"
html_extra_path = [os.environ["KASURI_SITE_EXTRA"]]
html_favicon = "static/icon.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"priority": 10})]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_last_updated_fmt = None
copybutton_prompt_text = r"^\$ "
copybutton_prompt_is_regexp = True
