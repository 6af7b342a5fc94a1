import { isFields, parseJson, textAt, type Fields } from "@binnacle/kube";

import type { InventoryRef } from "../inventory/inventory.ts";
import type { LeaseNotes } from "./lease.ts";
import type { ProjectOptions } from "./project-options.ts";

/** What is recorded of one project, in texts. */
type Entry<Field extends string> = Readonly<Record<Field, string>>;

/** How entries are recorded. */
interface RecordForm<Field extends string> {
  /** Annotation of the Lease. */
  readonly annotation: string;
  /** The first one is empty in no entry. */
  readonly fields: readonly [Field, ...Field[]];
  /** The options of a project by which an entry was made: with others it does not hold any more. */
  readonly optionsOf: (project: ProjectOptions) => readonly unknown[];
}

/** An entry for each project, in an annotation of the Lease, so that another process or replica goes on with it. */
class ProjectRecords<Field extends string> implements LeaseNotes {
  readonly #form: RecordForm<Field>;
  /** By project, with the options that each was made by. */
  #entries = new Map<string, Entry<Field | "by">>();

  constructor(form: RecordForm<Field>) {
    this.#form = form;
  }

  /** The entry of a project that was made with these options. */
  find(project: ProjectOptions): Entry<Field> | undefined {
    const found = this.#entries.get(project.id);
    return found?.by === this.#by(project) ? found : undefined;
  }

  add(project: ProjectOptions, entry: Entry<Field>): void {
    this.#entries.set(project.id, this.#entryOf({ ...entry, by: this.#by(project) }));
  }

  delete(project: ProjectOptions): void {
    this.#entries.delete(project.id);
  }

  /** Takes over what stands in the annotations of the Lease. */
  load(annotations: Fields): void {
    const value = parseJson(textAt(annotations, this.#form.annotation));
    const entries = Object.entries(isFields(value) ? value : {}).map(([project, entry]) => [project, this.#entryOf(entry)] as const);
    this.#entries = new Map(entries.filter(([, entry]) => entry[this.#form.fields[0]] !== ""));
  }

  /** What is to stand in the annotations of the Lease. */
  toAnnotations(): Readonly<Record<string, string>> {
    return { [this.#form.annotation]: JSON.stringify(Object.fromEntries(this.#entries)) };
  }

  /** Forgets projects that are configured no more. */
  keepOnly(projects: readonly ProjectOptions[]): void {
    const ids = new Set(projects.map(({ id }) => id));
    for (const id of this.#entries.keys()) if (!ids.has(id)) this.#entries.delete(id);
  }

  #entryOf(value: unknown): Entry<Field | "by"> {
    const texts = [...this.#form.fields, "by"].map((field) => [field, textAt(value, field)]);
    // One text for each field of an entry.
    return Object.fromEntries(texts) as Entry<Field | "by">;
  }

  #by(project: ProjectOptions): string {
    return JSON.stringify(this.#form.optionsOf(project));
  }
}

/** Commits that failed for their size, with one sentence for people that names no file: they are not tried again until commit, limit or globs change. */
export class TooLargeCommits extends ProjectRecords<"commitId" | "reason"> {
  constructor() {
    super({
      annotation: "gitops.binnacle/too-large",
      fields: ["commitId", "reason"],
      optionsOf: ({ maxObjects, globs }) => [maxObjects, globs],
    });
  }
}

/** Where inventories are: their place may stand in manifests that cannot be read, or that kas refuses to send. */
export class InventoryLocations extends ProjectRecords<Exclude<keyof InventoryRef, "formerId">> {
  constructor() {
    super({
      annotation: "gitops.binnacle/inventories",
      fields: ["name", "namespace", "id"],
      optionsOf: ({ defaultNamespace, globs }) => [defaultNamespace, globs],
    });
  }
}
