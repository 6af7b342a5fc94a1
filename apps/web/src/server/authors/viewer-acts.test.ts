import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";
import { SealedClaims } from "../session/sealed-claims.ts";
import { randomSessionKeys, SessionKeyRing } from "../config/session-keys.ts";
import { ActNotices, type ViewerAct } from "./viewer-act.ts";
import { ViewerActs } from "./viewer-acts.ts";

const HOUR_MS = 3_600_000;
const ENVIRONMENT = { projectPath: "group/app", name: "prod" };

let clock: ManualClock;
let notified: ViewerAct[];
let acts: ViewerActs;
beforeEach(() => {
  clock = new ManualClock();
  notified = [];
  acts = new ViewerActs(clock, (act) => void notified.push(act));
});

function actOf(fields: Partial<ViewerAct> = {}): ViewerAct {
  return {
    id: "i".repeat(22),
    projectPath: "group/app",
    environment: "prod",
    uid: "u1",
    version: "5",
    action: "scale",
    isRemoval: false,
    begunMs: clock.now(),
    endedMs: clock.now(),
    username: "ada",
    name: "Ada",
    ...fields,
  };
}

const versions = (): string[] => acts.of(ENVIRONMENT).map(({ version }) => version);

test("an act of this process is remembered for its environment alone, and passed on once", () => {
  acts.perform(actOf());
  expect(versions()).toEqual(["5"]);
  expect(acts.of({ projectPath: "Group/App", name: "prod" })).toHaveLength(1);
  expect(acts.of({ projectPath: "group/app", name: "staging" })).toEqual([]);
  expect(acts.of({ projectPath: "group/other", name: "prod" })).toEqual([]);
  expect(notified).toEqual(acts.of(ENVIRONMENT));
});

test("what is heard is not passed on, and counts once", () => {
  expect([acts.receive(actOf()), acts.receive(actOf({ version: "6" }))]).toEqual([true, false]);
  expect([versions(), notified]).toEqual([["5"], []]);
});

test("an act without a uid has no author", () => {
  acts.perform(actOf({ uid: "" }));
  expect([versions(), notified]).toEqual([[], []]);
});

test("an act is forgotten after a day, and one of the future or of long ago is not taken", () => {
  acts.perform(actOf());
  clock.advance(23 * HOUR_MS);
  expect(versions()).toEqual(["5"]);
  clock.advance(HOUR_MS);
  expect(versions()).toEqual([]);
  const [old, future] = [clock.now() - 24 * HOUR_MS, clock.now() + 61_000];
  expect(acts.receive(actOf({ id: "o".repeat(22), begunMs: old, endedMs: old }))).toBe(false);
  expect(acts.receive(actOf({ id: "f".repeat(22), endedMs: future }))).toBe(false);
});

test("T64: of very many the first are forgotten, of an environment and of all", () => {
  for (let index = 0; index <= 500; index += 1) acts.perform(actOf({ version: String(index) }));
  expect([versions().length, versions()[0]]).toEqual([500, "1"]);
  for (let environment = 0; environment < 40; environment += 1)
    for (let index = 0; index < 500; index += 1) acts.perform(actOf({ environment: `e${environment}`, version: String(index) }));
  expect(versions()).toEqual([]);
  expect(acts.of({ projectPath: "group/app", name: "e39" })).toHaveLength(500);
});

test("T64: a notice opens with our keys alone, for a minute, and one of another shape is malformed", async () => {
  const ring = new SessionKeyRing(randomSessionKeys());
  const sealedBy = (keys: SessionKeyRing) => new ActNotices((purpose) => new SealedClaims(keys, clock, purpose), clock);
  const [ours, foreign] = [sealedBy(ring), sealedBy(new SessionKeyRing(randomSessionKeys()))];
  const act = actOf({ name: "Ada \u202Eadmin" });
  const sealed = await ours.seal(act);
  expect(await ours.open(sealed)).toEqual(act);
  expect(await foreign.open(sealed)).toBeUndefined();
  expect(await ours.open("junk")).toBeUndefined();
  clock.advance(62_000);
  expect(await ours.open(sealed)).toBeUndefined();
  const lies: readonly object[] = [
    { uid: "" },
    { name: "n".repeat(101) },
    { username: "" },
    { version: "v".repeat(65) },
    { projectPath: "p".repeat(1_025) },
    { begunMs: clock.now() + 1, endedMs: clock.now() },
    { begunMs: -1 },
    { isRemoval: "yes" },
    { id: "short" },
  ];
  const claims = new SealedClaims(ring, clock, { audience: "binnacle-web-act", type: "binnacle-act-1" });
  const exp = Math.ceil(clock.now() / 1_000) + 60;
  for (const lie of lies) expect(await ours.open(await claims.seal({ act: { ...actOf(), ...lie } }, exp))).toBe("malformed");
  expect(await ours.open(await claims.seal({}, exp))).toBe("malformed");
});
