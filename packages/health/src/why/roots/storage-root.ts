import { fieldsAt, textAt } from "@binnacle/kube";

import { eventRoot, ownRoot, type Root, type Subject } from "../root.ts";
import { explanationOf } from "../explanation.ts";
import { eventsAbout, warningOf, type World } from "../world.ts";
import { missingRoot, namedRoot } from "./reference-root.ts";

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
    const said = { ...facts, said: event.message };
    if (event.reason === "FailedBinding") return eventRoot(event, explanationOf("storage", "no-volume", said), subject);
    if (WAITING.has(event.reason)) return eventRoot(event, explanationOf("storage", "waits-for-provisioner", said), subject);
  }
  return ownRoot(explanationOf("storage", "pending", facts));
}

/** Why a PersistentVolume is not well. */
export function volumeObjectRoot({ ref, reason, message }: Subject): Root {
  return ownRoot(explanationOf("storage", "volume-failed", { reason, name: ref.name, said: message }));
}
