import { randomBytes } from "node:crypto";

import type { Agent, Environment, Group, Project, Role } from "../main-application/world.ts";

/** A project of the organisation, and what its repository has. */
export interface OrganizationProject {
  readonly fullPath: string;
  /** Titles of its commits, oldest first. */
  readonly commits: readonly string[];
  /** Files of the first commit, by path. */
  readonly files: Readonly<Record<string, string>>;
}

/** An environment, and how many commits its deployment is behind the newest; `undefined`: nothing was deployed yet. */
interface PlannedEnvironment {
  readonly environment: Environment;
  readonly behind: number | undefined;
}

/** The second group of the sandbox: subgroups, projects in them, and agents that are shared with groups. */
export interface Organization {
  readonly groups: readonly Group[];
  readonly projects: readonly Project[];
  /** Agents without a process of the sandbox's own. */
  readonly agents: readonly Agent[];
  readonly environments: readonly Environment[];
}

const MAINTAINER = 1;
const DEVELOPER = 2;
/** The demo's second agent, which its configuration shares with `acme/shop` and `acme/risk`. */
const PLATFORM = 2;
/** Shared for jobs alone. */
const RUNNER = 3;
const HOUR_MS = 3_600_000;

const ALL: ReadonlyMap<number, Role> = new Map([[MAINTAINER, "maintainer"]]);
const SHOP: ReadonlyMap<number, Role> = new Map([
  [MAINTAINER, "maintainer"],
  [DEVELOPER, "developer"],
]);

const GROUPS: readonly Group[] = [
  { id: 2, name: "Acme", fullPath: "acme", members: ALL },
  { id: 3, name: "Shop", fullPath: "acme/shop", members: SHOP },
  { id: 4, name: "Backend", fullPath: "acme/shop/backend", members: SHOP },
  { id: 5, name: "Platform", fullPath: "acme/platform", members: ALL },
  { id: 6, name: "Risk", fullPath: "acme/risk", members: ALL },
];

/** `ci_access` alone: jobs deploy with it, people may not use it. */
export const RUNNER_CONFIGURATION = { ci_access: { groups: [{ id: "acme", default_namespace: "shop" }] } } as const;

const RUNNER_FILE = `# Jobs of the whole group deploy with this agent. People have no access: there is no user_access.
ci_access:
  groups:
    - id: acme
      default_namespace: shop
`;

const WEB = { id: 11, groupId: 3, fullPath: "acme/shop/web", members: SHOP };
const CHECKOUT = { id: 12, groupId: 4, fullPath: "acme/shop/backend/checkout", members: SHOP };
const AGENTS = { id: 13, groupId: 5, fullPath: "acme/platform/agents", members: ALL };
const FRAUD = { id: 14, groupId: 6, fullPath: "acme/risk/fraud", members: ALL };
const SCORING = { id: 15, groupId: 6, fullPath: "acme/risk/scoring", members: ALL };

/** Repositories of the organisation. */
export const ORGANIZATION_PROJECTS: readonly OrganizationProject[] = [
  repository(WEB.fullPath, [
    "Add the shop's pages",
    "Cache the catalogue",
    "Show prices with tax",
    "Fix the basket on phones",
    "Load images later",
  ]),
  repository(CHECKOUT.fullPath, ["Add the checkout", "Retry payments once", "Log the payment provider's answer"]),
  { ...repository(AGENTS.fullPath, ["Register the runner"]), files: { ".gitlab/agents/runner/config.yaml": RUNNER_FILE } },
  repository(FRAUD.fullPath, ["Score orders", "Add rules for vouchers", "Add rules for returns"]),
  repository(SCORING.fullPath, ["Train the first model", "Train with last month"]),
];

/** What is deployed where: production is behind staging, except where both are the same. */
function planned(nowMs: number): readonly PlannedEnvironment[] {
  const stops = (hours: number): Pick<Environment, "autoStopAt"> => ({ autoStopAt: new Date(nowMs + hours * HOUR_MS) });
  const shop = { namespace: "shop", agentId: PLATFORM };
  const site = { namespace: "site", agentId: PLATFORM };
  const plan = (
    { id: projectId }: Pick<Project, "id">,
    environments: readonly [
      name: string,
      tier: Environment["tier"],
      rest: Pick<Environment, "namespace" | "agentId" | "autoStopAt">,
      behind?: number,
    ][],
  ) =>
    environments.map(([name, tier, rest, behind], index) => ({
      environment: { id: projectId * 100 + index, projectId, name, slug: name.replaceAll("/", "-"), tier, ...rest },
      behind,
    }));
  return [
    ...plan(WEB, [
      ["production", "PRODUCTION", shop, 3],
      ["staging", "STAGING", site, 0],
      ["review/basket", "DEVELOPMENT", { ...site, ...stops(5) }, 1],
      ["review/images", "DEVELOPMENT", { ...site, ...stops(29) }, 0],
    ]),
    ...plan(CHECKOUT, [
      ["production", "PRODUCTION", shop, 1],
      ["staging", "STAGING", site, 1],
      ["testing", "TESTING", site, 0],
      ["load-test", "OTHER", { namespace: "shop", agentId: RUNNER }],
    ]),
    ...plan(FRAUD, [
      ["production", "PRODUCTION", shop, 2],
      ["staging", "STAGING", site, 0],
      ["testing", "TESTING", site, 0],
      ["research", "OTHER", { namespace: "", agentId: 0 }],
    ]),
    ...plan(SCORING, [
      ["production", "PRODUCTION", shop, 0],
      ["staging", "STAGING", site, 0],
      ["review/model-a", "DEVELOPMENT", { ...site, ...stops(2) }, 1],
      ["review/model-b", "DEVELOPMENT", { ...site, ...stops(50) }, 0],
    ]),
  ];
}

/** The organisation: the maintainer sees all of its environments, the developer half of them. */
export function organization(nowMs: number): Organization {
  const projectOf = ({ fullPath, ...rest }: typeof WEB): Project => ({ ...rest, fullPath, name: fullPath.split("/").at(-1) ?? "" });
  return {
    groups: GROUPS,
    projects: [WEB, CHECKOUT, AGENTS, FRAUD, SCORING].map(projectOf),
    agents: [{ id: RUNNER, name: "runner", projectId: AGENTS.id, token: `glagent-${randomBytes(30).toString("base64url")}` }],
    environments: planned(nowMs).map(({ environment }) => environment),
  };
}

/** Environments of a project with a deployment, and how many commits that is behind the newest. */
export function deployedEnvironments(projectId: number, nowMs: number): readonly { readonly id: number; readonly behind: number }[] {
  return planned(nowMs).flatMap(({ environment: { id, projectId: of }, behind }) =>
    of === projectId && behind !== undefined ? [{ id, behind }] : [],
  );
}

function repository(fullPath: string, commits: readonly string[]): OrganizationProject {
  return { fullPath, commits, files: { "README.md": `# ${fullPath}\n` } };
}
