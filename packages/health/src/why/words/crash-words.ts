import type { WordTable } from "./words.ts";

/** A container that ended, or ends again and again. Facts: container, name, pod, namespace, code, limit, said, reason, log. */
export const CRASH_WORDS = {
  oom: {
    reason: "OOMKilled",
    message: "{container} used more memory than its limit of {limit} and was killed",
    nextStep: "Raise resources.limits.memory of {container} above {limit}, or make the program use less memory.",
  },
  "oom-without-limit": {
    reason: "OOMKilled",
    message: "{container} was killed because memory ran out[ (exit code {code})]",
    nextStep: "Give {container} a memory request and limit that fit its use, or make the program use less memory.",
  },
  killed: {
    message: "{container} is killed from outside (exit code 137), and not for its memory limit",
    nextStep: "Look for failed liveness probes of {container} and for a node that runs out of memory, and give it more time or memory.",
  },
  error: {
    message: "{container} ends with exit code {code}[: {said}]",
    nextStep: "Read the log of its last run ({log}) and repair what makes it end.",
  },
  "not-executable": {
    message: "{container} cannot run its command: it is not executable (exit code 126)[: {said}]",
    nextStep: "Make the command of {container} executable in its image, or correct command and args in the spec.",
  },
  "command-not-found": {
    message: "{container} cannot find its command (exit code 127)[: {said}]",
    nextStep: "Correct command and args of {container}, or use an image that holds the program.",
  },
  segfault: {
    message: "{container} crashes on a memory access (exit code 139, SIGSEGV)",
    nextStep: "Read the log of its last run ({log}), and check that the image is built for the node's processor.",
  },
  terminated: {
    message: "{container} is told to end (exit code 143, SIGTERM) and is started again",
    nextStep: "Look for failed liveness probes and evictions among the events of pod {pod}.",
  },
  completed: {
    message: "{container} ends without an error (exit code 0) although it should keep running",
    nextStep: "Make the command of {container} stay in the foreground, or run it as a Job.",
  },
  "exit-unknown": {
    message: "{container} ends again and again; how is not known",
    nextStep: "Read the log of its last run ({log}).",
  },
} as const satisfies WordTable;
