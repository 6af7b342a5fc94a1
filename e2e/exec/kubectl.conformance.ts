import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

import { eventually } from "@binnacle/testing";
import { describe, expect, test } from "vitest";

import type { ExecScene, KubectlRoute } from "./exec-scene.ts";

const hash = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** What kubectl does with a pod through kas, whatever release it is of. */
export function describeKubectl(scene: ExecScene, routes: readonly KubectlRoute[]): void {
  describe.each(routes)("kubectl over $protocol through the $kas kas", (route) => {
    test("exec passes standard input, output and error, and how the program ends", async () => {
      const input = randomBytes(300_000);
      const echoed = await scene.kubectl(route, ["exec", "-i", "web", "--", "sh", "-c", "cat; echo words >&2; exit 7"], input);
      expect(hash(echoed.stdout)).toBe(hash(input));
      expect(echoed.stderr).toContain("words");
      expect(echoed.code).toBe(7);
      const quiet = await scene.kubectl(route, ["exec", "-v=8", "web", "--", "true"]);
      expect(quiet.code).toBe(0);
      // kubectl falls back to SPDY by itself where WebSocket does not work, with a POST instead of a GET.
      expect(/"?(?:verb="?)?(GET|POST)[" ].*\/exec\?/.exec(quiet.stderr)?.[1] ?? quiet.stderr).toBe(
        route.protocol === "SPDY" ? "POST" : "GET",
      );
    });

    test("a container that is not there is refused in the words of the API server", async () => {
      const refused = await scene.kubectl(route, ["exec", "web", "-c", "other", "--", "true"]);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain("container other is not valid for pod web");
    });

    test("exec has a terminal of the size of kubectl's", async () => {
      const child = scene.spawn(route, ["exec", "-it", "web", "--", "sh"], { rows: 31, columns: 77 });
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => void (output += chunk.toString()));
      const over = once(child, "close");
      // The size follows the start of the program, as with a real kubelet.
      await eventually(() => {
        if (output.includes("31 77")) return undefined;
        child.stdin.write("stty size\r");
        return output;
      }, 30_000);
      child.stdin.write("exit 3\r");
      expect(await over).toEqual([3, null]);
    });

    test("attach shows what the program writes", async () => {
      const child = scene.spawn(route, ["attach", "web"]);
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => void (output += chunk.toString()));
      try {
        await expect.poll(() => output, { timeout: 30_000 }).toMatch(/web.*\n/);
      } finally {
        child.kill("SIGTERM");
        await once(child, "close");
      }
    });

    test("20 MB are copied there and back, byte for byte", async () => {
      const name = `${route.kas}-${route.protocol}`;
      const bytes = randomBytes(20_000_000);
      writeFileSync(join(scene.directory, `there-${name}`), bytes);
      expect(await scene.kubectl(route, ["cp", `there-${name}`, `web:/tmp/${name}`])).toMatchObject({ code: 0 });
      expect(await scene.kubectl(route, ["cp", `web:/tmp/${name}`, `back-${name}`])).toMatchObject({ code: 0 });
      expect(hash(readFileSync(join(scene.directory, `back-${name}`)))).toBe(hash(bytes));
    });

    test("port-forward carries ten connections at a time", async () => {
      const child = scene.spawn(route, ["port-forward", "pod/web", ":80"]);
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => void (output += chunk.toString()));
      child.stderr.on("data", (chunk: Buffer) => void (output += chunk.toString()));
      try {
        await eventually(() => (/127\.0\.0\.1:\d+ ->/.test(output) ? undefined : output), 30_000);
        const port = /127\.0\.0\.1:(\d+) ->/.exec(output)?.[1];
        const sent = Array.from({ length: 10 }, () => Buffer.concat([Buffer.from([0]), randomBytes(512 * 1024)]));
        expect(await Promise.all(sent.map(async (bytes) => hash(await echoOf(Number(port), bytes))))).toEqual(sent.map(hash));
      } finally {
        child.kill("SIGTERM");
        await once(child, "close");
      }
    });

    test("logs -f goes on with new lines, and logs -f --previous has those of the run before, to their end", async () => {
      const child = scene.spawn(route, ["logs", "-f", "web"]);
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => void (output += chunk.toString()));
      const over = once(child, "close");
      const previous = await scene.kubectl(route, ["logs", "-f", "--previous", "again"]);
      expect([previous.code, previous.stderr]).toEqual([0, ""]);
      expect(previous.stdout.toString()).toMatch(/^again: starting\n[^]*last words of this container\n$/);
      const lines = (): number => output.split("\n").length;
      await eventually(() => (lines() > 3 ? undefined : output), 30_000);
      const before = lines();
      await eventually(() => (lines() > before ? undefined : output), 30_000);
      child.kill("SIGTERM");
      await over;
    });
  });

  test.each([...new Set(routes.map(({ protocol }) => protocol))])(
    "debug over %s attaches to the container that it adds to the pod",
    async (protocol) => {
      const debug = ["debug", "web", "-i", "-q", "--image=busybox", "--target=web", "--", "sh"];
      const { stdout } = await scene.kubectl({ kas: "far", protocol }, debug, "echo in $HOSTNAME; exit 3\n");
      expect(stdout.toString()).toContain("in web\n");
      const states = ["get", "pod", "web", "-o", "jsonpath={.status.ephemeralContainerStatuses[*].state.terminated.exitCode}"];
      await expect.poll(async () => (await scene.kubectl({ kas: "far", protocol }, states)).stdout.toString()).toMatch(/^3( 3)?$/);
    },
  );

  test("all of them have ended, and are counted", async () => {
    for (const kas of Object.values(scene.kas))
      await expect.poll(async () => (await kas.metrics()).get("kas_upgraded_connections")).toBe(0);
  });
}

/** What comes back of bytes that are sent to a port, until its side ends. */
async function echoOf(port: number, bytes: Buffer): Promise<Buffer> {
  const socket = connect(port, "127.0.0.1");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => void chunks.push(chunk));
  socket.end(bytes);
  await once(socket, "close");
  return Buffer.concat(chunks);
}
