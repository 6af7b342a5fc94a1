import { fieldsAt, listAt, textAt, type Fields } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { changedAt, timeOf } from "../age.ts";
import { isAbout } from "../event-fact.ts";
import { refOf } from "../health-ref.ts";
import { isKind } from "../relatives.ts";
import { degraded, healthy, progressing, unknown, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** PersistentVolumeClaim: its phase; one that waits for its first consumer waits rightly while there is none. */
export const rule: KindRule = { kinds: ["/PersistentVolumeClaim"], generation: "before", judge: persistentVolumeClaimHealth };

function persistentVolumeClaimHealth(input: RuleInput): Verdict {
  const phase = textAt(input.status, "phase");
  const since = changedAt(undefined, input);
  if (phase === "Bound") return healthy("Bound", words("persistent-volume-claim/bound"));
  if (phase === "Lost") return degraded("Lost", words("persistent-volume-claim/lost"), since);
  if (phase !== "" && phase !== "Pending") return unknown("UnknownPhase", words("health/phase-not-known", { phase }));
  if (phase === "Pending" && (waitsForConsumer(input) || isReportedToWait(input)) && !isMounted(input)) {
    return healthy("WaitForFirstConsumer", words("persistent-volume-claim/waits-for-consumer"));
  }
  return progressing("Pending", words("persistent-volume-claim/pending"), since);
}

function waitsForConsumer(input: RuleInput): boolean {
  const annotations = fieldsAt(input.metadata, "annotations");
  const name = textAt(input.spec, "storageClassName") || textAt(annotations, "volume.beta.kubernetes.io/storage-class");
  const storageClass = (input.related ?? []).find(
    (object) => isKind(object, "storage.k8s.io", "StorageClass") && (name === "" ? isDefault(object) : nameOf(object) === name),
  );
  return storageClass !== undefined && textAt(storageClass, "volumeBindingMode") === "WaitForFirstConsumer";
}

/** Its newest event has the reason with which the volume controller waits; the class itself is readable to few. */
function isReportedToWait({ object, events = [] }: RuleInput): boolean {
  const ref = refOf(object);
  const [newest] = events.filter((event) => isAbout(event, ref)).sort((one, other) => timeOf(other.lastAt) - timeOf(one.lastAt));
  return newest?.reason === "WaitForFirstConsumer";
}

function isDefault(storageClass: Fields): boolean {
  const annotations = fieldsAt(fieldsAt(storageClass, "metadata"), "annotations");
  return annotations["storageclass.kubernetes.io/is-default-class"] === "true";
}

function isMounted(input: RuleInput): boolean {
  const name = textAt(input.metadata, "name");
  const namespace = textAt(input.metadata, "namespace");
  return (input.related ?? []).some((object) => {
    if (!isKind(object, "", "Pod") || textAt(fieldsAt(object, "metadata"), "namespace") !== namespace) return false;
    return listAt(fieldsAt(object, "spec"), "volumes").some((volume) => {
      if (textAt(fieldsAt(volume, "persistentVolumeClaim"), "claimName") === name) return true;
      // A generic ephemeral volume makes a claim called pod-volume.
      return Object.keys(fieldsAt(volume, "ephemeral")).length > 0 && `${nameOf(object)}-${textAt(volume, "name")}` === name;
    });
  });
}

function nameOf(object: Fields): string {
  return textAt(fieldsAt(object, "metadata"), "name");
}
