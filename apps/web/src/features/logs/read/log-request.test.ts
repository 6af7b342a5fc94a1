import { ResourceRefSchema } from "@binnacle/proto/dashboard";
import { LogLevel } from "@binnacle/proto/dashboard-logs";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { NO_LOGS_STATE } from "../../address/logs-state.ts";
import { isFiltered, logsRequest, requestKey } from "./log-request.ts";

const refs = [create(ResourceRefSchema, { group: "apps", kind: "Deployment", resource: "deployments", namespace: "shop", name: "web" })];
const of = { projectPath: "group/app", environment: "production", refs };
const now = Date.parse("2026-11-28T12:00:00Z");

test("the last lines are requested, and with a beginning in time all since then", () => {
  expect(logsRequest(of, NO_LOGS_STATE, now)).toMatchObject({ tailLines: 1_000, containers: [], previous: false, refs });
  const since = logsRequest(of, { ...NO_LOGS_STATE, since: "5m" }, now);
  expect(since).toMatchObject({ since: { seconds: BigInt(now / 1000 - 300), nanos: 0 } });
  expect(since).not.toHaveProperty("tailLines");
  expect(logsRequest(of, { ...NO_LOGS_STATE, since: "1h", tail: "200" }, now)).toMatchObject({ tailLines: 200 });
  expect(logsRequest(of, { ...NO_LOGS_STATE, tail: "all" }, now)).not.toHaveProperty("tailLines");
  const exact = logsRequest(of, { ...NO_LOGS_STATE, since: "2026-11-28T11:58:03.250Z" }, now);
  expect(exact.since).toEqual({ seconds: BigInt(Date.parse("2026-11-28T11:58:03Z") / 1000), nanos: 250_000_000 });
});

test("a link to a line requests from half a minute before it", () => {
  const line = "shop/web-1/app@1700000030000000001";
  const request = logsRequest(of, { ...NO_LOGS_STATE, line }, now);
  expect(request.since).toEqual({ seconds: 1_700_000_000n, nanos: 1 });
  expect(request).not.toHaveProperty("tailLines");
});

test("a search is no filter unless only its matches are wanted; levels are", () => {
  const search = { ...NO_LOGS_STATE, find: "no disk", matchesCase: true };
  expect(logsRequest(of, search, now).filter).toEqual({ levels: [] });
  expect([isFiltered(search), requestKey(of, search)]).toEqual([false, requestKey(of, NO_LOGS_STATE)]);
  const only = { ...search, isOnly: true };
  const filter = { levels: [], pattern: "no disk", isRegularExpression: false, matchesCase: true };
  expect(logsRequest(of, only, now).filter).toEqual({ ...filter, contextLines: 2 });
  expect(logsRequest(of, { ...only, contextLines: 0 }, now).filter).toEqual(filter);
  expect(requestKey(of, { ...only, contextLines: 5 })).not.toBe(requestKey(of, only));
  expect(requestKey(of, { ...search, contextLines: 5 }), "without a filter there is no context").toBe(requestKey(of, search));
  expect([isFiltered(only), requestKey(of, only) === requestKey(of, search)]).toEqual([true, false]);
  const levels = { ...NO_LOGS_STATE, levels: ["error", "warning"] };
  expect(logsRequest(of, levels, now).filter?.levels).toEqual([LogLevel.WARNING, LogLevel.ERROR]);
  expect(isFiltered(levels)).toBe(true);
});
