// SPDX-License-Identifier: Apache-2.0
// Puts a table onto the clipboard, cells between tabs, as spreadsheets take it.
for (const button of document.querySelectorAll("button[data-table]")) {
  button.addEventListener("click", () => {
    const table = document.getElementById(button.dataset.table);
    const line = row => [...row.cells].map(cell => cell.textContent).join("\t");
    const area = document.createElement("textarea");
    area.value = [...table.rows].map(line).join("\n");
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button.textContent = "copied";
  });
}
