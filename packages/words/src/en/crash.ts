import type { Catalogue } from "../catalogue.ts";

/** A container that ended, or ends again and again. Facts: container, name, pod, namespace, code, limit, said, reason, log. */
export const CRASH = {
  "crash/oom": "{^container} used more memory than its limit of {limit} and was killed",
  "crash/oom/next": "Raise resources.limits.memory of {container} above {limit}, or make the program use less memory.",
  "crash/oom-without-limit": "{^container} was killed because memory ran out[ (exit code {code})]",
  "crash/oom-without-limit/next": "Give {container} a memory request and limit that fit its use, or make the program use less memory.",
  "crash/killed": "{^container} is killed from outside (exit code 137), and not for its memory limit",
  "crash/killed/next":
    "Look for failed liveness probes of {container} and for a node that runs out of memory, and give it more time or memory.",
  "crash/error": "{^container} ends with exit code {code}[: {said}]",
  "crash/error/next": "Read the log of its last run ({log}) and repair what makes it end.",
  "crash/not-executable": "{^container} cannot run its command: it is not executable (exit code 126)[: {said}]",
  "crash/not-executable/next": "Make the command of {container} executable in its image, or correct command and args in the spec.",
  "crash/command-not-found": "{^container} cannot find its command (exit code 127)[: {said}]",
  "crash/command-not-found/next": "Correct command and args of {container}, or use an image that holds the program.",
  "crash/segfault": "{^container} crashes on a memory access (exit code 139, SIGSEGV)",
  "crash/segfault/next": "Read the log of its last run ({log}), and check that the image is built for the node's processor.",
  "crash/terminated": "{^container} is told to end (exit code 143, SIGTERM) and is started again",
  "crash/terminated/next": "Look for failed liveness probes and evictions among the events of pod {pod}.",
  "crash/completed": "{^container} ends without an error (exit code 0) although it should keep running",
  "crash/completed/next": "Make the command of {container} stay in the foreground, or run it as a Job.",
  "crash/exit-unknown": "{^container} ends again and again; how is not known",
  "crash/exit-unknown/next": "Read the log of its last run ({log}).",
} as const satisfies Catalogue;
