import type { KubeObject } from "@binnacle/kube";
import { expect, test } from "vitest";

import { productsOf } from "./products.ts";

function madeBy(of: string, spec: object): string[] {
  const [apiVersion = "", kind = ""] = of.split(" ");
  const object: KubeObject = { apiVersion, kind, metadata: { name: "a", namespace: "env" }, spec };
  return productsOf(object).map((key) => `${key.kind} ${key.namespace}/${key.name}`);
}

test.each<[string, object, string[]]>([
  ["cert-manager.io/v1 Certificate", { secretName: "tls", issuerRef: { name: "i" } }, ["Secret env/tls"]],
  ["external-secrets.io/v1 ExternalSecret", { target: { name: "login" } }, ["Secret env/login"]],
  ["external-secrets.io/v1 ExternalSecret", {}, ["Secret env/a"]],
  ["vault.example/v1 VaultStaticSecret", { destination: { name: "login" } }, ["Secret env/login"]],
  ["bitnami.example/v1 SealedSecret", {}, ["Secret env/a"]],
  ["db.example/v1 Database", { writeConnectionSecretToRef: { name: "conn", namespace: "app" } }, ["Secret app/conn"]],
  ["db.example/v1 Database", { outputSecretName: "conn" }, ["Secret env/conn"]],
  ["external-secrets.io/v1 PushSecret", {}, []],
  ["db.example/v1 Database", { secretName: "given" }, []],
  ["apps/v1 Deployment", { secretName: "given" }, []],
  ["gateway.networking.k8s.io/v1 Gateway", { outputSecretName: "given" }, []],
])("%s with %j makes %j", (of, spec, products) => {
  expect(madeBy(of, spec)).toEqual(products);
});

test("what is written into no namespace, or has no name, is no object", () => {
  const cluster: KubeObject = { apiVersion: "x.example/v1", kind: "SealedSecret", metadata: { name: "a" }, spec: {} };
  expect(productsOf(cluster)).toEqual([]);
  expect(madeBy("db.example/v1 Database", { writeConnectionSecretToRef: {} })).toEqual([]);
});
