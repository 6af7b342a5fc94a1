/** The effect of a request on a cluster, as far as its record has it. */
export interface AuditedAction {
  /** As Kubernetes' audit log writes it; undefined for a service of the cluster, which has its method instead. */
  readonly verb?: string;
  readonly apiGroup?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Of exec and attach: the container that was named, the program and how many arguments it got. */
  readonly container?: string;
  readonly program?: string;
  readonly programArguments?: number;
  /** Name of a service of the cluster, as the agent's options have it. */
  readonly service?: string;
  /** HTTP method of a request to a service. */
  readonly method?: string;
}

/** Identity as the main application states it; an agent sends requests of its modules to the main application. */
export type Principal =
  | { readonly kind: "user"; readonly username: string; /** Absent: not known to who writes the record. */ readonly id?: number }
  | { readonly kind: "job"; readonly id: number; readonly projectId: number }
  | { readonly kind: "agent" };

/** Content of one line, of kas and of the dashboard alike. Watches and streams have two lines, all else one. */
export interface AuditRecord {
  /** When the line was made: milliseconds of the epoch. */
  readonly atMs: number;
  readonly requestId: string;
  readonly event: "complete" | "start" | "end";
  readonly principal: Principal;
  /** Name of the impersonated user; "agent" where the agent itself acts; undefined when it was refused before that was known. */
  readonly as?: string;
  readonly agentId: bigint;
  readonly action: AuditedAction;
  /** HTTP status of the answer, 499 for a client that left before it; undefined at a start. */
  readonly code?: number;
  /** How an upgraded connection, a terminal or an action ended. */
  readonly outcome?: string;
  /** Of the dashboard: a dry run, which changes nothing, or the action itself. */
  readonly dryRun?: boolean;
  /** Of the dashboard: what it was for, in names: the action, the project, the environment. Never a content. */
  readonly purpose?: Readonly<Record<string, string>>;
  /** Exit code of a shell. */
  readonly exitCode?: number;
  /** Whether the output of a terminal was recorded. */
  readonly isRecorded?: boolean;
  readonly bytesIn?: number;
  readonly bytesOut?: number;
  readonly durationMs?: number;
}

/** Longer than any name of Kubernetes. */
const MAX_TEXT = 256;
const NOT_PLAIN = /[^\n\x20-\x7e]/g;

/**
 * Records as JSON lines of plain ASCII: whatever a name has in it, a line stays a line and is shown as it is.
 *
 * @param dropped records that are missing before the first
 * @param isMarked whether lines say that they belong to the audit, because others stand beside them
 */
export function linesOf(
  records: readonly AuditRecord[],
  { dropped, isMarked }: { readonly dropped: number; readonly isMarked: boolean },
): string {
  let text = "";
  for (const [index, record] of records.entries())
    text += `${JSON.stringify(fieldsOf(record, { dropped: index === 0 ? dropped : 0, isMarked }))}\n`;
  return text.replaceAll(NOT_PLAIN, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** In the order in which a person reads them. */
function fieldsOf(record: AuditRecord, { dropped, isMarked }: { readonly dropped: number; readonly isMarked: boolean }): object {
  const { principal, action } = record;
  const user = principal.kind === "user" ? principal : undefined;
  const job = principal.kind === "job" ? principal : undefined;
  return {
    audit: isMarked ? true : undefined,
    at: new Date(record.atMs).toISOString(),
    request_id: record.requestId,
    event: record.event,
    user: bounded(user?.username),
    user_id: user?.id,
    job: job?.id,
    project: job?.projectId,
    as: bounded(record.as),
    agent_id: Number(record.agentId),
    verb: bounded(action.verb),
    api_group: bounded(action.apiGroup),
    resource: bounded(action.resource),
    subresource: bounded(action.subresource),
    namespace: bounded(action.namespace),
    name: bounded(action.name),
    container: bounded(action.container),
    program: bounded(action.program),
    program_arguments: action.programArguments,
    service: bounded(action.service),
    method: bounded(action.method),
    purpose: record.purpose && Object.fromEntries(Object.entries(record.purpose).map(([key, text]) => [key, bounded(text)])),
    dry_run: record.dryRun,
    recorded: record.isRecorded,
    code: record.code,
    outcome: record.outcome,
    exit_code: record.exitCode,
    bytes_in: record.bytesIn,
    bytes_out: record.bytesOut,
    duration_ms: record.durationMs,
    dropped: dropped === 0 ? undefined : dropped,
  };
}

function bounded(text: string | undefined): string | undefined {
  return text === undefined || text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}
