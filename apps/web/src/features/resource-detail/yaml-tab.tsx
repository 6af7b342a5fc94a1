"use client";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import { Presence } from "@binnacle/proto/dashboard-enums";
import { useMemo, useState, type ReactNode } from "react";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { tLater } from "../../ui/messages.ts";
import { useUrlState } from "../address/use-url-state.ts";
import type { LiveNode } from "../live/live-node.ts";
import { LoadProblem } from "./load-problem.tsx";
import type { ResourceState } from "./use-resource.ts";
import { findInText } from "./yaml/find-in-text.ts";
import { clickedRange, lineRange } from "./yaml/line-range.ts";
import { YamlText } from "./yaml/yaml-text.tsx";
import { YamlTools } from "./yaml/yaml-tools.tsx";

/** The object as the cluster has it, and what is left out of it. */
export function YamlTab(props: {
  readonly node: LiveNode;
  readonly resource: ResourceState;
  readonly kept: boolean;
  /** Opens an editor; absent: there is none. */
  readonly edit?: ReactNode;
}): ReactNode {
  const { node, resource, kept, edit } = props;
  const { answer, problem, loading } = resource;
  return (
    <>
      <LoadProblem resource={resource} what="object" />
      {answer !== undefined && <YamlOf node={node} yaml={answer.yaml} edit={edit} />}
      {answer === undefined && loading && <output>{tLater("ui/loading")}</output>}
      {answer === undefined && !loading && problem === undefined && <p className="muted">{absenceWords(node, kept)}</p>}
    </>
  );
}

function YamlOf({ node, yaml, edit }: { readonly node: LiveNode; readonly yaml: string; readonly edit: ReactNode }): ReactNode {
  const [query, setQuery] = useState("");
  const [wanted, setWanted] = useState(0);
  const [wraps, setWraps] = useState(false);
  const hits = useMemo(() => findInText(yaml, query), [yaml, query]);
  const found = hits.spans.length;
  // The object may change while it is read: there may be fewer hits than before.
  const at = Math.min(wanted, Math.max(0, found - 1));
  const search = {
    query,
    hits,
    at,
    onQuery: (next: string) => {
      setQuery(next);
      setWanted(0);
    },
    onStep: (by: number) => setWanted(found === 0 ? 0 : (at + by + found) % found),
  };
  const [{ line }, setUrl] = useUrlState();
  const total = useMemo(() => yaml.replace(/\n$/, "").split("\n").length, [yaml]);
  const lines = lineRange(line, total);
  const { kind = "", name = "" } = node.ref ?? {};
  return (
    <>
      <YamlTools
        {...{ yaml, search, wraps, line, edit }}
        fileName={yamlFileName({ kind, name })}
        onWrap={setWraps}
        onLine={(next) => setUrl({ line: next })}
      />
      {line !== "" && lines === undefined && <p className="muted">{tLater("yaml/no-line", { line, total })}</p>}
      <YamlText
        {...{ yaml, search, wraps, lines }}
        label={tLater("yaml/region", { kind, name: drawnName(name) })}
        onLine={(at, how) => setUrl({ line: clickedRange(lines, at, how) })}
      />
      <p className="muted">
        {`${tLater("yaml/left-out")}.`} {node.ref?.resource === "secrets" && `${tLater("yaml/masked")}.`}
      </p>
    </>
  );
}

function absenceWords(node: LiveNode, kept: boolean): string {
  const id = node.presence === Presence.NOT_VISIBLE ? "yaml/not-visible" : "yaml/none";
  return `${tLater(kept ? "yaml/kept" : id)}.`;
}

/** `deployment-web.yaml`; whatever no system of files has in a name is a hyphen. */
export function yamlFileName({ kind, name }: Pick<ResourceRef, "kind" | "name">): string {
  return `${kind.toLowerCase()}-${name}`.replaceAll(/[^\w.-]/g, "-").slice(0, 200) + ".yaml";
}
