import { expect, test } from "vitest";

import { actionOf } from "./audited-action.ts";

test.each([
  ["GET", "/api/v1/pods", "", { verb: "list", apiGroup: "", resource: "pods" }],
  ["HEAD", "/api/v1/pods", "", { verb: "list", apiGroup: "", resource: "pods" }],
  ["GET", "/api/v1/pods", "watch=1", { verb: "watch", apiGroup: "", resource: "pods" }],
  ["GET", "/api/v1/watch/namespaces/a/pods", "", { verb: "watch", apiGroup: "", resource: "pods", namespace: "a" }],
  ["GET", "/api/v1/namespaces/a/pods/p", "watch=true", { verb: "get", apiGroup: "", resource: "pods", namespace: "a", name: "p" }],
  [
    "GET",
    "/api/v1/namespaces/a/pods/p/log",
    "follow=true",
    { verb: "get", apiGroup: "", resource: "pods", subresource: "log", namespace: "a", name: "p" },
  ],
  [
    "POST",
    "/api/v1/namespaces/a/pods/p/exec",
    "command=psql+-p+secret&command=secret&command=&container=c",
    {
      verb: "connect",
      apiGroup: "",
      resource: "pods",
      subresource: "exec",
      namespace: "a",
      name: "p",
      container: "c",
      program: "psql",
      programArguments: 2,
    },
  ],
  [
    "GET",
    "/api/v1/namespaces/a/pods/p/portforward",
    "ports=80",
    { verb: "connect", apiGroup: "", resource: "pods", subresource: "portforward", namespace: "a", name: "p" },
  ],
  [
    "GET",
    "/api/v1/namespaces/a/services/s:80/proxy/admin",
    "",
    { verb: "connect", apiGroup: "", resource: "services", subresource: "proxy", namespace: "a", name: "s:80" },
  ],
  ["POST", "/apis/apps/v1/namespaces/a/deployments", "", { verb: "create", apiGroup: "apps", resource: "deployments", namespace: "a" }],
  [
    "PATCH",
    "/apis/apps/v1/namespaces/a/deployments/d/scale",
    "",
    { verb: "patch", apiGroup: "apps", resource: "deployments", subresource: "scale", namespace: "a", name: "d" },
  ],
  ["PUT", "/api/v1/nodes/n/status", "", { verb: "update", apiGroup: "", resource: "nodes", subresource: "status", name: "n" }],
  ["DELETE", "/api/v1/namespaces/a/pods/p", "", { verb: "delete", apiGroup: "", resource: "pods", namespace: "a", name: "p" }],
  ["DELETE", "/api/v1/namespaces/a/pods", "", { verb: "deletecollection", apiGroup: "", resource: "pods", namespace: "a" }],
  ["GET", "/api/v1/namespaces/a", "", { verb: "get", apiGroup: "", resource: "namespaces", namespace: "a", name: "a" }],
  [
    "PUT",
    "/api/v1/namespaces/a/finalize",
    "",
    { verb: "update", apiGroup: "", resource: "namespaces", subresource: "finalize", namespace: "a", name: "a" },
  ],
  ["GET", "/api/v1/namespaces", "", { verb: "list", apiGroup: "", resource: "namespaces" }],
  ["GET", "/version", "", { verb: "get" }],
  ["POST", "/secret-path/x", "", { verb: "post" }],
  ["GET", "/api/v1", "", { verb: "get" }],
  ["GET", "/apis/apps/v1", "", { verb: "get" }],
])("%s %s?%s is recorded as Kubernetes' audit reads it", (...[method, path, query, action]) => {
  expect(actionOf(method, path, new URLSearchParams(query))).toEqual(action);
});
