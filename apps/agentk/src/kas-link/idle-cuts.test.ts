import type { ClientHttp2Session } from "node:http2";

import { expect, test } from "vitest";

import { IdleCuts } from "./idle-cuts.ts";

/** Only who it is matters. */
const connection = (): ClientHttp2Session => ({}) as ClientHttp2Session;

test("what was cut while idle is one line for each connection; what kas has ended, or what ends at once, is none", () => {
  const lines: string[] = [];
  const note = (level: string) => (fields: object, line: string) => void lines.push(`${level} ${JSON.stringify(fields)} ${line}`);
  const log = { info: note("info"), debug: note("debug") } as ConstructorParameters<typeof IdleCuts>[0];
  const cuts = new IdleCuts(log, "tunnel");
  const [first, second] = [connection(), connection()];
  expect(cuts.isIdleCut({ session: first, isCut: false, lifeMs: 50_000 })).toBe(false);
  expect(cuts.isIdleCut({ session: first, isCut: true, lifeMs: 999 })).toBe(false);
  expect(lines).toEqual([]);
  for (const session of [first, first, second]) expect(cuts.isIdleCut({ session, isCut: true, lifeMs: 5_000 })).toBe(true);
  const line = '{"stream":"tunnel","idle_ms":5000} closed by an intermediary';
  expect(lines).toEqual([`info ${line}`, `debug ${line}`, `info ${line}`]);
});
