import { fieldsAt, fieldsOf, listAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words, type WordsId } from "@binnacle/words";

import { environmentItems } from "./container-environment.ts";
import { containerState, isDone, lastEnd } from "./container-state.ts";
import type { Item, Part, Row, Section } from "./details.ts";
import { mountItems } from "./mounts.ts";
import { probe } from "./probe.ts";
import { plain, row, saying, scalarText, section, yesNo } from "./rows.ts";

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
