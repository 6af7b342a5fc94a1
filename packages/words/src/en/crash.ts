import type { Catalogue } from "../catalogue.ts";

/**
 * A container that ended, or ends again and again. Facts: container, name, pod, namespace, code, limit, limits, said, reason, log, and
 * restarts: of these count and time.
 */
export const CRASH = {
  "crash/oom": "{Container} used more memory than its limit of {limit} and was killed{has_restarts, select, no {} other {; {restarts}}}",
  "crash/oom/next": "Raise resources.limits.memory of {container} above {limit}, or make the program use less memory.",
  "crash/oom-without-limit":
    "{Container} was killed because memory ran out{has_code, select, no {} other { (exit code {code})}}{has_limits, select, no {} other { {limits}}}{has_restarts, select, no {} other {; {restarts}}}",
  "crash/oom-without-limit/next": "Give {container} a memory request and limit that fit its use, or make the program use less memory.",
  "crash/killed":
    "{Container} was killed from outside (exit code 137), and not for its memory limit{has_restarts, select, no {} other {; {restarts}}}",
  "crash/killed/next":
    "Look for failed liveness probes of {container} and for a node that runs out of memory, and give it more time or memory.",
  "crash/error":
    "{Container} exited with code {code}{has_said, select, no {} other {: {said}}}{has_restarts, select, no {} other {; {restarts}}}",
  "crash/error/next": "Read the log of its last run ({log}) and repair what makes it end.",
  "crash/not-executable":
    "{Container} cannot run its command: it is not executable (exit code 126){has_said, select, no {} other {: {said}}}{has_restarts, select, no {} other {; {restarts}}}",
  "crash/not-executable/next": "Make the command of {container} executable in its image, or correct command and args in the spec.",
  "crash/command-not-found":
    "{Container} cannot find its command (exit code 127){has_said, select, no {} other {: {said}}}{has_restarts, select, no {} other {; {restarts}}}",
  "crash/command-not-found/next": "Correct command and args of {container}, or use an image that holds the program.",
  "crash/segfault": "{Container} crashes on a memory access (exit code 139, SIGSEGV){has_restarts, select, no {} other {; {restarts}}}",
  "crash/segfault/next": "Read the log of its last run ({log}), and check that the image is built for the node's processor.",
  "crash/terminated":
    "{Container} was asked to end (exit code 143, SIGTERM) and is started again{has_restarts, select, no {} other {; {restarts}}}",
  "crash/terminated/next": "Look for failed liveness probes and evictions among the events of pod {pod}.",
  "crash/completed":
    "{Container} exited without an error (exit code 0) although it should keep running{has_restarts, select, no {} other {; {restarts}}}",
  "crash/completed/next": "Make the command of {container} stay in the foreground, or run it as a Job.",
  "crash/exit-unknown": "{Container} exited again and again; how is not known{has_restarts, select, no {} other {; {restarts}}}",
  "crash/exit-unknown/next": "Read the log of its last run ({log}).",
  "crash/no-limit": "and has no memory limit",
  "crash/restarts":
    "it was restarted {count, plural, one {once} other {{count} times}}{has_time, select, no {} other {, and last ended at {time} UTC}}",
} as const satisfies Catalogue;
