"use client";
import { ResourceRefSchema, type ResourceRef } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { useMemo, type ReactNode } from "react";
import { MultiChoice } from "../../ui/multi-choice.tsx";
import { tLater } from "../../ui/messages.ts";
import { nameOfSelection } from "../address/name-of-selection.ts";
import { selectionOf } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { useEnvironmentStore, useGraphVersion, useView } from "../live/environment-context.tsx";
import { isWorkload, WORKLOAD_KINDS } from "../resource/has-logs.ts";
import { LogBoard } from "./board/log-board.tsx";
import type { LogsOf } from "./read/log-request.ts";

/** Logs of all pods of an environment, or of some of its workloads. */
export function LogsView(): ReactNode {
  const { environment } = useView();
  const [url, setUrl] = useUrlState();
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  const { of: chosen } = url.logs;
  const [projectPath, name] = [environment?.projectPath ?? "", environment?.name ?? ""];
  const key = chosen.join(",");
  const of = useMemo<LogsOf>(
    () => ({ projectPath, environment: name, refs: chosen.map(refOfSelection) }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- by what it is made of
    [projectPath, name, key],
  );
  const workloads = useMemo(
    () =>
      [...store.nodes.values()]
        .filter((node) => node.ownerId === "" && node.ref !== undefined && isWorkload(node.ref))
        .map((node) => (node.ref === undefined ? "" : selectionOf(node.ref)))
        .toSorted(),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the store is changed in place
    [store, version],
  );
  // Only what is read of an environment that is known.
  if (name === "") return null;
  return (
    <LogBoard of={of} name={name}>
      <MultiChoice
        label={tLater("logs-page/of")}
        options={[...new Set([...workloads, ...chosen])]}
        chosen={chosen}
        wordOf={nameOfSelection}
        onChange={(next) => setUrl({ logs: { ...url.logs, of: next } })}
      />
    </LogBoard>
  );
}

/** What a selection (`selectionOf`) of a pod or a workload names. */
function refOfSelection(selection: string): ResourceRef {
  const [first = "", resource = "", namespace = "", ...name] = selection.split("/");
  const group = first === "core" ? "" : first;
  return create(ResourceRefSchema, {
    group,
    version: "v1",
    kind: resource === "pods" ? "Pod" : (WORKLOAD_KINDS[`${group}/${resource}`] ?? ""),
    resource,
    namespace,
    name: name.join("/"),
  });
}
