/** What a URL path of the Kubernetes API names. */
export interface RequestTarget {
  /** False for paths like `/version` and discovery. */
  readonly isResource: boolean;
  readonly path: string;
  readonly group: string;
  readonly version: string;
  readonly namespace?: string;
  readonly resource: string;
  readonly name?: string;
  readonly subresource?: string;
}

/** Reads a path as the API server's request info does. */
export function parseTarget(path: string): RequestTarget {
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(decode);
  const other: RequestTarget = { isResource: false, path, group: "", version: "", resource: "" };
  let rest: string[];
  let group = "";
  let version: string;
  if (parts[0] === "api" && parts.length > 2) {
    version = parts[1] ?? "";
    rest = parts.slice(2);
  } else if (parts[0] === "apis" && parts.length > 3) {
    group = parts[1] ?? "";
    version = parts[2] ?? "";
    rest = parts.slice(3);
  } else return other;
  const common = { isResource: true, path, group, version };
  if (rest[0] === "namespaces" && rest.length > 2 && !(group === "" && NAMESPACE_SUBRESOURCES.has(rest[2] ?? "") && rest.length === 3)) {
    return { ...common, namespace: rest[1] ?? "", ...named(rest.slice(2)) };
  }
  const target = { ...common, ...named(rest) };
  // A namespace is in itself, as far as roles are concerned.
  return target.resource === "namespaces" && group === "" && target.name !== undefined ? { ...target, namespace: target.name } : target;
}

const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize"]);

function named(parts: readonly string[]): { resource: string; name?: string; subresource?: string } {
  const [resource = "", name, ...rest] = parts;
  return {
    resource,
    ...(name === undefined ? {} : { name }),
    ...(rest.length === 0 ? {} : { subresource: rest[0] ?? "" }),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
