import { expect, test } from "vitest";

import type { AuditedRequest } from "./audit-log.ts";
import { readingsOf } from "./crowd.ts";

const ARGO = "/api/v1/namespaces/a/configmaps/argocd-cm";

function request(beganMs: number, uri: string): AuditedRequest {
  return { verb: "get", uri, userAgent: "", user: "", code: 404, beganMs, endedMs: beganMs + 5 };
}

test("every reading counts; rules of health that are read again after their time do not", () => {
  const times = (...requests: readonly AuditedRequest[]): number => readingsOf(requests).length;
  expect(times(request(0, "/api/v1/namespaces/a/pods"), request(60_000, "/api/v1/namespaces/a/pods"))).toBe(2);
  expect(times(request(0, ARGO), request(1_000, ARGO))).toBe(2);
  expect(times(request(0, ARGO), request(5_010, ARGO), request(10_030, ARGO))).toBe(1);
  expect(times(request(5_010, ARGO), request(0, ARGO), request(5_100, ARGO))).toBe(2);
  const kustomizations = "/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/a/kustomizations?limit=500";
  expect(times(request(0, kustomizations), request(5_010, kustomizations))).toBe(1);
});
