import { readFileSync } from "node:fs";

import { parse } from "yaml";
import { expect, test } from "vitest";

import { webConfigSchema } from "./config.ts";

const HOW_TO = new URL("../../../../../docs/how-to/gitlab.md", import.meta.url);

test("web.yaml of the how-to is a valid configuration", () => {
  const blocks = [...readFileSync(HOW_TO, "utf8").matchAll(/```yaml\n(.*?)```/gs)].map(
    ([, text = ""]) => parse(text.replaceAll(/^ {3}/gm, "")) as unknown,
  );
  const [agent, web, ...rest] = blocks;
  expect([Object.keys(agent as object), rest]).toEqual([["user_access"], []]);
  expect(webConfigSchema.parse(web)).toMatchObject({
    main_application: { external_url: "https://gitlab.example.com" },
    kas: { external_url: "https://kas.gitlab.example.com/k8s-proxy" },
  });
});
