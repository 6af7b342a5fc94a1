// needs: nginx, haproxy, tinyproxy
import { OutgoingProxy } from "@binnacle/rpc/outgoing-proxy";
import { eventually, ManualClock, startHaproxy, startNginx, startTinyproxy, type EdgeProxy } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { DashboardTab } from "../../testing/dashboard-tab.ts";
import { keyLine, WebProcesses } from "../../testing/web-processes.ts";
import { HEARTBEAT_MS } from "../../view/authorized-stream.ts";

let world: WebProcesses;
const proxies: EdgeProxy[] = [];

beforeEach(async () => {
  world = await WebProcesses.open();
});
afterEach(async () => {
  await world.close();
  for (const proxy of proxies.splice(0)) await proxy.stop();
});

async function startWeb(proxy?: OutgoingProxy): Promise<string> {
  return (await world.start(keyLine(), { proxy })).address;
}

function started(proxy: EdgeProxy): string {
  proxies.push(proxy);
  return `127.0.0.1:${proxy.port}`;
}

const hasFirstPicture = (tab: DashboardTab): boolean => tab.isComplete() && tab.named("first") !== undefined;

test("interop-3 finding 3: the first picture comes through nginx with its defaults while the stream is open", async () => {
  const clock = new ManualClock(Date.now());
  const { address: web } = await world.start(keyLine(), { clock });
  const edge = started(await startNginx(`location / { proxy_pass http://${web}; proxy_set_header Host $http_host; }`));
  const tab = world.tab(edge, await world.signIn(edge));
  // Time ends before the first heartbeat: nothing follows that pushes through what nginx would hold back.
  const endMs = clock.now() + HEARTBEAT_MS / 2;
  await eventually(() => {
    if (clock.now() < endMs) clock.advance(20);
    return hasFirstPicture(tab) ? undefined : `${tab.messages.length} messages came, and not the first picture`;
  }, 20_000);
  expect(tab.problem).toBeUndefined();
});

test("interop-3: a stream that HAProxy has cut is opened anew, and goes on from where it was", { timeout: 60_000 }, async () => {
  const edge = started(await startHaproxy({ backend: await startWeb(), idleMs: 5_000, protocol: "h1" }));
  const cookie = await world.signIn(edge);
  const first = world.tab(edge, cookie);
  await first.until(hasFirstPicture);
  // Nothing is sent for longer than HAProxy bears: it ends the answer.
  await first.ended.catch(() => undefined);
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "second" } });
  const again = world.tab(edge, cookie, first.position);
  await again.until((tab) => tab.named("second") !== undefined);
  expect(await world.wayAt(edge, cookie)).toBe("token");
});

test("interop-3 finding 5: web reaches the main application, and kas not, through tinyproxy", async () => {
  const tinyproxy = await startTinyproxy("me", "p4ssw0rdcanary");
  const address = started(tinyproxy);
  const web = await startWeb(OutgoingProxy.parse(`http://me:p4ssw0rdcanary@${address}`));
  await world.tab(web, await world.signIn(web)).until(hasFirstPicture);
  const targets = new Set([...tinyproxy.output.matchAll(/CONNECT (\S+) HTTP/g)].map(([, authority]) => authority));
  expect(targets).toEqual(new Set([new URL(await world.mainApplication).host]));
});
