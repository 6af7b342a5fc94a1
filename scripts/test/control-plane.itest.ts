import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { controlPlane } from "./parts.ts";

const REPOSITORY = join(import.meta.dirname, "..", "..");
/** All that the scripts start, Go excepted. */
const TOOLS = ["bash", "dirname", "cat", "sed", "sort", "head", "mkdir", "rm", "ln", "cut", "sha256sum", "getconf"];

let parent: string;
/** A checkout with the scripts alone, in a directory without anything beside it. */
let root: string;
let bin: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "control-plane-part-"));
  root = join(parent, "repository");
  bin = join(parent, "bin");
  for (const path of [".ci/control-plane", "packages/control-plane/scripts/build.sh", "packages/control-plane/programs"])
    cpSync(join(REPOSITORY, path), join(root, path), { recursive: true });
  mkdirSync(bin);
  for (const tool of TOOLS) symlinkSync(onPath(tool), join(bin, tool));
});

afterEach(() => rmSync(parent, { recursive: true }));

function onPath(tool: string): string {
  const { stdout } = spawnSync("bash", ["-c", `command -v ${tool}`], { encoding: "utf8" });
  return stdout.trim();
}

function writeProgram(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/usr/bin/env bash\n${text}\n`);
  chmodSync(file, 0o755);
}

/** A Go that says it is of a version, and writes what it builds. */
const installGo = (version: string): void =>
  writeProgram(
    join(bin, "go"),
    `case "$1" in
      env) echo ${version} ;;
      list) echo v1.36.3 ;;
      build) while [ "$1" != -o ]; do shift; done; echo built >"$2"; echo once >>${join(parent, "builds")} ;;
    esac`,
  );

function findInCi(environment: Readonly<Record<string, string>> = {}) {
  return spawnSync(join(root, ".ci/control-plane"), { encoding: "utf8", env: { PATH: bin, ...environment } });
}

test("without a control plane .ci prints one line that names all three ways", () => {
  const { status, stdout, stderr } = findInCi();
  expect(status).toBe(1);
  expect(stdout).toBe("");
  const line = stderr.trim().split("\n").at(-1) ?? "";
  for (const way of ["KUBEBUILDER_ASSETS", "cluster/unpack.sh", "Go 1.26.0 or newer", ".control-plane"]) expect(line).toContain(way);
  expect(controlPlane(root, undefined)).toMatchObject({
    kind: "missing",
    reason: expect.stringMatching(/KUBEBUILDER_ASSETS.*\.\.\/shared\/cluster.*\.control-plane/) as unknown,
  });
});

test("an old Go is named, and builds nothing", () => {
  installGo("go1.19.8");
  const { status, stderr } = findInCi();
  expect(status).toBe(1);
  expect(stderr).toContain("it needs go1.26.0 or newer on PATH, which has go1.19.8");
});

test("a new Go builds into .control-plane once, and again only when a source of it has changed", () => {
  installGo("go1.26.3");
  const kept = join(root, ".control-plane");
  expect(controlPlane(root, undefined).kind).toBe("missing");
  for (const expected of ["once\n", "once\n"]) {
    expect(findInCi()).toMatchObject({ status: 0, stdout: `${kept}\n` });
    expect(readFileSync(join(parent, "builds"), "utf8")).toBe(expected);
  }
  expect(controlPlane(root, undefined)).toEqual({ kind: "present", name: "control-plane", env: { KUBEBUILDER_ASSETS: kept } });
  writeFileSync(join(root, "packages/control-plane/programs/main.go"), "package main\n");
  expect(findInCi().status).toBe(0);
  expect(readFileSync(join(parent, "builds"), "utf8")).toBe("once\nonce\n");
});

test("a folder beside the repository comes before a build, and KUBEBUILDER_ASSETS before both", () => {
  installGo("go1.26.3");
  const assets = join(parent, "assets");
  writeProgram(join(assets, "kube-apiserver"), "");
  writeProgram(
    join(parent, "shared/cluster/unpack.sh"),
    `dir=\${1:-${join(parent, "unpacked")}}; mkdir -p "$dir"; : >"$dir/kube-apiserver"; echo "$dir"`,
  );
  expect(findInCi().stdout).toBe(`${join(root, ".control-plane/unpacked")}\n`);
  expect(controlPlane(root, undefined)).toMatchObject({ env: { KUBEBUILDER_ASSETS: join(parent, "unpacked") } });
  expect(findInCi({ KUBEBUILDER_ASSETS: assets }).stdout).toBe(`${assets}\n`);
  expect(controlPlane(root, assets)).toMatchObject({ env: { KUBEBUILDER_ASSETS: assets } });
});
