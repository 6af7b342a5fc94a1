import { badRequest, notImplemented } from "./api-error.ts";
import { timestampOf } from "./api-object.ts";
import { readValue } from "./decode-object.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { isTree, listIn, textIn, treeIn, type Tree } from "./json-tree.ts";
import type { User } from "./identity.ts";
import type { Attributes, Rbac } from "./rbac.ts";
import { apiVersionOf, type ResourceDefinition } from "./resource-definition.ts";
import type { Tokens } from "./tokens.ts";

/** What reviews are answered from. */
export interface ReviewParts {
  readonly rbac: Rbac;
  readonly tokens: Tokens;
  readonly now: number;
}

/** POST on the kinds of authentication.k8s.io and authorization.k8s.io: questions that store nothing. @throws ApiError 400, 501 */
export async function answerReview(exchange: Exchange, of: ResourceDefinition, parts: ReviewParts): Promise<Answer> {
  const body = await readValue(exchange);
  const spec = treeIn(body, "spec");
  const status = statusOf(exchange, of, { ...parts, spec });
  const metadata = of.kind === "SelfSubjectReview" ? { creationTimestamp: timestampOf(parts.now) } : {};
  const answer = { kind: of.kind, apiVersion: apiVersionOf(of), metadata, ...(of.kind === "SelfSubjectReview" ? {} : { spec }), status };
  return { code: 201, body: JSON.stringify(answer) };
}

function statusOf(exchange: Exchange, of: ResourceDefinition, parts: ReviewParts & { readonly spec: Tree }): Tree {
  const { rbac, spec, tokens } = parts;
  switch (of.kind) {
    case "SelfSubjectReview":
      return { userInfo: userInfo(exchange.user) };
    case "SelfSubjectAccessReview":
      return accessStatus(rbac, exchange.user, attributesOf(spec));
    case "SubjectAccessReview":
    case "LocalSubjectAccessReview":
      return accessStatus(rbac, subjectOf(spec), attributesOf(spec));
    case "SelfSubjectRulesReview":
      return rulesStatus(rbac, exchange.user, namespaceOf(spec));
    case "TokenReview": {
      const user = tokens.userOf(textIn(spec, "token") ?? "");
      return user ? { authenticated: true, user: userInfo(user) } : { user: {}, error: "invalid bearer token" };
    }
    default:
      throw notImplemented(`the kind ${of.kind}`);
  }
}

function userInfo(user: User): Tree {
  return {
    username: user.name,
    ...(user.uid === "" ? {} : { uid: user.uid }),
    groups: user.groups,
    ...(Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
  };
}

function subjectOf(spec: Tree): User {
  const groups = listIn(spec, "groups").filter((one): one is string => typeof one === "string");
  return { name: textIn(spec, "user") ?? "", uid: textIn(spec, "uid") ?? "", groups, extra: {} };
}

function attributesOf(spec: Tree): Attributes {
  const other = spec["nonResourceAttributes"];
  if (isTree(other)) return { verb: textIn(other, "verb") ?? "", group: "", resource: "", path: textIn(other, "path") ?? "" };
  const wanted = treeIn(spec, "resourceAttributes");
  const given = (field: "namespace" | "name" | "subresource"): Partial<Attributes> => {
    const value = textIn(wanted, field) ?? "";
    return value === "" ? {} : { [field]: value };
  };
  return {
    verb: textIn(wanted, "verb") ?? "",
    group: textIn(wanted, "group") ?? "",
    resource: textIn(wanted, "resource") ?? "",
    ...given("namespace"),
    ...given("name"),
    ...given("subresource"),
  };
}

/** @throws ApiError 400 */
function namespaceOf(spec: Tree): string {
  const namespace = textIn(spec, "namespace") ?? "";
  if (namespace === "") throw badRequest("no namespace on request");
  return namespace;
}

function accessStatus(rbac: Rbac, user: User, wanted: Attributes): Tree {
  return rbac.isAllowed(user, wanted) ? { allowed: true, reason: "RBAC: allowed by a role of the user" } : { allowed: false };
}

function rulesStatus(rbac: Rbac, user: User, namespace: string): Tree {
  const master = user.groups.includes("system:masters");
  const all = { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] };
  const paths = { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] };
  const rules = master ? [all, paths] : rbac.rulesFor(user, namespace);
  return {
    resourceRules: rules
      .filter((rule) => rule.resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames.length > 0 ? { resourceNames } : {}),
      })),
    nonResourceRules: rules
      .filter((rule) => rule.nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: false,
  };
}
