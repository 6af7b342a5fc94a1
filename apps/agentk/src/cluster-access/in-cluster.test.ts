import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Clock } from "@binnacle/rpc";
import { afterEach, beforeEach, expect, test } from "vitest";

import { inClusterAccess } from "./in-cluster.ts";

let directory: string;
let nowMs = 0;
const clock: Clock = { now: () => nowMs, after: () => () => {} };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "sa-"));
  writeFileSync(join(directory, "token"), "first\n");
  writeFileSync(join(directory, "ca.crt"), "PEM 1");
});

afterEach(() => rmSync(directory, { recursive: true }));

test("token and authority are read again after they were replaced", () => {
  const access = inClusterAccess({ host: "10.0.0.1", port: "443", clock, directory });
  expect(access.server.href).toBe("https://10.0.0.1/");
  expect(access.authorization()).toBe("Bearer first");
  const tls = access.tls();
  expect(tls.ca).toBe("PEM 1");
  writeFileSync(join(directory, "token"), "second");
  writeFileSync(join(directory, "ca.crt"), "PEM 2");
  nowMs += 9_000;
  expect(access.authorization()).toBe("Bearer first");
  expect(access.tls()).toBe(tls);
  nowMs += 2_000;
  expect(access.authorization()).toBe("Bearer second");
  expect(access.tls()).toMatchObject({ ca: "PEM 2" });
});

test("a token that was refused is read again at once; one that is gone for a moment stays", () => {
  const access = inClusterAccess({ host: "fd00::1", port: "6443", clock, directory });
  expect(access.server.host).toBe("[fd00::1]:6443");
  expect(access.authorization()).toBe("Bearer first");
  writeFileSync(join(directory, "token"), "second");
  access.refused();
  expect(access.authorization()).toBe("Bearer second");
  rmSync(join(directory, "token"));
  access.refused();
  expect(access.authorization()).toBe("Bearer second");
});

test("outside of a cluster, or without the ServiceAccount, it says what is missing", () => {
  expect(() => inClusterAccess({ host: undefined, port: undefined, clock, directory })).toThrow("--kubeconfig");
  rmSync(join(directory, "ca.crt"));
  expect(() => inClusterAccess({ host: "h", port: "1", clock, directory })).toThrow("ca.crt is missing");
});
