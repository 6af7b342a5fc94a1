// needs: control-plane
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, expect, test } from "vitest";

import { findAssets, startControlPlane } from "./index.ts";

const root = mkdtempSync(join(tmpdir(), "control-plane-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A process that has ended but was not yet collected by init has no executable any more. */
function isRunning(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) !== "";
  } catch {
    return false;
  }
}

async function kubectl(kubeconfig: string, ...argv: readonly string[]): Promise<string> {
  const program = join(findAssets(), "kubectl");
  const { stdout } = await promisify(execFile)(program, ["--kubeconfig", kubeconfig, ...argv]);
  return stdout;
}

test("two control planes run side by side, each with its own objects, and stop without leaving a process", async () => {
  const [a, b] = await Promise.all([
    startControlPlane({ dir: join(root, "a"), nodes: 1, audit: true }),
    startControlPlane({ dir: join(root, "b"), apiServerOnly: true }),
  ]);
  try {
    expect(a.server).not.toBe(b.server);
    await kubectl(a.kubeconfig, "create", "namespace", "only-in-a");
    expect(await kubectl(a.kubeconfig, "get", "namespaces", "-o", "name")).toContain("namespace/only-in-a");
    expect(await kubectl(b.tokenKubeconfig, "get", "namespaces", "-o", "name")).not.toContain("only-in-a");
    expect((await kubectl(a.kubeconfig, "get", "nodes", "-o", "name")).trim()).toBe("node/bench-1");
    expect(Object.keys(a.pids).sort()).toEqual(["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok"]);
    expect(Object.keys(b.pids).sort()).toEqual(["etcd", "kube-apiserver"]);
    expect(readFileSync(a.auditLog ?? "", "utf8")).toContain("only-in-a");
    expect(b.auditLog).toBeUndefined();
  } finally {
    await Promise.all([a.stop(), b.stop()]);
  }
  const left = [...Object.values(a.pids), ...Object.values(b.pids)].filter(isRunning);
  expect(left).toEqual([]);
});

test("a start that is aborted half-way leaves no process", async () => {
  const stop = new AbortController();
  const dir = join(root, "aborted");
  let pids: number[] = [];
  const starting = startControlPlane({
    dir,
    nodes: 1,
    signal: stop.signal,
    log: (line) => {
      if (!line.startsWith("kube-apiserver ready")) return;
      pids = ["etcd", "kube-apiserver"].map((name) => Number.parseInt(readFileSync(join(dir, "pid", `${name}.pid`), "utf8"), 10));
      stop.abort();
    },
  });
  await expect(starting).rejects.toThrow(/abort/i);
  expect(pids).toHaveLength(2);
  expect(pids.filter(isRunning)).toEqual([]);
});
