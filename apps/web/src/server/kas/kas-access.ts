import type { ByteBudget, KubeTransport } from "@binnacle/environment-view";
import type { WebSocket } from "ws";

import type { AgentAbsences } from "./agent-absences.ts";
import type { AgentRecord, EnvironmentRecord } from "../main-application/records.ts";
import type { HttpDialer } from "../http/http-dialer.ts";
import { KasKubeClient } from "./kas-kube-client.ts";
import type { KasOffers } from "./kas-offers.ts";
import { openKasSocket, type KasSocketOptions, type KasSocketRequest } from "./kas-socket.ts";
import { KasTransport } from "./kas-transport.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";

/** The newest agent configuration is broken; the last good one stays. */
export interface ConfigurationProblem {
  readonly reason: string;
  /** Empty when there is none. */
  readonly lastGoodCommit: string;
}

/** How many watches an agent carries. */
export interface WatchLimit {
  readonly limit: number;
  /** kas reports none. */
  readonly isAssumed: boolean;
}

/** What an access works with; all but the viewer's own is shared by the process. */
interface KasAccessOptions {
  readonly dialer: HttpDialer;
  readonly reading: ByteBudget;
  readonly absences: AgentAbsences;
  readonly offers: KasOffers;
}

/** One viewer's way to one agent: a Kubernetes client, and what kas says about the agent's configuration beside it. */
export class KasAccess {
  /** Names the credential; two tabs of one session have the same. */
  readonly credentialKey: string;
  /** Names the session that has brought it, when it ends here. */
  readonly session: string | undefined;
  readonly agentId: bigint;
  readonly client: KasKubeClient;
  /** The same way, for what kas says by itself: no answer of it says anything of the agent. */
  readonly kas: KubeTransport;
  /** `kas`, with headers of ours beside the viewer's credential. */
  readonly kasSaying: (word: Readonly<Record<string, string>>) => KubeTransport;
  /** A WebSocket to the Kubernetes API. As `openKasSocket`. */
  readonly openSocket: (request: KasSocketRequest, signal: AbortSignal) => Promise<WebSocket>;
  /** What answers of all clusters, and of kas itself, may hold while they are read. */
  readonly reading: ByteBudget;
  /** Called each time kas reports how many watches the agent carries. */
  limited: ((limit: WatchLimit) => void) | undefined;
  #configurationProblem: ConfigurationProblem | undefined;
  #watchLimit: WatchLimit | undefined;
  readonly #offers: KasOffers;

  constructor(
    viewer: ViewerAccess,
    environment: Pick<EnvironmentRecord, "projectPath" | "number"> & { readonly agent: Pick<AgentRecord, "id"> },
    { dialer, reading, absences, offers }: KasAccessOptions,
  ) {
    this.#offers = offers;
    this.credentialKey = viewer.key;
    this.session = viewer.session;
    this.agentId = environment.agent.id;
    this.reading = reading;
    const door = { projectPath: environment.projectPath, environmentNumber: environment.number, agentId: environment.agent.id };
    this.client = new KasKubeClient({
      dialer,
      reading,
      offers,
      headers: (ask) => viewer.kasHeaders(door, ask),
      heard: (word, words) => absences.hear(this.agentId, word, words),
      configurationError: (value) => {
        this.#configurationProblem = value === undefined ? undefined : parseConfigurationProblem(value);
      },
      watchLimit: (limit, isAssumed) => {
        this.#watchLimit = { limit, isAssumed };
        this.limited?.(this.#watchLimit);
      },
    });
    // Beside a cookie kas wants the origin of the main application's pages, whose CSRF token is sent, too (docs/security.md, T8).
    const { origin } = new URL(viewer.mainApplicationUrl);
    const socketHeaders: KasSocketOptions["headers"] = async (ask) => {
      const headers = await viewer.kasHeaders(door, ask);
      return headers?.["cookie"] === undefined ? headers : { ...headers, origin };
    };
    this.openSocket = (request, signal) => openKasSocket({ dialer, headers: socketHeaders }, request, signal);
    this.kasSaying = (word) =>
      new KasTransport({
        dialer,
        reading,
        offers,
        headers: async (ask) => {
          const headers = await viewer.kasHeaders(door, ask);
          return headers && { ...headers, ...word };
        },
        configurationError: () => undefined,
        watchLimit: () => undefined,
      });
    this.kas = this.kasSaying({});
  }

  /** As of this viewer's newest answer of kas. */
  get configurationProblem(): ConfigurationProblem | undefined {
    return this.#configurationProblem;
  }

  /** Watches that the agent carries, all viewers' together; undefined until kas has reported it. */
  get watchLimit(): WatchLimit | undefined {
    return this.#watchLimit;
  }

  /** It is GitLab's own kas, or another one that answers nothing but the Kubernetes API. */
  get isForeign(): boolean {
    return this.#offers.isForeign;
  }
}

/** `<reason>; last-good=<commit>` (docs/design/contract.md "Response headers"). */
export function parseConfigurationProblem(header: string): ConfigurationProblem {
  const at = header.lastIndexOf(";");
  const commit = at < 0 ? undefined : /^\s*last-good=(\S*)\s*$/.exec(header.slice(at + 1))?.[1];
  return commit === undefined ? { reason: header.trimEnd(), lastGoodCommit: "" } : { reason: header.slice(0, at), lastGoodCommit: commit };
}
