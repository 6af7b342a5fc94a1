import { expect, test } from "vitest";
import { logsQuery, NO_LOGS_STATE, parseLogsState, type LogsState } from "./logs-state.ts";

const read = (query: Readonly<Record<string, string>>): LogsState => parseLogsState(new URLSearchParams(query));

test("what an address says of logs reads back", () => {
  const state: LogsState = {
    of: ["apps/deployments/shop/web", "core/pods/shop/db-0"],
    containers: ["app", "proxy"],
    previous: true,
    since: "2026-11-28T11:58:03.5Z",
    tail: "5000",
    levels: ["error", "warning"],
    find: "a & b, c",
    isExpression: true,
    matchesCase: true,
    isOnly: true,
    contextLines: 5,
    line: "shop/web-1/app@1700000000000000001",
  };
  expect(read(logsQuery(state))).toEqual(state);
  expect(read({ context: "0" })).toEqual({ ...NO_LOGS_STATE, contextLines: 0 });
  expect(read({})).toEqual(NO_LOGS_STATE);
  expect(Object.values(logsQuery(NO_LOGS_STATE)).join("")).toBe("");
});

test.each([
  [{ since: "yesterday" }],
  [{ tail: "-1" }],
  [{ tail: "1000000" }],
  [{ level: "loud" }],
  [{ "at-line": "shop/web-1@12" }],
  [{ "at-line": "shop/web-1/app@now" }],
  [{ match: "nonsense" }],
  [{ context: "11" }],
  [{ context: "some" }],
])("%j is no choice", (query) => {
  expect(read(query)).toEqual(NO_LOGS_STATE);
});
