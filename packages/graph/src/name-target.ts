import { encodeKey, type ObjectKey } from "@binnacle/kube";

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
