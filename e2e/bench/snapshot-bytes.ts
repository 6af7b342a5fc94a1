import { gzipSync } from "node:zlib";

import { send, type BearerTarget } from "../support/bearer-request.ts";
import { openSession } from "../support/dashboard-client.ts";
import { BENCH_NAMESPACE, BENCH_PODS, benchPod } from "./bench-pods.ts";
import type { CrowdedProduct } from "./crowded-product.ts";
import type { Figure } from "./goals.ts";
import { readChanges, readPicture, readResume } from "./held-picture.ts";
import { openViewer, type RawViewer } from "./raw-viewer.ts";

/** Pods that change while a browser is away. */
const CHANGES = 10;
const KIB = 1_024;
const PODS_PATH = `/api/v1/namespaces/${BENCH_NAMESPACE}/pods`;

/** Bytes over the wire of a snapshot and of coming back, of an environment with a recent view. */
export async function snapshotFigures({ sandbox, target }: CrowdedProduct): Promise<readonly Figure[]> {
  const session = await openSession(sandbox, "maintainer");
  const { project = "" } = sandbox.endpoints.environments[0] ?? {};
  const ask = { projectPath: project, environment: BENCH_NAMESPACE };
  const first = await openViewer(session, ask);
  const picture = await readPicture(first, BENCH_PODS);
  first.close();
  const quiet = await openViewer(session, { ...ask, after: picture.position });
  const back = await readResume(quiet);
  quiet.close();
  await changePods(target, () => openViewer(session, { ...ask, after: back.position }));
  const late = await openViewer(session, { ...ask, after: back.position });
  const caughtUp = await readResume(late);
  late.close();
  const list = await listBytes(target);
  return [
    { figure: `snapshot of ${picture.nodes} nodes and ${picture.edges} edges, gzip`, value: picture.bytes / KIB, unit: "KiB", goal: KIB },
    { figure: "a list of its pods as the API server writes it, gzip", value: list / KIB, unit: "KiB" },
    { figure: "coming back, nothing has changed", value: back.bytes / KIB, unit: "KiB", goal: 10 },
    { figure: `coming back, ${CHANGES} pods have changed`, value: caughtUp.bytes / KIB, unit: "KiB", goal: 10 },
  ];
}

/** Some pods fail; settles once a client has received all of them. */
async function changePods(target: BearerTarget, open: () => Promise<RawViewer>): Promise<void> {
  const witness = await open();
  const changesRead = readChanges(witness, CHANGES);
  for (let index = 0; index < CHANGES; index += 1) {
    const answer = await send(target, `${PODS_PATH}/${benchPod(index).metadata.name}/status`, {
      method: "PATCH",
      headers: { "content-type": "application/merge-patch+json" },
      body: JSON.stringify({ status: { phase: "Failed", reason: "Evicted" } }),
    });
    if (answer.statusCode !== 200) throw new Error(`a pod was not changed: ${await answer.body.text()}`);
    await answer.body.dump();
  }
  await changesRead;
  witness.close();
}

/** Bytes of one list of all pods, compressed as the dashboard compresses. */
async function listBytes(target: BearerTarget): Promise<number> {
  const answer = await send(target, PODS_PATH);
  return gzipSync(Buffer.from(await answer.body.arrayBuffer()), { level: 1 }).length;
}
