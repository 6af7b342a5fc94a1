import type { ByteBudget } from "@binnacle/environment-view";

import type { HttpDialer } from "../http/http-dialer.ts";
import type { AgentAbsences } from "../kas/agent-absences.ts";
import { KasAccess } from "../kas/kas-access.ts";
import type { KasOffers } from "../kas/kas-offers.ts";
import type { AgentRecord, EnvironmentRecord } from "../main-application/records.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";

/** An environment that has an agent. */
export type ConnectedEnvironment = EnvironmentRecord & { readonly agent: AgentRecord };

/** Whether an agent is set on it. */
export function hasAgent(environment: EnvironmentRecord): environment is ConnectedEnvironment {
  return environment.agent !== undefined;
}

/** What requests to agents are sent with. */
export interface KasAccessContext {
  readonly kasDialer: HttpDialer;
  /** What answers of all clusters may hold while they are read. */
  readonly reading: ByteBudget;
  /** Since when agents are away. */
  readonly absences: AgentAbsences;
  /** What kas offers beside the Kubernetes API. */
  readonly kasOffers: KasOffers;
}

/** The viewer's way to the environment's agent. */
export function openKasAccess(
  { kasDialer: dialer, reading, absences, kasOffers: offers }: KasAccessContext,
  viewer: ViewerAccess,
  environment: ConnectedEnvironment,
): KasAccess {
  return new KasAccess(viewer, environment, { dialer, reading, absences, offers });
}
