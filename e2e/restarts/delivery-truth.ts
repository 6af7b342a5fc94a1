import { execFile } from "node:child_process";
import { isDeepStrictEqual, promisify } from "node:util";

import { parse } from "yaml";

import { kubectl } from "../support/kubectl.ts";

const run = promisify(execFile);

/** What is true of an environment's delivery, as Git and the cluster have it. Ids of commits are full. */
export interface DeliveryTruth {
  /** Of the branch. */
  readonly newest: string;
  /** The newest commit of which each object is in the cluster. */
  readonly applied: string;
  /** Objects of the applied commit. */
  readonly objects: number;
  /** Objects of it that the cluster has otherwise. */
  readonly changed: readonly string[];
  /** Objects of earlier commits that are still there. */
  readonly left: number;
  /** Whether the newest commit can be read. */
  readonly isReadable: boolean;
  /** Objects of each commit of the branch by its id; undefined where a file cannot be read. */
  readonly commits: ReadonlyMap<string, number | undefined>;
}

/** Where an environment is in Git and in the cluster. */
export interface DeliveryPlace {
  /** Path of the bare repository. */
  readonly repository: string;
  /** Kubeconfig of an administrator. */
  readonly kubeconfig: string;
  readonly namespace: string;
}

type Data = Readonly<Record<string, string>>;

/** Reads both. Each object is a ConfigMap in a file of its own, whose key `release` says which commit it is of. */
export async function readTruth({ repository, kubeconfig, namespace }: DeliveryPlace): Promise<DeliveryTruth> {
  const git = async (...args: string[]): Promise<string> => (await run("git", ["-C", repository, ...args])).stdout;
  const live = await liveMaps(kubeconfig, namespace);
  const commits = (await git("log", "--format=%H", "main")).split("\n").filter((line) => line !== "");
  let applied: { readonly commit: string; readonly maps: ReadonlyMap<string, Data> } | undefined;
  const counts = new Map<string, number | undefined>();
  for (const commit of commits) {
    const maps = await mapsOf(commit, git);
    counts.set(commit, maps?.size);
    const isThere =
      maps !== undefined && maps.size > 0 && [...maps].every(([name, { release }]) => live.get(name)?.["release"] === release);
    if (isThere && applied === undefined) applied = { commit, maps };
  }
  const [newest = ""] = commits;
  const { commit = "", maps = new Map<string, Data>() } = applied ?? {};
  return {
    newest,
    applied: commit,
    objects: maps.size,
    changed: [...maps].filter(([name, data]) => !isDeepStrictEqual(live.get(name), data)).map(([name]) => name),
    left: [...live.keys()].filter((name) => !maps.has(name)).length,
    isReadable: counts.get(newest) !== undefined,
    commits: counts,
  };
}

/** What the agent has applied there, by name. */
async function liveMaps(kubeconfig: string, namespace: string): Promise<ReadonlyMap<string, Data>> {
  const text = await kubectl(kubeconfig, ["-n", namespace, "get", "configmaps", "-o", "json"]);
  // kubectl's own list.
  const { items } = JSON.parse(text) as {
    readonly items: readonly { readonly metadata: { readonly name: string; readonly annotations?: Data }; readonly data?: Data }[];
  };
  const owned = items.filter(({ metadata }) => metadata.annotations?.["config.k8s.io/owning-inventory"] !== undefined);
  return new Map(owned.map(({ metadata, data = {} }) => [metadata.name, data]));
}

/** The objects of a commit by name; undefined where a file cannot be read. */
async function mapsOf(commit: string, git: (...args: string[]) => Promise<string>): Promise<ReadonlyMap<string, Data> | undefined> {
  const files = (await git("ls-tree", "-r", "--name-only", commit)).split("\n").filter((file) => file.endsWith(".yaml"));
  const maps = new Map<string, Data>();
  for (const file of files) {
    try {
      // Written by the test.
      const { metadata, data } = parse(await git("show", `${commit}:${file}`)) as { metadata: { name: string }; data: Data };
      maps.set(metadata.name, data);
    } catch {
      return undefined;
    }
  }
  return maps;
}
