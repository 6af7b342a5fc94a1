/** A screen in one of its states, over the made-up world (`apps/web/dev/fixture-server.ts`). */
export interface Screen {
  /** Its photographs and its contact sheet are called so. */
  readonly name: string;
  readonly path: string;
  /** What a person sees once it is there, as a selector. */
  readonly there: string;
  /** Opened by this button, or by several in turn, as selectors. */
  readonly click?: string | readonly string[];
  /** What a person sees after that, as a selector. */
  readonly until?: string;
  /** What is pressed at last. */
  readonly key?: string;
}

const ENVIRONMENTS = "/p/harbor/storefront/environments";
const CHECKOUT = "sel=apps/deployments/shop-prod/checkout";
const CARD = "[data-view-version] [data-node-id]";
const ROW = "[role=row][data-node-id]";
const DRAWER = "[role=dialog] h2, aside h2";
/** Of the summary as it is followed, not as the page was sent with it. */
const SUMMARY = "[data-connection]:not([data-connection=connecting])";
const LINE = "[data-line]";
const PANEL = "main h2, main p, [role=alert]";

/** One of the made-up environments, whose name says how it is. */
function environment(name: string, query: string, there: string): Omit<Screen, "name"> {
  return { path: `${ENVIRONMENTS}/${name}${query}`, there };
}

const SCREENS_BY_NAME: Readonly<Record<string, Omit<Screen, "name">>> = {
  projects: { path: "/", there: "main" },
  "sign-in": { path: "/sign-in", there: "main" },
  "not-found": { path: "/p/x", there: "main" },
  index: { path: ENVIRONMENTS, there: "tr[data-environment][data-knowledge=fresh]" },
  phone: environment("production", "", `${ROW}, ${CARD}`),
  "index-filling": { path: "/p/harbor/many/environments", there: "tr[data-environment]" },
  "index-empty": { path: "/p/empty/project/environments", there: PANEL },
  summary: environment("production", "?view=summary", SUMMARY),
  graph: environment("production", "?view=graph", CARD),
  "graph-problems": environment("production", "?view=graph&problems=1", CARD),
  "graph-search": environment("production", "?view=graph&q=payments", CARD),
  "graph-focus": environment("production", `?view=graph&${CHECKOUT}&around=2,apps/deployments/shop-prod/checkout`, CARD),
  "graph-focus-gone": environment("production", "?view=graph&around=1,apps/deployments/shop-prod/was-here-once", PANEL),
  "graph-5000": environment("load-5000", "?view=graph", "[data-view-version]"),
  tree: environment("production", "?view=graph&as=tree", "[role=treeitem]"),
  list: environment("production", "?view=list", ROW),
  "list-groups": environment("production", "?view=list&group=kind", ROW),
  "list-nothing": environment("production", "?view=list&q=zzzz", PANEL),
  "list-5000": environment("load-5000", "?view=list", ROW),
  drawer: environment("production", `?view=graph&${CHECKOUT}`, DRAWER),
  "drawer-pod": environment("production", "?view=list&sel=core/pods/shop-prod/checkout-7c9f8d-x2lq4", DRAWER),
  "drawer-notice": environment("production", "?view=list&sel=core/services/shop-prod/legacy-bridge", DRAWER),
  "drawer-rule": environment("production", "?view=list&sel=example.com/widgets/shop-prod/blue", DRAWER),
  "drawer-because": environment("production", "?view=list&sel=example.com/widgets/shop-prod/red", DRAWER),
  "drawer-node": environment("production", "?view=list&sel=core/nodes//node-3", "[data-node-state=degraded]"),
  "drawer-node-forbidden": environment("production", "?view=list&sel=core/nodes//node-9", "[data-node-state=forbidden]"),
  "drawer-gone": environment("production", "?view=list&sel=apps/deployments/shop-prod/was-here-once", DRAWER),
  relations: environment("production", `?view=list&${CHECKOUT}&tab=relations`, DRAWER),
  "relations-refused": environment("production", "?view=list&sel=core/services/shop-prod/legacy-bridge&tab=relations", DRAWER),
  "relations-shares": environment(
    "production",
    "?view=list&sel=gateway.networking.k8s.io/httproutes/shop-prod/split&tab=relations",
    DRAWER,
  ),
  "relations-port": environment("production", "?view=list&sel=networking.k8s.io/ingresses/shop-prod/admin&tab=relations", DRAWER),
  yaml: environment("production", `?view=list&${CHECKOUT}&tab=yaml`, DRAWER),
  "drawer-events": environment("production", `?view=list&${CHECKOUT}&tab=events`, DRAWER),
  manifest: environment("gitops-drifted", "?view=list&sel=core/services/shop-prod/legacy-bridge&tab=manifest", DRAWER),
  gitops: environment("gitops", "?view=summary", SUMMARY),
  "gitops-failed": environment("gitops-failed", "?view=summary", SUMMARY),
  "gitops-drifted": environment("gitops-drifted", "?view=summary", SUMMARY),
  "gitops-gone": environment("gitops-gone", "?view=summary", SUMMARY),
  "gitops-old": environment("gitops-old", "?view=summary", SUMMARY),
  events: environment("production", "?view=events", SUMMARY),
  "events-nothing": environment("production", "?view=events&q=zzzz", PANEL),
  "events-none": environment("events-none", "?view=events", PANEL),
  "events-forbidden": environment("events-forbidden", "?view=events", PANEL),
  "events-partial": environment("events-partial", "?view=events", PANEL),
  "events-500": environment("load-500", "?view=events", PANEL),
  logs: environment("production", "?view=logs&find=payments", LINE),
  "logs-only": environment("production", "?view=logs&find=zzzz&match=only", PANEL),
  "logs-context": environment("production", "?view=logs&find=payments&match=only&context=2", LINE),
  "logs-limit": environment("fits", "?view=logs", LINE),
  "logs-denied": environment("production", "?view=list&sel=core/pods/shop-prod/session-store-0&tab=logs", "[data-missing-role]"),
  "drawer-logs": { ...environment("production", `?view=list&${CHECKOUT}&tab=logs`, LINE), click: "[data-line] button >> nth=-1" },
  loading: environment("loading", "", "main"),
  empty: environment("empty", "", PANEL),
  forbidden: environment("payments-vault", "", PANEL),
  "no-agent": environment("docs", "", PANEL),
  nowhere: environment("nowhere", "", PANEL),
  misconfigured: environment("misconfigured", "?view=summary", ".banner"),
  truncated: environment("truncated", "?view=list", ".banner"),
  offline: environment("offline", "?view=graph", CARD),
  "offline-summary": environment("offline", "?view=summary", ".banner"),
  reconnecting: environment("reconnecting", "?view=summary", SUMMARY),
  "never-connected": environment("never-connected", "?view=summary", ".banner"),
  "api-down": environment("api-down", "?view=summary", ".banner"),
  kept: environment("kept", "?view=summary", ".banner"),
  "session-ended": environment("session-ended", "?view=summary", ".banner"),
  menu: { ...environment("production", "?view=summary", SUMMARY), click: "button[aria-label='Mara Lindqvist']" },
  access: { ...environment("production", "?view=summary", SUMMARY), click: "button[data-access]" },
  keyboard: { ...environment("production", "?view=summary", SUMMARY), key: "?" },
  "action-dialog": {
    ...environment("production", `?view=list&${CHECKOUT}`, "[data-actions=offered]"),
    click: "[data-actions=offered] [data-action-kind='1']",
  },
  "action-unknown": {
    ...environment("production", "?view=list&sel=apps/statefulsets/shop-prod/session-store", "[data-actions=offered]"),
    click: ["[data-actions=offered] [data-action-kind='1']", "[data-action-dialog] .btn.primary"],
    until: "[data-action-dialog] [data-action-outcome=not-done]",
  },
  "debug-container": {
    ...environment("production", "?view=list&sel=core/pods/shop-prod/session-store-0", "[data-actions=offered]"),
    click: "[data-actions=offered] [data-action-kind]",
    until: "#drawer-panel section section input",
  },
  terminal: environment("production", "?view=list&sel=core/pods/shop-prod/session-store-0&tab=terminal", "#drawer-panel select"),
  "terminal-page": environment(
    "production",
    "?view=list&sel=core/pods/shop-prod/session-store-0&tab=terminal&full=app",
    "#drawer-panel select",
  ),
  "terminal-off": environment("gitops", "?view=list&sel=core/pods/shop-prod/session-store-0&tab=terminal&full=app", "main h1"),
  "edit-dialog": {
    ...environment("production", `?view=list&${CHECKOUT}`, "[data-actions=offered]"),
    click: "[data-actions=offered] [data-action-kind='20']",
  },
};

/** Every screen in every state. */
export const SCREENS: readonly Screen[] = Object.entries(SCREENS_BY_NAME).map(([name, screen]) => ({ name, ...screen }));
