import { expect, test } from "vitest";

import { proxyLog } from "./http-dialer.ts";

test("a proxy that fails is a line when that begins, changes and ends", () => {
  const lines: string[] = [];
  const tell = proxyLog({
    warn: (fields: object) => void lines.push(JSON.stringify(fields)),
    info: (line: string) => void lines.push(line),
  } as Parameters<typeof proxyLog>[0]);
  for (const reason of [undefined, "a", "a", "b", undefined, undefined]) tell(reason);
  expect(lines).toEqual(['{"reason":"a"}', '{"reason":"b"}', "the main application is reached through the proxy again"]);
});
