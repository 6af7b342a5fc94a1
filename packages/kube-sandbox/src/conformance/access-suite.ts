import { beforeAll, describe, expect, test, vi } from "vitest";

import { listIn, textIn, valueIn, type Tree } from "../json-tree.ts";
import { answerOnce, type ConformanceClient } from "./client.ts";
import type { SuiteContext } from "./suite-context.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const API = "rbac.authorization.k8s.io/v1";

/** Tokens, roles, impersonation, reviews. */
export function describeAccess(context: SuiteContext): void {
  describe("access", () => {
    let robot: ConformanceClient;
    const pods = (): string => `/api/v1/namespaces/${context.namespace}/pods`;
    const role = (kind: string, name: string, rules: Tree[]): Tree => ({ apiVersion: API, kind, metadata: { name }, rules });
    const binding = (kind: string, name: string, parts: { readonly role: Tree; readonly subjects: Tree[] }): Tree => ({
      apiVersion: API,
      kind,
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: parts.role["kind"], name: textIn(parts.role, "metadata", "name") },
      subjects: parts.subjects,
    });
    const robotSubject = (): Tree => ({ kind: "ServiceAccount", name: "robot", namespace: context.namespace });

    beforeAll(async () => {
      const accounts = `/api/v1/namespaces/${context.namespace}/serviceaccounts`;
      await context.client.post(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } });
      const answer = await context.client.post(`${accounts}/robot/token`, {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { expirationSeconds: 600 },
      });
      expect(answer.code).toBe(201);
      robot = context.client.as({ authorization: `Bearer ${textIn(answer.body, "status", "token")}` });
    });

    test("without a good token is refused", async () => {
      expect((await context.client.as({ authorization: "Bearer nonsense" }).get(pods())).body).toMatchObject({
        kind: "Status",
        code: 401,
        reason: "Unauthorized",
      });
    });

    test("of a ServiceAccount starts with nothing, in the API server's words", async () => {
      const user = `system:serviceaccount:${context.namespace}:robot`;
      const answer = await robot.get(pods());
      expect(answer.body).toMatchObject({
        code: 403,
        reason: "Forbidden",
        details: { kind: "pods" },
        message: `pods is forbidden: User "${user}" cannot list resource "pods" in API group "" in the namespace "${context.namespace}"`,
      });
      expect(textIn((await robot.get("/api/v1/nodes/a")).body, "message")).toBe(
        `nodes "a" is forbidden: User "${user}" cannot get resource "nodes" in API group "" at the cluster scope`,
      );
      expect((await robot.get("/version")).code).toBe(200);
    });

    test("comes with a role and its binding, and only as far as they go", async () => {
      const reader = role("Role", "reader", [{ apiGroups: [""], resources: ["configmaps"], resourceNames: ["readable"], verbs: ["get"] }]);
      await context.client.post(`${RBAC}/namespaces/${context.namespace}/roles`, reader);
      await context.client.post(
        `${RBAC}/namespaces/${context.namespace}/rolebindings`,
        binding("RoleBinding", "reader", { role: reader, subjects: [robotSubject()] }),
      );
      await context.client.post(`/api/v1/namespaces/${context.namespace}/configmaps`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: "readable" },
      });
      const maps = `/api/v1/namespaces/${context.namespace}/configmaps`;
      expect((await answerOnce(200, () => robot.get(`${maps}/readable`))).code).toBe(200);
      expect((await robot.get(`${maps}/other`)).code).toBe(403);
      expect((await robot.get(maps)).code).toBe(403);
      expect((await robot.delete(`${maps}/readable`)).code).toBe(403);
    });

    test("grows with a ClusterRole that aggregates to view", async () => {
      const group = `${context.namespace}.example.test`;
      const view: Tree = { kind: "ClusterRole", metadata: { name: "view" } };
      await context.client.post(
        `${RBAC}/namespaces/${context.namespace}/rolebindings`,
        binding("RoleBinding", "viewer", { role: view, subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "vera" }] }),
      );
      const name = `${context.namespace}-things`;
      await context.client.post(`${RBAC}/clusterroles`, {
        ...role("ClusterRole", name, [{ apiGroups: [group], resources: ["things"], verbs: ["list"] }]),
        metadata: { name, labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" } },
      });
      await context.client.object(`${RBAC}/clusterroles`, "view", (object) => JSON.stringify(object["rules"]).includes(group));
      const vera = context.client.as({ "impersonate-user": "vera" });
      expect((await answerOnce(200, () => vera.get(pods()))).code).toBe(200);
      const secrets = await vera.get(`/api/v1/namespaces/${context.namespace}/secrets`);
      expect(secrets.code).toBe(403);
      await context.client.delete(`${RBAC}/clusterroles/${name}`);
    });

    test("as another user needs the right to impersonate that user and each group", async () => {
      expect((await robot.as({ "impersonate-user": "vera" }).get(pods())).code).toBe(403);
      const right = role("ClusterRole", `${context.namespace}-impersonate`, [
        { apiGroups: [""], resources: ["users", "groups"], verbs: ["impersonate"], resourceNames: ["vera", "readers"] },
        { apiGroups: ["authentication.k8s.io"], resources: ["userextras/reason"], verbs: ["impersonate"] },
      ]);
      await context.client.post(`${RBAC}/clusterroles`, right);
      await context.client.post(
        `${RBAC}/clusterrolebindings`,
        binding("ClusterRoleBinding", `${context.namespace}-impersonate`, { role: right, subjects: [robotSubject()] }),
      );
      const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
      const posing = robot.as({ "impersonate-user": "vera", "impersonate-group": ["readers"], "impersonate-extra-reason": "test" });
      const asVera = await answerOnce(201, () => posing.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", review));
      expect(asVera.body).toMatchObject({ status: { userInfo: { username: "vera", extra: { reason: ["test"] } } } });
      expect(listIn(asVera.body, "status", "userInfo", "groups").map(String).toSorted()).toEqual(["readers", "system:authenticated"]);
      expect((await robot.as({ "impersonate-user": "vera", "impersonate-group": ["others"] }).get(pods())).code).toBe(403);
      expect((await robot.as({ "impersonate-user": "walter" }).get(pods())).code).toBe(403);
    });

    test("is reported by reviews", async () => {
      const ask = async (verb: string, resource: string): Promise<unknown> => {
        const spec = { resourceAttributes: { verb, resource, namespace: context.namespace } };
        const answer = await context.client
          .as({ "impersonate-user": "vera" })
          .post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
            apiVersion: "authorization.k8s.io/v1",
            kind: "SelfSubjectAccessReview",
            spec,
          });
        return valueIn(answer.body, "status", "allowed");
      };
      expect(await ask("list", "pods")).toBe(true);
      expect(await ask("delete", "pods")).toBe(false);
      const rules = await context.client.as({ "impersonate-user": "vera" }).post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectRulesReview",
        spec: { namespace: context.namespace },
      });
      expect(listIn(rules.body, "status", "resourceRules").some((rule) => listIn(rule, "resources").includes("pods/log"))).toBe(true);
    });

    test("is listed by a review of rules, for the impersonated user, in one namespace", async () => {
      const review = (user: string, spec: Tree) =>
        context.client.as({ "impersonate-user": user }).post("/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", {
          apiVersion: "authorization.k8s.io/v1",
          kind: "SelfSubjectRulesReview",
          spec,
        });
      const rules = [
        { apiGroups: ["apps"], resources: ["*/scale"], verbs: ["patch"] },
        { apiGroups: [""], resources: ["configmaps"], resourceNames: ["readable"], verbs: ["*"] },
      ];
      const lister = role("Role", "lister", rules);
      await context.client.post(`${RBAC}/namespaces/${context.namespace}/roles`, lister);
      const subjects: Tree[] = [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "lena" }];
      const bound = binding("RoleBinding", "lister", { role: lister, subjects });
      await context.client.post(`${RBAC}/namespaces/${context.namespace}/rolebindings`, bound);
      const listed = async (user: string, namespace: string): Promise<unknown[]> => {
        const { code, body } = await review(user, { namespace });
        expect(code).toBe(201);
        expect(valueIn(body, "status", "incomplete")).toBe(false);
        return listIn(body, "status", "resourceRules").filter((rule) => /scale|configmaps/.test(JSON.stringify(rule)));
      };
      // A real server follows bindings by a watch.
      await vi.waitFor(async () => {
        const found = await listed("lena", context.namespace);
        expect(found).toHaveLength(rules.length);
        expect(found).toEqual(expect.arrayContaining(rules));
      }, 10_000);
      expect(await listed("lena", "default")).toEqual([]);
      expect(await listed("nora", context.namespace)).toEqual([]);
      expect((await review("lena", {})).body).toMatchObject({ code: 400, reason: "BadRequest", message: "no namespace on request" });
    });

    test("of a deleted ServiceAccount ends", async () => {
      const accounts = `/api/v1/namespaces/${context.namespace}/serviceaccounts`;
      await context.client.post(accounts, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "brief" } });
      const token = textIn(
        (await context.client.post(`${accounts}/brief/token`, { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} }))
          .body,
        "status",
        "token",
      );
      await context.client.delete(`${accounts}/brief`);
      // Not used before: a real server remembers good tokens for some seconds.
      const brief = context.client.as({ authorization: `Bearer ${token}` });
      expect((await answerOnce(401, () => brief.get("/version"))).code).toBe(401);
    });
  });
}
