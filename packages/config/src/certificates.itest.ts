import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { certificateFileName, keyFitsCertificate, privateKeyFileName } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "config-tls-"));
const path = (name: string): string => join(folder, name);
beforeAll(() => {
  const openssl = "openssl";
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=test"];
  for (const name of ["a", "b"]) {
    execFileSync(openssl, ["req", "-x509", ...key, "-keyout", path(`${name}.key`), "-out", path(`${name}.pem`)], { stdio: "ignore" });
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a real certificate and its key are what they should be", () => {
  expect(certificateFileName.parse(path("a.pem"))).toBe(path("a.pem"));
  expect(privateKeyFileName.parse(path("a.key"))).toBe(path("a.key"));
  expect(keyFitsCertificate(path("a.pem"), path("a.key"))).toBe(true);
});

test("a key of another certificate does not fit", () => {
  expect(keyFitsCertificate(path("a.pem"), path("b.key"))).toBe(false);
});

test("a file that cannot be read is no second mistake", () => {
  expect(keyFitsCertificate(path("absent"), path("a.key"))).toBe(true);
});
