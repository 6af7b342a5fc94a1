// needs: control-plane
import { ActionKind, ActionOutcome, ActionRight, EditPreference, type OpenEditorResponse } from "@binnacle/proto/dashboard";
import { linesOf } from "@binnacle/telemetry/audit";
import { Code } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { featuresSchema } from "../../../config/features.ts";
import { ActionBench, CLUSTERS, sentenceOf, workloadSpec, type BenchObject } from "../../../testing/action-bench.ts";

const ALL = { features: featuresSchema.parse({ actions: "all" }) };
const SECRET = "canary-7d1e";

/** Bytes and numbers of the wire are no JSON. */
function textOf(message: object): string {
  return JSON.stringify(message, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
}

describe.each(CLUSTERS)("edit on %s", (_, start) => {
  let bench: ActionBench;
  beforeAll(async () => {
    bench = await ActionBench.start(start);
  });
  afterAll(() => bench.stop());
  beforeEach(() => bench.open(ALL));
  afterEach(() => bench.close());

  const deployment = () => bench.create("apps/deployments", "Deployment", { spec: workloadSpec() });
  const configMap = (data: object) => bench.create("/configmaps", "ConfigMap", { data });
  const secret = () => bench.create("/secrets", "Secret", { stringData: { password: SECRET, user: "shop" } });
  const open = ({ target }: BenchObject, more: object = {}) => bench.dashboard.openEditor({ target, ...more });

  const parametersOf = ({ yaml, resourceVersion }: Pick<OpenEditorResponse, "yaml" | "resourceVersion">, edited: string) => ({
    base: yaml,
    edited,
    resourceVersion,
  });
  const previewOf = ({ target }: BenchObject, opened: OpenEditorResponse, edited: string) =>
    bench.preview(target, { kind: ActionKind.EDIT, parameters: parametersOf(opened, edited) });
  /** Previews and writes, as a page does. */
  async function write(object: BenchObject, opened: OpenEditorResponse, edited: string) {
    const shown = await previewOf(object, opened, edited);
    const { name } = object.target.ref;
    const request = { kind: ActionKind.EDIT, parameters: parametersOf(opened, edited), request: { typedName: name } };
    return { shown, answer: await bench.perform(object.target, request, shown) };
  }

  test("writes what was changed, shows it before with its managers, and takes it back", async () => {
    const object = await deployment();
    const opened = await open(object);
    expect(opened.yaml).not.toMatch(/status:|managedFields|resourceVersion|generation:/);
    const edited = opened.yaml.replace("example/web:1", "example/web:2").replace("metadata:\n", "metadata:\n  labels:\n    team: shop\n");
    const { shown, answer } = await write(object, opened, edited);
    expect(shown.refused).toBeUndefined();
    expect(shown).toMatchObject({ needsName: true, edit: { problems: [], changedSince: false } });
    expect(shown.edit?.fields.map(({ path }) => path).toSorted()).toEqual(["metadata.labels", "spec.template.spec.containers[web].image"]);
    expect(shown.edit?.fields.find(({ path }) => path.endsWith("image"))?.managers).toHaveLength(1);
    expect(shown.edit?.resultYaml).toContain("example/web:2");
    expect(shown.changes.map(({ path }) => path)).toContain("spec.template.spec.containers[web].image");
    expect(shown.notes.map(sentenceOf)).toEqual(["its pods are replaced"]);
    expect(answer).toMatchObject({ outcome: ActionOutcome.DONE, undo: ActionKind.EDIT });
    const written = await object.read();
    expect(written).toMatchObject({ metadata: { labels: { team: "shop" } } });
    expect(JSON.stringify(written)).toContain('"manager":"binnacle"');
    const undo = await open(object, { base: answer.undoParameters?.base, edited: answer.undoParameters?.edited });
    expect(undo.conflicts).toEqual([]);
    await write(object, undo, undo.edited);
    const back = await object.read();
    expect(JSON.stringify(back)).toContain("example/web:1");
    expect(back["metadata"]).not.toHaveProperty("labels.team");
  });

  test("says what has changed since a document, without another document", async () => {
    const object = await configMap({ a: "1", b: "1" });
    const opened = await open(object);
    const { yaml: base, resourceVersion } = opened;
    expect(await open(object, { base })).toMatchObject({ resourceVersion, yaml: "", edited: "", changed: [] });
    await write(object, opened, base.replace('b: "1"', 'b: "2"'));
    const later = await open(object, { base });
    expect(later.changed.map(({ path }) => path)).toEqual(["data.b"]);
    expect(later).toMatchObject({ yaml: "", edited: "", conflicts: [] });
    expect(later.resourceVersion).not.toBe(resourceVersion);
    await expect(open(object, { base: "a: [" })).rejects.toMatchObject({ code: Code.InvalidArgument });
  });

  test("is offered with its right, and only where all actions are", async () => {
    const object = await configMap({ a: "1" });
    const { actions } = await bench.dashboard.reviewActions({ target: object.target });
    expect(actions).toContainEqual(expect.objectContaining({ kind: ActionKind.EDIT, right: ActionRight.ALLOWED }));
    const opened = await open(object);
    await bench.close();
    await bench.open({ features: featuresSchema.parse({ actions: "safe" }) });
    await expect(open(object)).rejects.toMatchObject({ code: Code.PermissionDenied });
    const { shown, answer } = await write(object, opened, opened.yaml.replace('"1"', '"2"'));
    expect([sentenceOf(shown.refused), sentenceOf(answer.words)].every((text) => text.includes("switched off"))).toBe(true);
    expect(await object.read()).toMatchObject({ data: { a: "1" } });
  });

  test("requires the name of the object in production, and counts as a change for clients without an Origin", async () => {
    const object = await configMap({ a: "1" });
    const opened = await open(object);
    const parameters = parametersOf(opened, opened.yaml.replace('"1"', '"2"'));
    const shown = await bench.preview(object.target, { kind: ActionKind.EDIT, parameters });
    const answer = await bench.perform(object.target, { kind: ActionKind.EDIT, parameters }, shown);
    expect(answer.outcome).toBe(ActionOutcome.REFUSED);
    const program = bench.world.clientWith("_gitlab_session=session-maintainer", {});
    await expect(program.openEditor({ target: object.target })).rejects.toMatchObject({ code: Code.PermissionDenied });
    expect(await object.read()).toMatchObject({ data: { a: "1" } });
  });

  test("T53: of two users at once one writes; the other sees what has changed and places the edit on it", async () => {
    const object = await configMap({ a: "1", b: "1" });
    const [one, other] = [await open(object), await open(object)];
    const mine = other.yaml.replace('b: "1"', 'b: "mine"').replace('a: "1"', 'a: "mine"');
    const shown = await previewOf(object, other, mine);
    expect((await write(object, one, one.yaml.replace('a: "1"', 'a: "theirs"'))).answer.outcome).toBe(ActionOutcome.DONE);
    // It was previewed before the first one wrote.
    const request = { kind: ActionKind.EDIT, parameters: parametersOf(other, mine), request: { typedName: object.target.ref.name } };
    const late = await bench.perform(object.target, request, shown);
    expect([late.outcome, sentenceOf(late.words)]).toEqual([
      ActionOutcome.CONFLICT,
      "the object has changed since it was opened: nothing was changed",
    ]);
    expect((await previewOf(object, other, mine)).edit?.changedSince).toBe(true);
    const rebased = await open(object, { base: other.yaml, edited: mine });
    expect(rebased.edited).toMatch(/a: theirs\n {2}b: mine/);
    expect(rebased.conflicts).toMatchObject([{ path: "data.a", before: '"1"', edited: '"mine"', present: '"theirs"' }]);
    expect(rebased.changed.map(({ path }) => path)).toEqual(["data.a"]);
    const forced = await open(object, { base: other.yaml, edited: mine, preference: EditPreference.EDITED });
    expect(forced.edited).toMatch(/a: mine\n {2}b: mine/);
    expect((await write(object, rebased, rebased.edited)).answer.outcome).toBe(ActionOutcome.DONE);
    expect(await object.read()).toMatchObject({ data: { a: "theirs", b: "mine" } });
  });

  test("a status that changes meanwhile is no conflict, before the request and between reading and writing", async () => {
    const object = await deployment();
    const opened = await open(object);
    const status = (replicas: number) => bench.cluster.merge(`${object.path}/status`, { status: { replicas, observedGeneration: 1 } });
    await status(1);
    const edited = opened.yaml.replace("example/web:1", "example/web:3");
    const shown = await previewOf(object, opened, edited);
    expect(shown.refused).toBeUndefined();
    let raced: Promise<unknown> | undefined;
    bench.cluster.intercept = (request, response) => {
      if (request.method !== "PATCH" || raced) return undefined;
      raced = status(2).then(() => bench.cluster.forward(request, response));
      return "handled";
    };
    const request = { kind: ActionKind.EDIT, parameters: parametersOf(opened, edited), request: { typedName: object.target.ref.name } };
    expect(await bench.perform(object.target, request, shown)).toMatchObject({ outcome: ActionOutcome.DONE });
    expect(JSON.stringify(await object.read())).toContain("example/web:3");
  });

  test("an answer that is lost leaves the outcome unknown; the same request again is done, and is sent to the cluster once", async () => {
    const object = await configMap({ a: "1" });
    const opened = await open(object);
    const parameters = parametersOf(opened, opened.yaml.replace('"1"', '"2"'));
    const request = { kind: ActionKind.EDIT, parameters, request: { typedName: object.target.ref.name } };
    const shown = await bench.preview(object.target, request);
    let patches = 0;
    bench.cluster.intercept = ({ method }) => {
      if (method !== "PATCH") return undefined;
      patches += 1;
      return "drop-answer";
    };
    expect(await bench.perform(object.target, request, shown)).toMatchObject({ outcome: ActionOutcome.UNKNOWN });
    expect(await bench.perform(object.target, request, shown)).toMatchObject({ outcome: ActionOutcome.DONE, undo: ActionKind.EDIT });
    expect(patches).toBe(1);
  });

  test.each<readonly [string, (yaml: string, name: string) => string, string, number]>([
    ["a change of the status", (yaml) => `${yaml}status:\n  phase: Ready\n`, "the status is written by controllers", 9],
    ["another name", (yaml, name) => yaml.replace(name, "other"), "metadata.name cannot be edited", 4],
    ["another namespace", (yaml) => yaml.replace("namespace: prod", "namespace: other"), "metadata.namespace cannot be edited", 5],
    ["another uid", (yaml) => yaml.replace(/uid: .*/, "uid: other"), "metadata.uid cannot be edited", 6],
    ["another kind", (yaml) => yaml.replace("kind: ConfigMap", "kind: Secret"), "kind cannot be edited", 2],
    ["another API version", (yaml) => yaml.replace("apiVersion: v1", "apiVersion: v2"), "apiVersion cannot be edited", 1],
    ["two documents", (yaml) => `${yaml}---\na: 1\n`, "a second document begins here", 9],
    ["aliases of aliases", (yaml) => `${yaml}x: &x [1]\ny: [*x, *x]\n`, "aliases such as *x are not read", 11],
    ["more than a megabyte", (yaml) => `${yaml}# ${"x".repeat(1_000_000)}`, "longer than 1000000 bytes", 0],
  ])("refuses %s, at its line", async (_title, edit, why) => {
    const object = await configMap({ a: "1" });
    const opened = await open(object);
    const { shown, answer } = await write(object, opened, edit(opened.yaml, object.target.ref.name));
    expect(sentenceOf(shown.refused)).toContain(why);
    expect(answer.outcome).toBe(ActionOutcome.REFUSED);
    expect(await object.read()).toMatchObject({ data: { a: "1" } });
  });

  test("nearly a megabyte is written; a request of three is not read", async () => {
    const object = await configMap({ a: "1" });
    const opened = await open(object);
    const { answer } = await write(object, opened, opened.yaml.replace('"1"', "x".repeat(900_000)));
    expect(answer.outcome).toBe(ActionOutcome.DONE);
    const parameters = parametersOf(opened, "x".repeat(3_000_000));
    await expect(bench.preview(object.target, { kind: ActionKind.EDIT, parameters })).rejects.toMatchObject({
      code: Code.ResourceExhausted,
    });
  });

  test("what the API server refuses is placed at the lines of the document", async () => {
    const object = await deployment();
    const opened = await open(object);
    const shown = await previewOf(object, opened, opened.yaml.replace("replicas: 1", "replicas: -1"));
    const [problem] = shown.edit?.problems ?? [];
    const line = opened.yaml.split("\n").findIndex((each) => each.includes("replicas: 1")) + 1;
    expect([problem?.path, problem?.line]).toEqual(["spec.replicas", line]);
    const unknown = await previewOf(object, opened, opened.yaml.replace("replicas: 1", "replicas: 1\n  replicaz: 2"));
    expect(unknown.edit?.problems.map(({ path, line: at }) => [path, at])).toEqual([["spec.replicaz", line + 1]]);
  });

  test("warnings of the API server are shown", async () => {
    const object = await configMap({ a: "1" });
    const opened = await open(object);
    bench.cluster.intercept = ({ method }, response) => {
      if (method === "PATCH") response.setHeader("warning", ['299 - "say \\"hello\\""', '299 - "second"']);
      return undefined;
    };
    const shown = await previewOf(object, opened, opened.yaml.replace('"1"', '"2"'));
    expect(shown.edit?.warnings).toEqual(['say "hello"', "second"]);
  });

  test("XM1: values of a Secret are masked; what is masked is left alone, and the mask is never written", async () => {
    const object = await secret();
    const opened = await open(object);
    expect(opened).toMatchObject({ isMasked: true });
    expect(JSON.stringify(opened)).not.toContain(btoa(SECRET));
    const labelled = opened.yaml.replace("metadata:\n", "metadata:\n  labels:\n    team: shop\n").replace(/ {2}user: .*\n/, "");
    const { shown, answer } = await write(object, opened, labelled);
    expect(answer).toMatchObject({ outcome: ActionOutcome.DONE, undo: ActionKind.UNSPECIFIED });
    for (const each of [shown, answer]) expect(textOf(each)).not.toContain(btoa(SECRET));
    expect(await object.read()).toMatchObject({ metadata: { labels: { team: "shop" } }, data: { password: btoa(SECRET) } });
    expect((await object.read())["data"]).not.toHaveProperty("user");
    const again = await open(object);
    const refused = await previewOf(object, again, again.yaml.replace("password: ", "copy: '*****'\n  password: "));
    expect(sentenceOf(refused.refused)).toContain("***** stands for a value that is not shown");
    const invalid = await previewOf(
      object,
      again,
      again.yaml.replace(/password: .*/, `password: ${btoa("x")}`).replace("type:", "typo: a\ntype:"),
    );
    expect(invalid.edit?.problems).toMatchObject([{ path: "typo" }]);
    expect(textOf(invalid)).not.toContain(btoa(SECRET));
    const replaced = again.yaml.replace(/password: .*/, `password: ${btoa("new")}`);
    expect((await write(object, again, replaced)).answer.outcome).toBe(ActionOutcome.DONE);
    expect(await object.read()).toMatchObject({ data: { password: btoa("new") } });
    // The document with masks cannot tell what another writer has changed.
    expect((await write(object, again, replaced.replace(btoa("new"), btoa("newer")))).answer.outcome).toBe(ActionOutcome.CONFLICT);
  });

  test("XM1: revealed values have a line in the audit that has none of them", async () => {
    const object = await secret();
    const opened = await open(object, { reveal: true });
    expect(opened.isMasked).toBe(false);
    expect(opened.yaml).toContain(btoa(SECRET));
    const { shown, answer } = await write(object, opened, opened.yaml.replace(btoa(SECRET), btoa("new")));
    expect(answer).toMatchObject({ outcome: ActionOutcome.DONE, undo: ActionKind.EDIT });
    expect([shown.edit?.resultYaml, shown.edit?.fields.map(({ path }) => path)]).toEqual(["", ["data.password"]]);
    const { audit } = bench.world;
    const action = { verb: "get", resource: "secrets", name: object.target.ref.name };
    expect(audit.filter(({ purpose }) => purpose?.["action"] === "reveal")).toMatchObject([
      { principal: { username: "maintainer" }, action },
    ]);
    const text = linesOf(audit, { dropped: 0, isMarked: false });
    expect(text).toContain('"action":"edit"');
    for (const value of [SECRET, btoa(SECRET), btoa("new")]) expect(text).not.toContain(value);
  });

  test("the schema of a kind has its fields; a kind that the cluster does not know has none", async () => {
    const object = await deployment();
    const { schema } = await bench.dashboard.getSchema({ target: object.target });
    const { root, schemas } = JSON.parse(schema) as { root: string; schemas: Record<string, { properties: object }> };
    expect(Object.keys(schemas[root]?.properties ?? {})).toEqual(expect.arrayContaining(["spec", "metadata"]));
    expect(schema).toContain("imagePullPolicy");
    const ref = { ...object.target.ref, kind: "None" };
    expect(await bench.dashboard.getSchema({ target: { ...object.target, ref } })).toMatchObject({ schema: "" });
  });
});
