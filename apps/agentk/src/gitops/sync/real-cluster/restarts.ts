import { GitopsOutcome, GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { FakeKas, type FakeObjectsStream, type FakeReport } from "../../../testing/fake-kas.ts";
import { runAgent, type RunningAgent } from "../../../whole-agent/running-agent.ts";
import { map, maps } from "./manifest-texts.ts";
import { bench } from "./sync-bench.ts";

const FIRST = "a".repeat(40);
const SECOND = "b".repeat(40);
const REFUSED = "apiVersion: v1\nkind: Service\nmetadata: {name: bad}\nspec: {ports: [{port: 70000}]}\n";

/** What a project applies first, and then; its id is the number that kas gives it. */
const PROJECTS = {
  good: { id: 11n, first: maps("good-a"), second: map("good-a", "data: {k: v}\n") },
  failing: { id: 12n, first: maps("failing-a"), second: `${maps("failing-a")}---\n${REFUSED}` },
  held: { id: 13n, first: maps("held-a", "held-b"), second: maps("held-c") },
  drifting: { id: 14n, first: map("drifting-a", "data: {k: wanted}\n"), second: map("drifting-a", "data: {k: newer}\n") },
} as const;
type Project = keyof typeof PROJECTS;
const NAMES = Object.keys(PROJECTS) as Project[];

let kas: FakeKas;
let agent: RunningAgent;
/** Commit that is the newest one of every project. */
let newest: string;

/** An agent that is given its configuration. */
async function start(): Promise<RunningAgent> {
  const started = await runAgent(`grpc://127.0.0.1:${kas.port}`, bench.access(), { podNamespace: bench.namespace });
  await configure();
  return started;
}

async function configure(): Promise<void> {
  const manifestProjects = NAMES.map((id) => ({ id, defaultNamespace: bench.namespace }));
  (await kas.configuration()).send({ commitId: newest, configuration: { agentId: 5n, gitops: { manifestProjects } } });
}

/** Sends the newest commit to the next stream of each project. */
async function sendNewest(): Promise<void> {
  const left = new Set<string>(NAMES);
  while (left.size > 0) {
    const stream = await kas.objects();
    const project = PROJECTS[stream.request.projectId as Project];
    // An agent that has the commit waits for another one.
    if (stream.request.commitId === newest || !left.delete(stream.request.projectId)) continue;
    const text = newest === FIRST ? project.first : project.second;
    stream.send({ case: "header", value: { commitId: newest, projectId: project.id } });
    stream.send({ case: "object", value: { source: "all.yaml", data: Buffer.from(text) } });
    stream.send({ case: "trailer", value: {} });
    stream.end();
  }
}

const last = (project: Project): FakeReport | undefined => kas.reports.findLast(({ sync }) => sync.project === project);
const syncsEnded = (): number => agent.lines.filter((line) => line === "info: sync ended").length;

/** The state of each project is reported, of the newest commit. */
async function settled(): Promise<void> {
  await until(
    () => NAMES.every((project) => last(project)?.sync.finishedAt !== undefined && last(project)?.sync.commitId === newest),
    () => NAMES.map((project) => last(project)?.sync),
  );
}

/** What each report says, in short. */
function truth(): Record<string, unknown> {
  return Object.fromEntries(
    NAMES.map((project) => {
      const { sync, objects } = last(project) ?? {};
      const bad = objects?.filter(({ outcome }) => outcome === GitopsOutcome.FAILED || outcome === GitopsOutcome.DRIFTED) ?? [];
      const { state, outcomeUnknown, appliedCommitId, appliedAt, pruneHeld } = sync ?? {};
      const at = appliedAt && Number(appliedAt.seconds) * 1_000 + appliedAt.nanos / 1e6;
      return [project, { state, outcomeUnknown, appliedCommitId, at, held: pruneHeld !== "", bad: bad.map(({ name }) => name) }];
    }),
  );
}

describe("restarts", () => {
  beforeEach(async () => {
    kas = await FakeKas.listen();
    kas.takesReports = { code: 0, message: "" };
    newest = FIRST;
    agent = await start();
  });
  afterEach(async () => {
    await agent.stop();
    await kas.close();
  });

  test("B2, features-3 fault 2: of kas and agentk take nothing that is known, and claim nothing that is not", async () => {
    await sendNewest();
    await settled();
    const firstAt = Object.fromEntries(NAMES.map((project) => [project, last(project)?.sync.appliedAt]));
    await bench.patch(`${bench.mapPath("drifting-a")}?fieldManager=kubectl-edit&force=true`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "drifting-a" },
      data: { k: "by hand" },
    });
    newest = SECOND;
    await sendNewest();
    await settled();
    const before = truth();
    expect(before).toMatchObject({
      good: { state: GitopsSyncState.SYNCED, outcomeUnknown: false, appliedCommitId: SECOND, held: false, bad: [] },
      failing: { state: GitopsSyncState.FAILED, outcomeUnknown: false, appliedCommitId: FIRST, bad: ["bad"] },
      held: { state: GitopsSyncState.SYNCED, outcomeUnknown: false, appliedCommitId: SECOND, held: true, bad: [] },
      drifting: { state: GitopsSyncState.OUT_OF_SYNC, outcomeUnknown: false, appliedCommitId: FIRST, bad: ["drifting-a"] },
    });
    expect(last("failing")?.sync.appliedAt).toEqual(firstAt["failing"]);

    // kas restarts and has lost its state: it receives the same report at once, without a sync.
    const synced = syncsEnded();
    kas.reports.splice(0);
    for (const session of kas.sessions.splice(0)) session.destroy();
    await configure();
    await until(() => NAMES.every((project) => last(project) !== undefined));
    expect([truth(), syncsEnded()]).toEqual([before, synced]);

    // agentk restarts: the applied commit and its time are known, everything else is not before the first sync has ended.
    await agent.stop();
    kas.reports.splice(0);
    agent = await start();
    await sendNewest();
    await settled();
    for (const project of NAMES) {
      const first = kas.reports.find(({ sync }) => sync.project === project)?.sync;
      const known = before[project] as { readonly appliedCommitId: string };
      const isApplied = known.appliedCommitId === SECOND;
      expect(first).toMatchObject({
        outcomeUnknown: true,
        state: isApplied ? GitopsSyncState.UNSPECIFIED : GitopsSyncState.APPLYING,
        appliedCommitId: known.appliedCommitId,
        appliedAt: expect.anything(),
      });
    }
    expect(truth()).toEqual(before);
  }, 60_000);
});

describe("restarts with a commit that is refused", () => {
  /** Where the inventory is, which its manifests alone say. */
  const HOME = "restarts-home";
  const TEMPLATE = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own, namespace: ${HOME}, labels: {cli-utils.sigs.k8s.io/inventory-id: own}}\n`;
  const KNOWN = {
    appliedCommitId: FIRST,
    appliedObjects: 2,
    inventoryNamespace: HOME,
    inventoryName: "own",
    namespaces: ["restarts-objects"],
    commitId: SECOND,
  };

  let configurations = 0;

  /** An agent that is given its configuration. */
  async function begin(maxObjects = 10): Promise<void> {
    kas.reports.splice(0);
    agent = await runAgent(`grpc://127.0.0.1:${kas.port}`, bench.access(), { podNamespace: bench.namespace });
    const gitops = { manifestProjects: [{ id: "own", defaultNamespace: bench.namespace }] };
    const commitId = `${(configurations += 1)}`;
    (await kas.configuration()).send({ commitId, configuration: { agentId: 6n, gitops, binnacle: { gitops: { maxObjects } } } });
  }

  /** The stream of an agent that has this commit; others are of agents before it. */
  async function streamOf(known: string): Promise<FakeObjectsStream> {
    for (;;) {
      const next = await kas.objects();
      if (next.request.commitId === known) return next;
    }
  }

  async function send(commitId: string, text: string): Promise<void> {
    const opened = await streamOf("");
    opened.send({ case: "header", value: { commitId, projectId: 15n } });
    opened.send({ case: "object", value: { source: "all.yaml", data: Buffer.from(text) } });
    opened.send({ case: "trailer", value: {} });
    opened.end();
  }

  /** The first report of an end in this state. */
  async function ended(state: GitopsSyncState): Promise<FakeReport["sync"] | undefined> {
    const find = () => kas.reports.find(({ sync }) => sync.state === state && sync.finishedAt !== undefined)?.sync;
    await until(() => find() !== undefined);
    return find();
  }

  beforeEach(async () => {
    kas = await FakeKas.listen();
    kas.takesReports = { code: 0, message: "" };
    for (const name of [HOME, "restarts-objects"])
      await bench.call("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  });
  afterEach(async () => {
    await agent.stop();
    await kas.close();
  });

  test("B2: the commit that is applied, its time and its objects are known all the same, wherever the inventory is", async () => {
    const wanted = ["a", "b"].map((name) => map(name).replace("name:", "namespace: restarts-objects\n  name:"));
    await begin();
    await send(FIRST, [TEMPLATE, ...wanted].join("---\n"));
    const { appliedAt, ...first } = (await ended(GitopsSyncState.SYNCED)) ?? {};
    expect(first).toMatchObject({ ...KNOWN, commitId: FIRST });
    expect(appliedAt).toBeDefined();

    // A file that cannot be read: it might have held the template.
    await agent.stop();
    await begin();
    await send(SECOND, "kind: [ConfigMap\n");
    expect(await ended(GitopsSyncState.INVALID)).toMatchObject({ ...KNOWN, appliedAt });

    // A commit that kas does not send.
    await agent.stop();
    await begin();
    (await streamOf("")).end({ code: 9, message: "big.yaml is too long" }, new Map([["binnacle-refused-commit", [SECOND]]]));
    expect(await ended(GitopsSyncState.INVALID)).toMatchObject({ ...KNOWN, appliedAt });

    // One with too many objects, which is not even requested after the next restart.
    await agent.stop();
    await begin(1);
    await send(SECOND, maps("a", "b"));
    expect(await ended(GitopsSyncState.FAILED)).toMatchObject({ ...KNOWN, appliedAt });
    await agent.stop();
    await begin(1);
    await streamOf(SECOND);
    expect(await ended(GitopsSyncState.FAILED)).toMatchObject({ ...KNOWN, appliedAt });
  }, 60_000);
});
