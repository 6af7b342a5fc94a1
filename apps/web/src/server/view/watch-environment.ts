import type { ViewPosition, ViewScope } from "@binnacle/environment-view";
import {
  WatchEnvironmentResponseSchema,
  type Snapshot,
  type WatchEnvironmentRequest,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

import { hasTerminal, type Features } from "../config/features.ts";
import { deliveryOf } from "../delivery/delivery.ts";
import { FollowedDelivery } from "../delivery/follow-delivery.ts";
import { toDelivery } from "../delivery/to-delivery.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { withoutTeamRules } from "../team-file/team-view-of.ts";
import type { ClusterIdentity } from "../kas/cluster-identity.ts";
import type { NoteBlock } from "../wire/outgoing-blocks.ts";
import { EnvironmentMessages } from "../environment/environment-messages.ts";
import { ProvenPlace, type ProvenPlaceContext } from "./authorized-place.ts";
import { watchProven, type EnvironmentNames, type ProvenSubscriber, type Waiting, type ProvenStreamContext } from "./authorized-stream.ts";
import { scopeOf } from "../main-application/scope-of.ts";
import type { ProofOutcome, Subscriber } from "../environment/recheck-subscriber.ts";
import type { SyncsContext } from "../syncs/gitops-syncs.ts";
import type { DeliveryJournal } from "../delivery/delivery-journal.ts";
import type { ViewRegistry } from "../shared-views/view-registry.ts";

/** What an environment is watched with. */
export interface WatchEnvironmentContext extends ProvenStreamContext, ProvenPlaceContext, SyncsContext {
  readonly registry: Pick<ViewRegistry, "join" | "lastPicture">;
  /** Deployments and syncs since pages were opened. */
  readonly deliveries: DeliveryJournal;
  /** What the operator allows viewers to do. */
  readonly features: Features;
}

/** Whose stream of which environment. */
interface EnvironmentRequest {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly names: EnvironmentNames;
  /** What the browser has already. */
  readonly after?: ViewPosition | undefined;
  /** As of the messages' scope. */
  readonly noteBlock?: NoteBlock | undefined;
  /** Hears as whom the cluster has just proved the viewer, before the header that says so. */
  readonly proved?: (tenant: string, scope: ViewScope) => void;
}

/** What a browser says that it has already. */
export function positionOf({ after }: Pick<WatchEnvironmentRequest, "after">): ViewPosition | undefined {
  return after && { view: after.view, version: Number(after.version) };
}

/** One viewer's live environment: whose it is, a snapshot, deltas, heartbeats; a problem ends it unless the problem may pass. */
export function watchEnvironment(
  context: WatchEnvironmentContext,
  request: EnvironmentRequest,
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentResponse> {
  const { viewerAccess, names, proved, noteBlock } = request;
  let { after } = request;
  return watchProven(
    context,
    {
      viewerAccess,
      names,
      proved,
      waiting: (subscriber) => waiting(context, { ...subscriber, mayShow: after === undefined }),
      toMessage: (problem) =>
        create(WatchEnvironmentResponseSchema, {
          sentAt: toTimestamp(context.clock.now()),
          message: { case: "problem", value: problem },
        }),
      stream: (subscriber, inner) => {
        const had = after;
        // Meanwhile the browser may have come further.
        after = undefined;
        return streamView(context, { ...subscriber, after: had, noteBlock }, inner);
      },
    },
    signal,
  );
}

/** @param subscriber `mayShow`: a last picture; who has something already has what is newer */
function waiting(
  context: WatchEnvironmentContext,
  subscriber: Subscriber & { readonly mayShow: boolean },
): Waiting<WatchEnvironmentResponse> {
  const { clock, wording, features } = context;
  const terminal = hasTerminal(features, subscriber.environment.tier);
  const messagesAs = (identity: ClusterIdentity | undefined): EnvironmentMessages =>
    new EnvironmentMessages({ ...subscriber, identity, wording, terminal }, () => clock.now());
  const messages = messagesAs(undefined);
  const { environment } = subscriber;
  const delivery = new FollowedDelivery({
    ...context,
    ...subscriber,
    scope: scopeOf(environment),
    deployment: () => environment.deployment,
    record: (now) => context.deliveries.record(subscriber, now),
  });
  let { mayShow } = subscriber;
  void delivery.read(); // never rejects
  return {
    begin: () => [messages.header(delivery.taken)],
    // kas sends syncs while the agent is offline, to viewers who may use the agent.
    news() {
      void delivery.read(); // never rejects
      const now = delivery.take();
      return now === undefined ? [] : [messages.delivered(now)];
    },
    denied: () => [messages.header(toDelivery(deliveryOf({ deployment: environment.deployment, syncs: { state: "forbidden" } })))],
    heartbeat: () => messages.heartbeat(),
    away: (connection) => messages.waiting(connection),
    async meanwhile(connection) {
      const shown = mayShow ? await lastPictureOf(context, subscriber) : undefined;
      if (shown === undefined) return undefined;
      mayShow = false;
      const ofThen = messagesAs(shown.identity);
      return [ofThen.header(delivery.taken), ofThen.lastPicture(shown.picture, connection)];
    },
  };
}

/** What the last picture is made of, when there is one for this user: with whom he was to the cluster. */
async function lastPictureOf(
  context: WatchEnvironmentContext,
  { viewer, access, environment }: Subscriber,
): Promise<{ readonly picture: Snapshot; readonly identity: ClusterIdentity | undefined } | undefined> {
  const proved = context.pictures.identities.of(viewer.username, access);
  const picture = proved && (await context.registry.lastPicture(proved.tenant, scopeOf(environment)));
  return picture && { picture, identity: proved.identity };
}

async function* streamView(
  context: WatchEnvironmentContext,
  subscriber: ProvenSubscriber & Pick<EnvironmentRequest, "after" | "noteBlock">,
  signal: AbortSignal,
): AsyncGenerator<WatchEnvironmentResponse, ProofOutcome | undefined> {
  const { clock, wording, features } = context;
  const { environment, after } = subscriber;
  const place = new ProvenPlace(context, subscriber, signal);
  const { membership, followed } = place;
  const { view } = membership;
  const shown = membership.leftOut === undefined ? environment : withoutTeamRules(environment);
  const terminal = hasTerminal(features, environment.tier);
  const messages = new EnvironmentMessages({ ...subscriber, environment: shown, wording, terminal }, () => clock.now(), view.id);
  const journal = context.deliveries.follow(subscriber);
  const delivery = new FollowedDelivery({
    ...context,
    ...subscriber,
    ...journal,
    scope: scopeOf(environment),
    deployment: () => followed.deployment,
    view,
  });
  const subscription = view.open(place.wake.raise, { after });
  place.follow(delivery);
  try {
    yield messages.header(delivery.taken);
    while (await place.next()) {
      const changed = delivery.take();
      if (changed) yield messages.delivered(changed);
      const message = subscription.take();
      const configuration = membership.configurationProblem();
      yield message ? messages.of(message, configuration) : (messages.configurationChange(configuration) ?? messages.heartbeat());
    }
    return place.outcome;
  } finally {
    subscription.close();
    journal.close();
    await place.leave();
  }
}
