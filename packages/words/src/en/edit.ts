import type { Catalogue } from "../catalogue.ts";

/** Why a document of an object cannot be written. Facts: key, most, name, number, path, tag, why. */
export const EDIT = {
  "edit/alias": "aliases such as *{name} are not read: write the value itself",
  "edit/base": "the document that was opened cannot be read: {why}",
  "edit/changed": "the object has changed since it was opened: nothing was changed",
  "edit/fixed": "{path} cannot be edited: it is set by the cluster, or names the object",
  "edit/key-no-text": "a key must be text",
  "edit/key-twice": "the key {key} is here twice",
  "edit/mask": "***** stands for a value that is not shown: leave it as it is, remove it, or write the new value",
  "edit/no-object": "the document must be one object: keys with values",
  "edit/no-version": "the version of the object is not known: open it again",
  "edit/not-yaml": "this is not YAML: {why}",
  "edit/number": "JSON cannot hold the number {number}: write it as text",
  "edit/other-base": "the document that was opened is not that of the object: open it again",
  "edit/status": "the status is written by controllers and cannot be edited",
  "edit/tag": "the tag {tag} is not known: leave it out",
  "edit/too-deep": "the document is nested more than {most} levels deep",
  "edit/too-long": "the document is longer than {most} bytes, or has too many parts",
  "edit/two-documents": "a second document begins here: one object is edited at a time",
} as const satisfies Catalogue;
