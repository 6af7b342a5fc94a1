// needs: control-plane
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { eventually } from "@binnacle/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ended, ExecScene, type KubectlWay } from "./exec-scene.ts";

const hash = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const FORWARDED = randomBytes(512 * 1024);
const target = createServer((_request, response) => void response.end(FORWARDED));
const scene = new ExecScene();

beforeAll(async () => {
  target.listen(0, "127.0.0.1");
  await once(target, "listening");
  // The address of a listening TCP server is an AddressInfo.
  await scene.start((target.address() as AddressInfo).port);
});

afterAll(async () => {
  await scene.stop();
  target.closeAllConnections();
  target.close();
});

describe.each<KubectlWay>([
  { kas: "near", protocol: "WebSocket" },
  { kas: "near", protocol: "SPDY" },
  { kas: "far", protocol: "WebSocket" },
  { kas: "far", protocol: "SPDY" },
])("kubectl over $protocol through the $kas kas", (way) => {
  test("exec passes standard input, output and error, and how the program ends", async () => {
    const input = randomBytes(300_000);
    const echoed = await scene.kubectl(way, ["exec", "-i", "web", "--", "sh", "-c", "head -c 300000; echo words >&2; exit 7"], input);
    expect(hash(echoed.stdout)).toBe(hash(input));
    expect(echoed.stderr).toContain("words");
    // The simulated kubelet (kwok) tells the code of a program in an error of its own, straight from the cluster too.
    expect(echoed.stderr).toContain("exit status 7");
    const quiet = await scene.kubectl(way, ["exec", "-v=8", "web", "--", "true"]);
    expect(quiet.code).toBe(0);
    // kubectl falls back to SPDY by itself where WebSocket does not work, with a POST instead of a GET.
    expect(/"?(?:verb="?)?(GET|POST)[" ].*\/exec\?/.exec(quiet.stderr)?.[1] ?? quiet.stderr).toBe(way.protocol === "SPDY" ? "POST" : "GET");
  });

  test("a container that is not there is refused in the words of the API server", async () => {
    const refused = await scene.kubectl(way, ["exec", "web", "-c", "other", "--", "true"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("container other is not valid for pod web");
  });

  test("exec has a terminal", async () => {
    const child = scene.spawn(way, ["exec", "-it", "web", "--", "tty"], ["script", "-qefc"]);
    expect((await ended(child)).stdout.toString()).toMatch(/\/dev\/pts\/\d+/);
  });

  // The simulated kubelet (kwok) never tells a program that its standard input has ended, which the tar of `kubectl cp` to a pod waits for.
  test("4 MB go there by exec and back by cp", async () => {
    const name = `${way.kas}-${way.protocol}`;
    const [there, back] = [join(scene.directory, `there-${name}`), `back-${name}`];
    const bytes = randomBytes(4_000_000);
    const sent = await scene.kubectl(way, ["exec", "-i", "web", "--", "sh", "-c", `head -c ${bytes.length} > ${there}`], bytes);
    expect([sent.code, hash(readFileSync(there))]).toEqual([0, hash(bytes)]);
    expect(await scene.kubectl(way, ["cp", `web:${there}`, back])).toMatchObject({ code: 0 });
    expect(hash(readFileSync(join(scene.directory, back)))).toBe(hash(bytes));
  });

  test("port-forward carries ten connections at a time", async () => {
    const child = scene.spawn(way, ["port-forward", "pod/web", ":80"]);
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => void (said += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => void (said += chunk.toString()));
    try {
      await eventually(() => (/127\.0\.0\.1:\d+ ->/.test(said) ? undefined : said), 30_000);
      const port = /127\.0\.0\.1:(\d+) ->/.exec(said)?.[1];
      const bodies = await Promise.all(
        Array.from({ length: 10 }, async () => Buffer.from(await (await fetch(`http://127.0.0.1:${port}`)).arrayBuffer())),
      );
      expect(new Set(bodies.map(hash))).toEqual(new Set([hash(FORWARDED)]));
    } finally {
      child.kill("SIGTERM");
      await once(child, "close");
    }
  });
});

test("all of them have ended, and are counted", async () => {
  for (const { metrics } of Object.values(scene.kas))
    await expect.poll(async () => (await metrics()).get("kas_upgraded_connections")).toBe(0);
});
