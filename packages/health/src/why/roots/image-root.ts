import { listAt, textAt } from "@binnacle/kube";

import type { ContainerState } from "../../container-state.ts";
import { containerSpecOf } from "../pod-references.ts";
import { eventRoot, type Root, type Subject } from "../root.ts";
import { blaming, causeOf, keyOfImage, keyOfObject } from "../root-key.ts";
import { explanationOf, type Explanation } from "../explanation.ts";
import type { Row } from "../rows.ts";
import { eventsAbout, warningOf, type World } from "../world.ts";
import { containerFacts } from "./container-facts.ts";
import { missingRoot } from "./reference-root.ts";

/** What a registry or a container runtime says, and which row that is; the first that fits wins. */
const SIGNS: readonly (readonly [Row<"image">, RegExp])[] = [
  ["rate-limited", /toomanyrequests|too many requests|rate limit/i],
  ["platform", /no match(?:ing manifest)? for platform|no matching manifest|exec format/i],
  ["certificate", /x509|certificate/i],
  ["host-not-found", /no such host|\bhost \S+ not found|dial tcp: lookup|server misbehaving|name resolution/i],
  ["unauthorized", /unauthori[sz]ed|\b401\b|\b403\b|forbidden|denied|authentication required|no basic auth|authorization failed/i],
  ["not-found", /manifest unknown|: not found|\b(?:image|manifest|repository|tag) not found|\b404\b|name unknown|does not exist/i],
  ["unreachable", /timeout|timed out|connection refused|connection reset|unreachable|deadline exceeded|no route to host|\bEOF\b/i],
];

const ONLY_BACK_OFF = /^Back-off pulling image "[^"]*"$/;

const BY_REASON: ReadonlyMap<string, Row<"image">> = new Map<string, Row<"image">>(
  Object.entries({ InvalidImageName: "name-invalid", ErrImageNeverPull: "never-pulled" }),
);

/** Whether a waiting reason is about the image. */
export function isImageReason(reason: string): boolean {
  return /Image|Registry/.test(reason);
}

/** Why an image cannot be had, from what the kubelet says about the container and in its events. */
export function explainImage(container: ContainerState, pod: Subject, world: World): Explanation {
  const reason = container.waiting?.reason ?? "";
  const texts = [container.waiting?.message ?? "", ...failedPulls(container, pod, world)];
  const facts = { ...containerFacts(container, pod), reason, said: texts.find((text) => text !== "") };
  const known = BY_REASON.get(reason);
  if (known !== undefined) return explanationOf("image", known, facts);
  for (const text of texts) {
    // The name of the image is no evidence: "denied/app:404" is a name, too.
    const words = text.replaceAll(/"[^"]*"/g, (quoted) => (quoted.includes("://") ? quoted : ""));
    const row = SIGNS.find(([, sign]) => sign.test(words))?.[0];
    if (row !== undefined) return explanationOf("image", row, facts);
  }
  // That it is tried again says nothing; the runtime's own words do.
  const cause = texts.find((text) => text !== "" && !ONLY_BACK_OFF.test(text));
  return explanationOf("image", "pull-failed", cause === undefined ? facts : { ...facts, said: cause });
}

/** What is to blame for an image that cannot be had: the image, and where it is refused also who asks, which is of a namespace. */
export function keyOfPull(container: ContainerState, pod: Subject, explanation: Explanation): string | undefined {
  const image = textAt(containerSpecOf(pod.input.spec, container.name), "image");
  return keyOfImage(image, explanation.id === "image/unauthorized" ? pod.ref.namespace : "", causeOf(explanation));
}

/** Rows of a registry that refuses who asks, or does not say what is wrong: then a pull secret that is not there is why. */
const REFUSALS: ReadonlySet<string> = new Set(["image/unauthorized", "image/pull-failed"]);

const NO_PULL_SECRET = new Set(["FailedToRetrieveImagePullSecret"]);

/** A pull secret that the pod names and that is not there, or that the kubelet could not get; `null` when the registry says something else. */
export function pullSecretRoot(container: ContainerState, pod: Subject, world: World): Root | null {
  if (!REFUSALS.has(explainImage(container, pod, world).id)) return null;
  const names = listAt(pod.input.spec, "imagePullSecrets").map((entry) => textAt(entry, "name"));
  const missing = world.missing.find(
    ({ kind, name, namespace }) => kind === "Secret" && namespace === pod.ref.namespace && names.includes(name),
  );
  if (missing !== undefined) return missingRoot(missing, pod);
  const event = warningOf(pod.ref, NO_PULL_SECRET, world);
  const [, list = ""] = /image pull secrets \(([^()]*)\)/.exec(event?.message ?? "") ?? [];
  const [name] = list.split(/[\s,]+/).filter((each) => each !== "");
  if (event === undefined || name === undefined) return null;
  const { namespace } = pod.ref;
  const explanation = explanationOf("image", "pull-secret", {
    reason: event.reason,
    name,
    namespace,
    pod: pod.ref.name,
    registry: containerFacts(container, pod)["registry"],
  });
  return blaming(eventRoot(event, explanation, pod), keyOfObject({ group: "", kind: "Secret", namespace, name }, causeOf(explanation)));
}

function failedPulls(container: ContainerState, pod: Subject, world: World): string[] {
  return eventsAbout(pod.ref, world)
    .filter((event) => event.reason === "Failed" && (event.container === "" || event.container === container.name))
    .filter((event) => event.message.startsWith("Failed to pull image"))
    .map((event) => event.message);
}
