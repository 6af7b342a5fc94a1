"use client";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { tLater } from "../../../ui/messages.ts";
import { saveFile } from "../../../ui/save-file.ts";
import { serverTime } from "../../../ui/server-time.ts";
import { Tip } from "../../../ui/tip.tsx";
import type { LogsState } from "../../address/logs-state.ts";
import { sentenceOfError } from "../../queries/request-error.ts";
import { formatBytes } from "../../metrics/format-amount.ts";
import { downloadLogs, logFileName, type Downloaded, type DownloadProgress, type DownloadTarget } from "../read/download-logs.ts";
import { logsRequest, type LogsOf } from "../read/log-request.ts";
import { logsClient } from "../read/page-logs.ts";

/** Most bytes of a file that is made in memory, where a browser cannot write to a file piece by piece. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;

type Download =
  | { readonly kind: "running"; readonly progress: DownloadProgress }
  | { readonly kind: "done"; readonly downloaded: Downloaded }
  | { readonly kind: "failed"; readonly reason: string };

/** Writes every line of the choice to a file, not only those that the page retains. */
export function DownloadButton({ of, state, name }: { readonly of: LogsOf; readonly state: LogsState; readonly name: string }): ReactNode {
  const [download, setDownload] = useState<Download>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (): Promise<void> => {
    const abort = new AbortController();
    running.current = abort;
    try {
      const file = await openTarget(logFileName(name, serverTime.now()));
      if (file === undefined) return;
      setDownload({ kind: "running", progress: { lines: 0, bytes: 0 } });
      // Every line since the chosen time, however many last lines the page shows.
      const request = logsRequest(of, { ...state, tail: "all", line: "" }, serverTime.now());
      const downloaded = await downloadLogs(
        (positions) => logsClient().readLogs({ ...request, follow: false, positions: [...positions] }, { signal: abort.signal }),
        file,
        (progress) => setDownload({ kind: "running", progress }),
      );
      await file.close();
      setDownload({ kind: "done", downloaded });
    } catch (error) {
      setDownload(abort.signal.aborted ? undefined : { kind: "failed", reason: sentenceOfError(error) ?? "" });
    }
  };
  if (download?.kind === "running") {
    const { lines, bytes } = download.progress;
    return (
      <>
        <output className="num">{tLater("logs-page/download/running", { count: lines, size: formatBytes(bytes) })}</output>
        <button type="button" className="btn sm" onClick={() => running.current?.abort()}>
          {tLater("ui/cancel")}
        </button>
      </>
    );
  }
  return (
    <>
      {download !== undefined && <output className="num">{outcomeWords(download)}</output>}
      <Tip text={tLater("logs-page/download/title")}>
        {/* It reports its errors itself. */}
        <button type="button" className="btn sm" onClick={() => void start()}>
          <Icon name="save" size={14} />
          {tLater("logs-page/download")}
        </button>
      </Tip>
    </>
  );
}

function outcomeWords(download: Exclude<Download, { readonly kind: "running" }>): string {
  if (download.kind === "failed") return tLater("logs-page/download/failed", { reason: download.reason });
  const { lines, bytes, isCut } = download.downloaded;
  const done = tLater("logs-page/download/done", { count: lines });
  return isCut ? `${done}. ${tLater("logs-page/download/cut", { size: formatBytes(bytes) })}` : done;
}

interface OpenFile extends DownloadTarget {
  readonly close: () => Promise<void>;
}

interface SavePicker {
  readonly showSaveFilePicker: (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** A file on the disk where the browser lets the page write one, else one in memory. @returns `undefined` when the person wants none */
async function openTarget(name: string): Promise<OpenFile | undefined> {
  const scope: object = globalThis;
  if (!hasPicker(scope)) return memoryTarget(name);
  try {
    const handle = await scope.showSaveFilePicker({ suggestedName: name });
    const file = await handle.createWritable();
    return { maxBytes: Number.MAX_SAFE_INTEGER, write: (bytes) => file.write(bytes), close: () => file.close() };
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    // Such as in a frame, where no dialog may be opened.
    return memoryTarget(name);
  }
}

function hasPicker(scope: object): scope is SavePicker {
  return "showSaveFilePicker" in scope;
}

function memoryTarget(name: string): OpenFile {
  let file = new Blob([], { type: "text/plain" });
  return {
    maxBytes: MAX_MEMORY_BYTES,
    write: async (bytes) => {
      // A browser stores a blob outside of the page's memory.
      file = new Blob([file, bytes], { type: "text/plain" });
      return Promise.resolve();
    },
    close: async () => {
      saveFile(file, name);
      return Promise.resolve();
    },
  };
}
