import type { LiveEdge, LiveNode } from "./live-node.ts";
import { tLater } from "../text/messages.ts";

const CUSTOM = "custom:";

/** What an edge is called: the id of a rule of the user's, else its class, "inferred-owner". */
export function nameOfEdge(edge: Pick<LiveEdge, "kind" | "edgeClass">): string {
  return edge.kind.startsWith(CUSTOM) ? edge.kind.slice(CUSTOM.length) : edge.edgeClass;
}

/** Why a reference into another namespace does not count; empty for any other. `to` is the node it refers to. */
export function refusalOf(edge: Pick<LiveEdge, "refused">, to: Pick<LiveNode, "ref"> | undefined): string {
  const namespace = to?.ref?.namespace ?? "";
  if (!edge.refused) return "";
  const where = namespace === "" ? tLater("resource/the-other-namespace") : tLater("ui/namespace-name", { namespace });
  return tLater("resource/refused", { where });
}

/** One note about the target of a reference. */
export interface EdgeNote {
  readonly text: string;
  /** `fault`: it does not count; `idle`: it counts, and no traffic takes it; `plain`: how it is. */
  readonly tone: "fault" | "idle" | "plain";
}

type Noted = Pick<LiveEdge, "refused" | "portMissing" | "missingPorts" | "ready" | "weight" | "share">;

/** What is special about where a reference leads, gravest first: a refusal, a port that is not there, an endpoint that is or is not ready, its share. */
export function notesOfEdge(edge: Noted, to: Pick<LiveNode, "ref"> | undefined): readonly EdgeNote[] {
  const { portMissing, missingPorts, ready } = edge;
  const notes: EdgeNote[] = [{ text: refusalOf(edge, to), tone: "fault" }];
  if (portMissing) notes.push({ text: portWords(missingPorts), tone: "fault" });
  if (ready !== undefined)
    notes.push(ready ? { text: tLater("resource/ready"), tone: "plain" } : { text: tLater("resource/not-ready"), tone: "idle" });
  notes.push({ text: weightWords(edge), tone: edge.weight === 0 ? "idle" : "plain" });
  return notes.filter(({ text }) => text !== "");
}

function portWords(ports: readonly string[]): string {
  if (ports.length === 0) return tLater("resource/no-such-port");
  return tLater("resource/ports-not-of-service", { count: ports.length, ports: ports.join(", ") });
}

/** The share of its rule; one that has it all says nothing, for most rules have one backend. */
function weightWords({ weight, share }: Pick<LiveEdge, "weight" | "share">): string {
  if (weight === undefined || share === 1) return "";
  if (weight === 0) return tLater("resource/weight-zero");
  return share === undefined ? tLater("resource/weight", { weight }) : tLater("resource/weight-share", { percent: percentOf(share) });
}

/** "90 %"; what is not all and not nothing never looks as if. */
function percentOf(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0) return "< 1 %";
  return percent === 100 ? "> 99 %" : `${percent} %`;
}

/** The text of a line under the pointer: what is special, the rule of the user's or of a pack, where the reference stands. */
export function linesOfEdge(edge: LiveEdge, to: LiveNode | undefined): string[] {
  const rule = edge.kind.startsWith(CUSTOM) ? nameOfEdge(edge) : edge.kind.includes(":") ? edge.kind.replace(":", " ") : "";
  const notes = notesOfEdge(edge, to).flatMap(({ text }) => (text === "ready" ? [] : text));
  return [...notes, rule, ...edge.fieldPaths].filter((line) => line !== "");
}
