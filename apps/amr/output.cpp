// SPDX-License-Identifier: Apache-2.0
#include "amr/output.hpp"

#include <algorithm>
#include <vector>

#include "common/output_file.hpp"
#include "common/picture.hpp"

namespace amr {
namespace {

template <class Visit>
void each_cell(const node& t, place at, Visit& visit) {
  if (t.is_leaf) {
    visit(t, at);
  } else {
    for (int i = 0; i < 4; ++i) each_cell(t.child[i], at.child(i), visit);
  }
}

void write_png(const simulation& s, const std::string& path, std::size_t side) {
  constexpr double least_outlined = 5;  // pixels: in smaller cells lines would hide the field
  apps::picture image(side);
  auto draw = [&](const node& t, place at) {
    const double pixels = at.side() * static_cast<double>(side);
    const auto edge = [&](std::uint32_t index) { return static_cast<std::size_t>(index * pixels); };
    const std::size_t bottom = edge(at.row);
    const std::size_t left = edge(at.column);
    const std::size_t top = std::max(edge(at.row + 1), bottom + 1);
    const std::size_t right = std::max(edge(at.column + 1), left + 1);
    const bool outlined = pixels >= least_outlined;
    for (std::size_t y = bottom; y < top; ++y) {
      for (std::size_t x = left; x < right; ++x) {
        const bool on_line = outlined && (y == bottom || x == left);
        image.at(side - 1 - y, x) =
            on_line ? apps::picture::line : apps::picture::colour(t.value[s.now()]);
      }
    }
  };
  each_cell(s.root(), {}, draw);
  image.write_png(path);
}

struct cell {
  const node* t;
  place at;
};

void write_corners(apps::output_file& out, const std::vector<cell>& cells) {
  out.print("POINTS %zu double\n", 4 * cells.size());
  for (const cell& c : cells) {
    const double side = c.at.side();
    const double x = c.at.column * side;
    const double y = c.at.row * side;
    out.print("%.17g %.17g 0\n%.17g %.17g 0\n%.17g %.17g 0\n%.17g %.17g 0\n", x, y, x + side, y, x,
              y + side, x + side, y + side);
  }
}

void write_vtk(const simulation& s, const std::string& path) {
  std::vector<cell> cells;
  auto collect = [&](const node& t, place at) { cells.push_back({&t, at}); };
  each_cell(s.root(), {}, collect);
  const std::size_t n = cells.size();
  apps::output_file out(path);
  out.print("# vtk DataFile Version 3.0\nKasuri AMR advection, step %ld\nASCII\n", s.steps());
  out.write("DATASET UNSTRUCTURED_GRID\n");
  write_corners(out, cells);
  out.print("CELLS %zu %zu\n", n, 5 * n);
  for (std::size_t i = 0; i < n; ++i)
    out.print("4 %zu %zu %zu %zu\n", 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
  out.print("CELL_TYPES %zu\n", n);
  constexpr int vtk_pixel = 8;  // a square by its corners in the order x, then y
  for (std::size_t i = 0; i < n; ++i) out.print("%d\n", vtk_pixel);
  out.print("CELL_DATA %zu\nSCALARS value double 1\nLOOKUP_TABLE default\n", n);
  for (const cell& c : cells) out.print("%.17g\n", c.t->value[s.now()]);
  out.write("SCALARS level int 1\nLOOKUP_TABLE default\n");
  for (const cell& c : cells) out.print("%d\n", c.at.level);
  out.write("SCALARS worker int 1\nLOOKUP_TABLE default\n");
  for (const cell& c : cells) out.print("%d\n", c.t->last_worker);
  out.close();
}

}  // namespace

void write_output(const simulation& s, const std::string& path, std::size_t side) {
  if (path.ends_with(".png"))
    write_png(s, path, side);
  else
    write_vtk(s, path);
}

}  // namespace amr
