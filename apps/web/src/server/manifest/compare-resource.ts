import { apiCodeOf, KubeClientError } from "@binnacle/environment-view";
import { GITOPS_FIELD_MANAGER, keyOf, versionOf, type KubeObject } from "@binnacle/kube";
import { compareManifest, manifestAt, type ManifestField } from "@binnacle/manifests";
import {
  CompareManifestResponseSchema,
  ManifestFieldSchema,
  ManifestFieldState,
  type CompareManifestResponse,
} from "@binnacle/proto/dashboard";
import { words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import type { BffContext } from "../bff-context.ts";
import { manifestOf, type FoundManifest } from "../delivery/manifest-of.ts";
import type { ResourceQuestion } from "../resource/open-environment.ts";
import { withResource, type OpenResource } from "../resource/with-resource.ts";
import { toSentWords } from "../wire/sent-words.ts";
import type { ManifestFileAnswer } from "./manifest-files.ts";

const STATES = {
  same: ManifestFieldState.SAME,
  different: ManifestFieldState.DIFFERENT,
  absent: ManifestFieldState.ABSENT,
  extra: ManifestFieldState.EXTRA,
} as const;

/**
 * One resource beside the manifest that an agent applies it from. The agent says where that stands; the file is read as the viewer, from the main
 * application, so nobody sees more of it than there (ADR 17).
 *
 * @throws Fault as `withResource`
 */
export async function compareResource(context: BffContext, question: ResourceQuestion): Promise<CompareManifestResponse> {
  return withResource(context, question, async (resource) => {
    const { viewerAccess, access, scope, object } = resource;
    const found = await manifestOf(object, { gitops: context.gitops, clock: context.clock, viewerAccess, access, scope });
    if (found === undefined) return without(words("manifest/not-known"));
    const { project, commitId, place } = found;
    const file = await context.manifestFiles.read(viewerAccess, { project, commitId, path: place.path });
    if (file.kind !== "text") return without(whyNoFile(file, found), found);
    const key = keyOf(object);
    // An agent of an earlier release reports the line of a field that was refused instead of the object's: then the object is looked up.
    const manifest = manifestAt(file.text, { line: place.line, key }) ?? manifestAt(file.text, { line: 0, key });
    if (manifest === undefined) return without(words("manifest/not-there", { ...factsOf(found), line: String(place.line) }), found);
    const live = await inVersion(resource, manifest.object.apiVersion, question.signal);
    if (live === undefined) return without(words("manifest/not-served", { version: manifest.object.apiVersion }), found);
    const isSecret = resource.ref.resource === "secrets";
    const { fields, different, compared, isCut } = compareManifest({ manifest, live, applier: GITOPS_FIELD_MANAGER, isSecret });
    return create(CompareManifestResponseSchema, {
      ...saying(found, manifest.line),
      fields: fields.map(toField),
      different,
      compared,
      cut: isCut,
    });
  });
}

/** The object in another version of its group; `undefined` where that is not served. */
async function inVersion(resource: OpenResource, apiVersion: string, signal: AbortSignal): Promise<KubeObject | undefined> {
  const { object, access, kind, ref } = resource;
  if (apiVersion === object.apiVersion) return object;
  try {
    const asked = { ...kind, version: versionOf(apiVersion) };
    return await access.client.get({ kind: asked, namespace: ref.namespace, name: ref.name }, signal);
  } catch (error) {
    if (error instanceof KubeClientError && apiCodeOf(error) === 404) return undefined;
    throw error;
  }
}

function without(why: Words, found?: FoundManifest): CompareManifestResponse {
  return create(CompareManifestResponseSchema, { words: toSentWords(why), ...(found && saying(found)) });
}

function saying({ project, commitId, place: { path, line: reported, url } }: FoundManifest, line = reported) {
  return { project, sha: commitId, manifest: { path, line, url: url.replace(/#L\d+$/, `#L${line}`) } };
}

function factsOf({ project, commitId, place }: FoundManifest) {
  return { project, path: place.path, commit: commitId.slice(0, 8) };
}

function whyNoFile({ kind }: Exclude<ManifestFileAnswer, { kind: "text" }>, found: FoundManifest): Words {
  return words(`manifest/${kind}`, factsOf(found));
}

function toField({ state, isHidden, ...field }: ManifestField) {
  return create(ManifestFieldSchema, { ...field, state: STATES[state], hidden: isHidden });
}
