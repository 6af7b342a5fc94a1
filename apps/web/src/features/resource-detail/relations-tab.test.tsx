import { NoticeSchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import { madeNode } from "../live/made-view.ts";
import { RelationsTab } from "./relations-tab.tsx";

test("W20: an owner reference that does not count is shown among the relations, because no line shows it; other notices are not", () => {
  const facts = { kind: "Widget", name: "w", owner: "Widget far", namespace: "elsewhere" };
  const notices = [
    create(NoticeSchema, { reason: "OwnerInOtherNamespace", words: toWordsMessage(words("ownership/other-namespace", facts)) }),
    create(NoticeSchema, { reason: "NoReadyEndpoints", words: toWordsMessage(words("network/no-endpoints", { name: "web" })) }),
  ];
  const html = renderToStaticMarkup(
    <StoreProvider store={new EnvironmentStore((flush) => flush())}>
      <RelationsTab node={madeNode({ id: "w", ref: { kind: "Widget", name: "w", namespace: "app" }, notices })} />
    </StoreProvider>,
  );
  expect(html).toContain("Widget w names Widget far of namespace elsewhere as its owner");
  expect(html).not.toContain("no endpoints");
});
