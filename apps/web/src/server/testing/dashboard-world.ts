import type { Dashboard, ViewPosition } from "@binnacle/proto/dashboard";
import { type Clock, systemClock } from "@binnacle/rpc";
import type { Client } from "@connectrpc/connect";
import { createLogger, type Logger } from "@binnacle/telemetry";
import type { AuditRecord } from "@binnacle/telemetry/audit";
import { Registry } from "prom-client";

import { createBff, type Bff } from "../bff.ts";
import type { WebConfig } from "../config/config.ts";
import { dashboardClient, DashboardTab } from "./dashboard-tab.ts";
import { ORIGIN, standInConfig } from "../config/testing/stand-in-config.ts";
import { StandInGitlabKas } from "../kas/testing/stand-in-gitlab-kas.ts";
import { StandInKas } from "../kas/testing/stand-in-kas.ts";
import { StandInMainApplication } from "../gitlab/testing/stand-in-main-application.ts";

const NEVER = new AbortController().signal;

/** May not use the agent, whatever world he is in. */
const OUTSIDER = "outsider";

/** Stand-ins of everything behind the dashboard, and of the browsers in front of it. */
export class DashboardWorld {
  readonly main: StandInMainApplication;
  readonly kas: StandInKas;
  /** In front of `kas` where the world has GitLab's own. */
  readonly gitlabKas: StandInGitlabKas | undefined;
  /** Metrics of the dashboard that is there. */
  registry = new Registry();
  /** What the dashboard that is there has recorded. */
  audit: AuditRecord[] = [];
  readonly #config: WebConfig;
  readonly #leave = new AbortController();
  #bff: Bff | undefined;

  private constructor(parts: Pick<DashboardWorld, "main" | "kas" | "gitlabKas" | "config">) {
    this.main = parts.main;
    this.kas = parts.kas;
    this.gitlabKas = parts.gitlabKas;
    this.#config = parts.config;
  }

  /**
   * No dashboard is there yet. Each user has a session, `session-ann`, and a token, `glpat-ann`, and may use the agent, but for "outsider".
   *
   * @param kasOf whose kas it is. Default: ours
   */
  static async open(users: readonly string[] = ["maintainer"], kasOf: "us" | "GitLab" = "us"): Promise<DashboardWorld> {
    const main = new StandInMainApplication();
    const kas = new StandInKas(main);
    for (const user of users) {
      main.sessions.set(`session-${user}`, user);
      main.tokens.set(`glpat-${user}`, user);
      if (user !== OUTSIDER) kas.allowed.add(user);
    }
    const gitlabKas = kasOf === "GitLab" ? new StandInGitlabKas(kas) : undefined;
    const config = standInConfig({ mainApplication: await main.listen(), kas: await (gitlabKas ?? kas).listen() });
    return new DashboardWorld({ main, kas, gitlabKas, config });
  }

  /** Aborts when the test is over. */
  get signal(): AbortSignal {
    return this.#leave.signal;
  }

  /** That a dashboard begins with, unless the test changes it. */
  get config(): WebConfig {
    return this.#config;
  }

  /** A dashboard begins, with such a configuration. */
  start(clock: Clock = systemClock, changes: Partial<WebConfig> = {}, log: Logger = createLogger("web", "silent")): void {
    const config = { ...this.#config, ...changes };
    // Another dashboard counts anew.
    this.registry = new Registry();
    this.audit = [];
    const audit = { add: (record: AuditRecord) => void this.audit.push(record) };
    const metrics = { refused: () => undefined, registry: this.registry };
    this.#bff = createBff({ config, clock, log, audit, metrics });
  }

  /** The dashboard that is there ends, and another begins. */
  async restart(clock: Clock): Promise<void> {
    await this.bff.close();
    this.start(clock);
  }

  /** The maintainer opens the environment, in a dashboard that begins with such a configuration. Once per world. */
  tab(changes: Partial<WebConfig> = {}, clock: Clock = systemClock, signal: AbortSignal = NEVER): DashboardTab {
    this.start(clock, changes);
    return this.anotherTab(signal);
  }

  /** He, or whose cookie it is, opens it once more, in the dashboard that is there, until `signal` aborts. */
  anotherTab(signal: AbortSignal, cookie?: string, after?: ViewPosition): DashboardTab {
    return new DashboardTab(this.clientWith(cookie), AbortSignal.any([signal, this.signal]), { after });
  }

  /** One more tab, once it shows all of the environment. */
  async openTab(): Promise<DashboardTab> {
    const tab = this.anotherTab(this.signal);
    await tab.until(() => tab.nodes.size > 0 && tab.isComplete());
    return tab;
  }

  /** A tab of a client, that leaves when the test is over. */
  open(client: Client<typeof Dashboard>, signal: AbortSignal = this.signal): DashboardTab {
    return new DashboardTab(client, signal);
  }

  /** Subscribers that have not left, and views that have not ended. */
  async now(): Promise<{ readonly viewers: number; readonly views: number }> {
    const value = async (name: string): Promise<number> => (await this.registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
    return { viewers: await value("web_viewers"), views: await value("web_cluster_views") };
  }

  /** A browser's client with this cookie, straight into the dashboard that is there; what it streams must be ended by the test. */
  clientWith(
    cookie = "_gitlab_session=session-maintainer",
    headers: Record<string, string> = { origin: ORIGIN },
  ): Client<typeof Dashboard> {
    return dashboardClient(this.bff, { ...headers, cookie });
  }

  /** Signs in with the user's token. @returns the cookie of the session @throws when the dashboard does not take it */
  async tokenCookie(user: string): Promise<string> {
    const headers = { origin: ORIGIN, "sec-fetch-site": "same-origin", "content-type": "application/json" };
    const body = JSON.stringify({ token: `glpat-${user}` });
    const answer = await this.bff.session(new Request(`${ORIGIN}/api/session/token`, { method: "POST", headers, body }));
    if (answer.status !== 200) throw new Error(`${user} was not signed in: ${answer.status}`);
    return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  }

  /** The dashboard that is there. */
  get bff(): Bff {
    if (this.#bff === undefined) throw new Error("there is no dashboard yet");
    return this.#bff;
  }

  /** The user leaves and everything ends. */
  async close(): Promise<void> {
    this.#leave.abort();
    await this.#bff?.close();
    await this.gitlabKas?.close();
    if (this.gitlabKas === undefined) await this.kas.close();
    await this.main.close();
  }
}
