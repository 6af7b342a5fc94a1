// needs: control-plane
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, delimiter, join } from "node:path";

import { eventually } from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { ExecScene } from "../exec/exec-scene.ts";
import { builtK9s, builtKubectl } from "./build-clients.ts";

const LIMIT_MS = 50_000;
const k9s = builtK9s();
// Its shell is kubectl of PATH.
const kubectl = builtKubectl();
const scene = new ExecScene();

beforeAll(() => scene.start());
afterAll(() => scene.stop());

test.each(["near", "far"])("k9s opens a shell in a pod through the %s kas, which does what is typed", async (kas) => {
  const directory = join(scene.directory, `k9s-${kas}`);
  mkdirSync(directory);
  // It would ask a host of its own which release is the newest.
  writeFileSync(join(directory, "config.yaml"), "k9s: { skipLatestRevCheck: true, ui: { splashless: true } }\n");
  const env = {
    ...process.env,
    PATH: `${dirname(kubectl)}${delimiter}${process.env["PATH"] ?? ""}`,
    K9S_CONFIG_DIR: directory,
    TERM: "xterm-256color",
  };
  const line = `'${k9s}' --kubeconfig '${join(scene.directory, `${kas}.kubeconfig`)}' --namespace default --command pods --logFile '${join(directory, "log")}'`;
  const child = spawn("script", ["-qefc", `stty rows 40 columns 140; exec ${line}`, join(directory, "typescript")], { env });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => void (output += chunk.toString()));
  const over = once(child, "close");
  try {
    // The first pod of the list is chosen.
    await eventually(() => (/again[^]*web/.test(output) ? undefined : output), LIMIT_MS);
    output = "";
    child.stdin.write("s");
    await eventually(() => (output.includes("K9s-Shell") ? undefined : output), LIMIT_MS);
    child.stdin.write("echo in:$HOSTNAME\r");
    await eventually(() => (/in:again\r\n/.test(output) ? undefined : output), LIMIT_MS);
    expect(output).toContain("default/again");
  } finally {
    child.kill("SIGTERM");
    await over;
  }
});
