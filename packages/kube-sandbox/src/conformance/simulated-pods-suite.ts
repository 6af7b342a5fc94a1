import { connect } from "node:net";

import { lineText, logProfile } from "@binnacle/kubelet-stand-in";
import { expect } from "vitest";

import { listIn, textIn, treeIn } from "../json-tree.ts";
import { CARRIERS, type StreamsContext } from "../pod-streams.conformance.ts";
import { answerOnce } from "./client.ts";
import { ChannelClient, startKubectl, type Carrier } from "./stream-client.ts";

/** What containers of the kubelet stand-in do, whichever API server is before them. */
export function describeSimulatedPods(context: StreamsContext): void {
  const { cases } = context;
  const pods = (): string => `/api/v1/namespaces/${context.namespace}/pods`;

  async function makePod(name: string, spec: object, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
    await context.client.post(pods(), { apiVersion: "v1", kind: "Pod", metadata: { name, annotations }, spec });
    await context.client.object(pods(), name, (pod) => textIn(pod, "status", "phase") === "Running");
  }

  /** kubectl port-forward of ports of the pod `web`. @returns ports of this machine, in the same order */
  async function forward(
    carrier: Carrier,
    ...of: readonly number[]
  ): Promise<{ readonly ports: readonly number[]; readonly errors: readonly string[]; readonly stop: () => void }> {
    const args = ["-n", context.namespace, "port-forward", "pod/web", ...of.map((port) => `:${port}`)];
    const child = startKubectl(context.under.kubeconfig, carrier, args);
    const [output, errors]: [string[], string[]] = [[], []];
    child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
    const ports = await new Promise<number[]>((resolve, reject) => {
      child.stdout?.on("data", (chunk: Buffer) => {
        output.push(chunk.toString());
        const found = new Map(
          [...output.join("").matchAll(/Forwarding from 127\.0\.0\.1:(\d+) -> (\d+)/g)].map(([, here, there]) => [
            Number(there),
            Number(here),
          ]),
        );
        if (found.size === of.length) resolve(of.map((port) => found.get(port) ?? 0));
      });
      child.once("exit", () => reject(new Error(`kubectl port-forward ended: ${errors.join("")}`)));
    });
    return { ports, errors, stop: () => void child.kill() };
  }

  cases.group("images", () => {
    cases.add("without a shell fail with the runtime's words and code 127; those of busybox have no bash", async () => {
      const containers = [
        { name: "bare", image: "gcr.io/distroless/static" },
        { name: "small", image: "busybox:1" },
      ];
      await makePod("images", { containers });
      for (const carrier of CARRIERS) {
        const bare = await context.kubectl(carrier, ["exec", "images", "-c", "bare", "--", "sh"]);
        expect(bare.code).toBe(127);
        expect(bare.stderr).toContain('unable to start container process: exec: "sh": executable file not found in $PATH');
        expect((await context.kubectl(carrier, ["exec", "images", "-c", "small", "--", "bash"])).code).toBe(127);
        expect((await context.kubectl(carrier, ["exec", "images", "-c", "small", "--", "ash", "-c", "echo ok"])).stdout.toString()).toBe(
          "ok\n",
        );
      }
    });
  });

  for (const carrier of CARRIERS)
    cases.group(`attach over ${carrier}`, () => {
      cases.add("shows new lines of the log", async () => {
        const child = startKubectl(context.under.kubeconfig, carrier, ["--namespace", context.namespace, "attach", "web"]);
        const first = await new Promise<string>((resolve) => child.stdout?.once("data", (chunk: Buffer) => resolve(chunk.toString())));
        child.kill();
        expect(first).toMatch(/^web: \w+ .* line=\d+ /);
      });
    });

  cases.group("attach", () => {
    cases.add("reaches a shell in a container that has its standard input open", async () => {
      await makePod("interactive", { containers: [{ name: "sh", image: "busybox", stdin: true, tty: true }] });
      const path = `${pods()}/interactive/attach?stdin=true&stdout=true&tty=true`;
      const client = await ChannelClient.open(context.under, path, ["v5.channel.k8s.io"]);
      client.send(0, "echo $HOSTNAME\r");
      expect(await client.until(1, (text) => text.includes("\ninteractive\r\n"))).toContain("echo $HOSTNAME\r\n");
      client.close();
    });
  });

  cases.group("logs", () => {
    cases.add("followed are complete: every line is the one that a pure function gives", async () => {
      const { body } = await context.client.get(`${pods()}/web`);
      const startedMs = Date.parse(textIn(listIn(body, "status", "containerStatuses")[0], "state", "running", "startedAt") ?? "");
      const seed = `${textIn(body, "metadata", "uid")}/web/0`;
      const profile = logProfile({ "bench.kas/log-rate": "200" }, { seed, container: "web", startedMs });
      const limit = lineText(profile, 0).length + 40_000;
      const text = (await context.client.get(context.path("log", `follow=true&limitBytes=${limit}`))).text;
      expect(text).toHaveLength(limit);
      const lines = text.split("\n").slice(0, -1);
      expect(lines.length).toBeGreaterThan(500);
      expect(lines).toEqual(lines.map((_, n) => lineText(profile, n)));
    });

    cases.add("have timestamps of nine digits, a tail, and a beginning with the precision of a second", async () => {
      const tail = (await context.client.get(context.path("log", "timestamps=true&tailLines=5"))).text.trimEnd().split("\n");
      expect(tail).toHaveLength(5);
      for (const line of tail) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z web: /);
      const since = tail[2]?.split(" ")[0] ?? "";
      const later = (await context.client.get(context.path("log", `timestamps=true&sinceTime=${since}`))).text.split("\n");
      // 200 lines a second: the second of the third line began less than 201 lines before it.
      const at = later.indexOf(tail[2] ?? "");
      expect(later.slice(at, at + 3)).toEqual(tail.slice(2));
      expect(later[0]?.slice(0, 19)).toBe(since.slice(0, 19));
      expect(at).toBeLessThanOrEqual(200);
    });

    cases.add("of a run that never was, or of a container that is not there, are answered with 400 and a sentence", async () => {
      const previous = await context.client.get(context.path("log", "previous=true"));
      expect(previous).toMatchObject({ code: 400, body: { message: 'previous terminated container "web" in pod "web" not found' } });
      expect((await context.client.get(context.path("log", "container=nope"))).code).toBe(400);
      await context.client.post(pods(), {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "unpulled" },
        spec: { containers: [{ name: "web", image: "nosuch.invalid/web:1" }] },
      });
      await context.client.object(pods(), "unpulled", (pod) => JSON.stringify(pod["status"]).includes("ImagePullBackOff"));
      expect((await context.client.get(`${pods()}/unpulled/log`)).body).toMatchObject({
        code: 400,
        message: 'container "web" in pod "unpulled" is waiting to start: trying and failing to pull image',
      });
    });
  });

  cases.group("ephemeral containers", () => {
    cases.add("run once they are added, and end with the shell that kubectl debug attaches to", async () => {
      await makePod("debugged", { containers: [{ name: "bare", image: "gcr.io/distroless/static" }] });
      const debug = ["debug", "debugged", "-i", "-q", "--image=busybox:1", "--target=bare", "--container=tools", "--", "sh"];
      const result = await context.kubectl("WebSocket", debug, "echo in $HOSTNAME; exit 3\n");
      expect(result.stdout.toString()).toContain("in debugged\n");
      const ended = await context.client.object(pods(), "debugged", (pod) =>
        JSON.stringify(listIn(pod, "status", "ephemeralContainerStatuses")).includes("terminated"),
      );
      expect(listIn(ended, "spec", "ephemeralContainers")).toMatchObject([
        { name: "tools", image: "busybox:1", targetContainerName: "bare", stdin: true },
      ]);
      const [first] = listIn(ended, "status", "ephemeralContainerStatuses");
      expect(first).toMatchObject({ name: "tools", state: { terminated: { exitCode: 3, reason: "Error" } } });

      const added = {
        spec: {
          ephemeralContainers: [
            { name: "more", image: "busybox:1" },
            { name: "bad", image: "nosuch.invalid/x:1" },
          ],
        },
      };
      expect((await context.client.patch(`${pods()}/debugged/ephemeralcontainers`, "strategic", added)).code).toBe(200);
      const both = await context.client.object(
        pods(),
        "debugged",
        (pod) => listIn(pod, "status", "ephemeralContainerStatuses").length === 3,
      );
      const states = listIn(both, "status", "ephemeralContainerStatuses").map((one) => [textIn(one, "name"), treeIn(one, "state")]);
      expect(Object.fromEntries(states)).toMatchObject({
        tools: { terminated: { exitCode: 3 } },
        more: { running: {} },
        bad: { waiting: { reason: "ImagePullBackOff" } },
      });
      const inMore = await context.kubectl("WebSocket", ["exec", "debugged", "-c", "more", "--", "echo", "ok"]);
      expect(inMore.stdout.toString()).toBe("ok\n");
      expect((await context.kubectl("WebSocket", ["exec", "debugged", "-c", "tools", "--", "echo", "ok"])).code).toBe(1);
    });
  });

  for (const carrier of CARRIERS)
    cases.group(`port-forward over ${carrier}`, () => {
      cases.add("carries ten connections at once", async () => {
        const { ports, stop } = await forward(carrier, 8080);
        const sent = Array.from({ length: 10 }, (_, n) => Buffer.alloc(500_000, n + 1));
        const received = await Promise.all(sent.map((bytes) => exchange(ports[0] ?? 0, bytes, { isHalfClosed: false })));
        expect(received.map((bytes, n) => bytes.equals(sent[n] ?? Buffer.alloc(0)))).toEqual(sent.map(() => true));
        stop();
      });

      cases.add("passes the end of one side on while the other side is read to its end", async () => {
        const { ports, stop } = await forward(carrier, 8080);
        const sent = Array.from({ length: 10 }, (_, n) => Buffer.alloc(500_000, n + 1));
        const received = await Promise.all(sent.map((bytes) => exchange(ports[0] ?? 0, bytes)));
        expect(received.map((bytes, n) => bytes.equals(sent[n] ?? Buffer.alloc(0)))).toEqual(sent.map(() => true));
        stop();
      });

      cases.add("reaches the container's own port", async () => {
        const { ports, stop } = await forward(carrier, 8080);
        const answer = await exchange(ports[0] ?? 0, Buffer.from("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"));
        expect(answer.toString()).toContain("web:8080 GET /hello HTTP/1.1");
        stop();
      });

      cases.add("names a port without a listener", async () => {
        const { ports, errors, stop } = await forward(carrier, 8080, 9999);
        expect(await exchange(ports[1] ?? 0, Buffer.from("x"))).toHaveLength(0);
        await expect.poll(() => errors.join("")).toContain("dial tcp4 127.0.0.1:9999: connect: connection refused");
        stop();
      });
    });

  cases.group("rights", () => {
    cases.add("to get a subresource are not enough to exec", async () => {
      const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${context.namespace}`;
      const rule = { apiGroups: [""], resources: ["pods", "pods/exec"], verbs: ["get"] };
      await context.client.post(`${rbac}/roles`, { metadata: { name: "readers" }, rules: [rule] });
      await context.client.post(`${rbac}/rolebindings`, {
        metadata: { name: "readers" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "readers" },
        subjects: [{ kind: "User", name: "reader", apiGroup: "rbac.authorization.k8s.io" }],
      });
      const reader = context.client.as({ "impersonate-user": "reader" });
      expect((await answerOnce(200, () => reader.get(`${pods()}/web`))).code).toBe(200);
      const as = { path: context.path("exec", "command=true&stdout=true"), headers: { "impersonate-user": "reader" } };
      await expect(ChannelClient.openWith(context.under, { ...as, protocols: ["v5.channel.k8s.io"] })).rejects.toThrow("403");
    });
  });
}

/**
 * Sends bytes, and reads to the end.
 *
 * @param isHalfClosed ends its own side behind the bytes; else both sides end when as many bytes have come back
 */
function exchange(port: number, bytes: Buffer, { isHalfClosed = true } = {}): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const socket = connect(
      { port, host: "127.0.0.1", allowHalfOpen: true },
      () => void (isHalfClosed ? socket.end(bytes) : socket.write(bytes)),
    );
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      received += chunk.length;
      if (!isHalfClosed && received >= bytes.length) socket.destroy();
    });
    // A connection that is reset has brought what it brought.
    socket.on("error", () => undefined);
    socket.once("close", () => resolve(Buffer.concat(chunks)));
  });
}
