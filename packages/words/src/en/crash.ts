import type { Catalogue } from "../catalogue.ts";

/**
 * A container that ended, or ends again and again. Facts: container, name, pod, namespace, code, limit, limits, said, reason, log, and
 * restarts: of these count and time.
 */
export const CRASH = {
  "crash/oom": "{^container} used more memory than its limit of {limit} and was killed[; {restarts}]",
  "crash/oom/next": "Raise resources.limits.memory of {container} above {limit}, or make the program use less memory.",
  "crash/oom-without-limit": "{^container} was killed because memory ran out[ (exit code {code})][ {limits}][; {restarts}]",
  "crash/oom-without-limit/next": "Give {container} a memory request and limit that fit its use, or make the program use less memory.",
  "crash/killed": "{^container} was killed from outside (exit code 137), and not for its memory limit[; {restarts}]",
  "crash/killed/next":
    "Look for failed liveness probes of {container} and for a node that runs out of memory, and give it more time or memory.",
  "crash/error": "{^container} exited with code {code}[: {said}][; {restarts}]",
  "crash/error/next": "Read the log of its last run ({log}) and repair what makes it end.",
  "crash/not-executable": "{^container} cannot run its command: it is not executable (exit code 126)[: {said}][; {restarts}]",
  "crash/not-executable/next": "Make the command of {container} executable in its image, or correct command and args in the spec.",
  "crash/command-not-found": "{^container} cannot find its command (exit code 127)[: {said}][; {restarts}]",
  "crash/command-not-found/next": "Correct command and args of {container}, or use an image that holds the program.",
  "crash/segfault": "{^container} crashes on a memory access (exit code 139, SIGSEGV)[; {restarts}]",
  "crash/segfault/next": "Read the log of its last run ({log}), and check that the image is built for the node's processor.",
  "crash/terminated": "{^container} was asked to end (exit code 143, SIGTERM) and is started again[; {restarts}]",
  "crash/terminated/next": "Look for failed liveness probes and evictions among the events of pod {pod}.",
  "crash/completed": "{^container} exited without an error (exit code 0) although it should keep running[; {restarts}]",
  "crash/completed/next": "Make the command of {container} stay in the foreground, or run it as a Job.",
  "crash/exit-unknown": "{^container} exited again and again; how is not known[; {restarts}]",
  "crash/exit-unknown/next": "Read the log of its last run ({log}).",
  "crash/no-limit": "and has no memory limit",
  "crash/restarts": "it was restarted {count:one=once|other=# times}[, and last ended at {time} UTC]",
} as const satisfies Catalogue;
