import fc from "fast-check";
import { expect, test } from "vitest";

import { kindOf } from "../testing/fake-cluster.ts";
import { HttpKubeClient } from "./http-kube-client.ts";
import { ScriptedTransport } from "./scripted-transport.ts";

const NEVER = new AbortController().signal;
const NAMES = { group: "apps", version: "v1", resource: "deployments", namespace: "staging", name: "web" };
const TRICKS = [
  "..",
  "/",
  "%2F",
  "%2e%2e",
  "?",
  "#",
  "\\",
  " ",
  "\n",
  "\0",
  "a",
  "secrets",
  ".",
  "%",
  "ü",
  "\u202E",
  "__proto__",
  ":",
  ";",
  "*",
  "+",
  "&=",
];

/** A path of the Kubernetes API that stays in its namespace, also after a proxy has decoded it and encoded it again. */
const PATH = /^\/apis\/[a-z0-9.-]+\/[a-z0-9-]+\/namespaces\/[a-z0-9-]+\/[a-z0-9-]+(\/[^/%]+)?$/u;

const hostile = fc.oneof(
  fc.array(fc.constantFrom(...TRICKS), { maxLength: 8 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary" }),
);
const places = fc.dictionary(fc.constantFrom(...Object.keys(NAMES)), hostile, { minKeys: 1, maxKeys: 5 });

test("XM2, T25: whatever stands for a group, version, plural, namespace or name, no request leads elsewhere", async () => {
  await fc.assert(
    fc.asyncProperty(places, async (changed) => {
      const { group, version, resource, namespace, name } = { ...NAMES, ...changed };
      const transport = new ScriptedTransport(() => ({ status: 404 }));
      const client = new HttpKubeClient(transport);
      const kind = { ...kindOf("apps/v1/deployments/Deployment"), group, version, resource };
      const ask = { kind, namespace, name, metadataOnly: false, resourceVersion: "1", limit: 1 };
      const watch = client.watch(ask, NEVER)[Symbol.asyncIterator]();
      const stream = client.stream(ask, NEVER)[Symbol.asyncIterator]();
      for (const answer of [client.get(ask, NEVER), client.list(ask, NEVER), watch.next(), stream.next()]) {
        await expect(answer).rejects.toMatchObject({ failure: "api" });
      }
      for (const { path } of transport.requests) {
        // Core kinds and those of all namespaces have shorter paths.
        const whole = path.replace(/^\/api\//, "/apis/core/").replace(/^(\/apis\/[^/]+\/[^/]+)\/(?!namespaces\/)/, "$1/namespaces/all/");
        expect(decodeURIComponent(whole.split("?")[0] ?? "")).toMatch(PATH);
        expect(new URL(path, "http://api").pathname).toBe(path.split("?")[0]);
      }
    }),
  );
});

test("XM2: an invalid name sends no request", async () => {
  const transport = new ScriptedTransport(() => ({}));
  const client = new HttpKubeClient(transport);
  const kind = { ...kindOf("/v1/pods/Pod"), version: "v1/namespaces/production/secrets/x?" };
  await expect(client.get({ kind, namespace: "staging", name: "a" }, NEVER)).rejects.toMatchObject({
    failure: "api",
    status: { code: 400 },
  });
  expect(transport.requests).toEqual([]);
});

test("XM2: a kind that discovery names with something that is no name is left out, in both ways of discovery", async () => {
  const resources = ["things", "../x", "a/b"].map((resource) => ({ resource, responseKind: { kind: "Thing" }, verbs: ["list"] }));
  const aggregated = (name: string): object => ({
    kind: "APIGroupDiscoveryList",
    items: [{ metadata: { name }, versions: [{ version: "v1", resources }] }],
  });
  const first = new HttpKubeClient(new ScriptedTransport(({ path }) => ({ body: aggregated(path === "/api" ? "a/../b" : "x.io") })));
  expect((await first.discover(undefined, NEVER))?.kinds.map(({ group, resource }) => `${group}/${resource}`)).toEqual(["x.io/things"]);
  const plain = new ScriptedTransport(({ path }) => {
    if (path === "/api") return { body: { kind: "APIVersions", versions: ["v1/../../x", "v1"] } };
    if (path === "/apis") return { body: { kind: "APIGroupList", groups: [{ name: "a?b", versions: [{ version: "v1" }] }] } };
    return {
      body: {
        kind: "APIResourceList",
        resources: [
          { name: "pods", kind: "Pod" },
          { name: "p ds", kind: "Pod" },
        ],
      },
    };
  });
  expect((await new HttpKubeClient(plain).discover(undefined, NEVER))?.kinds.map(({ resource }) => resource)).toEqual(["pods"]);
  expect(plain.requests.map(({ path }) => path)).not.toContainEqual(expect.stringContaining(".."));
});
