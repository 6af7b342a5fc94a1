import type { ContainerState, Termination } from "./container-state.ts";
import { maskCredentials } from "./mask-credentials.ts";

/** What a waiting reason of the kubelet means, after "Container x …". */
const WAITING_WORDS: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    ImagePullBackOff: "cannot pull its image",
    ErrImagePull: "cannot pull its image",
    ErrImageNeverPull: "may not pull its image and it is not on the node",
    ErrImageInspect: "has an image that cannot be inspected",
    RegistryUnavailable: "cannot reach the registry of its image",
    InvalidImageName: "has an image name that is not valid",
    CrashLoopBackOff: "keeps ending and is started again ever more slowly",
    CreateContainerConfigError: "cannot be configured",
    CreateContainerError: "cannot be created",
    RunContainerError: "cannot be started",
    PreCreateHookError: "failed in its pre-create hook",
    PostStartHookError: "failed in its post-start hook",
    ContainerCreating: "is being created",
    PodInitializing: "waits for the init containers",
  }),
);

/** Whether a waiting reason is a failure, not a normal step of starting. */
export function isFailingReason(reason: string): boolean {
  return reason.startsWith("Err") || reason.endsWith("Error") || reason.endsWith("BackOff") || reason === "InvalidImageName";
}

/** Sentence about a waiting container; carries the kubelet's reason and message. */
export function waitingSentence(container: ContainerState): string {
  const { reason, message } = container.waiting ?? { reason: "", message: "" };
  const words = WAITING_WORDS.get(reason) ?? "is waiting";
  const said = message === "" ? "" : `: ${maskCredentials(message)}`;
  const last = reason === "CrashLoopBackOff" && container.last !== undefined ? `; it ended with ${terminationWords(container.last)}` : "";
  return `${containerWords(container)} ${words}${reason === "" ? "" : ` (${reason})`}${said}${last}`;
}

/** "Container app" or "Init container migrate". */
export function containerWords(container: ContainerState): string {
  const what = container.init ? "Init container" : "Container";
  return container.name === "" ? what : `${what} ${container.name}`;
}

/** "OOMKilled, exit code 137: message". */
export function terminationWords(end: Termination): string {
  const code = end.exitCode !== undefined ? `exit code ${end.exitCode}` : end.signal === undefined ? "" : `signal ${end.signal}`;
  const head = [end.reason, code].filter((part) => part !== "").join(", ") || "no reason given";
  return end.message === "" ? head : `${head}: ${maskCredentials(end.message.trim())}`;
}
