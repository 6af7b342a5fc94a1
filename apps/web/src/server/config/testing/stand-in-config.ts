import { webConfigSchema, type WebConfig } from "../config.ts";

/** Where browsers reach the dashboard of the tests. */
export const ORIGIN = "http://app.localhost:3000";
/** The page that refusals link to. */
export const HELP = "http://app.localhost/help";

/** web.yaml for stand-ins at these URLs, with defaults for the rest. */
export function standInConfig(urls: { readonly mainApplication: string; readonly kas: string }): WebConfig {
  const file = webConfigSchema.shape;
  return {
    listen: file.listen.parse({}),
    observability: file.observability.parse({}),
    shutdown: file.shutdown.parse({}),
    log: file.log.parse({ level: "silent" }),
    sign_in: file.sign_in.parse({}),
    graph: file.graph.parse({}),
    gitops: file.gitops.parse({}),
    features: file.features.parse({}),
    health_rules: file.health_rules.parse({}),
    metrics: file.metrics.parse({}),
    // The stand-in of kas has no agent that makes views, unless a test gives it one.
    views: file.views.parse({ of_agents: "never" }),
    external_url: ORIGIN,
    frame_ancestors: [],
    trusted_proxies: [],
    main_application: {
      provider: "gitlab",
      name: "Example",
      external_url: "http://app.localhost:8080",
      internal_url: urls.mainApplication,
      troubleshooting_url: HELP,
      poll_period: 30_000,
    },
    kas: { external_url: "http://kas.app.localhost:8154/k8s-proxy", internal_url: urls.kas },
    session: { peers: [] },
  };
}
