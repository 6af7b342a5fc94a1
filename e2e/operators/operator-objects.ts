import { send, targetOf, type BearerTarget } from "../support/bearer-request.ts";
import type { CustomKind } from "../support/custom-kind.ts";
import type { Json, Moment, Operator } from "./operator.ts";

const HOLD = "example.com/hold";

/** Where objects of operators are written. */
export interface OperatorPlace {
  /** Kubeconfig file of an administrator. */
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Makes the groups those of one run. */
  readonly word: string;
}

/** Objects of invented operators, written through the API server as their controllers would. */
export class OperatorObjects {
  readonly #place: OperatorPlace;
  readonly #target: BearerTarget;

  constructor(place: OperatorPlace) {
    this.#place = place;
    this.#target = targetOf(place.kubeconfig);
  }

  /** The kind of an operator, in a group of its own. */
  kindOf({ kind, plural, hasStatusSubresource }: Operator): CustomKind {
    return { group: `${plural}.${this.#place.word}.example.com`, kind, plural, hasStatusSubresource };
  }

  /** Makes an object that cannot be deleted before `release`. */
  async create(operator: Operator, name: string): Promise<void> {
    const metadata = { name, namespace: this.#place.namespace, finalizers: [HOLD] };
    const apiVersion = `${this.kindOf(operator).group}/v1`;
    await this.#send("POST", this.#pathOf(operator), { apiVersion, kind: operator.kind, metadata, spec: operator.spec });
  }

  /** Writes what a moment says; a status goes where the definition wants it. */
  async write(operator: Operator, name: string, { status, spec, annotations }: Omit<Moment, "what" | "says">): Promise<void> {
    const path = `${this.#pathOf(operator)}/${name}`;
    if (spec !== undefined) await this.#patch(path, "/spec", spec);
    if (annotations !== undefined) await this.#patch(path, "/metadata/annotations", annotations);
    if (status !== undefined) await this.#patch(operator.hasStatusSubresource ? `${path}/status` : path, "/status", status);
  }

  /** Deletes it; it stays, and is on its way out. */
  async leave(operator: Operator, name: string): Promise<void> {
    await this.#send("DELETE", `${this.#pathOf(operator)}/${name}`);
  }

  /** Nothing holds it any more. */
  async release(operator: Operator, name: string): Promise<void> {
    await this.#patch(`${this.#pathOf(operator)}/${name}`, "/metadata/finalizers", []);
  }

  close(): Promise<void> {
    return this.#target.dispatcher.close();
  }

  #pathOf(operator: Operator): string {
    const { group, plural } = this.kindOf(operator);
    return `/apis/${group}/v1/namespaces/${this.#place.namespace}/${plural}`;
  }

  async #patch(path: string, at: string, value: Json | readonly unknown[]): Promise<void> {
    await this.#send("PATCH", path, [{ op: "add", path: at, value }]);
  }

  async #send(method: string, path: string, body?: unknown): Promise<void> {
    const type = method === "PATCH" ? "application/json-patch+json" : "application/json";
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send(this.#target, path, { method, headers: { "content-type": type }, ...content });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
  }
}
