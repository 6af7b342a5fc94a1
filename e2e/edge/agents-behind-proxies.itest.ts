// needs: nginx, haproxy, tinyproxy
import { randomBytes } from "node:crypto";

import { eventually, startHaproxy, startNginx, startTinyproxy } from "@binnacle/testing";
import { afterEach, expect, test } from "vitest";

import { EdgeScene } from "./edge-scene.ts";

const LIMIT_MS = 60_000;
/** What an agent logs of kas refusing it, or of losing it. */
const COMPLAINTS = /"level":"(warn|error)"/;

let scene: EdgeScene | undefined;
afterEach(() => scene?.stop());

test("interop-3: nginx with its defaults and the paths of GitLab carries an agent, and the first event of a watch at once", async () => {
  scene = await EdgeScene.start();
  const { agent, k8sProxy } = scene.kas.addresses;
  const upgrade = "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;";
  const nginx = scene.closing(
    await startNginx(`
      location /-/kubernetes-agent/ { proxy_pass http://${agent}/; proxy_set_header Host $http_host; ${upgrade} }
      location /-/kubernetes-agent/k8s-proxy/ { proxy_pass http://${k8sProxy}/; }
    `),
    (one) => one.stop(),
  );
  const agentk = await scene.startAgent(`ws://127.0.0.1:${nginx.port}/-/kubernetes-agent/`);
  const api = `http://127.0.0.1:${nginx.port}/-/kubernetes-agent/k8s-proxy`;
  expect((await scene.ask(`${api}/version`)).status).toBe(200);
  const leave = new AbortController();
  const watch = await scene.ask(`${api}/api/v1/pods?watch=true`, leave.signal);
  const reader = watch.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  // The event is there, and the watch goes on at the API server, which has sent nothing else.
  expect(Buffer.from(value ?? []).toString()).toContain('"name":"first"');
  expect(scene.watches.size).toBe(1);
  leave.abort();
  expect(agentk.program.output).not.toMatch(COMPLAINTS);
});

test("interop-3: an API server below a path of nginx runs programs, their bytes pass in both directions, and the client's end is theirs", async () => {
  scene = await EdgeScene.start();
  const upgrade = "proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection upgrade;";
  const nginx = scene.closing(await startNginx(`location /clusters/one/ { proxy_pass http://${scene.api}/; ${upgrade} }`), (one) =>
    one.stop(),
  );
  await scene.startAgent(`grpc://${scene.kas.addresses.agent}`, {}, `http://127.0.0.1:${nginx.port}/clusters/one`);
  const path = "/api/v1/namespaces/default/pods/web/exec?command=cat&stdin=true";
  const socket = await scene.upgrade(path);
  const sent = randomBytes(300_000);
  socket.write(sent);
  let received = Buffer.alloc(0);
  // nginx knows no half-close, which these protocols do not need: the client ends when it has all.
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, chunk]);
    if (received.length >= path.length + sent.length) break;
  }
  expect(received.subarray(0, path.length).toString()).toBe(path);
  expect(received.subarray(path.length).equals(sent)).toBe(true);
  await eventually(() => (scene?.programs.size === 0 ? undefined : "the program goes on"), LIMIT_MS);
});

test("interop-3: HAProxy cuts idle tunnels, which is no refusal, and no request is lost", { timeout: 120_000 }, async () => {
  scene = await EdgeScene.start();
  const { kas } = scene;
  const haproxy = scene.closing(await startHaproxy({ backend: kas.addresses.agent, idleMs: 5_000, protocol: "h2" }), (one) => one.stop());
  const agentk = await scene.startAgent(`grpc://127.0.0.1:${haproxy.port}`);
  const statuses: number[] = [];
  const cutsOf = (stream: string): number => agentk.program.output.split(`"stream":"${stream}"`).length - 1;
  // Requests go on, one after the other, until each kind of idle stream was cut.
  await eventually(async () => {
    const answer = await scene?.ask(`http://${kas.addresses.k8sProxy}/version`);
    statuses.push(answer?.status ?? 0);
    await answer?.arrayBuffer();
    return cutsOf("tunnel") > 0 && cutsOf("configuration") > 0 ? undefined : `nothing was cut:\n${agentk.program.output}`;
  }, LIMIT_MS);
  for (let more = 0; more < 20; more += 1) statuses.push((await scene.ask(`http://${kas.addresses.k8sProxy}/version`)).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(agentk.program.output).toContain('"msg":"closed by an intermediary"');
  expect(agentk.program.output).not.toMatch(COMPLAINTS);
});

test.each(["grpc", "ws"])(
  "interop-3, T46: kas and its agent (%s) reach theirs through tinyproxy, nothing else, and say no password",
  async (scheme) => {
    const password = "p4ssw0rdcanary";
    const tinyproxy = await startTinyproxy("me", password);
    const proxy = `http://me:${password}@127.0.0.1:${tinyproxy.port}`;
    // Libraries that read them by themselves read the second two.
    const env = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, https_proxy: proxy, http_proxy: proxy };
    scene = await EdgeScene.start(env);
    scene.closing(tinyproxy, (one) => one.stop());
    const { kas, api, application } = scene;
    const agentk = await scene.startAgent(`${scheme}://${kas.addresses.agent}`, env);
    expect((await scene.ask(`http://${kas.addresses.k8sProxy}/api/v1/pods`)).status).toBe(200);
    // A configuration is requested from Gitaly; there is none.
    await eventually(() => (kas.program.output.includes("Gitaly") ? undefined : kas.program.output), LIMIT_MS);
    const authorities = new Set([...tinyproxy.output.matchAll(/CONNECT (\S+) HTTP/g)].map(([, authority]) => authority));
    expect(authorities).toEqual(new Set([kas.addresses.agent, new URL(application.address).host]));
    expect(tinyproxy.output).not.toContain(api);
    const encoded = Buffer.from(`me:${password}`).toString("base64");
    for (const output of [kas.program.output, agentk.program.output]) {
      expect(output).toContain(`http://127.0.0.1:${tinyproxy.port}`);
      expect(output).not.toContain(password);
      expect(output).not.toContain(encoded);
    }
  },
);
