import { ActionKind, ActionOutcome, ActionRight, type OfferedAction, type Words } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { listAt } from "@binnacle/kube";
import { renderEnglish } from "@binnacle/words/render-english";
import { Code } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { TerminalBench, ticketRequest } from "../../testing/terminal-bench.ts";

const POD = "/api/v1/namespaces/prod/pods/bare";
const ALLOWED = { actions: "all", terminal_debug_image: "busybox:1" };

let bench: TerminalBench;

beforeAll(async () => {
  bench = await TerminalBench.start();
});
afterAll(() => bench.stop());
beforeEach(() => bench.open());
afterEach(() => bench.close());

const sentence = (words: Words | undefined): string => (words ? renderEnglish(fromWordsMessage(words)) : "");
const { size: _, ...names } = { ...ticketRequest({ pod: "bare" }), container: "web" };
const preview = () => bench.world.clientWith().previewDebugContainer(names);
const add = (of: { readonly uid: string; readonly name: string; readonly image: string; readonly typedName?: string }) => {
  const { uid, name, image, typedName = "bare" } = of;
  return bench.world.clientWith().addDebugContainer({ ...names, uid, name, image, typedName });
};
/** The action as the review of the pod offers it. */
const offer = async (): Promise<OfferedAction | undefined> => {
  const { projectPath, environment, namespace, pod: name } = names;
  const ref = { version: "v1", kind: "Pod", resource: "pods", namespace, name };
  const { actions } = await bench.world.clientWith().reviewActions({ target: { projectPath, environment, ref } });
  return actions.find(({ kind }) => kind === ActionKind.DEBUG_CONTAINER);
};
const added = async (): Promise<readonly unknown[]> => listAt((await bench.cluster.send("GET", POD))["spec"], "ephemeralContainers");

describe("a debug container", () => {
  test("is shown, confirmed with the pod's name in production, added once with an audit line, and has a shell", async () => {
    await bench.begin(ALLOWED);
    expect(await bench.ticketFor({ pod: "bare" })).toMatchObject({ debug: true });
    expect(await offer(), "among the actions of the pod").toMatchObject({ right: ActionRight.ALLOWED });
    const shown = await preview();
    expect(shown).toMatchObject({ image: "busybox:1", seconds: 12 * 3_600, needsName: true, roleYaml: "" });
    expect([shown.name, sentence(shown.refused)]).toEqual([expect.stringMatching(/^debug-[a-z0-9]{5}$/), ""]);
    expect(await added()).toEqual([]);

    const unnamed = await add({ ...shown, typedName: "" });
    expect([unnamed.outcome, sentence(unnamed.words)]).toEqual([ActionOutcome.REFUSED, expect.stringContaining("name")]);
    expect((await add({ ...shown, image: "busybox:2" })).outcome).toBe(ActionOutcome.REFUSED);
    expect((await add({ ...shown, uid: "another" })).outcome).toBe(ActionOutcome.REFUSED);
    await expect(add({ ...shown, name: "web-2" })).rejects.toMatchObject({ code: Code.InvalidArgument });
    expect(await added()).toEqual([]);

    expect((await add(shown)).outcome).toBe(ActionOutcome.DONE);
    expect((await add(shown)).outcome).toBe(ActionOutcome.DONE);
    expect(await added()).toMatchObject([{ name: shown.name, image: "busybox:1", targetContainerName: "web" }]);
    const action = { verb: "patch", subresource: "ephemeralcontainers", name: "bare" };
    const purpose = { action: "debug-container", container: shown.name };
    const [first] = bench.world.audit.filter(({ dryRun }) => dryRun === false);
    expect(first).toMatchObject({ principal: { username: "maintainer" }, action, purpose, outcome: "done" });

    await vi.waitFor(async () => expect((await bench.ticketFor({ pod: "bare", container: shown.name })).ticket).not.toBe(""));
    const terminal = await bench.openPage({ pod: "bare", container: shown.name });
    expect(terminal.shells).toEqual(["ash"]);
  });

  test("whose image cannot be pulled is waited for in the cluster's words", async () => {
    await bench.begin({ ...ALLOWED, terminal_debug_image: "nosuch.invalid/tools:1" });
    const shown = await preview();
    expect((await add(shown)).outcome).toBe(ActionOutcome.DONE);
    await vi.waitFor(async () => {
      const { starting, words, ticket } = await bench.ticketFor({ pod: "bare", container: shown.name });
      expect([starting, ticket]).toEqual([true, ""]);
      expect(sentence(words)).toMatch(/ImagePullBackOff: Back-off pulling image "nosuch\.invalid\/tools:1"/);
    });
  });

  test("is not added without the right, and the Role that is missing is named", async () => {
    await bench.begin(ALLOWED);
    bench.cluster.intercept = (request, response) => {
      const isRules = request.url?.endsWith("/selfsubjectrulesreviews") === true;
      if (!isRules && !request.url?.endsWith("/selfsubjectaccessreviews")) return undefined;
      request.resume();
      const status = isRules ? { resourceRules: [], nonResourceRules: [], incomplete: false } : { allowed: false };
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ status }));
      return "handled";
    };
    const { refused, roleYaml, name } = await preview();
    expect(sentence(refused)).toBe("you may not patch pods/ephemeralcontainers in namespace prod");
    expect([roleYaml, name]).toEqual([expect.stringContaining("- pods/ephemeralcontainers"), ""]);
    expect(await offer()).toMatchObject({ right: ActionRight.DENIED, roleYaml });
  });

  test.each([
    { actions: "safe", terminal_debug_image: "busybox:1" },
    { actions: "all" },
    { ...ALLOWED, terminal: false },
    { ...ALLOWED, tiers: { production: { actions: "safe" } } },
  ])("is not offered with %j, and not added either", async (features) => {
    await bench.begin(features);
    // Without terminals there is no ticket either.
    const { debug } = await bench.ticketFor({ pod: "bare" }).catch(() => ({ debug: false }));
    expect(debug).toBe(false);
    expect(await offer()).toBeUndefined();
    const before = await added();
    await expect(preview()).rejects.toMatchObject({ code: Code.PermissionDenied });
    await expect(add({ name: "debug-bbbbb", image: "busybox:1", uid: "any" })).rejects.toMatchObject({ code: Code.PermissionDenied });
    expect(await added()).toEqual(before);
  });
});
