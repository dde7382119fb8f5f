// SPDX-License-Identifier: Apache-2.0
#pragma once
namespace kasuri::omp { struct task_queue {}; }
