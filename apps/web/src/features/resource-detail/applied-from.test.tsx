import { GitopsState, ManifestPlaceSchema, WatchEnvironmentResponseSchema, type GitopsSyncSchema } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import { nodeIdOf } from "../live/live-node.ts";
import { madeNode } from "../live/made-view.ts";
import { AppliedFrom } from "./own-facts.tsx";

const REF = { group: "apps", kind: "Deployment", namespace: "shop", name: "web" };
const SYNC = {
  project: "group/manifests",
  inventoryId: "inventory-1-2",
  sha: "abcdef12",
  state: GitopsState.SYNCED,
} satisfies MessageInitShape<typeof GitopsSyncSchema>;
const OURS = { tool: "cli-utils", name: "inventory-1-2", direct: true };

/** What the drawer says of an object. */
function renderedText(managedBy: Partial<typeof OURS> | undefined, ...syncs: MessageInitShape<typeof GitopsSyncSchema>[]): string {
  const store = new EnvironmentStore((flush) => flush());
  store.apply(
    create(WatchEnvironmentResponseSchema, {
      message: { case: "header", value: { environment: { delivery: { sync: { value: { syncs } } } } } },
    }),
    0,
  );
  const node = madeNode({ id: nodeIdOf(REF), ref: REF, ...(managedBy && { managedBy: { ...OURS, ...managedBy } }) });
  const html = renderToStaticMarkup(
    <StoreProvider store={store}>
      <AppliedFrom node={node} />
    </StoreProvider>,
  );
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

test("an object of a sync's inventory is applied from its project, at the commit that all of it is at", () => {
  expect(renderedText({}, { ...SYNC, project: "group/other", inventoryId: "" }, SYNC)).toBe("Applied from group/manifests at abcdef12");
});

test("while not everything is as a commit says, none is named", () => {
  for (const state of [
    GitopsState.APPLYING,
    GitopsState.FAILED,
    GitopsState.INVALID,
    GitopsState.PAUSED,
    GitopsState.OUT_OF_SYNC,
    GitopsState.UNSPECIFIED,
  ])
    expect(renderedText({}, { ...SYNC, state })).toBe("Applied from group/manifests");
  expect(renderedText({}, { ...SYNC, failed: 1, objects: 2 })).toBe("Applied from group/manifests");
});

test("the reason why the last sync could not apply it is shown, also for an object without a mark", () => {
  const failed = { ...SYNC, state: GitopsState.FAILED, failures: [{ ...REF, reason: "no quota" }] };
  expect(renderedText({}, failed)).toBe("Applied from group/manifests The last sync could not apply it: no quota");
  expect(renderedText(undefined, failed)).toContain("no quota");
  expect(renderedText(undefined, { ...failed, failures: [{ ...REF, namespace: "other", reason: "no quota" }] })).toBe("");
});

test("later changes in the cluster are shown", () => {
  const drifted = {
    ...SYNC,
    state: GitopsState.OUT_OF_SYNC,
    drifted: 1,
    failures: [{ ...REF, reason: "it is not there any more", drifted: true }],
  };
  expect(renderedText({}, drifted)).toBe("Applied from group/manifests It differs from the commit: it is not there any more");
});

test("what another tool or inventory applied, or what was generated from it, is from no project", () => {
  expect(renderedText({ tool: "flux-kustomization" }, SYNC)).toBe("");
  expect(renderedText({ name: "inventory-9" }, SYNC)).toBe("");
  expect(renderedText({ direct: false }, SYNC)).toBe("");
  expect(renderedText(undefined, SYNC)).toBe("");
});

test("the location of its manifest is shown to viewers who receive it, with the line in the main application", () => {
  const store = new EnvironmentStore((flush) => flush());
  store.apply(
    create(WatchEnvironmentResponseSchema, {
      message: { case: "header", value: { environment: { delivery: { sync: { value: { syncs: [SYNC] } } } } } },
    }),
    0,
  );
  const node = madeNode({ id: nodeIdOf(REF), ref: REF, managedBy: OURS });
  const url = "https://app.example/group/manifests/-/blob/abc/deploy/web.yaml#L31";
  const html = renderToStaticMarkup(
    <StoreProvider store={store}>
      <AppliedFrom node={node} manifest={create(ManifestPlaceSchema, { path: "deploy/web.yaml", line: 31, url })} />
    </StoreProvider>,
  );
  expect(html).toContain("deploy/web.yaml:31");
  expect(html).toContain(`href="${url}"`);
});
