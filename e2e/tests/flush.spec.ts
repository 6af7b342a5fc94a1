import { pick } from "../support/endpoints.ts";
import { send, targetOf } from "../support/bearer-request.ts";
import { expect, test } from "../support/fixtures.ts";

const EVENTS = 1_000;

/** Lines of a response body, one at a time. */
async function* linesOf(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of body) {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

test("every watch event leaves at once: event n+1 is made only after n has arrived, a thousand times", async ({ sandbox }) => {
  const { kubeconfigs, environments } = sandbox.endpoints;
  const namespace = pick(environments, (entry) => entry.name === "production").namespace;
  const direct = targetOf(kubeconfigs.cluster);
  const throughKas = targetOf(kubeconfigs.viaKas);
  const collection = `/api/v1/namespaces/${namespace}/configmaps`;
  const created = await send(direct, collection, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "beat" }, data: { n: "0" } }),
  });
  expect(created.statusCode).toBe(201);
  // A ConfigMap, as the API server answers a create.
  const { metadata } = (await created.body.json()) as { metadata: { resourceVersion: string } };

  const stop = new AbortController();
  // Awaiting the response proves that the headers come before any event exists.
  const query = `watch=true&fieldSelector=metadata.name%3Dbeat&resourceVersion=${metadata.resourceVersion}`;
  const watch = await send(throughKas, `${collection}?${query}`, { signal: stop.signal });
  expect(watch.statusCode).toBe(200);
  const lines = linesOf(watch.body);
  for (let n = 1; n <= EVENTS; n += 1) {
    const patched = await send(direct, `${collection}/beat`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: JSON.stringify({ data: { n: String(n) } }),
    });
    expect(patched.statusCode).toBe(200);
    await patched.body.dump();
    const line = await lines.next();
    // A watch event of the API server.
    const event = JSON.parse(line.value ?? "null") as { type: string; object: { data: { n: string } } };
    expect(event).toMatchObject({ type: "MODIFIED", object: { data: { n: String(n) } } });
  }
  stop.abort();
  await send(direct, `${collection}/beat`, { method: "DELETE" }).then((response) => response.body.dump());
});
