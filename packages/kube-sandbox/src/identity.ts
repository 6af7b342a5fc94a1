/** Who makes a request. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The user of requests without credentials. */
export const ANONYMOUS: User = { name: "system:anonymous", uid: "", groups: ["system:unauthenticated"], extra: {} };

/** Groups every ServiceAccount of a namespace is in, and its own name as a user. */
export function serviceAccountUser(namespace: string, name: string): { readonly name: string; readonly groups: readonly string[] } {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  };
}

/** Namespace and name in the user name of a ServiceAccount. */
export function parseServiceAccount(userName: string): { readonly namespace: string; readonly name: string } | undefined {
  const match = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(userName);
  return match ? { namespace: match[1] ?? "", name: match[2] ?? "" } : undefined;
}
