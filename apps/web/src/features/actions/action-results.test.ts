import { ActionKind, ActionPodReplacement, PreviewActionResponseSchema } from "@binnacle/proto/dashboard";
import { ENGLISH } from "@binnacle/words/en";
import { create } from "@bufbuild/protobuf";
import { beforeEach, expect, test } from "vitest";
import { setLanguage } from "../../ui/messages.ts";
import { confirmedOf, type Attempt } from "./action-attempt.ts";
import { actionResults } from "./action-results.ts";
import { announcementOf, attemptWords } from "./attempt-words.ts";

const OF = { username: "ada", projectPath: "group/app", environment: "staging", id: "apps/Deployment/staging/web" };

beforeEach(() => {
  setLanguage(ENGLISH, "en");
  actionResults.delete(OF);
});

function attempt(requestId: string, state: Attempt["state"] = { kind: "sending" }): Attempt {
  return {
    action: {
      intent: { kind: ActionKind.SCALE, replicas: 3 },
      request: { requestId },
      field: { path: "spec.replicas", before: "1", after: "3" },
      mark: { revision: 1, images: [] },
    },
    state,
    follow: { kind: "waiting" },
  };
}

test("a late answer to one request does not take the place of another", () => {
  actionResults.set(OF, attempt("second"));
  actionResults.update(OF, "first", () => attempt("first", { kind: "refused", why: "late" }));
  expect(actionResults.get(OF)?.state.kind).toBe("sending");
  actionResults.update(OF, "second", (before) => ({ ...before, state: { kind: "unknown", why: "reset" } }));
  expect(actionResults.get(OF)?.state.kind).toBe("unknown");
});

test("another user of the browser has other results, and so has another environment", () => {
  actionResults.set(OF, attempt("first"));
  expect(actionResults.get({ ...OF, username: "bob" })).toBeUndefined();
  expect(actionResults.get({ ...OF, environment: "production" })).toBeUndefined();
});

test("listeners get each state once, and at most two hundred resources have results", () => {
  let notifications = 0;
  const leave = actionResults.listen(() => void (notifications += 1));
  const same = attempt("first");
  actionResults.set(OF, same);
  actionResults.set(OF, same);
  expect(notifications).toBe(1);
  leave();
  for (let index = 0; index < 200; index += 1) actionResults.set({ ...OF, id: `other-${index}` }, attempt(`r${index}`));
  expect(actionResults.get(OF)).toBeUndefined();
  expect(actionResults.get({ ...OF, id: "other-199" })).toBeDefined();
});

test("each state has a sentence of its own; none of an outcome that is not known says that it was or was not done", () => {
  const written = attempt("first", { kind: "written", atMs: 0 });
  const follows = (["waiting", "progressing", "slow", "failed", "settled", "gone"] as const).map((kind) => ({
    ...written,
    follow: { kind },
  }));
  const others = (
    [
      { kind: "sending" },
      { kind: "checking" },
      { kind: "repeating" },
      { kind: "not-done" },
      { kind: "changed", field: { path: "spec.replicas", value: "7" } },
      { kind: "conflict", why: "spec.replicas is 7 now" },
      { kind: "refused", why: "no" },
      { kind: "unknown", why: "the connection was reset" },
    ] as const
  ).map((state) => attempt("first", state));
  const sentences = [...follows, ...others].map((each) => announcementOf(each));
  expect(new Set(sentences).size).toBe(sentences.length);
  expect(sentences).toContain("Done: scaled from 1 to 3");
  const unknown = others.at(-1);
  expect(unknown && attemptWords(unknown)).toEqual({
    look: "unknown",
    text: "Not known whether it was done: the connection was reset. Check reads the resource. Try again sends the same request again, which changes nothing that was done.",
  });
});

test.each([
  [ActionPodReplacement.ON_RESUME, "Accepted: Restart. Its rollout is paused: its pods are replaced when the rollout is resumed."],
  [ActionPodReplacement.ON_DELETE, "Accepted: Restart. Its update strategy is OnDelete: its pods are replaced when they are deleted."],
  [ActionPodReplacement.NOW, "Done: restarted"],
] as const)("with pods that are replaced as of %s the end says: %s", (podReplacement, text) => {
  const preview = create(PreviewActionResponseSchema, {
    field: { path: "spec", before: "1", after: "2" },
    podReplacement,
  });
  const about = { intent: { kind: ActionKind.RESTART }, mark: { revision: 1, images: [] }, requestId: "first" };
  const action = confirmedOf(preview, { ...about, target: { projectPath: "group/app", environment: "staging" } });
  if (action === undefined) throw new Error("nothing is confirmed");
  expect(attemptWords({ action, state: { kind: "written", atMs: 1 }, follow: { kind: "settled", endedMs: 2 } }).text).toBe(text);
});
