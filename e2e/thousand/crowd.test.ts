import { expect, test } from "vitest";

import type { AuditedRequest } from "./audit-log.ts";
import { readingsOf } from "./crowd.ts";

function request(code: number, beganMs: number, uri = "/api/v1/namespaces/a/configmaps/argocd-cm"): AuditedRequest {
  return { verb: "get", uri, userAgent: "", user: "", code, beganMs, endedMs: beganMs + 5 };
}

test("every reading counts, also one that fails and is asked again at once; only what is tried again after its time does not", () => {
  const times = (...requests: readonly AuditedRequest[]): number => readingsOf(requests).length;
  expect(times(request(200, 0), request(200, 60_000))).toBe(2);
  expect(times(request(404, 0), request(404, 1_000))).toBe(2);
  expect(times(request(404, 0), request(404, 30_100))).toBe(1);
  expect(times(request(404, 0), request(404, 30_100), request(404, 30_200))).toBe(2);
  expect(times(request(404, 30_100), request(404, 0), request(200, 0, "/api/v1/namespaces/a/pods?resourceVersion=1&limit=500"))).toBe(2);
});
