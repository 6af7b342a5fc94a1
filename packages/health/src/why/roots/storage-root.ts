import { fieldsAt, textAt, fieldsOf, listAt } from "@binnacle/kube";

import type { HealthRef } from "../../health-result.ts";
import type { EventFact } from "../../event-fact.ts";
import { eventRoot, ownRoot, type Root, type Subject, reportLink } from "../root.ts";
import { explanationOf } from "../explanation.ts";
import { eventsAbout, warningOf, type World } from "../world.ts";
import { blaming, causeOf, keyOfEntry, keyOfNode } from "../root-key.ts";
import { missingRoot, namedRoot, referenceLink } from "./reference-root.ts";

const PROVISIONING_FAILURES = new Set(["ProvisioningFailed", "ProvisioningCleanupFailed", "VolumeMismatch", "ClaimMisbound"]);
const WAITING = new Set(["ExternalProvisioning", "Provisioning"]);

/** Why a PersistentVolumeClaim is not bound. */
export function claimRoot(subject: Subject, world: World): Root {
  const { input, ref, reason } = subject;
  const facts = {
    reason,
    name: ref.name,
    class: textAt(input.spec, "storageClassName"),
    size: textAt(fieldsAt(fieldsAt(input.spec, "resources"), "requests"), "storage"),
    volume: textAt(input.spec, "volumeName"),
  };
  if (reason === "Lost") return ownRoot(explanationOf("storage", "lost", facts));
  const failed = warningOf(ref, PROVISIONING_FAILURES, world);
  if (failed !== undefined) {
    return (
      namedRoot(failed.message, subject, world) ??
      eventRoot(failed, explanationOf("storage", "provisioning-failed", { ...facts, said: failed.message }), subject)
    );
  }
  const storageClass = world.missing.find(({ kind, name }) => kind === "StorageClass" && name === facts.class);
  if (storageClass !== undefined) return missingRoot(storageClass, subject);
  for (const event of eventsAbout(ref, world)) {
    const quoting = { ...facts, said: event.message };
    if (event.reason === "FailedBinding") return eventRoot(event, explanationOf("storage", "no-volume", quoting), subject);
    if (WAITING.has(event.reason)) return eventRoot(event, explanationOf("storage", "waits-for-provisioner", quoting), subject);
  }
  return ownRoot(explanationOf("storage", "pending", facts));
}

/** Why a PersistentVolume is not well. */
export function volumeObjectRoot({ ref, reason, message }: Subject): Root {
  return ownRoot(explanationOf("storage", "volume-failed", { reason, name: ref.name, said: message }));
}

const MOUNT_FAILURES = new Set(["FailedMount", "FailedAttachVolume", "FailedMapVolume"]);
const SANDBOX_FAILURES = new Set(["FailedCreatePodSandBox", "FailedCreatePodSandbox", "NetworkNotReady"]);

/** A volume that cannot be mounted, or a sandbox that cannot be made, keeps a pod from starting. */
export function volumeRoot(pod: Subject, world: World): Root | null {
  const mount = warningOf(pod.ref, MOUNT_FAILURES, world);
  if (mount !== undefined) return mountRoot(mount, pod, world);
  const sandbox = warningOf(pod.ref, SANDBOX_FAILURES, world);
  if (sandbox === undefined) return null;
  const node = textAt(pod.input.spec, "nodeName");
  const root = eventRoot(sandbox, explanationOf("start", "sandbox", { reason: sandbox.reason, node, said: sandbox.message }), pod);
  return blaming(root, keyOfNode(node, causeOf(root.explanation)));
}

function mountRoot(event: EventFact, pod: Subject, world: World): Root {
  const missing = namedRoot(event.message, pod, world) ?? missingKeyRoot(event.message, pod);
  if (missing !== null) return { ...missing, links: [reportLink(event, pod), ...missing.links], at: [event.beganAt] };
  const row = /multi-attach/i.test(event.message) ? "multi-attach" : "mount-failed";
  const facts = { reason: event.reason, pod: pod.ref.name, node: textAt(pod.input.spec, "nodeName"), said: event.message };
  return eventRoot(event, explanationOf("storage", row, facts), pod);
}

/** "MountVolume.SetUp failed for volume "conf" : configmap references non-existent config key: app.yaml" */
function missingKeyRoot(text: string, pod: Subject): Root | null {
  const named = /for volume "([^"]+)"/.exec(text)?.[1];
  const [, source, key] = /references non-existent (config|secret) key: (\S+)/.exec(text) ?? [];
  if (named === undefined || key === undefined) return null;
  const volume = fieldsOf(listAt(pod.input.spec, "volumes").find((each) => textAt(each, "name") === named));
  const kind = source === "secret" ? "Secret" : "ConfigMap";
  const name = kind === "Secret" ? textAt(fieldsAt(volume, "secret"), "secretName") : textAt(fieldsAt(volume, "configMap"), "name");
  if (name === "") return null;
  const ref: HealthRef = { group: "", version: "v1", kind, namespace: pod.ref.namespace, name };
  const explanation = explanationOf("reference", "key", { kind, name, key, by: `Pod ${pod.ref.name}` });
  return { links: [referenceLink(ref, explanation)], explanation, at: [], key: keyOfEntry(ref, key) };
}
