import { expect, test } from "vitest";

import { quoted, textsOf, words } from "./words.ts";

test("facts that are not known are not sent", () => {
  expect(words("crash/oom", { limit: undefined, container: "app" })).toEqual({ id: "crash/oom", facts: { container: "app" } });
});

test("texts are found however deep they stand", () => {
  const message = words("health/pods", {
    pod: "web-0",
    more: 3,
    said: words("container/end", { said: quoted("no disk"), how: ["a", ["b"]] }),
  });
  expect(textsOf(message)).toBe("web-0\nno disk\na\nb");
});
