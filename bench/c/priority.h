#pragma once

/*
 * Real-time scheduling of the whole process, by the flag --realtime-priority=1…99: SCHED_FIFO with
 * this priority, and memory locked. Call it before any thread is made, so that all have it. Without
 * the flag it does nothing; without the right the program ends with code 1 and says so.
 */
void take_priority(int argc, char **argv);
