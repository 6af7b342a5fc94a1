/** A file that is made of what is shown, and a note about it. */
export interface MadeFile {
  readonly content: Blob;
  readonly extension: string;
  /** What the file is not: "Drawn at 40 % to stay below 16 megapixels; …" */
  readonly note?: string;
}
