import type { FactValue } from "@binnacle/words";

import type { HealthRef } from "../../health-result.ts";
import { podReferencesOf, podSpecOf } from "../pod-references.ts";
import type { Root, Subject } from "../root.ts";
import { keyOfEntry, keyOfObject, MISSING, nameOfObject } from "../root-key.ts";
import { explanationOf, type Explanation } from "../explanation.ts";
import type { Row } from "../rows.ts";
import type { MissingRef, WhyLink } from "../why.ts";
import type { World } from "../world.ts";

const ROWS: Readonly<Record<string, Row<"reference">>> = {
  "/ConfigMap": "config-map",
  "/Secret": "secret",
  "/PersistentVolumeClaim": "claim",
  "/ServiceAccount": "service-account",
  "/Service": "service",
  "storage.k8s.io/StorageClass": "storage-class",
  "scheduling.k8s.io/PriorityClass": "priority-class",
  "node.k8s.io/RuntimeClass": "runtime-class",
};

/** Groups of kinds that messages name and that belong to no namespace. */
const GROUPS: Readonly<Record<string, string>> = {
  StorageClass: "storage.k8s.io",
  PriorityClass: "scheduling.k8s.io",
  RuntimeClass: "node.k8s.io",
};

/** Words about something that is referred to and is not there. `by` is for people, for example "Pod web-0". */
export function explainMissing(ref: MissingRef, by: FactValue): Explanation {
  const { kind, name, namespace, madeBy } = ref;
  if (madeBy !== undefined) return explanationOf("reference", "made", { kind, name, by, maker: `${madeBy.ref.kind} ${madeBy.ref.name}` });
  return explanationOf("reference", ROWS[`${ref.group}/${ref.kind}`] ?? "other", { kind, name, namespace, by });
}

/** Link to what is not there. */
export function referenceLink(of: HealthRef, { reason, message }: Pick<Explanation, "reason" | "message">): WhyLink {
  const { group, version, kind, namespace, name } = of;
  const ref = { group, version, kind, namespace, name };
  return { level: "reference", ref, status: "Missing", reason, message };
}

/** Something that a subject refers to is not there; where something else is to make it, that one says why it has not. */
export function missingRoot(ref: MissingRef, by: Subject): Root {
  const explanation = explainMissing(ref, `${by.ref.kind} ${by.ref.name}`);
  const [link, why] = [referenceLink(ref, explanation), ref.madeBy?.why];
  if (why === undefined || why === null) return { links: [link], explanation, at: [], key: keyOfMissing(ref) };
  const { chain, reason, message, nextStep, firstBadAt = "", rootKey } = why;
  return { links: [link, ...chain], explanation: { id: explanation.id, reason, message, nextStep }, at: [firstBadAt], key: rootKey };
}

/** Key of what is not there: of what is to make it, where that is known. */
export function keyOfMissing(ref: MissingRef): string {
  return ref.madeBy === undefined ? keyOfObject(ref, MISSING) : keyOfObject(ref.madeBy.ref, "not-made");
}

/** A kubelet or a controller has reported what does not exist. */
export function namedRoot(text: string, subject: Subject, world: World): Root | null {
  const named = namedIn(text);
  if (named === undefined) return null;
  const { kind, name, key } = named;
  const group = GROUPS[kind] ?? "";
  const namespace = group === "" ? subject.ref.namespace : "";
  const ref: HealthRef = { group, version: "v1", kind, namespace, name };
  if (key === "") return missingRoot(knownMissing(ref, world), subject);
  const explanation = explanationOf("reference", "key", { kind, name, key, by: `${subject.ref.kind} ${subject.ref.name}` });
  return { links: [referenceLink(ref, explanation)], explanation, at: [], key: keyOfEntry(ref, key) };
}

/** The same as it is known to be missing: then it is known what makes it. */
function knownMissing(ref: HealthRef, { missing }: World): MissingRef {
  return missing.find((each) => nameOfObject(each) === nameOfObject(ref)) ?? ref;
}

/** The first missing thing that the pod spec of the subject names. */
export function missingOfPodSpec(subject: Subject, world: World): MissingRef | undefined {
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
  RuntimeClass: "RuntimeClass",
};

/** What a message of the kubelet, the scheduler or a controller calls missing. */
function namedIn(text: string): Named | undefined {
  const key = /couldn't find key (\S+) in (ConfigMap|Secret) [^/\s]+\/([^\s,;]+)/.exec(text);
  if (key !== null) return { kind: key[2] ?? "", name: key[3] ?? "", key: key[1] ?? "" };
  const whole =
    /(configmap|secret|persistentvolumeclaim|serviceaccount|storageclass\.storage\.k8s\.io|RuntimeClass) "([^"]+)" not found/.exec(text);
  const priority = /no PriorityClass with name (\S+) was found/.exec(text);
  if (priority !== null) return { kind: "PriorityClass", name: priority[1] ?? "", key: "" };
  if (whole === null) return undefined;
  return { kind: KINDS[whole[1] ?? ""] ?? "", name: whole[2] ?? "", key: "" };
}
