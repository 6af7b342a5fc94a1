import { isTree, listIn, textIn, type Tree } from "./json-tree.ts";

/** Sets each field that is absent. */
export function fill(target: Tree, defaults: Tree): void {
  for (const [field, value] of Object.entries(defaults)) if (target[field] === undefined) target[field] = value;
}

/** The object at a field, made when absent. */
export function childOf(target: Tree, field: string): Tree {
  const existing = target[field];
  if (isTree(existing)) return existing;
  const made: Tree = {};
  target[field] = made;
  return made;
}

/** Defaults of a PodSpec, in place; see Kubernetes API reference, PodSpec. */
export function defaultPodSpec(spec: Tree): void {
  fill(spec, { restartPolicy: "Always", terminationGracePeriodSeconds: 30, dnsPolicy: "ClusterFirst", schedulerName: "default-scheduler" });
  fill(spec, { securityContext: {} });
  if (spec["serviceAccountName"] !== undefined) fill(spec, { serviceAccount: spec["serviceAccountName"] });
  else if (spec["serviceAccount"] !== undefined) fill(spec, { serviceAccountName: spec["serviceAccount"] });
  for (const field of ["containers", "initContainers", "ephemeralContainers"]) {
    for (const container of listIn(spec, field)) if (isTree(container)) defaultContainer(container);
  }
  for (const volume of listIn(spec, "volumes")) if (isTree(volume)) defaultVolume(volume);
}

function defaultContainer(container: Tree): void {
  const image = textIn(container, "image") ?? "";
  const tag = /:([^/:@]+)$/.exec(image)?.[1];
  const latest = !image.includes("@") && (tag === undefined || tag === "latest");
  fill(container, { resources: {}, terminationMessagePath: "/dev/termination-log", terminationMessagePolicy: "File" });
  fill(container, { imagePullPolicy: latest ? "Always" : "IfNotPresent" });
  for (const port of listIn(container, "ports")) if (isTree(port)) fill(port, { protocol: "TCP" });
  for (const field of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const probe = container[field];
    if (!isTree(probe)) continue;
    fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
    if (isTree(probe["httpGet"])) fill(probe["httpGet"], { path: "/", scheme: "HTTP" });
  }
  for (const variable of listIn(container, "env")) {
    const source = isTree(variable) && isTree(variable["valueFrom"]) ? variable["valueFrom"]["fieldRef"] : undefined;
    if (isTree(source)) fill(source, { apiVersion: "v1" });
  }
}

function defaultVolume(volume: Tree): void {
  for (const field of ["configMap", "secret", "projected", "downwardAPI"]) {
    const source = volume[field];
    if (isTree(source)) fill(source, { defaultMode: 420 });
  }
}
