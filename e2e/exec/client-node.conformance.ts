import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

import { eventually } from "@binnacle/testing";
import { Attach, Cp, Exec, KubeConfig, Log, PortForward, type V1Status } from "@kubernetes/client-node";
import { beforeAll, describe, expect, test } from "vitest";

import type { ExecScene } from "./exec-scene.ts";

const WAIT_MS = 30_000;
const hash = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** What the JavaScript client of Kubernetes does with a pod through kas, over WebSocket. */
export function describeClientNode(scene: ExecScene): void {
  describe.each(["near", "far"] as const)("@kubernetes/client-node through the %s kas", (kas) => {
    const config = new KubeConfig();
    beforeAll(() => config.loadFromFile(join(scene.directory, `${kas}.kubeconfig`)));

    test("Exec passes standard input, output and error, and how the program ends", async () => {
      const input = randomBytes(300_000);
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const status = Promise.withResolvers<V1Status>();
      const command = ["sh", "-c", "cat; echo words >&2; exit 7"];
      await new Exec(config).exec("default", "web", "web", command, stdout, stderr, Readable.from(input), false, status.resolve);
      const [echoed, errors] = await Promise.all([buffer(stdout), buffer(stderr)]);
      expect([hash(echoed), errors.toString()]).toEqual([hash(input), "words\n"]);
      expect((await status.promise).details?.causes).toEqual([{ reason: "ExitCode", message: "7" }]);
    });

    test("Attach and Log show what the program writes, as it goes on", async () => {
      const [attached, logged] = [new Lines(), new Lines()];
      const socket = await new Attach(config).attach("default", "web", "web", attached, null, null, false);
      const log = await new Log(config).log("default", "web", "web", logged, { follow: true, tailLines: 1 });
      try {
        for (const lines of [attached, logged]) await expect.poll(() => lines.count, { timeout: WAIT_MS }).toBeGreaterThan(2);
      } finally {
        log.abort();
        socket.close();
      }
    });

    test("PortForward sends bytes to a port, and gets its answer", async () => {
      const sent = Buffer.concat([Buffer.from([0]), randomBytes(512 * 1024)]);
      const [output, input] = [new PassThrough(), new PassThrough()];
      const received: Buffer[] = [];
      output.on("data", (chunk: Buffer) => void received.push(chunk));
      const length = (): number => received.reduce((sum, chunk) => sum + chunk.length, 0);
      const socket = await new PortForward(config).portForward("default", "web", [80], output, null, input);
      // Without a callback, what stands for a connection that may be made anew.
      if (typeof socket === "function") throw new Error("no socket");
      const over = once(socket, "close");
      // The end of the input closes the socket, so it stays open.
      input.write(sent);
      await eventually(() => (length() >= sent.length ? undefined : `${length()} bytes`), WAIT_MS);
      expect(hash(Buffer.concat(received))).toBe(hash(sent));
      socket.close();
      await over;
    });

    test("Cp copies a file there and back", async () => {
      const [there, back] = [join(scene.directory, `there-${kas}`), join(scene.directory, `back-${kas}`)];
      const bytes = randomBytes(4_000_000);
      mkdirSync(there);
      writeFileSync(join(there, "file"), bytes);
      const exec = new ExecWithStatus(config);
      const cp = new Cp(config, exec);
      await new Exec(config).exec("default", "web", "web", ["mkdir", `/tmp/${kas}`], new PassThrough(), null, null, false);
      await cp.cpToPod("default", "web", "web", there, `/tmp/${kas}`);
      await eventually(() => (exec.statuses.length > 0 ? undefined : "not there"), WAIT_MS);
      await cp.cpFromPod("default", "web", "web", "file", back, `/tmp/${kas}`);
      await eventually(() => (exec.statuses.length > 1 ? undefined : "not back"), WAIT_MS);
      expect(exec.statuses).toMatchObject([{ status: "Success" }, { status: "Success" }]);
      // The end of the output reaches the file by itself.
      await eventually(() => (hash(readFileSync(join(back, "file"))) === hash(bytes) ? undefined : "other bytes"), WAIT_MS);
    });
  });
}

/** Tells how commands have ended, which `Cp` keeps to itself. */
class ExecWithStatus extends Exec {
  readonly statuses: V1Status[] = [];

  override exec(
    ...[namespace, pod, container, command, stdout, stderr, stdin, tty, onStatus]: Parameters<Exec["exec"]>
  ): ReturnType<Exec["exec"]> {
    return super.exec(namespace, pod, container, command, stdout, stderr, stdin, tty, (status) => {
      this.statuses.push(status);
      onStatus?.(status);
    });
  }
}

/** Counts lines. */
class Lines extends PassThrough {
  count = 0;

  constructor() {
    super();
    // The client has no handler for the error of an aborted log.
    this.on("pipe", (source: Readable) => void source.on("error", () => {}));
    this.on("data", (chunk: Buffer) => void (this.count += chunk.toString().split("\n").length - 1));
  }
}
