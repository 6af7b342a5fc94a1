import { HealthStatus, WhyLevel, WhySchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted, words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import { madeNode } from "../live/made-view.ts";
import { HealthCard, logsOfWhy } from "./health-card.tsx";

const SEEN = words("because/field", { path: "status.components.db.status", value: "ERROR" });

interface CardFacts {
  readonly message: Words;
  readonly because?: Words;
  readonly rule?: string;
  readonly root?: Words;
  readonly departed?: boolean;
}

function card({ message, because, rule = "", root, departed = false }: CardFacts): string {
  const ref = { group: "example.com", kind: "Widget", name: "w", namespace: "app" };
  const why = root && create(WhySchema, { chain: [{ ref }], words: toWordsMessage(root) });
  const health = {
    status: HealthStatus.DEGRADED,
    words: toWordsMessage(message),
    rule,
    ...(because && { because: toWordsMessage(because) }),
    ...(why && { why }),
  };
  const store = new EnvironmentStore((flush) => flush());
  const html = renderToStaticMarkup(
    <StoreProvider store={store}>
      <HealthCard node={madeNode({ id: "w", ref, health })} departed={departed} />
    </StoreProvider>,
  );
  return html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

test("the card says what decided, once", () => {
  const root = words("resource/field", { kind: "Widget", name: "w", said: quoted("disk is full"), because: SEEN });
  const text = card({ message: quoted("disk is full"), because: SEEN, root });
  expect(text).toContain("disk is full Decided by: status.components.db.status is ERROR");
  expect(text.match(/status\.components/g)).toHaveLength(1);
});

test("where the verdict equals the observation, no sentence is repeated", () => {
  expect(card({ message: SEEN, because: SEEN })).not.toContain("Decided by");
  expect(card({ message: quoted("well") })).not.toContain("Decided by");
});

test("a rule of the user's that decided is named instead of what was seen", () => {
  const text = card({ message: quoted("disk is full"), because: SEEN, rule: "ConfigMap argocd/argocd-cm: example.com/Widget" });
  expect(text).toContain("Judged by a rule of yours: ConfigMap argocd/argocd-cm: example.com/Widget");
  expect(text).not.toContain("Decided by");
});

test("a root reason that says more than the verdict stays", () => {
  const root = words("reference/config-map", { kind: "Widget", name: "settings", holder: "Widget w" });
  expect(card({ message: quoted("waits"), because: SEEN, root })).toMatch(/settings/);
});

test("what was seen may be long: its beginning is shown", () => {
  const long = words("because/field", { path: "status.error", value: "word ".repeat(60) });
  expect(card({ message: quoted("broken"), because: long })).toMatch(/Decided by: status.error is word .*…/);
});

test("the sentence that explains stands before the raw message, and once where both say the same", () => {
  const root = words("reference/config-map", { kind: "Widget", name: "settings", holder: "Widget w" });
  expect(card({ message: quoted("raw words of a controller"), root })).toMatch(/settings.*raw words of a controller/);
  expect(card({ message: quoted("Is starting."), root: quoted("is starting") }).match(/is starting/gi)).toHaveLength(1);
});

test("what was deleted is called so, and not by the state that it had last", () => {
  expect(card({ message: quoted("x"), departed: true })).toMatch(/^ *Deleted Its last state was: Degraded/);
});

test("the log nearest to the root reason is read at the time of its link, of the container that it is about", () => {
  const deployment = { group: "apps", kind: "Deployment", name: "web", namespace: "app" };
  const pod = { group: "", kind: "Pod", name: "web-1", namespace: "app" };
  const secret = { group: "", kind: "Secret", name: "key", namespace: "app" };
  const links = [
    { level: WhyLevel.RESOURCE, ref: deployment, since: { seconds: 50n } },
    { level: WhyLevel.CONTAINER, ref: pod, container: "app", since: { seconds: 100n } },
    { level: WhyLevel.REFERENCE, ref: secret, since: { seconds: 200n } },
  ];
  const firstBadAt = { seconds: 40n };
  const of = (chain: typeof links) => logsOfWhy(create(WhySchema, { chain, firstBadAt }));
  expect(of(links)).toMatchObject({ of: pod, atMs: 100_000, container: "app" });
  expect(of(links.slice(0, 1))).toMatchObject({ of: deployment, atMs: 50_000, container: "" });
  expect(logsOfWhy(create(WhySchema, { chain: [{ ref: pod }], firstBadAt }))).toMatchObject({ of: pod, atMs: 40_000 });
  expect(of(links.slice(2)).of).toBeUndefined();
});
