import { expect, test } from "vitest";

import type { KubeObject } from "./kube-object.ts";
import { maskSecret } from "./mask-secret.ts";

const VALUE = "canary-5f2e";
const ENCODED = btoa(VALUE);
const manifest = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, data: { password: ENCODED } };

function secret(annotations: Readonly<Record<string, string>>): KubeObject {
  const metadata = { name: "s", annotations, managedFields: [{}] };
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata,
    data: { password: ENCODED },
  };
}

function annotationsOf(object: KubeObject): unknown {
  return maskSecret(object).metadata.annotations;
}

test("values are masked, keys stay, and the input is left alone", () => {
  const object = secret({ keep: "1" });
  const before = structuredClone(object);
  expect(maskSecret(object)).toEqual({ ...manifest, metadata: { name: "s", annotations: { keep: "1" } }, data: { password: "*****" } });
  expect(object).toEqual(before);
});

test.each([
  ["kubectl", "kubectl.kubernetes.io/last-applied-configuration", JSON.stringify(manifest)],
  ["kapp", "kapp.k14s.io/original", JSON.stringify(manifest)],
  ["kapp's diff", "kapp.k14s.io/original-diff", `- op: replace\n  path: /data/password\n  value: ${VALUE}`],
  ["rancher", "objectset.rio.cattle.io/applied", "H4sIAAAAAAAA/".padEnd(300, "x")],
  ["rancher, short", "objectset.rio.cattle.io/applied", JSON.stringify({ data: { password: ENCODED } })],
  ["a copy of an earlier value", "example.com/applied", '{"data":{"password":"b2xk"}}'],
  ["a copy in a copy", "example.com/applied", JSON.stringify(JSON.stringify({ data: { password: "b2xk" } }))],
  ["a copy in YAML", "example.com/applied", "kind: Secret\nstringData:\n  password: old"],
  ["a copy in base64", "example.com/applied", btoa(JSON.stringify({ x: VALUE }))],
  ["a copy of an earlier value in base64", "example.com/applied", btoa('{"data":{"password":"b2xk"}}')],
  ["the plain value", "example.com/note", `the password is ${VALUE}`],
  ["the value in base64", "example.com/note", ENCODED],
  ["the value in base64 without padding", "example.com/note", ENCODED.replace(/=+$/, "")],
  ["the value in base64 twice", "example.com/note", btoa(ENCODED)],
  ["something long", "example.com/note", "x".repeat(257)],
])("XM1: %s is not shown in an annotation of a Secret", (_, key, text) => {
  const shown = JSON.stringify(maskSecret(secret({ [key]: text, "app.kubernetes.io/name": "till" })));
  for (const form of [VALUE, ENCODED.replace(/=+$/, ""), text]) expect(shown).not.toContain(form);
  expect(shown).toContain('"app.kubernetes.io/name":"till"');
});

test("XM1: a value of many lines is found as JSON writes it", () => {
  const object = { ...secret({ note: JSON.stringify('one\n"two"') }), data: {}, stringData: { pem: 'one\n"two"' } };
  expect(annotationsOf(object)).toEqual({ note: "*****" });
});

test("XM1: of a Secret in an odd shape nothing is shown either", () => {
  const odd = { ...manifest, metadata: { name: "s", annotations: VALUE }, data: VALUE, stringData: [VALUE] };
  // What a hostile cluster sends need not be what the type says.
  expect(JSON.stringify(maskSecret(odd as unknown as KubeObject))).not.toContain(VALUE);
});

test("XM1, T14: however many values and annotations there are, masking ends soon", () => {
  const many = (text: string): Record<string, string> =>
    Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, text]));
  expect(new Set(Object.values(maskSecret({ ...secret(many("free")), data: many(ENCODED) }).metadata.annotations ?? {}))).toEqual(
    new Set(["*****"]),
  );
  const long = { ...secret({ keep: "1" }), data: { long: btoa("x".repeat(1_000_000)) } };
  expect(annotationsOf(long)).toEqual({ keep: "1" });
});

test("XM1: an ordinary annotation is shown, and an empty value hides nothing", () => {
  const object = { ...secret({ "meta.helm.sh/release-name": "till", empty: "" }), data: { empty: "" } };
  expect(annotationsOf(object)).toEqual({ "meta.helm.sh/release-name": "till", empty: "" });
});
