import {
  ActionKind,
  ActionOutcome,
  ActionPropagation,
  ActResponseSchema,
  NodeSchema,
  PreviewActionResponseSchema,
  ResourceRefSchema,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, test } from "vitest";
import { setLanguage } from "../../ui/messages.ts";
import type { LiveNode } from "../live/live-node.ts";
import { afterAnswer, type ConfirmedAction } from "./action-attempt.ts";
import { actionResults } from "./action-results.ts";
import { parametersOf, type ActionIntent } from "./action-intent.ts";
import { actOnItem, type ManyItem, type ManyTarget } from "./many-run.ts";

beforeEach(() => setLanguage(ENGLISH, "en"));

type Preview = Omit<MessageInitShape<typeof PreviewActionResponseSchema>, "$typeName">;

const SCALED: Preview = { uid: "u-1", field: { path: "spec.replicas", before: "1", after: "3" } };
const SCALE: ActionIntent = { kind: ActionKind.SCALE, replicas: 3 };
const REMOVED: Preview = { uid: "u-1", field: { path: "metadata.deletionTimestamp", after: "set" }, needsName: true };
const DELETE: ActionIntent = { kind: ActionKind.DELETE, propagation: ActionPropagation.FOREGROUND };

let made = 0;

/** A resource that nothing was done to. */
function resource(): ManyTarget {
  made += 1;
  const id = `apps/Deployment/shop/web-${made}`;
  const ref = create(ResourceRefSchema, { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", name: "web" });
  const node: LiveNode = { ...create(NodeSchema, { revision: 1, ref }), id, ownerId: "", life: 1 };
  return { node, of: { username: "ada", projectPath: "group/app", environment: "staging", id } };
}

interface Given {
  /** Names that the viewer has typed. Default: none. */
  readonly typed?: readonly string[];
  /** Default: a new one. */
  readonly target?: ManyTarget;
}

/** Acts on a resource whose object has the uid "u-1" by its review. */
async function act(intent: ActionIntent, preview: Preview, { typed = [], target = resource() }: Given = {}) {
  const states: ManyItem[] = [];
  const previewed: ActionIntent[] = [];
  const sent: ConfirmedAction["request"][] = [];
  const answer = create(ActResponseSchema, { outcome: ActionOutcome.DONE });
  const calls = {
    preview: (_: unknown, question: { readonly intent: ActionIntent }) => {
      previewed.push(question.intent);
      return Promise.resolve(create(PreviewActionResponseSchema, preview));
    },
    send: ({ request }: ConfirmedAction) => {
      sent.push(request);
      return Promise.resolve((attempt: Parameters<typeof afterAnswer>[0]) => afterAnswer(attempt, answer, { why: "", atMs: 1 }));
    },
  };
  await actOnItem(target, { intent, uid: "u-1", typed: new Set(typed), calls }, (state) => states.push(state));
  return { last: states.at(-1), previewed, sent, result: actionResults.get(target.of)?.state };
}

describe("one of many", () => {
  test("is previewed and sent once with the parameters that were confirmed for all, and its result is that of the resource", async () => {
    const parameters: readonly (readonly [ActionIntent, Preview])[] = [
      [SCALE, SCALED],
      [
        { kind: ActionKind.SET_IMAGE, container: "app", image: "example/app:2" },
        { ...SCALED, field: { path: "image", after: "2" } },
      ],
      [DELETE, { ...REMOVED, needsName: false }],
    ];
    for (const [intent, preview] of parameters) {
      const { previewed, sent, last, result } = await act(intent, preview);
      expect(previewed).toEqual([intent]);
      expect(sent).toMatchObject([{ kind: intent.kind, parameters: parametersOf(intent), uid: "u-1", planned: preview.field?.after }]);
      expect(last).toEqual({ kind: "sent", requestId: sent[0]?.requestId });
      expect(result).toMatchObject({ kind: "written" });
    }
  });

  test("has a request id of its own", async () => {
    const ids = [await act(SCALE, SCALED), await act(SCALE, SCALED)].map(({ sent }) => sent[0]?.requestId);
    expect(new Set(ids).size).toBe(2);
  });

  test("is not sent when another object has its name by now, or the preview is refused", async () => {
    const replaced = await act(DELETE, { ...REMOVED, needsName: false, uid: "u-2" });
    expect(replaced).toMatchObject({ sent: [], result: undefined, last: { kind: "not-sent", why: expect.stringMatching(/./) } });
    const refused = toWordsMessage(words("action/may-not", { verb: "patch", resource: "deployments", namespace: "shop" }));
    const why = "you may not patch deployments in namespace shop";
    expect(await act(SCALE, { ...SCALED, refused })).toMatchObject({ sent: [], last: { kind: "not-sent", why } });
  });

  test("is not sent without its typed name where the preview needs it, whatever else was typed", async () => {
    expect(await act(DELETE, REMOVED, { typed: ["web-2", "api"] })).toMatchObject({ sent: [], last: { kind: "not-sent" } });
    expect(await act(DELETE, REMOVED, { typed: ["api", "web"] })).toMatchObject({ sent: [{ typedName: "web" }], last: { kind: "sent" } });
  });

  test("is not sent when it has the value already, or while another action on it waits for its answer", async () => {
    const present = { ...SCALED, field: { path: "spec.replicas", before: "3", after: "3" } };
    expect(await act(SCALE, present)).toMatchObject({ sent: [], last: { kind: "nothing" } });
    const target = resource();
    const request = { requestId: "before" };
    const field = { path: "spec.replicas", after: "2" };
    const action = { intent: SCALE, request, field, mark: { revision: 1, images: [] } };
    actionResults.set(target.of, { action, state: { kind: "sending" }, follow: { kind: "waiting" } });
    const why = "another action on it waits for its answer";
    expect(await act(SCALE, SCALED, { target })).toMatchObject({ sent: [], last: { kind: "not-sent", why }, result: { kind: "sending" } });
  });
});
