import {
  fieldsAt,
  groupOf,
  groupVersionPath,
  isAddressable,
  listAt,
  parseResourceList,
  textAt,
  versionOf,
  type ResourceKind,
} from "@binnacle/kube";

import { refusal, type ApiCall, type ClusterApi } from "../../cluster-access/cluster-api.ts";

/** Kinds that the cluster serves, requested by group and version and cached. One instance belongs to one sync: kinds come and go. */
export class ServedKinds {
  readonly #api: ClusterApi;
  readonly #known = new Map<string, Promise<readonly ResourceKind[]>>();

  constructor(api: ClusterApi) {
    this.#api = api;
  }

  /**
   * The kind under exactly this version.
   *
   * @returns undefined when the cluster does not serve it
   * @throws Fault `cluster_unavailable` when discovery fails
   */
  async find(wanted: { readonly apiVersion: string; readonly kind: string }, signal: AbortSignal): Promise<ResourceKind | undefined> {
    const served = { group: groupOf(wanted.apiVersion), version: versionOf(wanted.apiVersion) };
    if (!isAddressable({ ...served, resource: "any" })) return undefined;
    const path = groupVersionPath(served);
    let kinds = this.#known.get(path);
    if (kinds === undefined) {
      kinds = this.#read(path, async (value) => parseResourceList(value, served) ?? [], signal);
      this.#known.set(path, kinds);
      kinds.catch(() => this.#known.delete(path));
    }
    return (await kinds).find((kind) => kind.kind === wanted.kind);
  }

  /**
   * The kind under any version, the preferred one first: an inventory knows no versions.
   *
   * @returns undefined when the cluster does not serve it
   * @throws Fault `cluster_unavailable` when discovery fails
   */
  async findAny(wanted: { readonly group: string; readonly kind: string }, signal: AbortSignal): Promise<ResourceKind | undefined> {
    for (const apiVersion of await this.#versionsOf(wanted.group, signal)) {
      const kind = await this.find({ apiVersion, kind: wanted.kind }, signal);
      if (kind !== undefined) return kind;
    }
    return undefined;
  }

  /** What was not served may be by now. */
  forget(): void {
    this.#known.clear();
  }

  async #versionsOf(group: string, signal: AbortSignal): Promise<readonly string[]> {
    if (group === "") return ["v1"];
    if (!isAddressable({ group, version: "v1", resource: "any" })) return [];
    const versions: string[] = [];
    await this.#read(
      `/apis/${group}`,
      async (value) => {
        versions.push(textAt(fieldsAt(value, "preferredVersion"), "groupVersion"));
        versions.push(...listAt(value, "versions").map((version) => textAt(version, "groupVersion")));
        return [];
      },
      signal,
    );
    return [...new Set(versions)].filter((version) => version !== "");
  }

  async #read(
    target: string,
    parse: (value: unknown) => Promise<readonly ResourceKind[]>,
    signal: ApiCall["signal"],
  ): Promise<readonly ResourceKind[]> {
    const answer = await this.#api.call({ method: "GET", target, signal });
    if (answer.statusCode === 404) return [];
    if (answer.statusCode !== 200) throw refusal(`the kinds of ${target} cannot be read`, answer);
    return parse(answer.value);
  }
}
