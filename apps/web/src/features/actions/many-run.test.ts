import { ActionKind, ActionRight, ResourceRefSchema, ReviewActionsResponseSchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";
import { create } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, test } from "vitest";
import { setLanguage } from "../../ui/messages.ts";
import { missingNames } from "./many-form.tsx";
import {
  isWhole,
  manyKinds,
  missingRoles,
  namesNeeded,
  nodesWith,
  reviewedItem,
  runPaced,
  sharedContainers,
  type ManyItem,
} from "./many-run.ts";

beforeEach(() => setLanguage(ENGLISH, "en"));

const node = (group: string, resource: string, name = "web") => ({
  ref: create(ResourceRefSchema, { group, resource, namespace: "shop", name }),
});

describe("a paced run", () => {
  const items = Array.from({ length: 10 }, (_, index) => index);

  test("works on each item once, in order, four at a time", async () => {
    const begun: number[] = [];
    let [now, most] = [0, 0];
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      now += 1;
      most = Math.max(most, now);
      await Promise.resolve();
      await Promise.resolve();
      now -= 1;
    };
    await runPaced(items, work, new AbortController().signal);
    expect(begun).toEqual(items);
    expect(most).toBe(4);
  });

  test("begins nothing more once it is stopped, and waits for what has begun", async () => {
    const stop = new AbortController();
    const ended: number[] = [];
    const work = async (item: number): Promise<void> => {
      if (item === 2) stop.abort();
      await Promise.resolve();
      ended.push(item);
    };
    await runPaced(items, work, stop.signal);
    expect(ended.toSorted((one, other) => one - other)).toEqual([0, 1, 2]);
  });
});

test("an action is offered when any kind among the resources has it, and is for those alone", () => {
  const [web, config, backup] = [node("apps", "deployments"), node("", "configmaps"), node("batch", "cronjobs")];
  expect(manyKinds([web, config, backup])).toEqual([
    ActionKind.RESTART,
    ActionKind.PAUSE,
    ActionKind.RESUME,
    ActionKind.SUSPEND,
    ActionKind.UNSUSPEND,
    ActionKind.SCALE,
    ActionKind.SET_IMAGE,
    ActionKind.DELETE,
  ]);
  expect(manyKinds([config, node("apps", "daemonsets")])).toEqual([ActionKind.RESTART, ActionKind.SET_IMAGE, ActionKind.DELETE]);
  expect(manyKinds([config])).toEqual([ActionKind.DELETE]);
  expect(manyKinds([{ ref: undefined }]), "what is no object").toEqual([]);
  expect(nodesWith([web, config, backup], ActionKind.SUSPEND)).toEqual([backup]);
});

test("a review of one resource is allowed, denied with its Role, not known, or without the action; never allowed by default", () => {
  const why = toWordsMessage(words("action/may-not", { verb: "patch", resource: "deployments", namespace: "shop" }));
  const review = create(ReviewActionsResponseSchema, {
    uid: "u-1",
    actions: [
      { kind: ActionKind.RESTART, right: ActionRight.ALLOWED },
      { kind: ActionKind.PAUSE, right: ActionRight.DENIED, words: why, roleYaml: "kind: Role\n" },
      { kind: ActionKind.SUSPEND },
    ],
  });
  expect(reviewedItem(review, ActionKind.RESTART)).toEqual({ kind: "allowed", uid: "u-1" });
  const denied = reviewedItem(review, ActionKind.PAUSE);
  expect(denied).toEqual({ kind: "denied", why: "you may not patch deployments in namespace shop", roleYaml: "kind: Role\n" });
  expect(reviewedItem(review, ActionKind.SUSPEND)).toEqual({ kind: "not-known", why: "" });
  expect(reviewedItem(review, ActionKind.RESUME)).toEqual({ kind: "not-offered" });
  expect(missingRoles([denied, { kind: "allowed", uid: "" }, denied])).toEqual(["kind: Role\n"]);
});

describe("parameters for all resources", () => {
  const allowed = (...containers: readonly string[]): ManyItem => ({
    kind: "allowed",
    uid: "",
    images: containers.map((container) => ({ container, image: `example/${container}:1` })),
  });

  test("an image is set for a container that all allowed resources have, and for no other", () => {
    const others: readonly ManyItem[] = [{ kind: "not-offered" }, { kind: "denied", why: "", roleYaml: "" }];
    expect(sharedContainers([allowed("app", "side"), ...others, allowed("side", "app"), allowed("side", "other")])).toEqual([
      { container: "side", image: "example/side:1" },
    ]);
    expect(sharedContainers([allowed("app"), allowed("web")])).toEqual([]);
    expect(sharedContainers([allowed("app"), allowed()])).toEqual([]);
    expect(sharedContainers(others)).toEqual([]);
  });

  test("nothing is confirmed without its parameters", () => {
    expect(isWhole({ kind: ActionKind.SCALE })).toBe(false);
    expect(isWhole({ kind: ActionKind.SCALE, replicas: 0 })).toBe(true);
    expect(isWhole({ kind: ActionKind.SET_IMAGE, image: "a:1" })).toBe(false);
    expect(isWhole({ kind: ActionKind.SET_IMAGE, container: "app", image: "" })).toBe(false);
    expect(isWhole({ kind: ActionKind.SET_IMAGE, container: "app", image: "a:1" })).toBe(true);
    expect(isWhole({ kind: ActionKind.RESTART })).toBe(true);
  });

  test("each name that the server asks for has to be typed, in any order, once", () => {
    const item = (needsName: boolean): ManyItem => ({ kind: "allowed", uid: "", needsName });
    const targets = [
      { name: "web", item: item(true) },
      { name: "web", item: item(true) },
      { name: "api", item: item(true) },
      { name: "free", item: item(false) },
      { name: "other", item: { kind: "not-offered" } as const },
    ];
    const names = namesNeeded(targets);
    expect(names).toEqual(["web", "api"]);
    expect(missingNames(names, "api\n")).toEqual(["web"]);
    expect(missingNames(names, "webapi")).toEqual(names);
    expect(missingNames(names, " api\nweb ")).toEqual([]);
  });
});
