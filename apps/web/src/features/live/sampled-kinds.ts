import type { Node, Source } from "@binnacle/proto/dashboard";
import { StaleCause } from "@binnacle/proto/dashboard-enums";
import type { Duration } from "@bufbuild/protobuf/wkt";
import { formatSecond, millisOf } from "../../ui/format-time.ts";
import { everyWords } from "@binnacle/presentation/text/every-words";
import { t } from "../../ui/messages.ts";

/** Kinds without a watch: they are listed periodically. */
export interface SampledKinds {
  /** Plural names, sorted; the same name of two groups once. */
  readonly names: readonly string[];
  /** The oldest list, milliseconds since the epoch by the server's clock. */
  readonly asOfMs: number;
  /** The longest time between two lists, milliseconds. */
  readonly everyMs: number;
}

/** Whether a kind is listed every so often. One of which there is nothing is only looked for, and says nothing that could be old. */
export function isSampled({ staleCause, every }: Source): boolean {
  return staleCause === StaleCause.SAMPLED && every !== undefined;
}

/** All sampled kinds together; `undefined` when every kind is followed. */
export function sampledKinds(sources: readonly Source[]): SampledKinds | undefined {
  const sampled = sources.filter(isSampled);
  if (sampled.length === 0) return undefined;
  return {
    names: [...new Set(sampled.map(({ resource }) => resource))].toSorted(),
    asOfMs: Math.min(...sampled.map(sampledMs)),
    everyMs: Math.max(...sampled.map(({ every }) => millisOfDuration(every))),
  };
}

/** The source that a resource is known from, when that is sampled. */
export function sampledSourceOf({ ref }: Pick<Node, "ref">, sources: readonly Source[]): Source | undefined {
  return sources.find(
    (source) =>
      isSampled(source) &&
      source.group === ref?.group &&
      source.resource === ref.resource &&
      (source.namespace === "" || source.namespace === ref.namespace),
  );
}

/** "3 kinds every 30 s", for a pill. */
export function sampledCount({ names, everyMs }: SampledKinds): string {
  return t("live/kinds-every", { count: names.length, every: everyWords(everyMs) });
}

/** "configmaps, events as of 12:31:20, every 30 s"; at most three names. */
export function sampledWords({ names, asOfMs, everyMs }: SampledKinds, nowMs: number): string {
  return t("live/kinds-as-of", {
    names: names.slice(0, 3).join(", "),
    more: names.length > 3 ? names.length - 3 : undefined,
    at: formatSecond(asOfMs, nowMs),
    every: everyWords(everyMs),
  });
}

/** "as of 12:31:20, every 30 s", of one kind. */
export function sampledAge(source: Source, nowMs: number): string {
  return t("live/kind-as-of", { at: formatSecond(sampledMs(source), nowMs), every: everyWords(millisOfDuration(source.every)) });
}

/** Of when a source is, by the clock of the server. */
export function sampledMs({ staleSince, asOf }: Source): number {
  const at = staleSince ?? asOf;
  return at === undefined ? 0 : millisOf(at);
}

function millisOfDuration(duration: Duration | undefined): number {
  return duration === undefined ? 0 : Number(duration.seconds) * 1_000 + duration.nanos / 1e6;
}
