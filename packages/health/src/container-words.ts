import { quoted, words, type Words, type WordsId } from "@binnacle/words";

import type { ContainerState, Termination } from "./container-state.ts";

/** What a waiting reason of the kubelet means. */
const WAITING_WORDS: ReadonlyMap<string, WordsId> = new Map<string, WordsId>(
  Object.entries({
    ImagePullBackOff: "container/waits/image",
    ErrImagePull: "container/waits/image",
    ErrImageNeverPull: "container/waits/never-pulled",
    ErrImageInspect: "container/waits/inspect",
    RegistryUnavailable: "container/waits/registry",
    InvalidImageName: "container/waits/image-name",
    CrashLoopBackOff: "container/waits/restart",
    CreateContainerConfigError: "container/waits/config",
    CreateContainerError: "container/waits/create",
    RunContainerError: "container/waits/start",
    PreCreateHookError: "container/waits/pre-create-hook",
    PostStartHookError: "container/waits/post-start-hook",
    ContainerCreating: "container/waits/creating",
    PodInitializing: "container/waits/init",
  } as const),
);

/** Whether a waiting reason is a failure, not a normal step of starting. */
export function isFailingReason(reason: string): boolean {
  return reason.startsWith("Err") || reason.endsWith("Error") || reason.endsWith("BackOff") || reason === "InvalidImageName";
}

/** Sentence about a waiting container; carries the kubelet's reason and message. */
export function waitingSentence(container: ContainerState): Words {
  const { reason, message } = container.waiting ?? { reason: "", message: "" };
  const end = reason === "CrashLoopBackOff" && container.last !== undefined ? terminationWords(container.last) : undefined;
  return words(WAITING_WORDS.get(reason) ?? "container/waits", {
    container: containerWords(container),
    reason: given(reason),
    said: quotedOf(message),
    end,
  });
}

/** "container app", "init container migrate" or "sidecar container mesh". */
export function containerWords({ init, sidecar, name }: ContainerState): Words {
  const role = init ? "container/init" : sidecar ? "container/sidecar" : "container/main";
  return words(role, { name: given(name) });
}

/** "OOMKilled, exit code 137: message". */
export function terminationWords(end: Termination): Words {
  return words("container/end", { how: howItEnded(end), said: quotedOf(end.message.trim()) });
}

function howItEnded({ reason, exitCode, signal }: Termination): Words {
  if (exitCode !== undefined) return words("container/end/code", { reason: given(reason), code: exitCode });
  if (signal !== undefined) return words("container/end/signal", { reason: given(reason), signal });
  return reason === "" ? words("container/end/unknown") : words("container/end/reason", { reason });
}

function given(text: string): string | undefined {
  return text === "" ? undefined : text;
}

function quotedOf(message: string): Words | undefined {
  return message === "" ? undefined : quoted(message);
}
