import { fieldsAt, listAt, parseJson, textAt } from "@binnacle/kube";
import type { ServiceOptions } from "@binnacle/proto/agent-options";
import type { Clock } from "@binnacle/rpc";

import { PRODUCT } from "../../base/build-info.ts";
import { connectToService } from "../service-connection.ts";
import type { ResolvedService } from "../service-endpoints.ts";
import { ServiceExchange } from "../service-exchange.ts";
import { ServiceRefusal } from "../service-refusal.ts";
import { hostOf } from "../redirect.ts";
import type { MetricsRange } from "./metrics-request.ts";

/** One number at a time: seconds of the epoch, and the number as Prometheus writes it ("NaN" too). */
export type Sample = readonly [atSeconds: number, value: string];

/** A sum has one line: a thousand points of it are far below this. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** What a query needs. */
export interface PrometheusQueryOptions {
  readonly entry: ServiceOptions;
  readonly service: ResolvedService;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly range: MetricsRange | undefined;
}

/** Asks Prometheus one of our own queries. @returns its samples; none where nothing was measured @throws ServiceRefusal */
export async function queryPrometheus(query: string, asking: PrometheusQueryOptions): Promise<readonly Sample[]> {
  const { entry, service, clock, signal, range } = asking;
  const parameters = new URLSearchParams({ query });
  if (range) for (const [key, value] of Object.entries(range)) parameters.set(key, String(value));
  // Where the entry's own prefix hides it from requests, its API is still where Prometheus has it.
  const target = `/api/v1/${range ? "query_range" : "query"}?${parameters.toString()}`;
  const connection = await connectToService(service, { scheme: entry.scheme, ca: entry.caCertificate, signal, clock });
  const { code, body } = await new Promise<{ code: number; body: Buffer }>((resolve, reject) => {
    const chunks: Buffer[] = [];
    let [size, code] = [0, 0];
    const fail = (refusal: ServiceRefusal): void => {
      exchange.cancel();
      reject(refusal);
    };
    const headers = ["Host", hostOf({ ...service, scheme: entry.scheme }), "Accept", "application/json", "User-Agent", PRODUCT];
    const exchange = new ServiceExchange(
      { connection, method: "GET", target, headers, answerWithinMs: entry.answerWithinSeconds * 1_000, clock },
      {
        header: (status) => void (code = status),
        data(chunk) {
          size += chunk.byteLength;
          if (size > MAX_ANSWER_BYTES) fail(unusable(entry.name, "answers more than a line can hold"));
          else chunks.push(chunk);
          return true;
        },
        end: () => resolve({ code, body: Buffer.concat(chunks) }),
        silent: () =>
          reject(new ServiceRefusal("service_silent", `service ${entry.name} has not begun to answer in ${entry.answerWithinSeconds} s`)),
        broken: (error) => reject(new ServiceRefusal("service_answer_refused", `service ${entry.name} broke off`, { cause: error })),
      },
    );
    signal.addEventListener("abort", () => fail(unusable(entry.name, "was given up")), { once: true });
  });
  return samplesOf(parseJson(body.toString("utf8")), { name: entry.name, code, isRange: range !== undefined });
}

function samplesOf(value: unknown, of: { readonly name: string; readonly code: number; readonly isRange: boolean }): readonly Sample[] {
  if (of.code !== 200 || textAt(value, "status") !== "success") {
    const why = textAt(value, "error").slice(0, 200);
    throw unusable(of.name, `answers ${of.code}${why === "" ? ", and not as Prometheus does" : `: ${why}`}`);
  }
  const [first] = listAt(fieldsAt(value, "data"), "result");
  const samples = of.isRange ? listAt(first, "values") : [listAt(first, "value")];
  return samples.flatMap((sample) => {
    const [at, number]: readonly unknown[] = Array.isArray(sample) ? sample : [];
    return typeof at === "number" && typeof number === "string" ? [[at, number] as const] : [];
  });
}

function unusable(name: string, why: string): ServiceRefusal {
  return new ServiceRefusal("service_answer_refused", `service ${name} ${why}`);
}
