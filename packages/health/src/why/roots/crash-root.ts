import { words, type Words } from "@binnacle/words";

import { shownTime } from "../../shown-time.ts";
import type { ContainerState, Termination } from "../../container-state.ts";
import { containerSpecOf } from "../pod-references.ts";
import type { Subject } from "../root.ts";
import { explanationOf, type Explanation } from "../explanation.ts";
import type { Row } from "../rows.ts";
import { containerFacts } from "./container-facts.ts";

/** Exit codes with a meaning of their own; 128 + n is signal n. */
const BY_EXIT_CODE: Readonly<Record<string, Row<"crash">>> = {
  "0": "completed",
  "126": "not-executable",
  "127": "command-not-found",
  "137": "killed",
  "139": "segfault",
  "143": "terminated",
};

/** How a container ended, in words. `reason` is what the cluster calls it, for example CrashLoopBackOff. */
export function explainCrash(container: ContainerState, pod: Subject, reason: string): Explanation {
  const end = container.terminated ?? container.last;
  const shared = containerFacts(container, pod);
  const facts = {
    ...shared,
    reason,
    code: end?.exitCode,
    said: end?.message,
    limits: isSpecKnown(container, pod) ? words("crash/no-limit") : undefined,
    restarts: restartsOf(container),
  };
  return explanationOf("crash", rowOf(end, shared["limit"] !== ""), facts);
}

/** How often it was started again, and when it ended last; absent = not yet. */
function restartsOf({ restarts, last, terminated }: ContainerState): Words | undefined {
  const time = (terminated ?? last)?.finishedAt;
  return restarts > 0
    ? words("crash/restarts", { count: restarts, time: time === "" || time === undefined ? undefined : shownTime(time) })
    : undefined;
}

/** Without its spec it is unknown whether a container has a limit. */
function isSpecKnown({ name }: ContainerState, pod: Subject): boolean {
  return Object.keys(containerSpecOf(pod.input.spec, name)).length > 0;
}

function rowOf(end: Termination | undefined, hasLimit: boolean): Row<"crash"> {
  if (end?.reason === "OOMKilled") return hasLimit ? "oom" : "oom-without-limit";
  const code = end?.exitCode ?? (end?.signal === undefined ? undefined : 128 + end.signal);
  if (code === undefined) return "exit-unknown";
  return BY_EXIT_CODE[String(code)] ?? "error";
}
