import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StoreProvider } from "../../live/environment-context.tsx";
import { EnvironmentStore } from "../../live/environment-store.ts";
import type { SelectedNode } from "../../live/selected-node.ts";
import { NoCentre } from "./around-control.tsx";

function drawn(found: SelectedNode, complete: boolean): string {
  const store = new EnvironmentStore((flush) => flush(), { complete });
  const around = { centre: "core/secrets/shop/key", hops: 1, found, more: () => true, fewer: () => true, end: () => undefined };
  return renderToStaticMarkup(
    <StoreProvider store={store}>
      <NoCentre around={around} />
    </StoreProvider>,
  );
}

test("a resource is reported as absent only when everything has been read, and never when it may not be seen", () => {
  expect(drawn({ kind: "none" }, true)).toContain("secrets/key is not in this view");
  expect(drawn({ kind: "none" }, false)).not.toContain("is not there");
  for (const complete of [true, false]) {
    const html = drawn({ kind: "hidden" }, complete);
    expect(html).toContain("You may not see secrets/key");
    expect(html).not.toContain("is not there");
  }
});
