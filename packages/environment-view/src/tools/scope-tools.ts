import { isDeepStrictEqual } from "node:util";

import { toolSourceFactsOf, toolSyncOf, type ToolSourceFacts, type ToolSync } from "@binnacle/health";
import type { KubeObject, ObjectKey } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import type { ViewConnection } from "../stream/view-model.ts";
import type { DeployedNodes } from "../projection/deployed-nodes.ts";
import { placesOf, shownDeployers, type Deployer, type Deployers, type DeployingTool } from "../scope/deployer.ts";
import type { ToolAnswer, ToolReader, ToolReading } from "./tool-reader.ts";

/** How a tool that deploys to an environment says that it stands. */
export interface ToolStanding {
  readonly tool: DeployingTool;
  readonly namespace: string;
  readonly name: string;
  /** Objects of the environment that bear its mark themselves. */
  readonly objects: number;
  /** Absent: not known. */
  readonly sync?: ToolSync;
  /** Why nothing is known; absent where something is. */
  readonly why?: Words;
  /** What is known of the place that it takes from, where another object has that. */
  readonly source?: ToolSourceFacts;
  /** When this was read, when it could not be read since. Milliseconds since the epoch. */
  readonly asOfMs?: number;
}

/** The tools of an environment. */
export interface ToolStandings {
  /** Those with most objects first. */
  readonly tools: readonly ToolStanding[];
  /** Further ones, which are not read. */
  readonly more: number;
}

/** What tools deploy, and their objects that are in sight. */
export type DeployedSight = Pick<DeployedNodes, "deployers" | "objectOf" | "applicationsNamed">;

/** What a look at the tools depends on beside the objects. */
export interface ToolLook {
  readonly connection: ViewConnection;
  /** A page with the environment is open. */
  readonly isLooking: boolean;
}

/** The tools that deploy what one environment shows: of their objects those in sight are read there, the others one by one. */
export class ScopeTools {
  readonly #objects: DeployedSight;
  readonly #reader: Pick<ToolReader, "want" | "answerOf">;
  readonly #listeners = new Set<() => void>();
  #standings: ToolStandings | undefined;

  constructor(objects: DeployedSight, reader: Pick<ToolReader, "want" | "answerOf">) {
    this.#objects = objects;
    this.#reader = reader;
  }

  /** How they stand; `undefined` while it is unknown which there are. */
  get now(): ToolStandings | undefined {
    return this.#standings;
  }

  /** Calls `listener` when that has changed. @returns ends it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks again; the environment's own objects must be known. */
  update({ connection, isLooking }: ToolLook): void {
    const unseen: ObjectKey[] = [];
    const answerOf = (key: ObjectKey): ToolAnswer => {
      const object = this.#objects.objectOf(key);
      if (object !== undefined) return seenAnswer(object, connection);
      unseen.push(key);
      return this.#reader.answerOf(key);
    };
    const { tools: deployers, more } = shownDeployers(this.#objects.deployers());
    const tools = deployers.flatMap((deployer) => this.#standingOf(deployer, answerOf) ?? []);
    this.#reader.want(this, unseen, isLooking);
    const standings = { tools, more };
    if (isDeepStrictEqual(standings, this.#standings)) return;
    this.#standings = standings;
    for (const listener of this.#listeners) listener();
  }

  /** Wants nothing any more. */
  close(): void {
    this.#reader.want(this, [], false);
  }

  #standingOf(deployer: Deployer, answerOf: (key: ObjectKey) => ToolAnswer): ToolStanding | undefined {
    const { tool, objects } = deployer;
    const found = firstPlace(deployer, this.#objects, answerOf);
    if (found === undefined) return undefined;
    const { key, answer } = found;
    const { reading, asOfMs } = answer;
    const sync = reading.state === "known" ? reading.sync : undefined;
    const source = sync?.source.object && answerOf(sync.source.object).reading;
    return {
      tool,
      objects,
      namespace: key.namespace,
      name: key.name,
      ...(sync === undefined ? { why: whyUnknown(key, reading) } : { sync }),
      ...(source?.state === "known" && source.source !== undefined ? { source: source.source } : {}),
      ...(asOfMs === undefined ? {} : { asOfMs }),
    };
  }
}

/** The tools of a scope without a view, whose objects were not read. A namespace is empty where the mark leaves it out and several are likely. */
export function unreadTools({ tools, more }: Deployers): ToolStandings {
  const why = words("tool-sync/without-view");
  return {
    tools: tools.flatMap(({ tool, name, objects }) => {
      const [place, other] = placesOf({ tool, name, objects }, () => []);
      if (place === undefined) return [];
      return { tool, namespace: other === undefined ? place.namespace : "", name: place.name, objects, why };
    }),
    more,
  };
}

interface Found {
  readonly key: ObjectKey;
  readonly answer: ToolAnswer;
}

/** The first place where there is something, else the first. */
function firstPlace(deployer: Deployer, objects: DeployedSight, answerOf: (key: ObjectKey) => ToolAnswer): Found | undefined {
  const places = placesOf(deployer, (name) => objects.applicationsNamed(name));
  let first: Found | undefined;
  for (const key of places) {
    const answer = answerOf(key);
    first ??= { key, answer };
    if (answer.reading.state !== "absent") return { key, answer };
  }
  return first;
}

/** Of an object that the view keeps up to date, as long as the way is well. */
function seenAnswer(object: KubeObject, { state, sinceMs }: ViewConnection): ToolAnswer {
  const reading: ToolReading = { state: "known", sync: toolSyncOf(object), source: toolSourceFactsOf(object) };
  return { reading, ...(state === "connected" ? {} : { asOfMs: sinceMs }) };
}

function whyUnknown({ group, kind, namespace, name }: ObjectKey, { state }: ToolReading): Words {
  const place = `${namespace}/${name}`;
  switch (state) {
    case "forbidden":
      return words("tool-sync/forbidden", { kind, place });
    case "absent":
      return words("tool-sync/absent", { kind, place });
    case "unserved":
      return words("tool-sync/unserved", { kind, group });
    case "unread":
      return words("tool-sync/unread");
    default:
      return words("tool-sync/unreadable", { kind, place });
  }
}
