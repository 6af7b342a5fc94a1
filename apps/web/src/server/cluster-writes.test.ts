import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

const SERVER = import.meta.dirname;

/** Sources of the server, without tests and what they share. */
const sources = globSync("**/*.ts", { cwd: SERVER })
  .filter((file) => !/\.i?test\.ts$|(?:^|\/)testing\//.test(file))
  .map((file) => ({ file, text: readFileSync(join(SERVER, file), "utf8") }));

const filesWith = (pattern: RegExp): string[] =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ file }) => file)
    .toSorted();

test("every write to a cluster goes through the one action function, which web calls in one place", () => {
  expect(filesWith(/import \{[^}]*\bact\b[^}]*\} from "@binnacle\/environment-view"/)).toEqual(["authors/act-as-viewer.ts"]);
});

test("what else has a body for a cluster are reviews, which change nothing", () => {
  expect(filesWith(/\.json\(\s*\{[^}]*\bbody\b/)).toEqual(["kas/access-review.ts", "kas/cluster-identity.ts", "kas/viewer-permissions.ts"]);
});

test("no other request than to kas' own endpoints, the main application and another web process has a method that writes", () => {
  expect(filesWith(/\bmethod: "(?:POST|PUT|PATCH|DELETE)"/)).toEqual([
    "gitlab/gitlab-client.ts",
    "gitlab/proxy-tokens.ts",
    "kas/framed-answer.ts",
    "session/peer-notices.ts",
    "standalone/user-tokens-client.ts",
  ]);
});

test("GraphQL is in one folder, behind the port to the main application", () => {
  const others = filesWith(/\bgraphql\b|currentUser\b/).filter((file) => !file.startsWith("gitlab/"));
  expect(others).toEqual([]);
});
