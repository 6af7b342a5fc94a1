import type { ActionOutcome, KubeAction } from "@binnacle/environment-view";
import { fieldsAt, textAt, type KubeObject } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import { z } from "zod";

import type { ConnectedEnvironment } from "../environment/connected-environment.ts";
import type { MainViewer } from "../main-application/records.ts";
import type { SealedClaims, SealPurpose } from "../session/sealed-claims.ts";

/** Of a display name; the main application allows 255. */
const MAX_NAME_CHARS = 100;

/** A change that a viewer has made on a page of this dashboard. Everything in it is bounded: another web process may say anything. */
export const viewerActSchema = z
  .object({
    /** 128 random bits: a notice that comes twice is one act. */
    id: z.string().length(22),
    projectPath: z.string().min(1).max(1_024),
    environment: z.string().min(1).max(255),
    /** Of the object that was changed or created. */
    uid: z.string().min(1).max(64),
    /** Resource version that it led to; empty: the answer does not say. */
    version: z.string().max(64),
    /** "scale". */
    action: z.string().min(1).max(64),
    /** The object was to be deleted or evicted. */
    isRemoval: z.boolean(),
    /** When it was sent, and answered; milliseconds since the epoch. */
    begunMs: z.number().int().nonnegative(),
    endedMs: z.number().int().nonnegative(),
    username: z.string().min(1).max(255),
    name: z.string().max(MAX_NAME_CHARS),
  })
  .refine(({ begunMs, endedMs }) => begunMs <= endedMs);

/** One change by a viewer. */
export type ViewerAct = z.output<typeof viewerActSchema>;

/** A request that has changed something, or may have. */
interface PerformedAction {
  readonly viewer: MainViewer;
  readonly environment: ConnectedEnvironment;
  readonly action: KubeAction;
  readonly name: string;
  readonly outcome: ActionOutcome;
  /** The object that the action is about, as it was read before. */
  readonly object: KubeObject;
  readonly begunMs: number;
}

/** What acts are remembered with. */
export interface ActsContext {
  /** What viewers have changed, for the journal. */
  readonly acts: { perform(act: Omit<ViewerAct, "id">): void };
  readonly clock: Clock;
}

/** Remembers an action as the viewer's and notifies the other web processes, unless it was a dry run, was refused or changed nothing. */
export function rememberAct({ acts, clock }: ActsContext, performed: PerformedAction): void {
  const { viewer, environment, action, name, outcome, object, begunMs } = performed;
  const { target, change, dryRun = false } = action;
  if (dryRun || outcome.kind === "refused") return;
  const isCreation = change.verb === "create" && target.subresource === undefined;
  const isRemoval = change.verb === "delete" || target.subresource === "eviction";
  // Another client may have deleted it, before or meanwhile.
  if (isRemoval && (outcome.kind === "unknown" || textAt(object.metadata, "deletionTimestamp") !== "")) return;
  const written = outcome.kind === "done" && outcome.answer.kind !== "Status" ? fieldsAt(outcome.answer, "metadata") : {};
  const version = textAt(written, "resourceVersion");
  // The API server keeps the version when there was nothing to write: it is of an earlier write.
  if (!isCreation && version !== "" && version === object.metadata.resourceVersion) return;
  acts.perform({
    projectPath: environment.projectPath,
    environment: environment.name,
    uid: textAt(written, "uid") || (isCreation ? "" : (target.uid ?? object.metadata.uid ?? "")),
    version,
    action: name,
    isRemoval,
    begunMs,
    endedMs: Math.max(begunMs, clock.now()),
    username: viewer.username,
    name: viewer.name.slice(0, MAX_NAME_CHARS).toWellFormed(),
  });
}

/** As long as a notice is retried. */
const NOTICE_MS = 60_000;

/** Acts of viewers, sealed as notices from one web process to another. Processes of earlier releases ignore them. */
export class ActNotices {
  readonly #claims: SealedClaims;
  readonly #clock: Clock;

  /** @param sealed texts that only the web processes of this configuration can read or make */
  constructor(sealed: (purpose: SealPurpose) => SealedClaims, clock: Clock) {
    this.#claims = sealed({ audience: "binnacle-web-act", type: "binnacle-act-1" });
    this.#clock = clock;
  }

  seal(act: ViewerAct): Promise<string> {
    return this.#claims.seal({ act }, Math.ceil((this.#clock.now() + NOTICE_MS) / 1_000));
  }

  /**
   * Opens a notice of another process.
   *
   * @returns `undefined` for a text that is no such notice of one of ours, `malformed` for one of another shape
   */
  async open(text: string): Promise<ViewerAct | "malformed" | undefined> {
    const opened = await this.#claims.open(text);
    return opened && (viewerActSchema.safeParse(opened.payload["act"]).data ?? "malformed");
  }
}
