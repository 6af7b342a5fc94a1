"use client";
import type { KeptField } from "@binnacle/proto/dashboard";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { sayLater } from "../../ui/said.ts";
import { sentenceOfError } from "../asked/asked-error.ts";
import { useEnvironmentStore, useView } from "../live/environment-context.tsx";
import { loadDashboard } from "../live/load-dashboard.ts";
import { nodeIdOf } from "../live/live-node.ts";

const LIMIT_MS = 20_000;

/** Copies a field that is kept, as the cluster has it now, as YAML for a commit; nothing where the view does not show the object. */
export function CopyKept({ kept }: { readonly kept: KeptField }): ReactNode {
  const ref = useEnvironmentStore().node(nodeIdOf(kept))?.ref;
  const { environment } = useView();
  const copying = useMutation({
    networkMode: "always",
    retry: false,
    mutationFn: async () => {
      if (ref === undefined || environment === undefined) return false;
      const question = { projectPath: environment.projectPath, environment: environment.name, ref };
      const { yaml } = await (await loadDashboard()).getResource(question, { timeoutMs: LIMIT_MS });
      const { keptYaml } = await import("./kept-yaml.ts");
      const text = keptYaml(yaml, kept.field);
      // Where a page came over plain HTTP from another host there is no clipboard.
      const clipboard = navigator.clipboard as Clipboard | undefined;
      if (text === undefined || clipboard === undefined) return false;
      await clipboard.writeText(text);
      return true;
    },
  });
  if (ref === undefined) return null;
  const failed = copying.data === false || copying.error !== null;
  return (
    <>
      <button type="button" className="btn sm" disabled={copying.isPending} onClick={() => copying.mutate()}>
        {sayLater("gitops/copy-as-yaml")}
      </button>
      <output>
        {copying.data === true && sayLater("gitops/copied")}
        {failed && (sentenceOfError(copying.error) ?? sayLater("gitops/not-copied"))}
      </output>
    </>
  );
}
