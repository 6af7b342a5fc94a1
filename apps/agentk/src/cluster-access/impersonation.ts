import type { ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import { Fault } from "@binnacle/rpc";

/** Who a request acts as. */
export interface ImpersonatedIdentity {
  readonly username: string;
  readonly groups: readonly string[];
  /** Empty: none. */
  readonly uid: string;
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** The identity that kas requested; undefined when it requested none. */
export function identityOfConfig(config: ImpersonationConfig | undefined): ImpersonatedIdentity | undefined {
  if (!config || (config.username === "" && config.groups.length === 0 && config.uid === "" && config.extra.length === 0)) return undefined;
  const extra = new Map<string, string[]>();
  for (const { key, val } of config.extra) extra.set(key, [...(extra.get(key) ?? []), ...val]);
  return { username: config.username, groups: config.groups, uid: config.uid, extra };
}

/** True for any spelling of a header that could be taken for impersonation: letter case and underscores do not matter. */
export function isImpersonationHeader(name: string): boolean {
  return name.toLowerCase().replaceAll("_", "-").startsWith("impersonate");
}

const CLIENT_HEADER = /^impersonate-(user|group|uid|extra-.+)$/;

/**
 * The impersonation headers of a request as `[name, value]` lines. At most one of three may ask: the kubeconfig's own identity, kas, the client's
 * headers (docs/design/contract.md "Impersonation"); otherwise a client could gain rights by adding one to another.
 *
 * @param sources `client` are the client's own headers that `isImpersonationHeader`
 * @throws Fault `invalid_request` when two ask, or one asks for something that cannot be written as headers
 */
export function impersonationHeaders(sources: {
  readonly own: ImpersonatedIdentity | undefined;
  readonly kas: ImpersonatedIdentity | undefined;
  readonly client: readonly (readonly [name: string, value: string])[];
}): (readonly [name: string, value: string])[] {
  const asking = [sources.own, sources.kas, sources.client.length > 0 ? sources.client : undefined].filter(
    (source) => source !== undefined,
  );
  if (asking.length > 1)
    throw new Fault(
      "invalid_request",
      "impersonation was requested by more than one of: the agent's kubeconfig, kas, the request's headers",
    );
  const identity = sources.own ?? sources.kas;
  if (identity) return headersOfIdentity(identity);
  for (const [name] of sources.client) {
    if (!CLIENT_HEADER.test(name.toLowerCase()))
      throw new Fault("invalid_request", `header ${name} looks like impersonation but is none that is known`);
  }
  return [...sources.client];
}

function headersOfIdentity(identity: ImpersonatedIdentity): (readonly [string, string])[] {
  if (identity.username === "") throw new Fault("invalid_request", "impersonation needs a user name");
  const lines: (readonly [string, string])[] = [["Impersonate-User", identity.username]];
  for (const group of identity.groups) lines.push(["Impersonate-Group", group]);
  if (identity.uid !== "") lines.push(["Impersonate-Uid", identity.uid]);
  for (const [key, values] of identity.extra) for (const value of values) lines.push([`Impersonate-Extra-${escapeExtraKey(key)}`, value]);
  return lines;
}

/** Bytes that no header name may hold, and the percent sign, become percent escapes; the API server takes them back. */
function escapeExtraKey(key: string): string {
  let text = "";
  for (const byte of Buffer.from(key, "utf8")) {
    const letter = String.fromCharCode(byte);
    text += /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}
