import { fieldsAt, isFields, listAt, numberAt, textAt, textOf, type Fields } from "@binnacle/kube";

import { words, type Words } from "@binnacle/words";

import { MINUTE_MS } from "../../age.ts";
import { conditionsOf, falseCondition } from "../../condition.ts";
import type { ContainerState } from "../../container-state.ts";
import { besideCondition } from "../episodes.ts";
import type { EventFact } from "../../event-fact.ts";
import { containerSpecOf } from "../pod-references.ts";
import { eventRoot, type Root, type Subject } from "../root.ts";
import { explanationOf, type Explanation } from "../explanation.ts";
import { eventsAbout, type World } from "../world.ts";
import { containerFacts } from "./container-facts.ts";

/** So many failures cost a pod its readiness, which takes so long at most, as probes are commonly set. */
const PROBE_LEAD_MS = 5 * MINUTE_MS;

type Probe = "readiness" | "liveness" | "startup";

/** A probe of the container that the kubelet says has failed, of one of these sorts. */
export function probeRoot(
  container: ContainerState,
  pod: Subject,
  { probes, world }: { probes: readonly Probe[]; world: World },
): Root | null {
  for (const event of eventsAbout(pod.ref, world)) {
    if (event.container !== "" && event.container !== container.name) continue;
    const probe = probes.find((each) => isFailureOf(each, event));
    if (probe !== undefined) return eventRoot(sinceReadyLost(event, container, pod), explainProbe(container, pod, { probe, event }), pod);
  }
  return null;
}

/** A failure from before the pod was last ready is of an earlier episode. One that is started again and again is ready in between. */
function sinceReadyLost(event: EventFact, container: ContainerState, pod: Subject): EventFact {
  const lost = container.last === undefined ? falseCondition(conditionsOf(pod.input.status), "Ready") : undefined;
  return besideCondition(event, lost?.changedAt ?? "", PROBE_LEAD_MS);
}

/** A container runs and its readiness probe has simply not answered yet, as far as is known. */
export function explainSilentProbe(container: ContainerState, pod: Subject): Explanation | null {
  const target = targetOf(containerSpecOf(pod.input.spec, container.name), "readiness");
  return target === undefined ? null : explanationOf("probe", "silent", { ...containerFacts(container, pod), target });
}

function explainProbe(container: ContainerState, pod: Subject, { probe, event }: { probe: Probe; event: EventFact }): Explanation {
  const target = targetOf(containerSpecOf(pod.input.spec, container.name), probe);
  const output = event.message.replace(/^\w+ probe (?:failed|errored[^:]*): */i, "");
  return explanationOf("probe", probe, { ...containerFacts(container, pod), target, said: output === event.message ? "" : output });
}

function isFailureOf(probe: Probe, { reason, message }: EventFact): boolean {
  const text = message.toLowerCase();
  if (reason === "Unhealthy") return text.startsWith(`${probe} probe`);
  // "Container app failed liveness probe, will be restarted"
  return reason === "Killing" && text.includes(`failed ${probe} probe`);
}

/** "GET /healthz on port 8080", "TCP port 5432", "command pg_isready", "gRPC port 9000"; absent when the spec has no such probe. */
function targetOf(container: Fields, probe: Probe): Words | undefined {
  const spec = fieldsAt(container, `${probe}Probe`);
  const http = spec["httpGet"];
  if (isFields(http)) return words("probe/target/http", { path: textAt(http, "path") || "/", port: portOf(http) });
  if (isFields(spec["tcpSocket"])) return words("probe/target/tcp", { port: portOf(spec["tcpSocket"]) });
  if (isFields(spec["grpc"])) return words("probe/target/grpc", { port: portOf(spec["grpc"]) });
  // The program only: its arguments may hold what is not for everybody.
  const [command] = listAt(fieldsAt(spec, "exec"), "command").map(textOf);
  return command === undefined || command === "" ? undefined : words("probe/target/command", { command });
}

function portOf(action: Fields): string {
  return textAt(action, "port") || String(numberAt(action, "port") ?? "?");
}
