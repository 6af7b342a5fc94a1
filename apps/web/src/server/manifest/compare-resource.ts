import { apiCodeOf, KubeClientError } from "@binnacle/environment-view";
import { managerOf } from "@binnacle/graph";
import {
  GITOPS_FIELD_MANAGER,
  keyOf,
  versionOf,
  type KubeObject,
  encodeKey,
  fieldsAt,
  isKubeObject,
  LAST_APPLIED,
  textAt,
} from "@binnacle/kube";
import { compareManifest, manifestAt, type ManifestComparison, type ManifestField, type ManifestText } from "@binnacle/manifests";
import {
  CompareManifestResponseSchema,
  ManifestFieldSchema,
  ManifestFieldState,
  ManifestSource,
  type CompareManifestResponse,
} from "@binnacle/proto/dashboard";
import type { Clock } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { manifestOf, type FoundManifest } from "../delivery/manifest-of.ts";
import type { ResourceQuestion } from "../environment/open-environment.ts";
import { withResource, type OpenResource, type ResourceContext } from "../resource/with-resource.ts";
import { toSentWords } from "../base/sent-words.ts";
import type { ManifestFileAnswer, ManifestFiles } from "./manifest-files.ts";
import type { SyncsContext } from "../syncs/gitops-syncs.ts";

/** What a resource is compared with. */
export interface CompareContext extends ResourceContext, SyncsContext {
  readonly clock: Clock;
  /** Files that agents apply from. */
  readonly manifestFiles: ManifestFiles;
}

const STATES = {
  same: ManifestFieldState.SAME,
  different: ManifestFieldState.DIFFERENT,
  absent: ManifestFieldState.ABSENT,
  extra: ManifestFieldState.EXTRA,
} as const;

/** Managed fields have no entry of it: what was applied on the client's side owns nothing as its applier. */
const NO_APPLIER = "";

/** The state of an object that was applied last, as far as the object itself holds it. */
type LastApplied = {
  readonly manifest: ManifestText;
  /** Who applied it, and where it stands. */
  readonly source: Words;
};

const WITHOUT_VALUES = {
  "cli-utils": "manifest/not-known",
  "flux-kustomization": "manifest/flux",
  "flux-helmrelease": "manifest/helm",
  helm: "manifest/helm",
} as const;

/**
 * Compares one resource with the manifest that an agent applies it from. The agent reports where that is; the file is read as the viewer,
 * from the main application, so no viewer sees more of it than there (ADR 17). A resource that no agent applies is compared with the state
 * applied last, where the resource itself holds that.
 *
 * @throws Fault as `withResource`
 */
export async function compareResource(context: CompareContext, question: ResourceQuestion): Promise<CompareManifestResponse> {
  return withResource(context, question, async (resource) => {
    const { viewerAccess, access, scope, object } = resource;
    const found = await manifestOf(object, { gitops: context.gitops, clock: context.clock, viewerAccess, access, scope });
    if (found === undefined) return compareLastApplied(resource, question.signal);
    const { project, commitId, place } = found;
    const file = await context.manifestFiles.read(viewerAccess, { project, commitId, path: place.path });
    if (file.kind !== "text") return without(whyNoFile(file, found), found);
    const key = keyOf(object);
    // An agent of an earlier release reports the line of a field that was refused instead of the object's: then the object is looked up.
    const manifest = manifestAt(file.text, { line: place.line, key }) ?? manifestAt(file.text, { line: 0, key });
    if (manifest === undefined) return without(words("manifest/not-there", { ...factsOf(found), line: String(place.line) }), found);
    const comparison = await compare(resource, { manifest, applier: GITOPS_FIELD_MANAGER, signal: question.signal });
    if (comparison === undefined) return without(words("manifest/not-served", { version: manifest.object.apiVersion }), found);
    return create(CompareManifestResponseSchema, {
      ...saying(found, manifest.line),
      ...toFields(comparison),
      source: ManifestSource.GIT,
    });
  });
}

async function compareLastApplied(resource: OpenResource, signal: AbortSignal): Promise<CompareManifestResponse> {
  const found = lastAppliedOf(resource.object);
  if ("why" in found) return without(found.why);
  const { manifest, source } = found;
  const comparison = await compare(resource, { manifest, applier: NO_APPLIER, signal });
  if (comparison === undefined) return without(words("manifest/not-served", { version: manifest.object.apiVersion }));
  return create(CompareManifestResponseSchema, {
    ...toFields(comparison),
    source: ManifestSource.LAST_APPLIED,
    sourceWords: toSentWords(source),
  });
}

/** The comparison in the version of the manifest; `undefined` where the cluster does not serve that. */
async function compare(
  resource: OpenResource,
  { manifest, applier, signal }: { readonly manifest: ManifestText; readonly applier: string; readonly signal: AbortSignal },
): Promise<ManifestComparison | undefined> {
  const live = await inVersion(resource, manifest.object.apiVersion, signal);
  return live && compareManifest({ manifest, live, applier, isSecret: resource.ref.resource === "secrets" });
}

/** The object in another version of its group; `undefined` where that is not served. */
async function inVersion(resource: OpenResource, apiVersion: string, signal: AbortSignal): Promise<KubeObject | undefined> {
  const { object, access, kind, ref } = resource;
  if (apiVersion === object.apiVersion) return object;
  try {
    const versioned = { ...kind, version: versionOf(apiVersion) };
    return await access.client.get({ kind: versioned, namespace: ref.namespace, name: ref.name }, signal);
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

function toFields({ fields, different, compared, isCut, texts }: ManifestComparison) {
  const yaml = texts && { desiredYaml: texts.desired, liveYaml: texts.live };
  return { fields: fields.map(toField), different, compared, cut: isCut, ...yaml };
}

function toField({ state, isHidden, ...field }: ManifestField) {
  return create(ManifestFieldSchema, { ...field, state: STATES[state], hidden: isHidden });
}

/**
 * Reads the annotation that client-side apply of kubectl and Argo CD leaves. What applies in another way has only the names of its fields in
 * the cluster, and an annotation beside those is of an earlier owner.
 *
 * @returns a manifest without lines, or why there is none
 */
function lastAppliedOf(object: KubeObject): LastApplied | { readonly why: Words } {
  const manager = managerOf(object);
  const name = manager?.name ?? "";
  if (manager !== undefined && manager.tool !== "argocd") return { why: words(WITHOUT_VALUES[manager.tool], { name }) };
  const text = textAt(fieldsAt(object.metadata, "annotations"), LAST_APPLIED);
  const facts = { annotation: LAST_APPLIED, name };
  if (text === "") return { why: manager === undefined ? words("manifest/no-source") : words("manifest/argocd", { name }) };
  const applied = parse(text);
  if (applied === undefined || !isOf(applied, object)) return { why: words("manifest/last-applied-unreadable", facts) };
  const source = manager === undefined ? words("manifest/last-applied", facts) : words("manifest/last-applied-argocd", facts);
  return { manifest: { object: applied, line: 0, text: "" }, source };
}

function parse(text: string): KubeObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isKubeObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Copies of the annotation stand on what was copied by hand: those are of the other object. */
function isOf(applied: KubeObject, object: KubeObject): boolean {
  const key = keyOf(object);
  const namespace = keyOf(applied).namespace || key.namespace;
  return encodeKey({ ...keyOf(applied), namespace }) === encodeKey(key);
}
