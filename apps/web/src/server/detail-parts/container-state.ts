import { fieldsAt, isFields, numberAt, textAt, type Fields } from "@binnacle/kube";
import { quoted, words, type Words } from "@binnacle/words";

import type { Item, Tone } from "./details.ts";
import { saying } from "./rows.ts";

/** Reasons for which a container waits while all is well. */
const ON_ITS_WAY = new Set(["", "ContainerCreating", "PodInitializing"]);

/** How a container is now. @param how.stays it is meant to go on: an init container that runs is on its way */
export function containerState(status: Fields, { stays }: { readonly stays: boolean }): Item {
  const state = fieldsAt(status, "state");
  const { running, waiting, terminated } = state;
  if (isFields(running)) {
    const isReady = status["ready"] === true;
    const item = stays && !isReady ? saying("detail/running-not-ready", {}, "busy") : saying("detail/running", {}, stays ? "good" : "busy");
    return { ...item, at: textAt(running, "startedAt") };
  }
  if (isFields(waiting)) {
    const reason = textAt(waiting, "reason");
    return saying("detail/waiting", { reason }, ON_ITS_WAY.has(reason) ? "busy" : "bad");
  }
  if (isFields(terminated)) return ended(terminated);
  return saying("detail/not-started");
}

/** Whether a container has ended as it should. */
export function isDone(status: Fields): boolean {
  const terminated = fieldsAt(status, "state")["terminated"];
  return isFields(terminated) && numberAt(terminated, "exitCode") === 0;
}

/** How it ended the time before; nothing when it has not. */
export function lastEnd(status: Fields): Item | undefined {
  const terminated = fieldsAt(status, "lastState")["terminated"];
  return isFields(terminated) ? ended(terminated) : undefined;
}

function ended(terminated: Fields): Item {
  const code = numberAt(terminated, "exitCode");
  const tone: Tone = code === 0 ? "good" : "bad";
  return { words: endWords(terminated, code), at: textAt(terminated, "finishedAt"), tone };
}

function endWords(terminated: Fields, code: number | undefined): Words {
  const [reason, signal] = [textAt(terminated, "reason"), numberAt(terminated, "signal")];
  if (code === undefined) return reason === "" ? words("container/end/unknown") : quoted(reason);
  // "Error" says no more than the code does.
  const why = reason === "Error" || (reason === "Completed" && code === 0) ? "" : reason;
  return words(code === 0 ? "detail/completed" : "detail/exit", { code, reason: why, signal: signal === 0 ? undefined : signal });
}
