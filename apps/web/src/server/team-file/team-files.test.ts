import { Fault } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, settle } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import { queryBlob } from "../gitlab/query-blob.ts";
import { TeamFiles, type TeamFileAccess } from "./team-files.ts";

const MINUTE = 60_000;

/** The main application as one viewer sees it. */
class Viewer implements TeamFileAccess {
  readonly key: string;
  /** `undefined`: no answer. */
  answer: (() => unknown) | undefined = () => fileOf("environments:\n  production: { namespaces: [shop] }\n");
  reads = 0;
  release: () => void = () => {};

  constructor(key: string) {
    this.key = key;
  }

  file(...[question, signal]: Parameters<TeamFileAccess["file"]>): ReturnType<TeamFileAccess["file"]> {
    return queryBlob({ graphql: () => this.graphql() }, question, signal);
  }

  async graphql(): Promise<unknown> {
    this.reads += 1;
    if (this.answer === undefined) await new Promise<void>((resolve) => (this.release = resolve));
    return this.answer?.();
  }
}

function fileOf(rawTextBlob: string | null, size: number | string = rawTextBlob?.length ?? 1): unknown {
  return { project: { repository: { blobs: { nodes: [{ path: ".gitlab/binnacle.yaml", size, rawTextBlob }] } } } };
}

function broken(): never {
  throw new Fault("main_application_unavailable", "it is away");
}

let clock: ManualClock;
let files: TeamFiles;
let viewer: Viewer;
beforeEach(() => {
  clock = new ManualClock();
  files = new TeamFiles({ clock, log: createLogger("web", "silent") });
  viewer = new Viewer("a");
});

async function read(who = viewer, project = "group/app"): Promise<unknown> {
  const reading = await files.read(who, project);
  return reading.kind === "read" ? [reading.read.environments.of("production")?.entry.namespaces, reading.isKept] : reading.kind;
}

test.each([
  ["no repository", { project: { repository: null } }, "forbidden"],
  ["no project", { project: null }, "forbidden"],
  ["no list of files", { project: { repository: { blobs: null } } }, "forbidden"],
  ["nothing in the list", { project: { repository: { blobs: { nodes: [null] } } } }, "forbidden"],
  ["an empty list", { project: { repository: { blobs: { nodes: [] } } } }, "absent"],
  ["a file that is no text", fileOf(null), "binary"],
  ["a size beyond the bound", fileOf("x", 70_000), "too-large"],
  ["a size as text beyond the bound", fileOf("x", "70000"), "too-large"],
  ["another file", { project: { repository: { blobs: { nodes: [{ path: "x", size: 1, rawTextBlob: "x" }] } } } }, "forbidden"],
  ["another shape", { project: { repository: { blobs: 7 } } }, "failed"],
])("%s is %o: %s", async (_, answer, kind) => {
  viewer.answer = () => answer;
  expect(await read()).toBe(kind);
});

test("an answer that is larger than any file is a file that is too large", async () => {
  viewer.answer = () => {
    throw new Fault("message_too_large", "it is too large");
  };
  expect(await read()).toBe("too-large");
});

test("it is read once in twenty seconds for each viewer and project, however many callers there are", async () => {
  expect(await Promise.all([read(), read(), read()])).toEqual([
    [["shop"], false],
    [["shop"], false],
    [["shop"], false],
  ]);
  clock.advance(19_000);
  await read();
  expect(viewer.reads).toBe(1);
  await read(viewer, "group/other");
  expect(viewer.reads).toBe(2);
  clock.advance(2_000);
  await read();
  expect(viewer.reads).toBe(3);
});

test("T17: what one viewer may read is never another's", async () => {
  const other = new Viewer("b");
  other.answer = () => ({ project: { repository: null } });
  expect(await read()).toEqual([["shop"], false]);
  expect(await read(other)).toBe("forbidden");
  expect(await read()).toEqual([["shop"], false]);
  other.answer = broken;
  clock.advance(MINUTE);
  expect(await read(other)).toBe("forbidden");
  expect(await read(new Viewer("c"))).toEqual([["shop"], false]);
});

test("a right that was withdrawn takes what was read before with it", async () => {
  await read();
  viewer.answer = () => ({ project: { repository: null } });
  clock.advance(MINUTE);
  expect(await read()).toBe("forbidden");
  viewer.answer = broken;
  clock.advance(MINUTE);
  expect(await read()).toBe("forbidden");
});

test("what was read last holds for ten minutes while it cannot be read, and says so", async () => {
  await read();
  viewer.answer = broken;
  clock.advance(MINUTE);
  expect(await read()).toEqual([["shop"], true]);
  clock.advance(10 * MINUTE);
  expect(await read()).toBe("failed");
});

test("a broken main application is queried once in twenty seconds as well", async () => {
  viewer.answer = broken;
  expect(await read()).toBe("failed");
  expect(await read()).toBe("failed");
  expect(viewer.reads).toBe(1);
  clock.advance(21_000);
  viewer.answer = () => fileOf("");
  expect(await read()).toEqual([undefined, false]);
});

test("no caller waits longer than three seconds for a silent one; its late answer is used", async () => {
  viewer.answer = undefined;
  const first = read();
  await settle();
  clock.advance(2_000);
  const second = read();
  await settle();
  clock.advance(1_000);
  expect(await Promise.all([first, second])).toEqual(["failed", "failed"]);
  expect(await read()).toBe("failed");
  expect(viewer.reads).toBe(1);
  viewer.answer = () => fileOf("environments:\n  production: { namespaces: [late] }\n");
  viewer.release();
  await settle();
  expect(await read()).toEqual([["late"], false]);
});

test("a clock that is put back makes nothing last for ever", async () => {
  await read();
  clock.advance(-60 * MINUTE);
  viewer.answer = () => fileOf("");
  expect(await read()).toEqual([undefined, false]);
});

test("a bug in reading is a file that could not be read, and no end of the environment", async () => {
  viewer.answer = () => {
    throw new TypeError("a bug");
  };
  expect(await read()).toBe("failed");
});
