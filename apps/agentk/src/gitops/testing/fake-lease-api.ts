import { fieldsAt, fieldsOf, textAt } from "@binnacle/kube";

import type { ApiAnswer, ApiCall, ClusterApi } from "../../cluster-access/cluster-api.ts";

/** A Lease in memory, with the API server's optimistic locking. May be unreachable, or hang. */
export class FakeLeaseApi implements ClusterApi {
  #lease: Record<string, unknown> | undefined;
  #version = 0;
  /** What happens to every request of a holder, by name: `down` fails, `hang` never answers. */
  readonly trouble = new Map<string, "down" | "hang">();

  /** The holder; empty: none. */
  get holder(): string {
    return textAt(this.#lease?.["spec"], "holderIdentity");
  }

  /** The way to it for one replica. */
  for(replica: string): ClusterApi {
    return { call: (call) => this.#guarded(replica, call) };
  }

  async call({ method, body }: ApiCall): Promise<ApiAnswer> {
    if (method === "GET")
      return this.#lease === undefined ? { statusCode: 404, value: undefined } : { statusCode: 200, value: this.#lease };
    const taken =
      method === "POST" ? this.#lease !== undefined : textAt(fieldsAt(body, "metadata"), "resourceVersion") !== String(this.#version);
    if (taken) return { statusCode: 409, value: undefined };
    this.#version += 1;
    this.#lease = { ...fieldsOf(body), metadata: { ...fieldsAt(body, "metadata"), resourceVersion: String(this.#version) } };
    return { statusCode: 200, value: this.#lease };
  }

  #guarded(replica: string, call: ApiCall): Promise<ApiAnswer> {
    const trouble = this.trouble.get(replica);
    if (trouble === "down") return Promise.reject(new Error("down"));
    if (trouble === "hang") {
      return new Promise((_resolve, reject) => call.signal.addEventListener("abort", () => reject(new Error("given up")), { once: true }));
    }
    return this.call(call);
  }
}
