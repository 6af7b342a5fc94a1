import { create } from "@bufbuild/protobuf";
import { ResourceRefSchema } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { kubectlText, namesText } from "./choice-bar.tsx";

type Written = readonly [group: string, resource: string, namespace: string, name: string];

const refOf = ([group, resource, namespace, name]: Written) =>
  create(ResourceRefSchema, { group, resource, kind: "Thing", namespace, name });

test("chosen rows are copied as names, and as one kubectl for each namespace", () => {
  const refs = [
    refOf(["apps", "deployments", "shop", "web"]),
    refOf(["", "pods", "shop", "web-0"]),
    refOf(["", "namespaces", "", "shop"]),
    refOf(["", "pods", "db", "pg-0"]),
  ];
  expect(namesText(refs)).toBe("web\nweb-0\nshop\npg-0");
  expect(kubectlText(refs)).toBe(
    "kubectl get -n shop deployments.apps/web pods/web-0\nkubectl get namespaces/shop\nkubectl get -n db pods/pg-0",
  );
});

test("no name ends its word in a shell", () => {
  expect(kubectlText([refOf(["rbac", "roles", "", "a'; rm -rf ~ #"])])).toBe(String.raw`kubectl get 'roles.rbac/a'\''; rm -rf ~ #'`);
  expect(kubectlText([refOf(["rbac", "roles", "", "system:node"])])).toBe("kubectl get roles.rbac/system:node");
});
