import { execFileSync } from "node:child_process";

import { describe, expect, test } from "vitest";

import { installCommand, shellQuoted, upgradeCommand, versionSkew } from "./install-command.ts";

describe("quoting", () => {
  test.each(["plain", "", "it's", "a b", "$(id)", "`id`", 'say "x"', "a\\b", "new\nline", "'; rm -rf / #", "ws://127.0.0.1:1/x?y&z", "é"])(
    "T75: a shell reads %j as one word, and runs nothing in it",
    (text) => {
      expect(execFileSync("/bin/sh", ["-c", `printf %s ${shellQuoted(text)}`]).toString()).toBe(text);
    },
  );
});

test("the install command writes the token into a file of its owner, and names address and file", () => {
  expect(installCommand({ agent: "blue", kasAddress: "wss://kas.example.com/-/kubernetes-agent/", secret: "glagent-a'b" })).toBe(
    [
      String.raw`(umask 077 && printf %s 'glagent-a'\''b' > agentk-blue.token)`,
      String.raw`POD_NAMESPACE=default POD_NAME="$(hostname)" npx node apps/agentk/src/main.ts \ `.trimEnd(),
      String.raw`  --kas-address wss://kas.example.com/-/kubernetes-agent/ \ `.trimEnd(),
      "  --token-file agentk-blue.token",
    ].join("\n"),
  );
  expect(installCommand({ agent: "blue", kasAddress: "", secret: "" })).toContain("ADDRESS-OF-KAS");
});

test("the upgrade command quotes a version that an agent or kas made up", () => {
  expect(upgradeCommand("v1; id")).toBe("git fetch --tags && git checkout 'v1; id' && npm ci");
});

test.each([
  [["v0.1.0"], "v0.1.0", undefined],
  [["v0.0.9", "v0.1.0"], "v0.1.0", { kind: "older", version: "v0.0.9", kas: "v0.1.0" }],
  [["v0.10.0"], "v0.9.0", { kind: "newer", version: "v0.10.0", kas: "v0.9.0" }],
  [["dev", "v0.1.0"], "v0.1.0", { kind: "replicas", versions: ["dev", "v0.1.0"] }],
  [["dev"], "v0.1.0", undefined],
  [[], "v0.1.0", undefined],
  [["v0.1.0"], "", undefined],
])("versions %j beside kas %s are %j", (versions, kas, expected) => {
  expect(
    versionSkew(
      versions.map((version) => ({ version })),
      kas,
    ),
  ).toEqual(expected);
});
