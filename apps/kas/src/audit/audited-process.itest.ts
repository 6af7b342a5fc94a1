import { rmSync } from "node:fs";

import { createKasSecrets, eventually, startKasProcess, startMainApplicationStandIn } from "@binnacle/testing";
import { expect, onTestFinished, test } from "vitest";

test("kas writes records to its standard output, marked, unless configured otherwise; a file that cannot be opened ends it", async () => {
  const secrets = createKasSecrets();
  const application = await startMainApplicationStandIn();
  onTestFinished(async () => {
    await application.close();
    rmSync(secrets.directory, { recursive: true, force: true });
  });
  const start = { mainApplication: application.address, secrets };
  const kas = await startKasProcess(start);
  onTestFinished(() => kas.stop());
  expect(await statusOf(kas.addresses.k8sProxy)).toBe(200);
  await eventually(() => (kas.program.output.includes('"audit":true') ? undefined : kas.program.output), 10_000);
  const line = kas.program.output.split("\n").find((each) => each.includes('"audit":true')) ?? "";
  expect(JSON.parse(line)).toMatchObject({ event: "complete", verb: "list", resource: "syncs", code: 200 });
  const missing = startKasProcess({ ...start, configuration: { observability: { audit: { file: "/missing/audit.log" } } } });
  await expect(missing).rejects.toThrow(/ended with 2:[\s\S]*observability\.audit\.file: cannot be opened for writing/);
});

async function statusOf(address: string): Promise<number> {
  const headers = { authorization: "Bearer pat:7:user-1" };
  return (await fetch(`http://${address}/binnacle/v1/gitops/syncs`, { headers })).status;
}
