import { ApiError } from "./api-error.ts";
import { parseServiceAccount, serviceAccountUser, type User } from "./identity.ts";
import type { Rbac } from "./rbac.ts";

/**
 * The user a request asks to act as; `undefined` when it does not.
 *
 * @param headers one entry per header name; repeated headers as a list (`req.headersDistinct`)
 * @throws ApiError 403 when the caller may not impersonate, 500 (as the API server does) for groups without a user
 */
export function impersonatedUser(headers: NodeJS.Dict<string[]>, caller: User, rbac: Rbac): User | undefined {
  const name = headers["impersonate-user"]?.[0] ?? "";
  const uid = headers["impersonate-uid"]?.[0] ?? "";
  const groups = headers["impersonate-group"] ?? [];
  const extra: Record<string, string[]> = {};
  for (const [header, values] of Object.entries(headers)) {
    if (header.startsWith("impersonate-extra-") && values) extra[decodeURIComponent(header.slice("impersonate-extra-".length))] = values;
  }
  if (name === "") {
    if (uid === "" && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
    throw new ApiError(
      500,
      "InternalError",
      "Internal error occurred: requested impersonation of groups, uid or extra without impersonating a user",
    );
  }
  const account = parseServiceAccount(name);
  if (account)
    rbac.require(caller, { verb: "impersonate", group: "", resource: "serviceaccounts", namespace: account.namespace, name: account.name });
  else rbac.require(caller, { verb: "impersonate", group: "", resource: "users", name });
  for (const group of groups) rbac.require(caller, { verb: "impersonate", group: "", resource: "groups", name: group });
  if (uid !== "") rbac.require(caller, { verb: "impersonate", group: "authentication.k8s.io", resource: "uids", name: uid });
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values) {
      rbac.require(caller, { verb: "impersonate", group: "authentication.k8s.io", resource: "userextras", subresource: key, name: value });
    }
  }
  const own = groups.length === 0 && account ? serviceAccountUser(account.namespace, account.name).groups : groups;
  const everyone = name === "system:anonymous" ? "system:unauthenticated" : "system:authenticated";
  return { name, uid, groups: own.includes(everyone) ? own : [...own, everyone], extra };
}
