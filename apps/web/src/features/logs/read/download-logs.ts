import { nanosText } from "@binnacle/kube";
import type { LogPosition, ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { isPassing } from "../../queries/request-error.ts";
import { retryDelayMs } from "../../live/retry-delay.ts";
import { LogSources } from "../store/log-sources.ts";
import { lineText } from "../text/line-text.ts";
import { tLater } from "../../../ui/messages.ts";

/** How far a download is. */
export interface DownloadProgress {
  readonly lines: number;
  readonly bytes: number;
}

/** Where a download goes. */
export interface DownloadTarget {
  /** Ends when it has taken the bytes: a slow disk slows the source. */
  readonly write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Most bytes that it takes. */
  readonly maxBytes: number;
}

/** What became of it. */
export interface Downloaded extends DownloadProgress {
  /** There is more than the target takes. */
  readonly isCut: boolean;
}

/** The target cannot take more: another stream does not help. */
class TargetError extends Error {}

/** So many streams in a row may end without a line. */
const MAX_TRIES = 5;
const CHUNK_CHARACTERS = 262_144;

/**
 * Writes every line of a choice as text, by `lineText`; a stream that breaks is continued where it was. Missing lines have a line of their own.
 *
 * @param open opens the stream that does not follow
 * @throws what the last of several tries was rejected with
 */
export async function downloadLogs(
  open: (positions: readonly LogPosition[]) => AsyncIterable<ReadLogsResponse>,
  target: DownloadTarget,
  progress: (now: DownloadProgress) => void,
): Promise<Downloaded> {
  const encoder = new TextEncoder();
  const sources = new LogSources();
  const total = { lines: 0, bytes: 0 };
  let text = "";
  const flush = async (): Promise<void> => {
    const bytes = encoder.encode(text);
    text = "";
    try {
      await target.write(bytes);
    } catch (error) {
      throw new TargetError(error instanceof Error ? error.message : String(error), { cause: error });
    }
    total.bytes += bytes.length;
    progress({ ...total });
  };
  for (let tries = 0; ; tries += 1) {
    sources.beginStream();
    const before = total.lines;
    try {
      // oxlint-disable-next-line no-await-in-loop -- one stream after the other
      for await (const { message } of open(sources.positions())) {
        if (message.case === "sources") sources.take(message.value.sources);
        if (message.case === "gap") {
          const source = sources.get(sources.idOf(message.value.source) ?? 0);
          text += `# ${source?.namespace}/${source?.pod}/${source?.container}: lines are missing here\n`;
        }
        if (message.case === "lines") {
          for (const line of message.value.lines) {
            const source = sources.get(sources.idOf(line.source) ?? 0);
            if (source === undefined) continue;
            text += `${lineText(line, source)}${line.cutBytes > 0n ? ` [${tLater("logs-page/cut", { count: Number(line.cutBytes) })}]` : ""}\n`;
            total.lines += 1;
          }
          sources.advance(message.value.positions);
        }
        if (text.length < CHUNK_CHARACTERS) continue;
        await flush();
        if (total.bytes >= target.maxBytes) return { ...total, isCut: true };
      }
      await flush();
      return { ...total, isCut: false };
    } catch (error) {
      if (error instanceof TargetError || !isPassing(error)) throw error;
      if (total.lines > before) tries = 0;
      if (tries >= MAX_TRIES - 1) throw error;
      const retryMs = retryDelayMs(tries, Math.random());
      await new Promise<void>((resolve) => {
        setTimeout(resolve, retryMs);
      });
    }
  }
}

/** "shop-web-2026-11-28T11-58-20.log" */
export function logFileName(of: string, nowMs: number): string {
  const time = nanosText(BigInt(Math.floor(nowMs)) * 1_000_000n)
    .slice(0, 19)
    .replaceAll(":", "-");
  return `${
    of
      .split(/[^\w.]+/)
      .filter(Boolean)
      .join("-") || "logs"
  }-${time}.log`;
}
