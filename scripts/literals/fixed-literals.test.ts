import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { readSourceTree, SourceTree } from "../check/source-tree.ts";
import { fixedLiterals, LIST, literalChanges, type LiteralList } from "./fixed-literals.ts";
import { typescriptLiterals } from "./typescript-literals.ts";

/** `kind: text` of each literal of a source. */
function literalsOf(source: string, path = "apps/kas/src/x.ts"): string[] {
  return typescriptLiterals(path, source).map(({ kind, text }) => `${kind}: ${text}`);
}

test("literals of the repository are those of the committed list", () => {
  const root = join(import.meta.dirname, "..", "..");
  const committed = JSON.parse(readFileSync(join(root, LIST), "utf8")) as LiteralList;
  const found = fixedLiterals(readSourceTree(root));
  expect(literalChanges(committed, found), "if meant: node scripts/literals/main.ts --write").toEqual([]);
});

describe("literals of a TypeScript source", () => {
  test.each([
    ['const PEER_HEADER = "forwarded";', "header: forwarded"],
    ['call.requestHeader.get("cookie");', "header: cookie"],
    ['const x = headers["te"];', "header: te"],
    ['fetch(url, { headers: { "if-match": tag } });', "header: if-match"],
    ["const name = `${prefix}_binnacle_session`;", "cookie: *_binnacle_session"],
    ["const key = `${prefix}:binnacle:1:routes:${id}`;", "redis key: *:binnacle:1:routes:*"],
    ['const AUDIENCE = "gitlab-kas";', "JWT claim: gitlab-kas"],
    ['seal({ audience: "pages", type: "page-1" });', "JWT claim: page-1"],
    ['const paused = "gitops.binnacle/paused";', "annotation or label: gitops.binnacle/paused"],
    ['gauge("kas_calls", "Calls", "state");', "metric: kas_calls"],
    ['gauge("kas_calls", "Calls", "state");', "metric label: state"],
    ['this.#log.info({ agent_id, ...(late && { duration_ms: 1 }) }, "done");', "log field: duration_ms"],
    ["const FAULTS = { queue_full: 1 } as const;", "reason: queue_full"],
    ['return { reason: ok ? "Ready" : "NotReady" };', "reason: NotReady"],
    ['const CAPABILITIES = "logs,upgrade";', "capability: upgrade"],
    ['const view = query.get("view");', "address parameter: view"],
  ])("%s has %s", (source, literal) => {
    expect(literalsOf(source)).toContain(literal);
  });

  test("storage of the browser counts in what runs there only", () => {
    const source = 'const KEY = "binnacle.language"; new Preference("minimap");';
    expect(literalsOf(source, "apps/web/src/ui/x.ts")).toEqual([
      "browser storage or channel: binnacle.language",
      "browser storage or channel: minimap",
    ]);
    expect(literalsOf(source, "apps/web/src/server/x.ts")).toEqual(["browser storage or channel: minimap"]);
  });

  test("imports, messages and sentences are no literals", () => {
    const source = 'import { a } from "x-files"; export { b } from "kas-link"; const reason = { reason: "not a word" }; map.get("x");';
    expect(literalsOf(source)).toEqual([]);
  });
});

test("messages and calls of protocols, and keys of generated pages, are literals; those in comments and tests are none", () => {
  const found = fixedLiterals(
    new SourceTree({
      "packages/proto/proto/a.proto": "package a.v1;\n// message No {}\nmessage Yes {}\nservice S { rpc Ask(Yes) returns (Yes); }",
      "docs/reference/web-config.md": "| Key | Type |\n| --- | --- |\n| `listen.address` | string |",
      "docs/reference/edge-packs.md": "| `no.key` | x |",
      "apps/kas/src/x.test.ts": 'const A_HEADER = "a";',
    }),
  );
  expect(found).toEqual({
    "configuration key": ["web-config: listen.address"],
    proto: ["message Yes", "package a.v1", "rpc Ask", "service S"],
  });
});

test("a list names what was added and what was removed, and of which kind", () => {
  expect(literalChanges({ header: ["a", "b"] }, { header: ["b"], cookie: ["c"] })).toEqual(['added cookie: "c"', 'removed header: "a"']);
  expect(literalChanges({ header: ["a"] }, { header: ["a"] })).toEqual([]);
});
