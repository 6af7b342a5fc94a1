import { expect, test } from "vitest";

import { DIAL_STATES, dialSteps, type DialState } from "./dial-state.ts";

test.each([
  ["grpc:", undefined, ["tcp", "http2"]],
  ["grpcs:", undefined, ["tcp", "tls", "http2"]],
  ["ws:", undefined, ["tcp", "websocket", "http2"]],
  ["wss:", undefined, ["tcp", "tls", "websocket", "http2"]],
  ["grpc:", { secure: false }, ["tcp", "proxy-connect", "http2"]],
  ["grpcs:", { secure: false }, ["tcp", "proxy-connect", "tls", "http2"]],
  ["ws:", { secure: true }, ["tcp", "proxy-tls", "proxy-connect", "websocket", "http2"]],
  ["wss:", { secure: true }, ["tcp", "proxy-tls", "proxy-connect", "tls", "websocket", "http2"]],
] as const)("a dial to %s through %o goes through its states", (scheme, proxy, steps) => expect(dialSteps(scheme, proxy)).toEqual(steps));

test("every state can be reached, and only an open session has nothing to wait for", () => {
  const reached = new Set<DialState>(["tcp"]);
  for (const from of reached) for (const to of Object.values(DIAL_STATES[from])) reached.add(to);
  expect([...reached].toSorted()).toEqual(Object.keys(DIAL_STATES).toSorted());
  expect(Object.entries(DIAL_STATES).flatMap(([state, next]) => (Object.keys(next).length === 0 ? [state] : []))).toEqual(["open"]);
});
