// SPDX-License-Identifier: Apache-2.0
"use strict";
// The words of the page that a reader may not know: shown beside each and listed at the end.
const WORDS = {
  worker: ["worker", "One of the threads that run the program's tasks. There are about as many " +
    "as processors that the program may use, so that each can run on one of its own."],
  task: ["task", "A piece of the program's code that may run in parallel with others."],
  region: ["region", "A part of an OpenMP program that a team of threads runs together, such as " +
    "a parallel loop."],
  member: ["member", "One of the threads of a team that runs a region."],
  speedup: ["speed-up", "How many times as fast the program is as on one worker. The best that " +
    "can be expected is as many times as there are workers."],
  gain: ["gain", "How much shorter the run would be if this one thing did not happen. Gains " +
    "of several findings do not add up."],
  work: ["work", "Time in which tasks ran. In total: what the program would take on one worker, " +
    "if nothing slowed it down."],
  serial: ["one thread alone", "Time in which one thread ran outside of all tasks and regions, " +
    "while the workers had nothing to do."],
  stretch: ["stretch", "The same work takes longer on several workers than on one: they share " +
    "the memory, its caches or the clock frequency. As a factor: how many times as long."],
  lock: ["waiting for locks", "Time in which tasks waited for a lock (mutex, critical) that " +
    "another task held."],
  barrier: ["waiting at barriers", "Time in which threads that had finished their part of a loop " +
    "or region waited for those that had not."],
  waiting: ["waiting for others", "Time in which a thread waited, awake, for others: for a lock, " +
    "at a barrier, or for tasks to end."],
  late: ["late", "Time in which a task was ready and a worker idle, but the task had not reached " +
    "the worker yet: it woke up, or searched."],
  no_work: ["no work", "Time in which a worker had nothing to do because the program offered no " +
    "more tasks: it has too little that can run at once."],
  runtime: ["runtime", "Time that Kasuri itself used, to create tasks, hand them over and end " +
    "them."],
  blocked: ["asleep in the system", "Time in which a task slept in the operating system, for " +
    "example to read a file or for a timer, and kept its worker from other tasks."],
  asleep: ["program asleep", "Time in which nothing of the program ran, outside of tasks either: it " +
    "waited for input, a timer or another process."],
  crowded: ["own threads share processors", "Time in which a worker waited for a processor that " +
    "another thread of the program had: there are more threads than processors."],
  others: ["other programs", "Time in which a worker wanted to run but the operating system gave " +
    "the processor to another program, or a quota stopped it."],
  off_core: ["not on a processor", "Time in which a worker had something to run, but no " +
    "processor to run it on."],
  processor: ["processor time", "Time for which a processor executed this. Unlike time on the " +
    "clock, it does not go on while the thread waits in the system."],
  span: ["longest chain", "The longest sequence of pieces of work each of which has to wait for " +
    "the one before. No number of workers makes the program faster than this. Also called span " +
    "or critical path."],
  burdened: ["longest chain with costs", "The longest chain, with the cost of handing over each " +
    "task added to it."],
  parallelism: ["things to do at once", "Work divided by the longest chain: how many workers the " +
    "program could keep busy on average. It should be several times the number of workers."],
  blame: ["blame", "How long other workers had nothing to do while this ran, shared among all " +
    "that ran at that time. What has most of it keeps the others from working."],
  alone: ["alone", "How long this ran while nothing else of the program did."],
  imbalance: ["imbalance", "How much longer a region took than if all its members had worked " +
    "equally long."],
  contended: ["met by a wait", "How often a lock was wanted while another task held it."],
  median: ["median", "Half of the tasks took less, half of them more."],
  steal: ["steal", "A worker that has nothing to do takes a task of another worker."],
  bounds: ["bounds", "From the work and the longest chain it follows between which limits the " +
    "speed-up on some number of workers must lie. A run below the band was slowed by something " +
    "that these two do not tell, such as memory."],
  replay: ["replay", "A simulation that gives the recorded tasks to some number of workers."],
  rank: ["rank", "One of the processes of a program that runs on several machines."],
  refetched: ["brought again", "Data that had been brought to this rank before and was dropped: the " +
    "cache is too small, or others wrote beside it."],
  fork: ["fork", "A place at which the program offers two pieces of work at once."],
};

// Kinds of places, as reports name them.
const KINDS = { group_task: "task of a group", fork: "fork", thread: "thread", region: "region",
  task: "task", loop: "loop" };

// What each finding is called in short.
const RULES = {
  serial: "One thread runs alone", parallelism: "Too little to do at once",
  short_tasks: "Tasks are too short", uneven_tasks: "Tasks are uneven",
  lock: "A lock is in the way",
  imbalance: "Work is divided unevenly", stretch: "Work takes longer on several workers",
  wake: "Workers wake up late", delay: "Work reaches workers late",
  late_steal: "Work reaches workers late", blocked: "Tasks sleep in the system",
  others: "Other programs took the processors", recording: "The recording slowed the run",
  gil: "Python threads wait for each other", dependences: "Tasks wait for each other's data",
  remote: "Data is on another machine", first_touch: "Data is in far memory",
};
