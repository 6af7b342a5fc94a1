import { encodeKey, fieldsAt, GITOPS_FIELD_MANAGER, isFields, listAt, textAt, type ObjectKey } from "@binnacle/kube";

/**
 * What this replica has applied, while it holds the Leases: by that it notices another agent with the same field manager, such as one of GitLab's
 * 14.1 that takes no Lease. The API server notes when a manager last changed an object by an apply, in seconds; an apply without a change is not noted.
 */
export class OwnWrites {
  /** By key, the time of the last apply as the API server has noted it. */
  readonly #times = new Map<string, string>();
  #foreign: ObjectKey[] = [];

  /** Checks an object as it was found: whether another process has applied it since. What was never applied here proves nothing. */
  found(key: ObjectKey, live: unknown): void {
    const known = this.#times.get(encodeKey(key));
    if (known !== undefined && known !== appliedAt(live)) this.#foreign.push(key);
  }

  /** An apply is on its way: until its answer it is not known what the object says. */
  begun(key: ObjectKey): void {
    this.#times.delete(encodeKey(key));
  }

  /** An object as it is after its apply. */
  applied(key: ObjectKey, live: unknown): void {
    this.#times.set(encodeKey(key), appliedAt(live));
  }

  /** The objects that another process has applied since the last call. */
  takeForeign(): readonly ObjectKey[] {
    const foreign = this.#foreign;
    this.#foreign = [];
    return foreign;
  }
}

function appliedAt(live: unknown): string {
  const entry = listAt(fieldsAt(live, "metadata"), "managedFields").find(
    (one) => isFields(one) && one["manager"] === GITOPS_FIELD_MANAGER && one["operation"] === "Apply",
  );
  return textAt(entry, "time");
}
