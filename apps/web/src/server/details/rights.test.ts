import { expect, test } from "vitest";

import { madeObject, detailLines } from "./testing/detail-lines.ts";

test("a ServiceAccount tells its Secrets, and whether its pods get its token", () => {
  const account = madeObject("v1 ServiceAccount", { imagePullSecrets: [{ name: "pull" }], automountServiceAccountToken: false });
  expect(detailLines(account)).toEqual(["Token: not given to its pods", "Pulls images with: →/Secret/shop/pull"]);
});

test("a role tells what may be done with what", () => {
  const rules = [
    { apiGroups: ["", "apps"], resources: ["pods"], verbs: ["get", "list"] },
    { apiGroups: [""], resources: ["secrets"], resourceNames: ["till"], verbs: ["*"] },
    { nonResourceURLs: ["/metrics"], verbs: ["get"] },
  ];
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { view: "true" } }] };
  expect(detailLines(madeObject("rbac.authorization.k8s.io/v1 ClusterRole", { rules, aggregationRule }))).toEqual([
    "Combined of roles with: view=true",
    "# Rules",
    "get, list: pods | pods.apps",
    "everything: secrets | only till",
    "get: /metrics",
  ]);
});

test("a binding tells who has which role", () => {
  const roleRef = { kind: "ClusterRole", name: "view" };
  const subjects = [
    { kind: "ServiceAccount", name: "bot", namespace: "ci" },
    { kind: "Group", name: "devs" },
  ];
  const binding = madeObject("rbac.authorization.k8s.io/v1 RoleBinding", { roleRef, subjects });
  expect(detailLines(binding)).toEqual([
    "Role: →rbac.authorization.k8s.io/ClusterRole//view",
    "Given to: →/ServiceAccount/ci/bot | Group devs",
  ]);
  expect(detailLines({ ...binding, subjects: null })).toContain("Given to: none");
});
