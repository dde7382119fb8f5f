// SPDX-License-Identifier: Apache-2.0

package main

func ticks() uint64
