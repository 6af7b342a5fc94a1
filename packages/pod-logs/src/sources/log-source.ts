import { roleManifest } from "@binnacle/manifests/role-manifest";
import {
  LogPositionSchema,
  LogSourceSchema,
  LogSourceState,
  type LogContainerKind,
  type LogPosition,
  type LogSource,
} from "@binnacle/proto/dashboard-logs";
import { toNanosTimestamp } from "@binnacle/proto/wire-values";
import { toWordsMessage } from "@binnacle/proto/words";
import type { Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import type { LinePosition } from "../lines/resume-point.ts";
import type { ContainerReader, StartPoint } from "../reading/container-reader.ts";
import { LineQueue } from "../reading/line-queue.ts";
import type { ContainerName } from "../reading/log-request.ts";

/** The instance that a source is; absent in a container that has not started, and where pods cannot be listed. */
export interface SourceInstance {
  readonly id: string;
  readonly restarts: number | undefined;
}

/** One source of a stream: an instance of a container, and how its reading stands. */
export class SourceEntry {
  readonly id: number;
  readonly name: ContainerName;
  readonly kind: LogContainerKind;
  readonly queue: LineQueue;
  readonly start: StartPoint;
  /** The pod that has it: another one with its name is another source. */
  readonly podUid: string;
  instance: SourceInstance | undefined;
  /** The instance ends by itself: it needs a place for a while only. */
  hasTerminated = false;
  /** Takes part in the order of reading. */
  isQueued = false;
  isRunning = false;
  /** The instance before, as long as its end is to be read first. */
  waitsFor: SourceEntry | undefined;
  reader: ContainerReader | undefined;
  state: LogSourceState = LogSourceState.WAITING;
  hasLeft = false;
  /** Merging has waited for it long enough. */
  isLate = false;
  /** What its reading has come to; sent after its lines. */
  pendingState: LogSourceState | undefined;
  #sentPosition: LinePosition | undefined;
  #sentLines = 0;
  #sentEnd = false;
  #words: Words | undefined;
  #roleYaml = "";

  constructor(options: {
    readonly id: number;
    readonly name: ContainerName;
    readonly kind: LogContainerKind;
    readonly instance: SourceInstance | undefined;
    readonly podUid: string;
    readonly start: StartPoint;
    readonly added: () => void;
  }) {
    this.id = options.id;
    this.name = options.name;
    this.kind = options.kind;
    this.instance = options.instance;
    this.podUid = options.podUid;
    this.start = options.start;
    this.queue = new LineQueue(options.added);
  }

  /** @returns whether anything has changed */
  setState(state: LogSourceState, why?: Words, roleYaml = ""): boolean {
    const isSame = this.state === state && this.#words?.id === why?.id && this.#roleYaml === roleYaml;
    this.state = state;
    this.#words = why;
    this.#roleYaml = roleYaml;
    return !isSame;
  }

  /** Behind the last line that is known to be of this instance. */
  get position(): LinePosition | undefined {
    return this.reader?.position ?? this.start.position;
  }

  get isOver(): boolean {
    return this.state === LogSourceState.ENDED;
  }

  /** The position as a message when it is another one than that which was sent last. */
  advancedTo(position: LinePosition | undefined): LogPosition[] {
    if (position === undefined || position === this.#sentPosition) return [];
    this.#sentPosition = position;
    return [this.toPosition(position)];
  }

  /** @returns whether these counts were not sent yet */
  hasCountedTo(lines: number, reachedEnd: boolean): boolean {
    if (lines === this.#sentLines && reachedEnd === this.#sentEnd) return false;
    this.#sentLines = lines;
    this.#sentEnd = reachedEnd;
    return true;
  }

  toMessage(): LogSource {
    const { namespace, pod, container } = this.name;
    return create(LogSourceSchema, {
      id: this.id,
      namespace,
      pod,
      container,
      kind: this.kind,
      containerId: this.instance?.id ?? "",
      ...(this.instance?.restarts === undefined ? {} : { restarts: this.instance.restarts }),
      state: this.state,
      ...(this.#words === undefined ? {} : { words: toWordsMessage(this.#words) }),
      roleYaml: this.#roleYaml,
      hasLeft: this.hasLeft,
    });
  }

  toPosition({ timeNanos, linesAtTime, hash }: LinePosition): LogPosition {
    return create(LogPositionSchema, {
      namespace: this.name.namespace,
      pod: this.name.pod,
      container: this.name.container,
      containerId: this.instance?.id ?? "",
      time: toNanosTimestamp(timeNanos),
      linesAtTime,
      lastLineHash: Uint8Array.from(hash),
      // The log of a container that runs has an end only for a read that does not follow.
      reachedEnd: this.isOver && this.hasTerminated,
      ...(this.instance?.restarts === undefined ? {} : { restarts: this.instance.restarts }),
    });
  }
}

/** A Role with what reading logs in a namespace needs; for all namespaces, which are an empty one here, a ClusterRole. */
export function logRoleYaml(namespace: string): string {
  return roleManifest({ name: "binnacle-read-logs", namespace }, [
    { group: "", resources: ["pods"], verbs: ["get", "list", "watch"] },
    { group: "", resources: ["pods/log"], verbs: ["get"] },
  ]);
}
