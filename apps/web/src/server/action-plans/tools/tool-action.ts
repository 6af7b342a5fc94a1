/** Kinds of a tool and what can be done to them: a new tool is one file of this shape, named in `tool-catalogue.ts`. */
export interface ToolActions {
  /** As people call it: "Argo Rollouts". */
  readonly tool: string;
  readonly actions: readonly ToolAction[];
}

/** One action of a tool: it writes one field. */
export interface ToolAction {
  /** Names it among all tools: "flux/suspend". */
  readonly id: string;
  /** The tool's own word for it. */
  readonly label: string;
  /** Kinds that have it, as `group/resource`. */
  readonly kinds: readonly string[];
  /** Fields to the one that it writes; the last but one of an annotation is "annotations". */
  readonly path: readonly string[];
  readonly write: ToolWrite;
  /** The field is written through the subresource `status`. */
  readonly isStatus?: boolean;
  /** It is offered only for objects of which this holds; default: whose field has another value. */
  readonly isOffered?: (object: unknown) => boolean;
  /** The action that reverses it. */
  readonly reverse?: string;
}

/**
 * What is written.
 * - `value`: a value; the same value again changes nothing.
 * - `time`: when it was first requested, RFC 3339, so that a repeated request changes nothing.
 * - `removal`: the field is removed.
 * - `condition`: a condition of the list at `path` with status True, which a controller takes away again.
 */
type ToolWrite =
  | { readonly kind: "value"; readonly value: string | boolean }
  | { readonly kind: "time" }
  | { readonly kind: "removal" }
  | { readonly kind: "condition"; readonly type: string; readonly reason: string; readonly message: string };
