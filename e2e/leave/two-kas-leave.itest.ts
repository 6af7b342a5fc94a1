// needs: redis
// long: waits for two kas to leave, a minute
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { eventually, KasReplicas, startAgentkProcess, startTcpBalancer, type KasProcess } from "@binnacle/testing";
import { afterEach, expect, test } from "vitest";

import { startCountingApi } from "./counting-api.ts";
import { SteadyLoad } from "./steady-load.ts";

const TLS = join(import.meta.dirname, "..", "..", "apps", "agentk", "src", "testing", "fixtures", "tls");
const CA = join(TLS, "ca.pem");
const PER_SECOND = 100;
/** Requests between one event and the next. */
const SOME = 150;
const LIMIT_MS = 60_000;

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

test(
  "KS1, KS2, KS3: each of two kas behind one balancer leaves on SIGTERM: no read fails and no write is made twice",
  {
    timeout: 240_000,
  },
  async () => {
    const [replicas, api] = [await KasReplicas.start(), await startCountingApi(100)];
    closers.push(
      () => replicas.stop(),
      () => api.close(),
    );
    const startKas = (): Promise<KasProcess> =>
      replicas.startKas({
        tls: { certificateFile: join(TLS, "server.pem"), keyFile: join(TLS, "server.key") },
        configuration: { shutdown: { not_ready: "1s" } },
      });
    const both = [await startKas(), await startKas()];
    // Every tunnel ends at the kas that leaves, and calls through the other one run over them as well: what it cuts, a client loses.
    let home = 0;
    const agents = await startTcpBalancer(() => both.slice(home, home + 1).map((kas) => kas.addresses.agent));
    const clients = await startTcpBalancer(() => both.map((kas) => kas.addresses.k8sProxy));
    closers.push(
      () => agents.close(),
      () => clients.close(),
    );
    const agentk = await startAgentkProcess({
      kasAddress: `grpcs://127.0.0.1:${agents.port}`,
      token: "glagent-7",
      server: api.url,
      caFile: CA,
    });
    closers.push(() => agentk.stop());
    const connected = (): Promise<void> =>
      eventually(async () => {
        const open = await Promise.all(both.map(async (kas) => (await kas.metrics()).get("kas_tunnels_idle") ?? 0));
        return open.some((count) => count > 0) ? undefined : `no tunnel is open:\n${agentk.program.output}`;
      }, LIMIT_MS);
    await connected();

    const load = new SteadyLoad({ port: clients.port, ca: readFileSync(CA, "utf8"), authorization: "Bearer pat:7:user-1" }, PER_SECOND);
    const more = (count: number): Promise<void> => {
      const goal = load.started + count;
      return eventually(() => (load.started >= goal ? undefined : "the load has stopped"), LIMIT_MS);
    };
    await more(SOME);
    for (const index of [0, 1]) {
      const kas = both[index];
      home = 1 - index;
      kas?.program.signal("SIGTERM");
      expect(await kas?.program.exited).toBe(0);
      await more(SOME);
      both[index] = await startKas();
      await more(SOME);
    }
    const results = await load.stop();

    const failed = results.filter(({ outcome }) => outcome !== 200);
    expect(
      results.filter(({ kind, isLast }) => kind === "kept" && isLast).length,
      "persistent connections are requested to end",
    ).toBeGreaterThan(0);
    // As text, so that a report says what broke.
    expect(failed.filter(({ kind }) => kind !== "write").map((result) => JSON.stringify(result))).toEqual([]);
    expect([...api.written].filter(([, times]) => times > 1)).toEqual([]);
    // A confirmed write has happened.
    const confirmed = results.filter(({ kind, outcome }) => kind === "write" && outcome === 200);
    expect(confirmed.length).toBeGreaterThan(SOME / 2);
    expect(confirmed.filter(({ nr }) => !api.written.has(`/api/v1/namespaces/n/configmaps/${nr}`))).toEqual([]);
  },
);
