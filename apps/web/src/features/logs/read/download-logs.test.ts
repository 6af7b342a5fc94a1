import { ReadLogsResponseSchema, type LogPosition, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { downloadLogs, logFileName, type DownloadTarget } from "./download-logs.ts";

const message = (init: MessageInitShape<typeof ReadLogsResponseSchema>["message"]): ReadLogsResponse =>
  create(ReadLogsResponseSchema, { ...(init && { message: init }) });
const place = { namespace: "shop", pod: "web-1", container: "app", containerId: "run" };
const named = (id: number): ReadLogsResponse => message({ case: "sources", value: { sources: [{ ...place, id }] } });
const line = (id: number, second: number, cutBytes = 0n): ReadLogsResponse =>
  message({
    case: "lines",
    value: {
      lines: [{ source: id, timeNanos: BigInt(second) * 1_000_000_000n, text: `line ${second}`, cutBytes }],
      positions: [{ ...place, time: { seconds: BigInt(second) }, linesAtTime: 1 }],
    },
  });

function memory(maxBytes = 1_000_000): DownloadTarget & { text: string } {
  const target = {
    text: "",
    maxBytes,
    write: (bytes: Uint8Array<ArrayBuffer>) => {
      target.text += new TextDecoder().decode(bytes);
      return Promise.resolve();
    },
  };
  return target;
}

test("a stream that breaks is continued where it was; missing and cut lines say so", async () => {
  const requests: (readonly LogPosition[])[] = [];
  async function* open(positions: readonly LogPosition[]): AsyncGenerator<ReadLogsResponse> {
    requests.push(positions);
    yield named(requests.length);
    if (requests.length === 1) {
      yield line(1, 1);
      throw new ConnectError("web restarts", Code.Unavailable);
    }
    yield message({ case: "gap", value: { source: 2 } });
    yield line(2, 2, 7n);
  }
  const target = memory();
  expect(await downloadLogs(open, target, () => undefined)).toMatchObject({ lines: 2, isCut: false });
  expect(target.text).toBe(
    [
      "1970-01-01T00:00:01.000000000Z shop/web-1/app line 1",
      "# shop/web-1/app: lines are missing here",
      "1970-01-01T00:00:02.000000000Z shop/web-1/app line 2 [7 bytes cut off]",
      "",
    ].join("\n"),
  );
  expect(requests.map((positions) => positions.map(({ time }) => time?.seconds))).toEqual([[], [1n]]);
});

test("a target that takes no more ends it, which the result shows", async () => {
  async function* open(): AsyncGenerator<ReadLogsResponse> {
    yield named(1);
    for (let second = 0; second < 100_000; second += 1) yield line(1, second);
  }
  const outcome = await downloadLogs(open, memory(1_000), () => undefined);
  expect(outcome.isCut).toBe(true);
  expect(outcome.lines).toBeLessThan(100_000);
});

test("a denial, and a disk that is full, end it at once", async () => {
  let requests = 0;
  async function* denied(): AsyncGenerator<ReadLogsResponse> {
    requests += 1;
    yield* [];
    throw new ConnectError("no", Code.PermissionDenied);
  }
  await expect(downloadLogs(denied, memory(), () => undefined)).rejects.toThrow("no");
  async function* open(): AsyncGenerator<ReadLogsResponse> {
    requests += 1;
    yield named(1);
    yield line(1, 1);
  }
  const full: DownloadTarget = { maxBytes: 1, write: () => Promise.reject(new Error("disk full")) };
  await expect(downloadLogs(open, full, () => undefined)).rejects.toThrow("disk full");
  expect(requests).toBe(2);
});

test("a file is called by what it is of, and when", () => {
  expect(logFileName("shop/web: 1", Date.parse("2026-11-28T12:00:05Z"))).toBe("shop-web-1-2026-11-28T12-00-05.log");
});
