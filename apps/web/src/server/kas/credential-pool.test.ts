import { createLogger } from "@binnacle/telemetry";
import { expect, test } from "vitest";

import { CredentialPool } from "./credential-pool.ts";
import type { KasAccess } from "./kas-access.ts";

/** A subscriber whose client has measured the cluster's clock, or not. */
function subscriber(credentialKey: string, aheadMs: number | undefined): KasAccess {
  // The tests need nothing else of it.
  return { credentialKey, session: undefined, client: { aheadMs } } as unknown as KasAccess;
}

test("the cluster's clock is that of any subscriber who has measured it, and stays when he leaves", () => {
  const carriers = new CredentialPool(createLogger("web", "silent"), { keepsLast: false });
  expect(carriers.client.aheadMs).toBeUndefined();
  const leave = carriers.join(subscriber("a", 600_000));
  expect(carriers.client.aheadMs).toBe(600_000);
  leave();
  carriers.join(subscriber("b", undefined));
  expect(carriers.client.aheadMs).toBe(600_000);
  carriers.join(subscriber("c", 0));
  expect(carriers.client.aheadMs).toBe(0);
});
