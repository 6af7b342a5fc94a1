import type { KubeObject } from "@binnacle/kube";
import { selfSigned } from "@binnacle/testing";
import { beforeAll, expect, test } from "vitest";

import { readCertificate } from "./read-certificate.ts";

const DAY_MS = 24 * 60 * 60_000;
const NAMES = ["DNS:shop.example.com", "DNS:*.Example.com", "DNS:xn--bcher-kva.example", "IP:10.0.0.1", "IP:::1", "email:a@example.com"];

let made: { readonly certificate: string; readonly key: string };
let short: { readonly certificate: string; readonly key: string };

beforeAll(() => {
  made = selfSigned(NAMES, 30);
  short = selfSigned(["DNS:issuer.example.com"], 3);
});

function secret(pem: string, more: object = {}): KubeObject {
  const data = { "tls.crt": Buffer.from(pem).toString("base64"), "tls.key": Buffer.from(made.key).toString("base64") };
  return { apiVersion: "v1", kind: "Secret", metadata: { name: "tls" }, type: "kubernetes.io/tls", data, ...more };
}

test("names and validity are those of the first certificate, and nothing else is answered", () => {
  const read = readCertificate(secret(made.certificate));
  expect(Object.keys(read).toSorted()).toEqual(["names", "notAfter", "notBefore", "state"]);
  expect(read.names).toEqual(["shop.example.com", "*.example.com", "xn--bcher-kva.example", "10.0.0.1", "0:0:0:0:0:0:0:1"]);
  expect(Date.parse(read.notAfter ?? "") - Date.parse(read.notBefore ?? "")).toBe(30 * DAY_MS);
});

test("of a chain the earliest end is known, and of one of a thousand only the beginning is read", () => {
  const read = readCertificate(secret(made.certificate + made.certificate + short.certificate));
  expect(Date.parse(read.notAfter ?? "") - Date.parse(read.chainNotAfter ?? "")).toBeGreaterThan(26 * DAY_MS);
  const long = readCertificate(secret(made.certificate.repeat(1_000) + short.certificate));
  expect(long.chainNotAfter).toBe(long.notAfter);
});

test("the common name is no name of a host", () => {
  expect(readCertificate(secret(selfSigned([]).certificate)).names).toEqual([]);
});

test("text before the certificate, and garbage after it, are no matter", () => {
  expect(
    readCertificate(secret(`Bag Attributes\n${made.certificate}-----BEGIN CERTIFICATE-----\ncanary\n-----END CERTIFICATE-----\n`)),
  ).toEqual(readCertificate(secret(made.certificate)));
});

test("what holds no certificate is unreadable, and says nothing of what it holds", () => {
  const block = (text: string): string => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
  const megabyte = "canary!\n".repeat(131_072);
  for (const pem of ["", "canary", made.key, block("canary"), block(megabyte), megabyte, "-----BEGIN CERTIFICATE-----".repeat(30_000)])
    expect(readCertificate(secret(pem))).toEqual({ state: "unreadable" });
  for (const data of [undefined, null, 7, [], { "tls.crt": 7 }, { "tls.crt": "%%%" }, {}])
    expect(readCertificate(secret("", { data }))).toEqual({ state: "unreadable" });
});

test("a Secret of another type is not looked into", () => {
  expect(readCertificate(secret(made.certificate, { type: "Opaque" }))).toEqual({ state: "wrong-type" });
  expect(readCertificate(secret(made.certificate, { type: undefined }))).toEqual({ state: "wrong-type" });
});
