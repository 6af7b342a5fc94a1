import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { expect, test } from "vitest";
import { NOT_VISIBLE } from "@binnacle/presentation/environments/row-order";
import { encodeOverviewAddress, parseOverviewAddress, type OverviewAddress } from "./overview-address.ts";

const DEFAULT = parseOverviewAddress(new URLSearchParams());

test.each<Partial<OverviewAddress>>([
  {},
  { view: "list", by: "agent", q: "cart & co", only: "attention" },
  { view: "agents", status: HealthStatus.DEGRADED },
  { columns: "name", status: NOT_VISIBLE, wall: true },
])("an address is read as it was written: %j", (change) => {
  const address = { ...DEFAULT, ...change };
  expect(parseOverviewAddress(new URLSearchParams(encodeOverviewAddress(address)))).toEqual(address);
});

test("what is at its default is not in the address, and what is unknown is at its default", () => {
  expect(encodeOverviewAddress(DEFAULT)).toBe("");
  expect(parseOverviewAddress(new URLSearchParams("view=x&by=y&health=z&only=w&columns=v"))).toEqual(DEFAULT);
});
