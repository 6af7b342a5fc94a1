import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { findAssets } from "./index.ts";

test("an empty name is an error that names the variable", () => {
  expect(() => findAssets("")).toThrow(/set KUBEBUILDER_ASSETS/);
});

test("every missing program is named", () => {
  const dir = mkdtempSync(join(tmpdir(), "assets-"));
  try {
    writeFileSync(join(dir, "etcd"), "", { mode: 0o755 });
    expect(() => findAssets(dir)).toThrow(/lacks kube-apiserver, kube-controller-manager, kube-scheduler, kubectl, kwok$/);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
