import type { MadeFile } from "@binnacle/presentation/export/made-file";
import type { ExportScope, ExportSubject } from "@binnacle/presentation/export/export-scope";

/** A kind of file that something can leave the page as. */
export interface ExportFormat {
  readonly key: string;
  readonly title: string;
  /** What it is good for, in a few words. */
  readonly does: string;
  /** Makes it of what is shown now; loads the code that it takes. @throws when it cannot be made */
  readonly make: (scope: ExportScope) => Promise<MadeFile>;
}

/** What can be exported here. */
export interface ExportMenuProps {
  readonly subject: ExportSubject;
  readonly formats: readonly ExportFormat[];
  /** What it leaves out besides what the view does, as sentences; called when the menu is open. */
  readonly gaps: () => readonly string[];
}
