import { fieldsAt, listAt, ownedAt, ownsField, textAt, type Fields, type KubeObject } from "@binnacle/kube";

/** Entries of an object that are looked at; a few is usual. */
const MAX_ENTRIES = 50;
/** The API server allows 128 characters; one that lies may say anything. */
const MAX_MANAGER_CHARS = 128;

/** Who owns which fields of an object, as the API server has it. `applier` is who applies its manifest. */
export class ManagedEntries {
  /** What the applier owns; empty when that is not known in this version of the API. */
  readonly applied: Fields;
  readonly #all: readonly Fields[];
  readonly #others: readonly { readonly manager: string; readonly fields: Fields }[];

  constructor(live: KubeObject, applier: string) {
    const entries = listAt(live.metadata, "managedFields").slice(0, MAX_ENTRIES);
    // Paths are those of the version that an entry was written in.
    const isOfVersion = (entry: unknown): boolean => textAt(entry, "apiVersion") === live.apiVersion;
    const isApplied = (entry: unknown): boolean =>
      textAt(entry, "manager") === applier &&
      textAt(entry, "operation") === "Apply" &&
      textAt(entry, "subresource") === "" &&
      isOfVersion(entry);
    this.#all = entries.filter(isOfVersion).map((entry) => fieldsAt(entry, "fieldsV1"));
    this.applied = fieldsAt(entries.find(isApplied), "fieldsV1");
    this.#others = entries
      .filter((entry) => !isApplied(entry) && textAt(entry, "manager") !== "")
      .map((entry) => ({ manager: textAt(entry, "manager").slice(0, MAX_MANAGER_CHARS), fields: fieldsAt(entry, "fieldsV1") }));
  }

  /** Which other manager owns a field; empty when none does, or it is not known. @param path names of fields and items */
  otherOwner(path: readonly string[]): string {
    return this.#others.find(({ fields }) => ownsField(fields, path))?.manager ?? "";
  }

  /** Whether a list or map with content is atomic (Server-Side Apply), or lies in one that is, so that nothing may be added. Its last writer owns it. */
  isAtomic(path: readonly string[]): boolean {
    const prefixes = path.map((_, index) => path.slice(0, index + 1));
    return this.#all.some((fields) => prefixes.some((prefix) => isEmpty(ownedAt(fields, prefix))));
  }

  /** Whether a list is a set, to which others may add. */
  isSet(path: readonly string[]): boolean {
    return this.#all.some((fields) => Object.keys(ownedAt(fields, path) ?? {}).some((name) => name.startsWith("v:")));
  }
}

function isEmpty(owned: Fields | undefined): boolean {
  return owned !== undefined && Object.keys(owned).length === 0;
}
