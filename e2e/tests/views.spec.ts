import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { LiveTable } from "@binnacle/live-table";
import { EdgeSchema, NodeSchema } from "@binnacle/proto/dashboard";
import { ViewSpecSchema, ViewUpdateSchema, type ViewUpdate } from "@binnacle/proto/kas-views";
import { VIEW_ENGINE } from "@binnacle/environment-view";
import { request, type Dispatcher } from "undici";

import { targetOf, type BearerTarget } from "../support/bearer-request.ts";
import { pick } from "../support/endpoints.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";

/** What somebody is told of an environment by the agent, through kas. */
class ToldView {
  readonly table = new LiveTable();
  updates = 0;
  rights = "";
  #begun: ViewUpdate | undefined;
  #answer: Dispatcher.ResponseData | undefined;
  #rest = Buffer.alloc(0);

  /** @param namespace that it shows */
  static async open(target: BearerTarget, namespace: string): Promise<ToldView> {
    const view = new ToldView();
    const spec = create(ViewSpecSchema, {
      view: { case: "environment", value: { scope: { namespaces: [namespace] }, engine: VIEW_ENGINE } },
    });
    const answer = await request(`${target.server}/binnacle/v1/views`, {
      method: "POST",
      headers: { authorization: `Bearer ${target.token}`, "content-type": "application/protobuf" },
      body: toBinary(ViewSpecSchema, spec),
      bodyTimeout: 0,
      dispatcher: target.dispatcher,
    });
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${await answer.body.text()}`);
    view.#answer = answer;
    answer.body.on("data", (chunk: Buffer) => view.#take(chunk));
    answer.body.on("error", () => undefined);
    return view;
  }

  close(): void {
    this.#answer?.body.destroy();
  }

  get complete(): boolean {
    const value = this.table.get("complete");
    return value !== undefined && Buffer.from(value).toString() === "true";
  }

  /** "Kind/name" of what is there. */
  get present(): string[] {
    const nodes = this.table.entries().flatMap(({ key, value }) => (key.startsWith("n/") ? [fromBinary(NodeSchema, value)] : []));
    return nodes.flatMap(({ ref, presence }) => (presence === 1 && ref ? [`${ref.kind}/${ref.name}`] : [])).toSorted();
  }

  get edges(): number {
    return this.table.entries().filter(({ key, value }) => key.startsWith("e/") && fromBinary(EdgeSchema, value).kind !== "").length;
  }

  #take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 4 && this.#rest.length >= 4 + this.#rest.readUInt32BE(0)) {
      const length = this.#rest.readUInt32BE(0);
      this.#update(fromBinary(ViewUpdateSchema, this.#rest.subarray(4, 4 + length)));
      this.#rest = this.#rest.subarray(4 + length);
    }
  }

  #update(update: ViewUpdate): void {
    const begun = update.reset ? undefined : this.#begun;
    const whole = begun
      ? { ...begun, entries: [...begun.entries, ...update.entries], removed: [...begun.removed, ...update.removed] }
      : update;
    if (update.reset) this.rights = update.rights;
    this.#begun = update.more ? whole : undefined;
    if (update.more) return;
    this.updates += 1;
    this.table.apply(whole);
  }
}

test("an environment as agentk keeps it, through kas: what kubectl lists as the same person, at once when it changes, and nothing for who may not", async ({
  sandbox,
}) => {
  const { kubeconfigs, environments } = sandbox.endpoints;
  const { namespace } = pick(environments, (entry) => entry.name === "staging");
  const developer = pick(Object.entries(kubeconfigs.viaKasAs), ([name]) => name === "developer")[1];
  const outsider = pick(Object.entries(kubeconfigs.viaKasAs), ([name]) => name === "outsider")[1];
  const views = await Promise.all([kubeconfigs.viaKas, developer].map((file) => ToldView.open(targetOf(file), namespace)));
  const [maintainers, developers] = views as [ToldView, ToldView];
  try {
    await expect.poll(() => views.map((view) => view.complete)).toEqual([true, true]);
    const listed = async (file: string): Promise<string[]> => {
      const text = await kubectl(file, [
        "get",
        "deployments,configmaps,services",
        "-n",
        namespace,
        "-o",
        "jsonpath={range .items[*]}{.kind}/{.metadata.name}{'\\n'}{end}",
      ]);
      // What every namespace has is shown nowhere.
      return text
        .trim()
        .split("\n")
        .filter((name) => name !== "ConfigMap/kube-root-ca.crt")
        .toSorted();
    };
    for (const [view, file] of [
      [maintainers, kubeconfigs.viaKas],
      [developers, developer],
    ] as const) {
      expect(view.present).toEqual(expect.arrayContaining(await listed(file)));
      expect(view.edges).toBeGreaterThan(0);
    }
    // Who may edit reads Secrets, which the agent itself may not; who may view does not.
    expect(
      [maintainers, developers].map(({ table }) =>
        Buffer.from(table.get("s//secrets/" + namespace) ?? []).includes('"settled":"forbidden"'),
      ),
    ).toEqual([false, true]);
    expect(maintainers.rights).not.toBe(developers.rights);

    await kubectl(kubeconfigs.cluster, ["create", "configmap", "told-by-the-agent", "-n", namespace]);
    await expect.poll(() => views.every(({ present }) => present.includes("ConfigMap/told-by-the-agent"))).toBe(true);
    await kubectl(kubeconfigs.cluster, ["delete", "configmap", "told-by-the-agent", "-n", namespace]);
    await expect.poll(() => views.some(({ present }) => present.includes("ConfigMap/told-by-the-agent"))).toBe(false);
    await expect(ToldView.open(targetOf(outsider), namespace)).rejects.toThrow("401");
  } finally {
    for (const view of views) view.close();
  }
});
