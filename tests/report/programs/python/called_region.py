# SPDX-License-Identifier: Apache-2.0
"""A region of a library without debugging information, with a load out of balance: the line to name is in Python."""

import sys

from program import read_arguments, scaled


def smooth(library, turn):
    return library.uneven_region(turn, 400, False)  # planted: imbalance


def smooth_on_demand(library, turn):
    return library.uneven_region(turn, 400, True)


def main():
    library, repaired, percent = read_arguments(sys.argv)
    total = 0
    for turn in range(scaled(percent, 25)):
        total += (smooth_on_demand if repaired else smooth)(library, turn)
    print(f"checksum {total & 0xFFFFFFFFFFFFFFFF:016x}")


if __name__ == "__main__":
    main()
