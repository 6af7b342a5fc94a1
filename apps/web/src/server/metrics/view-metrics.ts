import { Gauge, type Registry } from "prom-client";

/** What the views of the process are and hold now. */
export interface ViewStatistics {
  /** One for each agent and cluster identity. */
  readonly views: number;
  /** Environments that are open, or were a while ago. */
  readonly scopes: number;
  readonly viewers: number;
  /** Sources that run; what finds no place beside them. */
  readonly sources: number;
  readonly unread: number;
  /** Of each agent; an infinite limit is one that kas has not reported. */
  readonly watches: readonly { readonly held: number; readonly limit: number }[];
}

/** Declares what is counted of views; it is read at each scrape. Agents have no labels: there may be thousands. */
export function observeViews(registry: Registry, statistics: () => ViewStatistics): void {
  const gauge = (name: string, help: string, of: (now: ViewStatistics) => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(of(statistics()));
      },
    });
  const share = ({ held, limit }: { readonly held: number; readonly limit: number }): number => (limit > 0 ? held / limit : 0);
  gauge("web_cluster_views", "Views of clusters, one for each agent and cluster identity", ({ views }) => views);
  gauge("web_environment_scopes", "Environments that are open, or were two minutes ago", ({ scopes }) => scopes);
  gauge("web_viewers", "Streams that follow an environment", ({ viewers }) => viewers);
  gauge("web_view_sources", "Kinds in a namespace, or in all of them, that are read for views", ({ sources }) => sources);
  gauge("web_view_unread", "Kinds in a namespace that are not read, because a view has as many sources as it may", ({ unread }) => unread);
  gauge("web_watches", "Watches that are open, being opened or being closed", ({ watches }) =>
    watches.reduce((sum, { held }) => sum + held, 0),
  );
  gauge("web_watch_budget_used_ratio", "Watches held of those that the agent carries, of the agent with the most", ({ watches }) =>
    Math.max(0, ...watches.map(share)),
  );
}
