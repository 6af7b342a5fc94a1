/** A cluster that specifications run on. */
export type Cluster = "embedded" | "real";

/** Where a specification runs: on a cluster, or without one. */
export type E2eProject = Cluster | "pages";

/**
 * Specifications that do not follow the rule. The rule: a specification runs on the real control plane, and on the embedded cluster only with
 * `npm test -- embedded-all` (ADR 25). "embedded": what `npm start` needs, or what no cluster has a say in, which the embedded one shows in
 * less time. "real": the embedded cluster cannot do it, so that embedded-all leaves it out. "pages": no cluster is started.
 */
export const ONE_CLUSTER: Readonly<Record<string, { readonly cluster: E2eProject; readonly why: string }>> = {
  "agent-away.spec.ts": { cluster: "real", why: "agentk comes back and reads anew: the API server that people have says how that goes" },
  "agent-configuration.spec.ts": { cluster: "embedded", why: "Git, kas and the main application; the cluster only answers /version" },
  "audit.spec.ts": { cluster: "real", why: "reads the audit log of the API server, which the embedded one only imitates" },
  "bad-input.spec.ts": { cluster: "embedded", why: "processes that end before, or without, any cluster" },
  "canary-search.spec.ts": { cluster: "pages", why: "a browser, a Redis and files; no cluster is started" },
  "canary.spec.ts": {
    cluster: "embedded",
    why: "searches what our own processes and the browser wrote; the cluster's own logs are no place of ours",
  },
  "cluster-client.spec.ts": { cluster: "real", why: "GitLab's client against what it was written for" },
  "command-line.spec.ts": { cluster: "embedded", why: "the program and the pages of one dashboard; the cluster is the same for both" },
  "content-security-policy.spec.ts": { cluster: "embedded", why: "headers and pages of the dashboard" },
  "cookie-way.spec.ts": { cluster: "embedded", why: "how a session travels between browser, dashboard, kas and main application" },
  "credentials.spec.ts": { cluster: "embedded", why: "kas refuses before anything reaches a cluster" },
  "deployable.spec.ts": { cluster: "embedded", why: "a folder, and addresses between browser and dashboard" },
  "dev-mode.spec.ts": { cluster: "pages", why: "pages over a made-up world; no cluster is started" },
  "disturbed-network.spec.ts": { cluster: "embedded", why: "the network between browser and dashboard" },
  "edge.spec.ts": { cluster: "embedded", why: "headers, pages and sessions of the dashboard" },
  "failing-parts.spec.ts": { cluster: "embedded", why: "errors of the pages themselves" },
  "flush.spec.ts": { cluster: "real", why: "a thousand events of a real watch, each alone on its way" },
  "gitops-token.spec.ts": { cluster: "embedded", why: "main application, kas and agent; of the cluster only that nothing was deleted" },
  "graph-looks.spec.ts": { cluster: "pages", why: "pages over a made-up world; no cluster is started" },
  "graph-moves.spec.ts": { cluster: "pages", why: "pages over a made-up world; no cluster is started" },
  "https.spec.ts": { cluster: "embedded", why: "HTTP/2 between browser and dashboard" },
  "insecure-host.spec.ts": { cluster: "embedded", why: "how the pages of a browser share a stream" },
  "invented-operators.spec.ts": {
    cluster: "real",
    why: "definitions as a real API server holds them, with and without a status subresource",
  },
  "layout-worker.spec.ts": { cluster: "embedded", why: "a worker in the browser" },
  "log-pages.spec.ts": { cluster: "pages", why: "pages over a made-up world; no cluster is started" },
  "look.spec.ts": { cluster: "pages", why: "pages over a made-up world; no cluster is started" },
  "looks.spec.ts": { cluster: "pages", why: "pages over a made-up world; no cluster is started" },
  "lost-node.spec.ts": {
    cluster: "real",
    why: "halts the program that reports nodes, and waits for the node controller: the embedded cluster has neither",
  },
  "metrics.spec.ts": { cluster: "embedded", why: "a real control plane without nodes runs no pods and serves no metrics.k8s.io" },
  "npm-start.spec.ts": { cluster: "embedded", why: "what a newcomer sees: the embedded cluster is its subject" },
  "one-stream.spec.ts": { cluster: "embedded", why: "connections between browser and dashboard" },
  "other-build.spec.ts": { cluster: "embedded", why: "files and calls between browser and dashboard" },
  "overlays.spec.ts": { cluster: "embedded", why: "panels in the browser" },
  "packed-packages.spec.ts": { cluster: "pages", why: "examples in a browser; no cluster is started" },
  "overview.spec.ts": { cluster: "pages", why: "pages over a made-up world; no cluster is started" },
  "pseudo-language.spec.ts": { cluster: "pages", why: "pages over a made-up world; no cluster is started" },
  "python-client.spec.ts": { cluster: "real", why: "kas' API; what the cluster says is compared word for word" },
  "read-and-share.spec.ts": { cluster: "pages", why: "pages over a made-up world; no cluster is started" },
  "review-folders.spec.ts": { cluster: "embedded", why: "rows of the index, between main application, dashboard and browser" },
  "standalone.spec.ts": { cluster: "embedded", why: "who signs in, between a file, kas and dashboard; the cluster only has their rights" },
  "sign-in.spec.ts": { cluster: "pages", why: "a provider, dashboard and browser; GitLab, kas and the cluster are stand-ins" },
  "team-file.spec.ts": { cluster: "embedded", why: "a file of the repository, between main application, dashboard and browser" },
  "thousand.spec.ts": { cluster: "real", why: "brings a real API server of its own and counts in its audit log" },
  "two-webs.spec.ts": { cluster: "embedded", why: "what two web processes know of one browser" },
  "two-kas.spec.ts": { cluster: "embedded", why: "the way between two kas" },
  "user-rules.spec.ts": { cluster: "real", why: "Argo CD's and Flux's kinds as real definitions; the rules run in the agent" },
  "wrong-clock.spec.ts": { cluster: "embedded", why: "the clocks of browser and dashboard" },
};

/** Project in which a specification is run by `npm test`. */
export function projectOf(file: string): E2eProject {
  return ONE_CLUSTER[file]?.cluster ?? "real";
}

/** Files that a project on a cluster leaves out, as patterns. */
export function leftOutOn(project: Exclude<E2eProject, "pages">, specifications: readonly string[]): readonly string[] {
  return specifications.filter((file) => projectOf(file) !== project).map((file) => `**/${file}`);
}

/** Files that the embedded cluster cannot run, or that ask for no cluster, as patterns: all others are of the project embedded-all. */
export function leftOutOnEmbeddedAll(): readonly string[] {
  return Object.entries(ONE_CLUSTER).flatMap(([file, { cluster }]) => (cluster === "embedded" ? [] : [`**/${file}`]));
}

/** Files that ask for no cluster, as patterns. */
export function withoutCluster(): readonly string[] {
  return Object.entries(ONE_CLUSTER).flatMap(([file, { cluster }]) => (cluster === "pages" ? [`**/${file}`] : []));
}
