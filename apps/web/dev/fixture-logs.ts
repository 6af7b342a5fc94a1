import { ContextWindow } from "@binnacle/pod-logs/context-window";
import { checkExpression, type Expressions } from "@binnacle/pod-logs/expressions";
import { LogFilterError, openFilter, type LineFilter } from "@binnacle/pod-logs/filter";
import { HealthStatus, type ResourceRef } from "@binnacle/proto/dashboard";
import {
  LogContainerKind,
  LogLevel,
  LogSourceState,
  ReadLogsResponseSchema,
  type LogLineSchema,
  type LogSourceSchema,
  type ReadLogsRequest,
  type ReadLogsResponse,
} from "@binnacle/proto/dashboard-logs";
import { toNanosTimestamp } from "@binnacle/proto/wire-values";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { pause } from "./pause.ts";
import type { World } from "./world.ts";

type Source = MessageInitShape<typeof LogSourceSchema>;
type Line = MessageInitShape<typeof LogLineSchema>;
type MadeUpLine = Line & { readonly timeNanos: bigint; readonly text: string };

/** When the logs begin; everything in them follows from it, so that a stream can be continued. */
const BASE_MS = Date.now() - 20 * 60_000;
const STEP_MS = 3_000;
/** `load-<n>`: 200 pods write 5,000 lines a second in sum. */
const FLOOD = { pods: 200, stepMs: 40, beforeMs: 30_000 };
const TURN_MS = 100;
const MAX_BATCH = 500;
const NS_PER_MS = 1_000_000n;

const ROLE = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: read-logs
  namespace: shop-prod
rules:
  - apiGroups: [""]
    resources: ["pods/log"]
    verbs: ["get"]
`;

/** What containers write, in turn: of every kind that there is. */
const TEXTS: readonly (readonly [LogLevel, (index: number) => string])[] = [
  [
    LogLevel.INFO,
    (index) =>
      `{"level":"info","ts":"2026-11-28T11:58:${String(index % 60).padStart(2, "0")}Z","msg":"order placed","order":${48_100 + index},"total":{"amount":42.5,"currency":"EUR"}}`,
  ],
  [LogLevel.DEBUG, (index) => `level=debug msg="cache lookup" key=cart:${index} hit=${index % 3 === 0}`],
  [LogLevel.INFO, (index) => `I1128 11:58:20.042123       1 controller.go:142] Reconciled "shop-prod/checkout" in ${index % 90} ms`],
  [LogLevel.WARNING, (index) => `[WARN] slow query: 1.${index % 9}s SELECT * FROM orders WHERE id = ${index}`],
  [LogLevel.UNSPECIFIED, () => `10.42.0.7 - - "GET /healthz HTTP/1.1" 200 2`],
  [
    LogLevel.ERROR,
    (index) =>
      `\u001B[1;31mERROR\u001B[0m \u001B[36mpayments\u001B[0m: connection refused: dial tcp 10.42.3.${index % 200}:5432 (attempt ${index % 7})`,
  ],
  [LogLevel.UNSPECIFIED, () => `<script>alert("not HTML")</script> \u202Edecoded backwards\u202C and a bell \u0007`],
  [LogLevel.UNSPECIFIED, () => `    at com.example.shop.CheckoutService.placeOrder(CheckoutService.java:118)`],
];

/** Logs of a made-up world; the environment's and the pod's names decide how they are. */
export async function* fixtureLogs(
  request: ReadLogsRequest,
  { world, expressions }: { readonly world: World; readonly expressions: Expressions },
  signal: AbortSignal,
): AsyncGenerator<ReadLogsResponse> {
  const { environment, filter } = request;
  if (environment === "logs-denied") throw new ConnectError("no access to the agent of this environment", Code.PermissionDenied);
  const pattern = await patternOf(filter, expressions, signal);
  const isFlood = environment.startsWith("load-");
  const stepMs = isFlood ? FLOOD.stepMs : STEP_MS;
  const isByAgent = environment !== "fits";
  const sources = sourcesOf(request, isFlood ? floodOf(world) : podsOf(request.refs, world), isByAgent);
  yield messageOf({ case: "sources", value: { sources: [...sources.values()], isReadByAgent: isByAgent } });
  if (environment === "logs-none") {
    await pause(3_600_000, signal);
    return;
  }
  const levels = filter?.levels ?? [];
  const windows = new Map<number, ContextWindow<MadeUpLine>>();
  const sentOf = async (lines: readonly MadeUpLine[]): Promise<Line[]> => {
    const matches = await pattern.matches(
      lines.map(({ text }) => text),
      signal,
    );
    return lines.flatMap((line, index) => {
      const { source = 0, level = 0 } = line;
      const window = windows.get(source) ?? new ContextWindow(pattern.contextLines);
      windows.set(source, window);
      const isMatch = (levels.length === 0 || levels.includes(level)) && matches[index] === 1;
      return window.push(line, isMatch).map(({ line: sent, isContext }) => ({ ...sent, isContext }));
    });
  };
  const sinceMs = request.since === undefined ? BASE_MS : Number(request.since.seconds) * 1000;
  /** Index of the next line of each source. */
  const next = new Map<number, number>();
  for (const source of sources.values()) {
    if (source.state !== LogSourceState.READING) continue;
    const at = request.positions.find(({ pod, container }) => pod === source.pod && container === source.container);
    const present = Math.floor((Date.now() - BASE_MS) / stepMs);
    const first = Math.max(0, Math.ceil((sinceMs - BASE_MS) / stepMs), present - (request.tailLines ?? present));
    const begin = isFlood ? Math.max(first, present - Math.floor(FLOOD.beforeMs / stepMs)) : first;
    next.set(
      source.id ?? 0,
      at?.time === undefined ? begin : Math.round((Number(at.time.seconds) * 1000 + at.time.nanos / 1e6 - BASE_MS) / stepMs) + 1,
    );
  }
  let read = 0;
  while (!signal.aborted) {
    const batch: MadeUpLine[] = [];
    for (const [id, index] of next) {
      const present = Math.floor((Date.now() - BASE_MS) / stepMs);
      for (let line = index; line <= present; line += 1) batch.push(lineOf(sources.get(id) ?? {}, line, stepMs));
      next.set(id, Math.max(index, present + 1));
    }
    read += batch.length;
    batch.sort((one, other) => Number(one.timeNanos - other.timeNanos));
    for (let from = 0; from < batch.length; from += MAX_BATCH) {
      const part = batch.slice(from, from + MAX_BATCH);
      yield messageOf({ case: "lines", value: { lines: await sentOf(part), positions: positionsAfter(part, sources) } });
    }
    const progresses = [...next.keys()].map((source) => ({ source, lines: BigInt(Math.floor(read / next.size)), reachedEnd: true }));
    if (levels.length > 0 || filter?.pattern !== "") yield messageOf({ case: "progress", value: { progresses } });
    if (!request.follow) return;
    await pause(TURN_MS, signal);
  }
}

/** Levels are those that the made-up lines have beside their texts. */
async function patternOf(filter: ReadLogsRequest["filter"], expressions: Expressions, signal: AbortSignal): Promise<LineFilter> {
  try {
    await checkExpression({ ...filter }, expressions, signal);
    return openFilter({ ...filter, levels: [] }, expressions);
  } catch (error) {
    if (error instanceof LogFilterError) throw new ConnectError(error.message, Code.InvalidArgument);
    throw error;
  }
}

interface Pod {
  readonly name: string;
  readonly isBroken: boolean;
}

function podsOf(refs: readonly ResourceRef[], world: World): readonly Pod[] {
  const pods = [...world.nodes.values()].flatMap((node): (Pod & { readonly id: number })[] =>
    node.ref?.kind === "Pod" ? [{ id: node.id, name: node.ref.name, isBroken: node.health?.status === HealthStatus.DEGRADED }] : [],
  );
  if (refs.length === 0) return pods.slice(0, 8);
  return pods.filter(({ name }) => refs.some((ref) => (ref.kind === "Pod" ? ref.name === name : name.startsWith(`${ref.name}-`))));
}

function floodOf(world: World): readonly Pod[] {
  return Array.from({ length: FLOOD.pods }, (_, index) => ({ name: `${world.namespace}-worker-${index}`, isBroken: false }));
}

/** Each pod has a main container, the broken ones a proxy too; what is called so may not be read. */
function sourcesOf({ containers, previous }: ReadLogsRequest, pods: readonly Pod[], isByAgent: boolean): ReadonlyMap<number, Source> {
  const sources = new Map<number, Source>();
  const add = (source: Source): void => {
    if (containers.length > 0 && !containers.includes(source.container ?? "")) return;
    sources.set(sources.size + 1, { ...source, id: sources.size + 1 });
  };
  for (const { name, isBroken } of pods) {
    const shared = {
      namespace: "shop-prod",
      pod: name,
      containerId: `containerd://${name}${previous ? "-before" : ""}`,
      restarts: isBroken ? 4 : 0,
    };
    add({ ...shared, container: "app", ...stateOf(name) });
    if (isBroken) add({ ...shared, container: "proxy", kind: LogContainerKind.SIDECAR, ...stateOf(name) });
  }
  let readable = 0;
  for (const [id, source] of sources) {
    readable += 1;
    if (isByAgent || readable <= 4) continue;
    const words = toWordsMessage(quoted("The agent (17.3.1) cannot read logs, so at most 4 containers are read"));
    sources.set(id, { ...source, state: LogSourceState.OVER_LIMIT, words });
  }
  return sources;
}

function stateOf(pod: string): Source {
  if (!pod.startsWith("session-store")) return { state: LogSourceState.READING };
  const words = toWordsMessage(quoted(`pods "${pod}" is forbidden: User "gitlab:user:mara" cannot get resource "pods/log"`));
  return { state: LogSourceState.REFUSED, words, roleYaml: ROLE };
}

function lineOf(source: Source, index: number, stepMs: number): MadeUpLine {
  const turn = (index * 5 + (source.id ?? 0) * 3) % TEXTS.length;
  const [level, textOf] = TEXTS[turn] ?? [LogLevel.UNSPECIFIED, () => ""];
  const timeNanos = BigInt(BASE_MS + index * stepMs) * NS_PER_MS + BigInt((source.id ?? 0) * 1_000);
  return { source: source.id ?? 0, timeNanos, text: textOf(index), level };
}

function positionsAfter(lines: readonly (Line & { readonly timeNanos: bigint })[], sources: ReadonlyMap<number, Source>) {
  return [...new Map(lines.map((line) => [line.source ?? 0, line.timeNanos]))].map(([id, nanos]) => {
    const { namespace = "", pod = "", container = "", containerId = "" } = sources.get(id) ?? {};
    return { namespace, pod, container, containerId, time: toNanosTimestamp(nanos), linesAtTime: 1 };
  });
}

function messageOf(message: MessageInitShape<typeof ReadLogsResponseSchema>["message"]): ReadLogsResponse {
  return create(ReadLogsResponseSchema, message === undefined ? {} : { message });
}
