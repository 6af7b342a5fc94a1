import type { FactValue } from "@binnacle/words";

import type { HealthRef } from "../../health-result.ts";
import { podReferencesOf, podSpecOf } from "../pod-references.ts";
import type { Root, Subject } from "../root.ts";
import { keyOfEntry, keyOfObject, MISSING } from "../root-key.ts";
import { say, type Said } from "../say.ts";
import type { Row } from "../rows.ts";
import type { WhyLink } from "../why.ts";
import type { World } from "../world.ts";

const ROWS: Readonly<Record<string, Row<"reference">>> = {
  "/ConfigMap": "config-map",
  "/Secret": "secret",
  "/PersistentVolumeClaim": "claim",
  "/ServiceAccount": "service-account",
  "/Service": "service",
  "storage.k8s.io/StorageClass": "storage-class",
};

/** Words about something that is referred to and is not there. `by` is for people, for example "Pod web-0". */
export function sayMissing(ref: HealthRef, by: FactValue): Said {
  const { kind, name, namespace } = ref;
  return say("reference", ROWS[`${ref.group}/${ref.kind}`] ?? "other", { kind, name, namespace, by });
}

/** Link to what is not there. */
export function referenceLink(ref: HealthRef, { reason, message }: Pick<Said, "reason" | "message">): WhyLink {
  return { level: "reference", ref, status: "Missing", reason, message };
}

/** Something that a subject refers to is not there. */
export function missingRoot(ref: HealthRef, by: Subject): Root {
  const said = sayMissing(ref, `${by.ref.kind} ${by.ref.name}`);
  return { links: [referenceLink(ref, said)], said, at: [], key: keyOfObject(ref, MISSING) };
}

/** A kubelet or a controller has said what is not there. */
export function namedRoot(text: string, subject: Subject): Root | null {
  const named = namedIn(text);
  if (named === undefined) return null;
  const { kind, name, key } = named;
  const group = kind === "StorageClass" ? "storage.k8s.io" : "";
  const namespace = kind === "StorageClass" ? "" : subject.ref.namespace;
  const ref: HealthRef = { group, version: "v1", kind, namespace, name };
  if (key === "") return missingRoot(ref, subject);
  const said = say("reference", "key", { kind, name, key, by: `${subject.ref.kind} ${subject.ref.name}` });
  return { links: [referenceLink(ref, said)], said, at: [], key: keyOfEntry(ref, key) };
}

/** The first missing thing that the pod spec of the subject names. */
export function missingOfPodSpec(subject: Subject, world: World): HealthRef | undefined {
  if (world.missing.length === 0) return undefined;
  const references = podReferencesOf(podSpecOf(subject.input));
  return world.missing.find(
    (ref) => ref.namespace === subject.ref.namespace && references.some(({ kind, name }) => ref.kind === kind && ref.name === name),
  );
}

interface Named {
  readonly kind: string;
  readonly name: string;
  /** Empty when the whole thing is missing. */
  readonly key: string;
}

const KINDS: Readonly<Record<string, string>> = {
  configmap: "ConfigMap",
  secret: "Secret",
  persistentvolumeclaim: "PersistentVolumeClaim",
  serviceaccount: "ServiceAccount",
  "storageclass.storage.k8s.io": "StorageClass",
};

/** What a message of the kubelet, the scheduler or a controller calls missing. */
function namedIn(text: string): Named | undefined {
  const key = /couldn't find key (\S+) in (ConfigMap|Secret) [^/\s]+\/([^\s,;]+)/.exec(text);
  if (key !== null) return { kind: key[2] ?? "", name: key[3] ?? "", key: key[1] ?? "" };
  const whole = /(configmap|secret|persistentvolumeclaim|serviceaccount|storageclass\.storage\.k8s\.io) "([^"]+)" not found/.exec(text);
  if (whole === null) return undefined;
  return { kind: KINDS[whole[1] ?? ""] ?? "", name: whole[2] ?? "", key: "" };
}
