import { connect, type ClientHttp2Session } from "node:http2";

import { NO_METADATA } from "@binnacle/grpc-wire";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { expect, test } from "vitest";

import type { CallMetadata } from "../kas-link/call-metadata.ts";
import { KasLink } from "../kas-link/kas-link.ts";
import { FakeKas } from "../testing/fake-kas.ts";
import { ConfigurationStream } from "./configuration-stream.ts";

test("reading-3: the delay grows while kas rejects a configuration stream only after twelve seconds", async () => {
  const kas = await FakeKas.listen();
  const clock = new ManualClock();
  const stop = new AbortController();
  const log = createLogger("test", "silent");
  const link = new KasLink({
    clock: systemClock,
    log,
    dial: () =>
      new Promise<ClientHttp2Session>((resolve) => {
        const session = connect(`http://127.0.0.1:${kas.port}`);
        session.once("connect", () => resolve(session));
      }),
  });
  // The stream uses no more of it.
  const metadata = { get: () => NO_METADATA, refused: () => undefined } as unknown as CallMetadata;
  const backoff = { initialMs: 500, maxMs: 20_000, random: () => 1 };
  const module = new ConfigurationStream({ link, metadata, meta: async () => ({}), apply: () => undefined, clock, log, backoff });
  const running = Promise.all([link.run(stop.signal), module.run(stop.signal)]);
  for (const delayMs of [500, 1_000, 2_000, 4_000]) {
    const stream = await kas.configuration();
    clock.advance(12_000);
    stream.end({ code: 14, message: "away" });
    await until(() => clock.pending === 1);
    clock.advance(delayMs - 1);
    expect(clock.pending).toBe(1);
    clock.advance(1);
  }
  await kas.configuration();
  stop.abort();
  await Promise.all([link.close(), running]);
  await kas.close();
});
