import { expect, test } from "vitest";

import { parseConfiguration } from "./git-configurations.ts";

const PATH = ".gitlab/agents/demo/config.yaml";

/** Nine times nine times …: a few hundred bytes that would become 9^8 entries. */
const ALIAS_BOMB = ["a: &a [x, x, x, x, x, x, x, x, x]"]
  .concat(
    Array.from("bcdefgh", (name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefg"[index]}`).join(", ")}]`),
  )
  .join("\n");

const CI_ACCESS = `ci_access:
  projects:
    - id: group/app
      default_namespace: production
      environments: [production, review/*]
      protected_branches_only: true
      access_as: { ci_job: {} }
  groups:
    - id: group
      protected_branches_only: false
      access_as: { impersonate: { username: deployer, groups: [ops], extra: [{ key: example.com/team, val: [a, b] }] } }
  instance:
    environments: [demo]
    access_as: { agent: {} }
`;

const HOSTILE: readonly (readonly [string, string])[] = [
  ["an alias bomb", ALIAS_BOMB],
  ["a prototype as a key", "__proto__: {polluted: true}"],
  ["a constructor as a key", "constructor: {prototype: {polluted: true}}"],
  ["a tag of another language", "user_access: !!js/function 'function(){}'"],
  ["a key twice", "user_access: {}\nuser_access: {}"],
  ["lists twenty thousand deep", `${"[".repeat(20_000)}${"]".repeat(20_000)}`],
];

test.each(HOSTILE)("T27: %s is refused and changes nothing", (_, text) => {
  expect(() => parseConfiguration(text, PATH)).toThrow(expect.objectContaining({ reason: "configuration_invalid" }));
  expect(Object.prototype).not.toHaveProperty("polluted");
});

test("ci_access is taken with everything that the main application decides by: nothing in it makes the file invalid", () => {
  expect(parseConfiguration(CI_ACCESS, PATH).json).toEqual({
    ci_access: {
      projects: [
        {
          id: "group/app",
          default_namespace: "production",
          environments: ["production", "review/*"],
          protected_branches_only: true,
          access_as: { ci_job: {} },
        },
      ],
      groups: [
        {
          id: "group",
          access_as: { impersonate: { username: "deployer", groups: ["ops"], extra: [{ key: "example.com/team", val: ["a", "b"] }] } },
        },
      ],
      instance: { environments: ["demo"], access_as: { agent: {} } },
    },
  });
});
