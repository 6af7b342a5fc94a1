import { eventually } from "@binnacle/testing";
import { expect, test } from "vitest";

import { startWholeKas } from "./whole-kas.ts";

test("T42: each request to the k8s-proxy with a credential is in the file, whichever component answers it", async () => {
  const kas = await startWholeKas();
  try {
    const base = `http://${kas.bound.k8sProxy}`;
    const headers = { authorization: "Bearer pat:1:good", "kas-proof": "1" };
    await fetch(`${base}/binnacle/v1/gitops/syncs?canary`, { headers });
    await fetch(`${base}/watch?kas-websocket-token-request=true`, { headers });
    await fetch(`${base}/binnacle/v1/views`, { method: "POST", headers, body: "canary" });
    const left = new AbortController();
    const waiting = fetch(`${base}/api/v1/nodes?canary`, { headers, signal: left.signal });
    await eventually(
      async () => ((await kas.metrics.registry.metrics()).includes("kas_requests_waiting 1") ? undefined : "nothing waits"),
      20_000,
    );
    left.abort();
    await expect(waiting).rejects.toThrow("aborted");
    const lines = async () =>
      (await kas.audited()).map(({ event, user, as, verb, resource, code }) => [event, user, as, verb, resource, code]);
    await eventually(async () => ((await lines()).length === 5 ? undefined : JSON.stringify(await lines())), 20_000);
    const ann = ["ann", "gitlab:user:ann"];
    expect(await lines()).toEqual([
      ["complete", ...ann, "list", "syncs", 200],
      ["complete", ...ann, "create", "watchtokens", 200],
      ["start", ...ann, "watch", "views", undefined],
      ["end", ...ann, "watch", "views", 400],
      ["complete", ...ann, "list", "nodes", 499],
    ]);
    expect(JSON.stringify(await kas.audited())).not.toContain("canary");
    expect(await kas.metrics.registry.metrics()).toContain('kas_audit_records_total{outcome="written"} 5');
  } finally {
    await kas.stop();
  }
});
