import { createHmac, randomBytes, randomUUID } from "node:crypto";

import { fieldsAt, textAt } from "@binnacle/kube";

import type { ActionOutcome } from "./action-outcome.ts";
import type { KubeAction } from "./kube-action.ts";

/** The actor and the environment. Names, never a credential: they are written to the log. */
export interface Actor {
  /** The user of the main application. */
  readonly viewer: string;
  /** The user name in the cluster. */
  readonly clusterUser: string;
  /** The name or number of the cluster's agent. */
  readonly cluster: string;
}

/** What is known of one action: names and sizes, never a content. */
export interface ActionFields {
  readonly action_id: string;
  readonly viewer: string;
  readonly cluster_user: string;
  readonly cluster: string;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace: string;
  readonly name: string;
  readonly dry_run: boolean;
  readonly purpose?: Readonly<Record<string, string>>;
  readonly content_bytes?: number;
  readonly content_hmac?: string;
}

/** What is known of one that has ended. */
export interface EndedActionFields extends ActionFields {
  readonly outcome: ActionOutcome["kind"];
  readonly stage: ActionOutcome["stage"];
  /** HTTP status of the answer; absent: none came. */
  readonly code?: number;
  readonly reason?: string;
  readonly failure?: string;
  readonly uid?: string;
  readonly resource_version?: string;
  readonly duration_ms: number;
}

/** Where actions are written down; a logger of pino is one. */
export interface ActionLog {
  /** Before it is sent, and after a known outcome. */
  info(fields: ActionFields | EndedActionFields, message: string): void;
  /** After an outcome that is not known. */
  warn(fields: EndedActionFields, message: string): void;
}

/** What is written down of an action. */
interface RecordedAction {
  readonly actor: Actor;
  readonly action: KubeAction;
  /** What it is for. */
  readonly purpose: Readonly<Record<string, string>> | undefined;
  /** What is sent; undefined when nothing can be. */
  readonly body: string | undefined;
}

/** Equal contents are found in the log of one process, but none is found by trying passwords. */
const HASH_KEY = randomBytes(32);
/** The longest name that Kubernetes has; what a caller gives may be anything. */
const MAX_CHARS = 253;

/** The two lines of the log about one action: begun and ended. A content is in neither, nor is a message of the API server, which quotes it. */
export class ActionRecord {
  readonly #log: ActionLog;
  readonly #fields: ActionFields;

  constructor(log: ActionLog, { actor, action, purpose, body }: RecordedAction) {
    this.#log = log;
    const fields = { ...actorFields(actor), ...actionFields(action), ...purposeFields(purpose), ...contentFields(body) };
    this.#fields = { action_id: randomUUID(), ...fields };
  }

  begun(): void {
    this.#log.info(this.#fields, "action begun");
  }

  /** @param outcome undefined when a bug ended it */
  ended(outcome: ActionOutcome | undefined, durationMs: number): void {
    const fields = { ...this.#fields, ...outcomeFields(outcome), duration_ms: durationMs };
    if (outcome === undefined || outcome.kind === "unknown") this.#log.warn(fields, "action ended, its outcome is unknown");
    else this.#log.info(fields, "action ended");
  }
}

function actorFields({ viewer, clusterUser, cluster }: Actor): Pick<ActionFields, "viewer" | "cluster_user" | "cluster"> {
  return { viewer: short(viewer), cluster_user: short(clusterUser), cluster: short(cluster) };
}

function actionFields({
  target,
  change,
  dryRun = false,
}: KubeAction): Pick<ActionFields, "verb" | "group" | "version" | "resource" | "subresource" | "namespace" | "name" | "dry_run"> {
  const { kind, namespace, name, subresource, uid, resourceVersion } = target;
  return {
    verb: change.verb,
    ...(change.verb === "patch" ? { patch_type: change.type } : {}),
    ...(change.verb === "apply" ? { force: change.force ?? false } : {}),
    group: short(kind.group),
    version: short(kind.version),
    resource: short(kind.resource),
    ...(subresource === undefined ? {} : { subresource: short(subresource) }),
    namespace: short(namespace),
    name: short(name === "" ? nameInContent(change) : name),
    ...(uid === undefined ? {} : { required_uid: short(uid) }),
    ...(resourceVersion === undefined ? {} : { required_resource_version: short(resourceVersion) }),
    dry_run: dryRun,
  };
}

function purposeFields(purpose: RecordedAction["purpose"]): Pick<ActionFields, "purpose"> {
  if (purpose === undefined) return {};
  return { purpose: Object.fromEntries(Object.entries(purpose).map(([name, text]) => [name, short(text)])) };
}

function nameInContent(change: KubeAction["change"]): string {
  if (change.verb !== "create") return "";
  const metadata = fieldsAt(change.content, "metadata");
  return textAt(metadata, "name") || textAt(metadata, "generateName");
}

function contentFields(body: string | undefined): Pick<ActionFields, "content_bytes" | "content_hmac"> {
  if (body === undefined) return {};
  return { content_bytes: Buffer.byteLength(body), content_hmac: createHmac("sha256", HASH_KEY).update(body).digest("hex") };
}

function outcomeFields(
  outcome: ActionOutcome | undefined,
): Pick<EndedActionFields, "outcome" | "stage" | "code" | "reason" | "failure" | "uid" | "resource_version"> {
  if (outcome === undefined) return { outcome: "unknown", stage: "started" };
  const { kind, stage } = outcome;
  if (outcome.kind === "done") {
    const metadata = fieldsAt(outcome.answer, "metadata");
    const now = { uid: short(textAt(metadata, "uid")), resource_version: short(textAt(metadata, "resourceVersion")) };
    return { outcome: kind, stage, code: outcome.code, reason: "", ...now };
  }
  const { failure, status } = outcome.error;
  return { outcome: kind, stage, failure, ...(status === undefined ? {} : { code: status.code, reason: short(status.reason) }) };
}

function short(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}…`;
}
