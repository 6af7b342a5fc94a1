import { fieldsAt, fieldsOf, listAt, numberAt, textAt, type Fields, isFields } from "@binnacle/kube";
import { words, type WordsId, quoted, type Words } from "@binnacle/words";

import type { Item, Part, Row, Section, Tone } from "./details.ts";
import { plain, row, saying, scalarText, section, yesNo, link } from "./rows.ts";

interface ContainerList {
  readonly title: WordsId;
  readonly specs: string;
  readonly statuses: string;
}

const MAIN: ContainerList = { title: "detail/containers", specs: "containers", statuses: "containerStatuses" };
const INIT: ContainerList = { title: "detail/init-containers", specs: "initContainers", statuses: "initContainerStatuses" };
const EPHEMERAL: ContainerList = {
  title: "detail/ephemeral-containers",
  specs: "ephemeralContainers",
  statuses: "ephemeralContainerStatuses",
};

/** Reasons for which a container waits while all is well. */
const ON_ITS_WAY = new Set(["", "ContainerCreating", "PodInitializing"]);

const MAX_COMMAND_CHARS = 80;

/** The containers of a pod, each with how it is, how it ended before and what it was given. */
export function containerSections(pod: { readonly spec: Fields; readonly status: Fields; readonly namespace: string }): Section[] {
  return [MAIN, INIT, EPHEMERAL].flatMap((list) => {
    const statuses = new Map(listAt(pod.status, list.statuses).map((status) => [textAt(status, "name"), fieldsOf(status)]));
    const parts = listAt(pod.spec, list.specs).map((entry) => {
      const container = fieldsOf(entry);
      return partOf({ container, status: statuses.get(textAt(container, "name")) ?? {}, list, pod });
    });
    return section(list.title, { parts });
  });
}

/** The containers of a template: what they will be given. */
export function templateSection({ spec, namespace }: { readonly spec: Fields; readonly namespace: string }): Section[] {
  const template = fieldsAt(fieldsAt(spec, "template"), "spec");
  const parts = [MAIN, INIT].flatMap((list) =>
    listAt(template, list.specs).map((entry): Part => {
      const container = fieldsOf(entry);
      const kind = list === INIT ? { kind: words(isSidecar(container) ? "detail/sidecar" : "detail/init") } : {};
      return { name: textAt(container, "name"), ...kind, rows: givenRows(container, { spec: template, namespace }) };
    }),
  );
  return section("detail/containers", { parts });
}

function partOf(of: {
  readonly container: Fields;
  readonly status: Fields;
  readonly list: ContainerList;
  readonly pod: { readonly spec: Fields; readonly namespace: string };
}): Part {
  const { container, status, list, pod } = of;
  const sidecar = list === INIT && isSidecar(container);
  const stays = list === MAIN || sidecar;
  const restarts = numberAt(status, "restartCount") ?? 0;
  return {
    name: textAt(container, "name"),
    ...(sidecar && { kind: words("detail/sidecar") }),
    state: containerState(status, { stays }),
    rows: [
      ...row("detail/last-end", lastEnd(status)),
      ...row("detail/ready", stays ? yesNo(status["ready"]) : undefined),
      ...row("detail/restarts", plain(restarts)),
      ...givenRows(container, pod),
    ],
    folded: list === INIT && !sidecar && isDone(status),
  };
}

/** What a container was given by its spec. */
function givenRows(container: Fields, pod: { readonly spec: Fields; readonly namespace: string }): Row[] {
  return [
    ...row("detail/image", plain(container["image"])),
    ...row("detail/ports", ...listAt(container, "ports").map(portItem)),
    ...row("detail/resources", ...resourceItems(fieldsAt(container, "resources"))),
    ...row("detail/probe-liveness", probe(container, "livenessProbe")),
    ...row("detail/probe-readiness", probe(container, "readinessProbe")),
    ...row("detail/probe-startup", probe(container, "startupProbe")),
    ...row("detail/environment", ...environmentItems(container, pod.namespace)),
    ...row("detail/mounts", ...mountItems(container, pod)),
  ];
}

function isSidecar(container: Fields): boolean {
  return container["restartPolicy"] === "Always";
}

function portItem(port: unknown): Item | undefined {
  const number = scalarText(fieldsOf(port)["containerPort"]);
  const name = textAt(port, "name");
  return number === "" ? undefined : plain(`${number}/${textAt(port, "protocol") || "TCP"}${name === "" ? "" : ` (${name})`}`);
}

function resourceItems(resources: Fields): Item[] {
  const [requests, limits] = [fieldsAt(resources, "requests"), fieldsAt(resources, "limits")];
  const names = [...new Set([...Object.keys(requests), ...Object.keys(limits)])];
  if (names.length === 0) return [saying("detail/no-resources")];
  return names.map((name) => {
    const [request, limit] = [scalarText(requests[name]), scalarText(limits[name])];
    if (request === "") return saying("detail/limit", { name, limit });
    return limit === "" ? saying("detail/request", { name, request }) : saying("detail/request-limit", { name, request, limit });
  });
}

/** How a container is now. @param how.stays it is meant to go on: an init container that runs is on its way */
function containerState(status: Fields, { stays }: { readonly stays: boolean }): Item {
  const state = fieldsAt(status, "state");
  const { running, waiting, terminated } = state;
  if (isFields(running)) {
    const isReady = status["ready"] === true;
    const item = stays && !isReady ? saying("detail/running-not-ready", {}, "busy") : saying("detail/running", {}, stays ? "good" : "busy");
    return { ...item, at: textAt(running, "startedAt") };
  }
  if (isFields(waiting)) {
    const reason = textAt(waiting, "reason");
    return saying("detail/waiting", { reason }, ON_ITS_WAY.has(reason) ? "busy" : "bad");
  }
  if (isFields(terminated)) return ended(terminated);
  return saying("detail/not-started");
}

/** Whether a container has ended as it should. */
function isDone(status: Fields): boolean {
  const terminated = fieldsAt(status, "state")["terminated"];
  return isFields(terminated) && numberAt(terminated, "exitCode") === 0;
}

/** How it ended the time before; nothing when it has not. */
function lastEnd(status: Fields): Item | undefined {
  const terminated = fieldsAt(status, "lastState")["terminated"];
  return isFields(terminated) ? ended(terminated) : undefined;
}

function ended(terminated: Fields): Item {
  const code = numberAt(terminated, "exitCode");
  const tone: Tone = code === 0 ? "good" : "bad";
  return { words: endWords(terminated, code), at: textAt(terminated, "finishedAt"), tone };
}

function endWords(terminated: Fields, code: number | undefined): Words {
  const [reason, signal] = [textAt(terminated, "reason"), numberAt(terminated, "signal")];
  if (code === undefined) return reason === "" ? words("container/end/unknown") : quoted(reason);
  // "Error" says no more than the code does.
  const why = reason === "Error" || (reason === "Completed" && code === 0) ? "" : reason;
  return words(code === 0 ? "detail/completed" : "detail/exit", { code, reason: why, signal: signal === 0 ? undefined : signal });
}

/** What a container finds where in its files. */
function mountItems(container: Fields, pod: { readonly spec: Fields; readonly namespace: string }): Item[] {
  const volumes = new Map(listAt(pod.spec, "volumes").map((volume) => [textAt(volume, "name"), fieldsOf(volume)]));
  return [...listAt(container, "volumeMounts"), ...listAt(container, "volumeDevices")].map((mount) => {
    const volume = volumes.get(textAt(mount, "name")) ?? {};
    const target = targetOf(volume, pod.namespace);
    const note = mountWords(fieldsOf(mount), target === undefined ? sourceText(volume, textAt(mount, "name")) : "");
    return { ...target, words: note };
  });
}

function targetOf(volume: Fields, namespace: string): Item | undefined {
  return (
    link({ kind: "ConfigMap", name: fieldsAt(volume, "configMap")["name"], namespace }) ??
    link({ kind: "Secret", name: fieldsAt(volume, "secret")["secretName"], namespace }) ??
    link({ kind: "PersistentVolumeClaim", name: fieldsAt(volume, "persistentVolumeClaim")["claimName"], namespace })
  );
}

/** The source of a volume that is no resource: "emptyDir cache". */
function sourceText(volume: Fields, name: string): string {
  const source = Object.keys(volume).find((key) => key !== "name" && isFields(volume[key]));
  return source === undefined ? name : `${source} ${name}`;
}

function mountWords(mount: Fields, what: string): Words {
  const path = textAt(mount, "mountPath") || textAt(mount, "devicePath");
  const id = mount["readOnly"] === true ? "detail/mount-read-only" : "detail/mount";
  return words(id, { what, path, part: textAt(mount, "subPath") || textAt(mount, "subPathExpr") });
}

/** How many variables a container is given by its spec, never what they hold, and the objects that the others come from. */
function environmentItems(container: Fields, namespace: string): (Item | undefined)[] {
  const variables = listAt(container, "env");
  const count = variables.filter((each) => !isFields(fieldsOf(each)["valueFrom"])).length;
  const whole = listAt(container, "envFrom").flatMap((each) => [
    link({ kind: "ConfigMap", name: fieldsAt(each, "configMapRef")["name"], namespace, note: words("detail/all-keys") }),
    link({ kind: "Secret", name: fieldsAt(each, "secretRef")["name"], namespace, note: words("detail/all-keys") }),
  ]);
  return [...(count === 0 ? [] : [saying("detail/variables", { count })]), ...whole, ...keyItems(variables, namespace)];
}

/** Each object once, with its keys. */
function keyItems(variables: readonly unknown[], namespace: string): (Item | undefined)[] {
  const keys = new Map<string, { readonly kind: string; readonly name: string; readonly keys: Set<string> }>();
  for (const each of variables) {
    const from = fieldsAt(each, "valueFrom");
    for (const [field, kind] of [
      ["configMapKeyRef", "ConfigMap"],
      ["secretKeyRef", "Secret"],
    ] as const) {
      const [name, key] = [textAt(from[field], "name"), textAt(from[field], "key")];
      if (name === "") continue;
      const known = keys.get(`${kind}/${name}`) ?? { kind, name, keys: new Set() };
      keys.set(`${kind}/${name}`, known);
      known.keys.add(key);
    }
  }
  return [...keys.values()].map(({ kind, name, keys: named }) =>
    link({ kind, name, namespace, note: words("detail/keys", { count: named.size, keys: [...named].slice(0, 8) }) }),
  );
}

/** A probe in words; nothing for none. What is absent has the value that the API server would have written. */
function probe(container: Fields, name: string): Item | undefined {
  const value = container[name];
  if (!isFields(value)) return undefined;
  const target = probeTargetOf(value);
  if (target === undefined) return undefined;
  return saying("detail/probe", {
    target,
    every: numberAt(value, "periodSeconds") ?? 10,
    timeout: numberAt(value, "timeoutSeconds") ?? 1,
    failures: numberAt(value, "failureThreshold") ?? 3,
    delay: numberAt(value, "initialDelaySeconds") || undefined,
  });
}

function probeTargetOf(value: Fields): Words | undefined {
  const [http, tcp, grpc, exec] = ["httpGet", "tcpSocket", "grpc", "exec"].map((name) => fieldsAt(value, name));
  if (isFields(value["httpGet"]))
    return words("probe/target/http", { path: textAt(http, "path") || "/", port: scalarText(http?.["port"]) });
  if (isFields(value["tcpSocket"])) return words("probe/target/tcp", { port: scalarText(tcp?.["port"]) });
  if (isFields(value["grpc"])) return words("probe/target/grpc", { port: scalarText(grpc?.["port"]) });
  if (!isFields(value["exec"])) return undefined;
  const command = listAt(exec, "command").map(scalarText).join(" ");
  return words("probe/target/command", {
    command: command.length > MAX_COMMAND_CHARS ? `${command.slice(0, MAX_COMMAND_CHARS)}…` : command,
  });
}
