import { isFields } from "./loose-json.ts";

/** Field names that are written after a dot. Everything else stands in brackets, as items of lists do. */
const PLAIN_NAME = /^[A-Za-z_][\w-]*$/;
/** What stands in brackets as it is. */
const PLAIN_ITEM = /^[\w./:@-]+$/;
/** No name of Kubernetes is longer; a custom resource may have any. */
const MAX_NAME_CHARS = 253;

/** What items of lists are known by, where every item has it and no two the same: the first of these that fits. */
const ITEM_KEYS: readonly string[] = ["name", "type", "mountPath", "containerPort", "port", "host", "key", "id"];

/** The path of a field: "spec.replicas", "metadata.labels[app.kubernetes.io/name]". @param parent empty for the object itself */
export function fieldPath(parent: string, name: string): string {
  if (!PLAIN_NAME.test(name)) return itemPath(parent, name);
  return parent === "" ? name : `${parent}.${name}`;
}

/** The path of an item of a list: "spec.containers[web]". @param name as `itemNames` gives it */
export function itemPath(parent: string, name: string): string {
  const short = name.slice(0, MAX_NAME_CHARS);
  return `${parent}[${PLAIN_ITEM.test(short) ? short : JSON.stringify(short)}]`;
}

/** How the items of a list are called. */
export interface ItemNames {
  /** The field that names them; empty: they have only their places. */
  readonly by: string;
  /** One for each item; no two are the same. */
  readonly names: readonly string[];
}

/** Names for the items of a list: containers, volumes and variables by their names, conditions by their types, all else by place. */
export function itemNames(list: readonly unknown[]): ItemNames {
  for (const by of list.length === 0 ? [] : ITEM_KEYS) {
    const names = namesBy(list, by);
    if (names !== undefined) return { by, names };
  }
  return { by: "", names: list.map((_, index) => String(index)) };
}

/** The parts of a path that `fieldPath` and `itemPath` have made, names as they were. */
export function splitFieldPath(path: string): string[] {
  const parts: string[] = [];
  let at = 0;
  while (at < path.length) {
    const end = path[at] === "[" ? endOfBrackets(path, at) : endOfName(path, at);
    const part = path.slice(at, end);
    parts.push(part.startsWith("[") ? unbracketed(part) : part);
    at = path[end] === "." ? end + 1 : end;
  }
  return parts;
}

function namesBy(list: readonly unknown[], by: string): string[] | undefined {
  const names: string[] = [];
  for (const item of list) {
    const name = isFields(item) ? item[by] : undefined;
    if (typeof name !== "string" && typeof name !== "number") return undefined;
    names.push(String(name));
  }
  return new Set(names).size === names.length ? names : undefined;
}

function endOfName(path: string, from: number): number {
  for (let at = from; at < path.length; at += 1) if (path[at] === "." || path[at] === "[") return at;
  return path.length;
}

function endOfBrackets(path: string, from: number): number {
  const isQuoted = path[from + 1] === '"';
  for (let at = from + (isQuoted ? 2 : 1); at < path.length; at += 1) {
    if (isQuoted && path[at] === "\\") at += 1;
    else if (isQuoted && path[at] === '"') return at + 2;
    else if (!isQuoted && path[at] === "]") return at + 1;
  }
  return path.length;
}

function unbracketed(part: string): string {
  const inner = part.slice(1, -1);
  if (!inner.startsWith('"')) return inner;
  try {
    return String(JSON.parse(inner));
  } catch {
    // A path that was cut.
    return inner;
  }
}
