"use client";
import type { ReactNode } from "react";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { useView } from "../live/environment-context.tsx";
import { sampledKinds, sampledWords } from "../live/sampled-kinds.ts";

/** Which kinds of the list are not of now, and how old they are. Nothing while all are followed. */
export function SampledNote(): ReactNode {
  const { sources } = useView();
  const now = useNow();
  const kinds = sampledKinds(sources.filter(({ shown }) => shown > 0));
  if (kinds === undefined) return null;
  return (
    <span className="muted num" style={{ marginRight: "var(--s3)" }} title={kinds.names.join(", ")} data-sampled-note="">
      <WithTimes text={sampledWords(kinds, now)} times={[kinds.asOfMs]} now={now} />
    </span>
  );
}
