import { create, toBinary } from "@bufbuild/protobuf";
import { Throttle, type EnvironmentScope, type ViewTable } from "@binnacle/environment-view";
import type { ObjectKey } from "@binnacle/kube";
import { PublishedTable } from "@binnacle/replica";
import { ScopeChangesSchema } from "@binnacle/proto/kas-views";
import { timeField } from "@binnacle/proto/wire-values";
import type { Clock } from "@binnacle/rpc";

/** All that has changed in an environment is read by people: once a second at most. */
const LIMITS_OF_ALL = { intervalMs: 1_000, burst: 2, gapMs: 50 };
/** Of all that has changed in an environment. */
const MAX_CHANGES = 500;
const CHANGES = "changes";

/**
 * What has changed in a scope, until it is closed. Changes of one object are published with the scope's own changes, because a page that reads
 * them when its object has changed does not read them again.
 *
 * @param of only changes of this object
 */
export function openChangesTable(scope: Pick<EnvironmentScope, "open" | "changesOf">, of: ObjectKey | undefined, clock: Clock): ViewTable {
  const table = new PublishedTable();
  const publish = (): void => {
    const { changes, sinceMs, isCut } = scope.changesOf(of === undefined ? {} : { of });
    const message = create(ScopeChangesSchema, {
      changes: changes.slice(0, MAX_CHANGES),
      ...timeField("since", sinceMs),
      cut: isCut || changes.length > MAX_CHANGES,
    });
    table.put(CHANGES, toBinary(ScopeChangesSchema, message));
    table.announce();
  };
  const throttle = new Throttle(clock, LIMITS_OF_ALL, publish);
  const subscription = scope.open(
    () => {
      if (subscription.take() === undefined) return;
      if (of === undefined) throttle.ask();
      else publish();
    },
    { attention: "none" },
  );
  publish();
  return {
    table,
    close: () => {
      subscription.close();
      throttle.stop();
    },
  };
}
