import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text as readText } from "node:stream/consumers";

import { Exec, KubeConfig, type V1Status } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { CaseList, type ExcludedCases } from "./conformance/case-list.ts";
import { ConformanceClient, type ApiUnderTest } from "./conformance/client.ts";
import { describeSimulatedPods } from "./conformance/simulated-pods-suite.ts";
import { ChannelClient, streamKubectl, type Carrier, type StreamResult } from "./conformance/stream-client.ts";
import { textIn } from "./json-tree.ts";

/** What the parts of the suite work with. */
export interface StreamsContext {
  readonly cases: CaseList;
  readonly under: ApiUnderTest;
  readonly client: ConformanceClient;
  readonly namespace: string;
  /** Path of a subresource of the pod `web`, with a query. */
  path(subresource: string, query: string): string;
  kubectl(carrier: Carrier, args: readonly string[], input?: string | Buffer): Promise<StreamResult>;
}

export const CARRIERS: readonly Carrier[] = ["WebSocket", "SPDY"];
const PROTOCOLS = ["v4.channel.k8s.io", "v5.channel.k8s.io"] as const;

/**
 * What exec, attach, port-forward and logs must do, whatever serves the containers: run against the embedded API, the real control plane with the
 * kubelet stand-in, and kwok's own server, with the same assertions.
 *
 * @param excluded cases that the implementation does not pass, with the reason
 */
export function describePodStreams(name: string, start: () => Promise<ApiUnderTest>, excluded: ExcludedCases = {}): void {
  describe(`streams of pods: ${name}`, () => {
    let running: { readonly under: ApiUnderTest; readonly client: ConformanceClient } | undefined;
    const namespace = `streams-${Math.random().toString(36).slice(2, 8)}`;
    const dir = mkdtempSync(join(tmpdir(), "pod-streams-"));
    const get = (): { readonly under: ApiUnderTest; readonly client: ConformanceClient } => {
      if (!running) throw new Error("the API under test has not started");
      return running;
    };
    const cases = new CaseList(excluded);
    const context: StreamsContext = {
      cases,
      get under() {
        return get().under;
      },
      get client() {
        return get().client;
      },
      namespace,
      path: (subresource, query) => `/api/v1/namespaces/${namespace}/pods/web/${subresource}?${query}`,
      kubectl: (carrier, args, input = "") =>
        streamKubectl(get().under.kubeconfig, carrier, { args: ["--namespace", namespace, ...args], input }),
    };

    beforeAll(async () => {
      const under = await start();
      const client = new ConformanceClient(under);
      running = { under, client };
      await client.post("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
      await client.object(`/api/v1/namespaces/${namespace}/serviceaccounts`, "default", () => true);
      const containers = [{ name: "web", image: "example/web:1", ports: [{ containerPort: 8080 }] }];
      const pod = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "web", annotations: { "bench.kas/log-rate": "200" } },
        spec: { containers },
      };
      expect((await client.post(`/api/v1/namespaces/${namespace}/pods`, pod)).code).toBe(201);
      await client.object(`/api/v1/namespaces/${namespace}/pods`, "web", (one) => textIn(one, "status", "phase") === "Running");
    });

    afterAll(async () => {
      await running?.client.close();
      await running?.under.stop();
      rmSync(dir, { recursive: true, force: true });
    });

    for (const carrier of CARRIERS)
      cases.group(`kubectl over ${carrier}`, () => {
        cases.add("gets output and errors apart", async () => {
          const result = await context.kubectl(carrier, ["exec", "web", "--", "sh", "-c", "echo out; echo err >&2"]);
          expect({ ...result, stdout: result.stdout.toString() }).toEqual({ code: 0, stdout: "out\n", stderr: "err\n" });
        });

        cases.add("gets the output of a program that ends at once", async () => {
          const results = await Promise.all(
            Array.from({ length: 5 }, (_, n) => context.kubectl(carrier, ["exec", "web", "--", "echo", String(n)])),
          );
          expect(results.map(({ code, stdout }) => [code, stdout.toString()])).toEqual([0, 1, 2, 3, 4].map((n) => [0, `${n}\n`]));
        });

        cases.add("gets 20 MB of output", async () => {
          const result = await context.kubectl(carrier, ["exec", "web", "--", "head", "-c", "20000000", "/dev/zero"]);
          expect(result.stdout.equals(Buffer.alloc(20_000_000))).toBe(true);
        });
      });

    for (const protocol of PROTOCOLS)
      cases.group(`a client of ${protocol}`, () => {
        cases.add("gets what its program makes of its input", async () => {
          const client = await ChannelClient.open(context.under, context.path("exec", "command=cat&stdin=true&stdout=true"), [protocol]);
          client.send(0, "abc");
          expect(await client.until(1, (text) => text.length >= 3)).toBe("abc");
          expect(client.protocol).toBe(protocol);
          client.close();
        });
      });

    cases.add("a request without an upgrade, and one for a container that is not there, are answered with 400", async () => {
      const query = "command=true&stdout=true";
      expect((await context.client.get(context.path("exec", query))).code).toBe(400);
      await expect(
        ChannelClient.open(context.under, context.path("exec", `${query}&container=nope`), ["v5.channel.k8s.io"]),
      ).rejects.toThrow("400");
    });

    describeCompleteCommands(context, dir);
    describeSimulatedPods(context);
    test("every excluded case is one of this suite", () => expect(cases.unknown).toEqual([]));
  });
}

/** Ends of input and output, exit codes and terminals. */
function describeCompleteCommands(context: StreamsContext, dir: string): void {
  const { cases } = context;
  for (const carrier of CARRIERS)
    cases.group(`complete commands of kubectl over ${carrier}`, () => {
      cases.add("gets output, errors and the exit code", async () => {
        const result = await context.kubectl(carrier, ["exec", "web", "--", "sh", "-c", "echo out; echo err >&2; exit 7"]);
        expect(result.stdout.toString()).toBe("out\n");
        expect(result.stderr).toBe("err\ncommand terminated with exit code 7\n");
        expect(result.code).toBe(7);
      });

      cases.add("sends its input to the end", async () => {
        const input = randomBytes(3_000_000);
        const result = await context.kubectl(carrier, ["exec", "-i", "web", "--", "sha256sum"], input);
        expect(result).toMatchObject({ code: 0, stderr: "" });
        expect(result.stdout.toString()).toBe(`${createHash("sha256").update(input).digest("hex")}  -\n`);
      });

      cases.add("copies a file in and out, byte for byte", async () => {
        const [there, back] = [join(dir, `there-${carrier}`), join(dir, `back-${carrier}`)];
        const content = randomBytes(5_000_001);
        writeFileSync(there, content);
        expect(await context.kubectl(carrier, ["cp", there, `web:copied-${carrier}`])).toMatchObject({ code: 0 });
        expect(await context.kubectl(carrier, ["cp", `web:copied-${carrier}`, back])).toMatchObject({ code: 0 });
        expect(readFileSync(back).equals(content)).toBe(true);
      });
    });

  for (const protocol of PROTOCOLS)
    cases.group(`complete commands of a client of ${protocol}`, () => {
      const open = (query: string): Promise<ChannelClient> => ChannelClient.open(context.under, context.path("exec", query), [protocol]);

      cases.add("gets its streams on their channels and a Status", async () => {
        const client = await open(
          "command=sh&command=-c&command=echo%20out%3B%20echo%20err%20%3E%262%3B%20exit%203&stdout=true&stderr=true",
        );
        await client.closed;
        expect(client.protocol).toBe(protocol);
        expect([client.text(1), client.text(2)]).toEqual(["out\n", "err\n"]);
        expect(JSON.parse(client.text(3))).toMatchObject({
          status: "Failure",
          reason: "NonZeroExitCode",
          details: { causes: [{ reason: "ExitCode", message: "3" }] },
        });
      });

      cases.add("has a terminal with echo, size and ^C", async () => {
        const client = await open("command=sh&stdin=true&stdout=true&tty=true");
        client.send(4, JSON.stringify({ Width: 101, Height: 41 }));
        for (let round = 0; !client.text(1).includes("41 101"); round += 1) {
          client.send(0, `stty size; echo round=${round}=\r`);
          await client.until(1, (text) => text.includes(`\nround=${round}=\r\n`));
        }
        expect(client.text(1)).toContain("stty size; echo round=0=\r\n");
        client.send(0, "echo sleeps; sleep 100\r");
        await client.until(1, (text) => text.includes("\nsleeps\r\n"));
        client.send(0, "\u0003");
        client.send(0, "echo code=$?=\r");
        await client.until(1, (text) => text.includes("code=130="));
        client.send(0, "exit 4\r");
        await client.closed;
        expect(JSON.parse(client.text(3))).toMatchObject({ details: { causes: [{ message: "4" }] } });
      });
    });

  cases.add("a client of v5 ends its input with the close signal", async () => {
    const client = await ChannelClient.open(context.under, context.path("exec", "command=cat&stdin=true&stdout=true"), [
      "v5.channel.k8s.io",
    ]);
    client.send(0, "abc");
    await client.until(1, (text) => text === "abc");
    client.send(255, Buffer.from([0]));
    await client.closed;
    expect(JSON.parse(client.text(3))).toMatchObject({ status: "Success" });
  });

  cases.add("the client library for JavaScript gets output, input and the exit code", async () => {
    const config = new KubeConfig();
    config.loadFromFile(context.under.kubeconfig);
    const [output, errors] = [new PassThrough(), new PassThrough()];
    const [text, complaints] = [readText(output), readText(errors)];
    const script = ["sh", "-c", "read line; echo got $line; echo err >&2; exit 5"];
    const status = await new Promise<V1Status>((resolve, reject) => {
      const exec = new Exec(config);
      exec.exec(context.namespace, "web", "web", script, output, errors, Readable.from(["a line\n"]), false, resolve).catch(reject);
    });
    output.end();
    errors.end();
    expect([await text, await complaints]).toEqual(["got a line\n", "err\n"]);
    expect(status).toMatchObject({ reason: "NonZeroExitCode", details: { causes: [{ message: "5" }] } });
  });
}
