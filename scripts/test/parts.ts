import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A part of the machine that some tests need: there (with the environment that points at it), or not (and why). */
export type Part =
  | { readonly kind: "present"; readonly name: PartName; readonly env: Readonly<Record<string, string>> }
  | { readonly kind: "missing"; readonly name: PartName; readonly reason: string };

/** Names as they stand in the `// needs:` line of a test file. */
export type PartName =
  "control-plane" | "redis" | "chromium" | "python-grpc" | "prometheus" | "action-cable" | "nginx" | "haproxy" | "tinyproxy";

function onPath(...names: readonly string[]): string | undefined {
  for (const directory of (process.env["PATH"] ?? "").split(delimiter)) {
    for (const name of names) {
      try {
        accessSync(join(directory, name), constants.X_OK);
        return join(directory, name);
      } catch {
        // not in this directory
      }
    }
  }
  return undefined;
}

/**
 * The control plane's programs: the directory that is named, else ../shared/cluster unpacked, else what is built in .control-plane. Nothing
 * is built here: that takes minutes, and `.ci/run` does it.
 */
export function controlPlane(root: string, assets: string | undefined): Part {
  const name = "control-plane";
  const isComplete = (directory: string): boolean => existsSync(join(directory, "kube-apiserver"));
  if (assets !== undefined && isComplete(assets)) return { kind: "present", name, env: { KUBEBUILDER_ASSETS: assets } };
  const unpack = join(root, "..", "shared", "cluster", "unpack.sh");
  if (existsSync(unpack)) {
    const result = spawnSync("bash", [unpack], { encoding: "utf8", env: { ...process.env, KUBEBUILDER_ASSETS: "" } });
    const directory = result.stdout.trim();
    if (result.status === 0 && isComplete(directory)) return { kind: "present", name, env: { KUBEBUILDER_ASSETS: directory } };
  }
  const kept = join(root, ".control-plane");
  if (isComplete(kept)) return { kind: "present", name, env: { KUBEBUILDER_ASSETS: kept } };
  return {
    kind: "missing",
    name,
    reason:
      "KUBEBUILDER_ASSETS names no directory with kube-apiserver, etcd, kubectl and kwok, there is no ../shared/cluster, " +
      "and .control-plane holds no build of packages/control-plane/scripts/build.sh (needs Go)",
  };
}

function redis(): Part {
  const server = onPath("redis-server", "valkey-server");
  if (server === undefined) return { kind: "missing", name: "redis", reason: "no redis-server or valkey-server on PATH" };
  return { kind: "present", name: "redis", env: { REDIS_SERVER: server } };
}

function actionCable(): Part {
  const name = "action-cable";
  const result = spawnSync("ruby", ["-e", "require 'action_cable'; require 'redis'; require 'puma'"]);
  if (result.status === 0 && onPath("puma") !== undefined) return { kind: "present", name, env: {} };
  return { kind: "missing", name, reason: "no ruby with action_cable, redis and puma" };
}

function chromium(): Part {
  const named = process.env["CHROMIUM_PATH"];
  const found = named !== undefined && existsSync(named) ? named : onPath("chromium", "chromium-browser", "google-chrome");
  if (found === undefined) return { kind: "missing", name: "chromium", reason: "no chromium on PATH and CHROMIUM_PATH is not set" };
  // The same engine without the window of a browser takes a quarter less of the processor: all tests run in it where it is there.
  const shell = onPath("chromium-headless-shell");
  return { kind: "present", name: "chromium", env: { CHROMIUM_PATH: found, ...(shell !== undefined && { HEADLESS_SHELL_PATH: shell }) } };
}

function pythonGrpc(root: string): Part {
  const name = "python-grpc";
  const python = process.env["GRPC_PYTHON"] ?? join(root, ".venv", "bin", "python");
  const result = spawnSync(python, ["-c", "import grpc, grpc_tools"]);
  if (result.status === 0) return { kind: "present", name, env: { GRPC_PYTHON: python } };
  return { kind: "missing", name, reason: "GRPC_PYTHON (or .venv/bin/python) has no grpcio and grpcio-tools" };
}

/** A program that tests start by its name. On Debian the proxies are in /usr/sbin, which is on root's PATH only. */
function program(name: "prometheus" | "nginx" | "haproxy" | "tinyproxy"): Part {
  if (onPath(name) === undefined) return { kind: "missing", name, reason: `no ${name} on PATH` };
  return { kind: "present", name, env: {} };
}

/** Looks for every part; docs/design/conventions.md "Tests and counting" gives the order for the control plane. */
export function detectParts(root: string): readonly Part[] {
  return [
    controlPlane(root, process.env["KUBEBUILDER_ASSETS"]),
    redis(),
    chromium(),
    pythonGrpc(root),
    actionCable(),
    program("prometheus"),
    program("nginx"),
    program("haproxy"),
    program("tinyproxy"),
  ];
}
