import { encodeKey, type ObjectKey } from "@binnacle/kube";

import type { NamedAs } from "./custom-edge-rule.ts";

/** What an object may be referred to as: its key, or a text that says its uid or a role. */
export type Token = ObjectKey | string;

/** Of references that may be shown while their target is missing. */
interface Shown {
  /** A ghost is shown while the target is missing. */
  readonly hasGhost: boolean;
  /** Version of the ghost; empty when the reference does not say it. */
  readonly version: string;
}

/** To the object of this name. Nearly all references are: it is the key itself, so that there is nothing besides to keep. */
interface KeyTarget extends ObjectKey, Shown {
  readonly by: "key";
}

/** To the object of this uid, else to the object of this name that bears no uid. */
interface UidTarget extends Shown {
  readonly by: "uid";
  readonly token: string;
  readonly key: ObjectKey;
}

/** To the objects that have a role. */
interface RoleTarget {
  readonly by: "role";
  readonly token: string;
}

/** Not by labels, but by what the target is called. */
export type NameTarget = KeyTarget | UidTarget | RoleTarget;

/** What a text names. */
interface NamedTarget {
  /** Empty when the text does not say it. */
  readonly namespace: string;
  readonly name: string;
}

/** Longer texts name nothing that Kubernetes would accept. */
const MAX_TEXT = 512;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const END_OF_HOST = /[/:?#]/;

/** What the target is called. */
export function tokenOf(target: NameTarget): Token {
  return target.by === "key" ? target : target.token;
}

/** What is shown while the target is missing. */
export function ghostOf(target: NameTarget): ObjectKey | undefined {
  if (target.by === "role" || !target.hasGhost) return undefined;
  return target.by === "key" ? target : target.key;
}

/** What the target is called when it bears no uid, if it is meant by its uid. */
export function bareTokenOf(target: NameTarget): string | undefined {
  return target.by === "uid" ? bareToken(target.key) : undefined;
}

/** Token of an object by its uid: the uid itself, as all other texts have a slash or a colon and real uids have none. */
export function uidToken(uid: string): string {
  return uid.includes(":") || uid.includes("/") ? `uid:${uid}` : uid;
}

/** Token of an object that carries no uid, so that a reference by uid can still find it. */
export function bareToken(key: ObjectKey): string {
  return `bare:${encodeKey(key)}`;
}

/** Whether both are the same. */
export function sameToken(left: Token, right: Token): boolean {
  if (typeof left === "string" || typeof right === "string") return left === right;
  return left.name === right.name && left.namespace === right.namespace && left.kind === right.kind && left.group === right.group;
}

/** Equal texts = equal targets. */
export function nameSignatureOf(target: NameTarget): string {
  if (target.by === "role") return target.token;
  const name = target.by === "key" ? encodeKey(target) : `${target.token}|${encodeKey(target.key)}`;
  return `${name}|${target.hasGhost}|${target.version}`;
}

/** What a text names; `undefined` when it names nothing in the cluster, as an address outside of it. */
export function namedTarget(text: string, as: NamedAs): NamedTarget | undefined {
  if (text === "" || text.length > MAX_TEXT || text.includes("*")) return undefined;
  if (as === "host") return hostTarget(text);
  const parts = text.split("/");
  const [first = "", second] = parts;
  if (second === undefined) return { namespace: "", name: first };
  if (as === "name" || parts.length > 2 || first === "" || second === "") return undefined;
  return { namespace: first === "." ? "" : first, name: second };
}

/**
 * The Service that a DNS name leads to: a short name, or `name.namespace.svc` with or without the domain of the cluster. Anything else
 * with a dot may be outside of it. Of a URL the host counts.
 */
function hostTarget(text: string): NamedTarget | undefined {
  const scheme = text.indexOf("://");
  const [host = ""] = text.slice(scheme < 0 ? 0 : scheme + 3).split(END_OF_HOST, 1);
  const labels = (host.endsWith(".") ? host.slice(0, -1) : host).split(".");
  const [name = "", namespace = "", service] = labels;
  if (host === "localhost" || !labels.every((label) => LABEL.test(label))) return undefined;
  if (labels.length === 1) return { namespace: "", name };
  return service === "svc" ? { namespace, name } : undefined;
}
