import { autocompletion, closeCompletion, completionKeymap, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { closeSearchPanel, highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers, type Tooltip } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { parseAllDocuments } from "yaml";

import { optionsAt, placeOf, schemaAt, type FieldSchema, type KindSchema } from "./schema-path.ts";

/** Longer texts are checked by the server alone. */
const MAX_CHECKED_CHARS = 400_000;
const CHECK_AFTER_MS = 300;
/** After Escape, unless another key comes before; CodeMirror's own two seconds are short. */
const TAB_LEAVES_MS = 10_000;

/** Something wrong with a line of the document. */
export interface EditorProblem {
  /** From 1; 0: of the document as a whole. */
  readonly line: number;
  readonly text: string;
}

/** How an editor begins, and what happens in it. */
export interface YamlEditorOptions {
  readonly text: string;
  readonly label: string;
  /** Id of the element that says how the editor is left by keyboard. */
  readonly describedBy: string;
  readonly onChange: (text: string) => void;
  /** The changes are to be reviewed. */
  readonly onReview: () => void;
}

/** An editor of YAML, drawn by CodeMirror. */
export class YamlEditor {
  readonly #view: EditorView;
  #schema: KindSchema | undefined;
  #check: ReturnType<typeof setTimeout> | undefined;
  /** Of the server, until the text is another. */
  #problems: readonly EditorProblem[] = [];

  constructor(parent: HTMLElement, { text, label, describedBy, onChange, onReview }: YamlEditorOptions) {
    const nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
    const review = (): boolean => {
      onReview();
      return true;
    };
    const extensions = [
      EditorView.cspNonce.of(nonce),
      EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": describedBy, translate: "no", tabindex: "0" }),
      lineNumbers(),
      foldGutter(),
      history(),
      drawSelection(),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      indentUnit.of("  "),
      yaml(),
      syntaxHighlighting(COLOURS),
      search({ top: true }),
      lintGutter(),
      autocompletion({ override: [(context) => this.#complete(context)], icons: false }),
      hoverTooltip((view, at) => this.#describe(view.state.doc, at)),
      keymap.of([
        { key: "Mod-Enter", run: review },
        ...completionKeymap,
        ...defaultKeymap,
        ...historyKeymap,
        ...searchKeymap,
        ...foldKeymap,
        ...lintKeymap,
        // Escape, then Tab, leaves the editor: `#escape`.
        indentWithTab,
      ]),
      THEME,
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (!docChanged) return;
        this.#problems = [];
        onChange(state.doc.toString());
        this.#checkSoon();
      }),
    ];
    this.#view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
    this.#view.dom.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") this.#escape();
    });
  }

  setSchema(schema: KindSchema | undefined): void {
    this.#schema = schema;
  }

  /** Marks what the server says of the text. */
  setProblems(problems: readonly EditorProblem[]): void {
    this.#problems = problems;
    this.#mark();
  }

  focus(): void {
    this.#view.focus();
  }

  /** Goes to a line, from 1. */
  goTo(line: number): void {
    const { doc } = this.#view.state;
    const { from } = doc.line(Math.min(Math.max(1, line), doc.lines));
    this.#view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.#view.focus();
  }

  close(): void {
    clearTimeout(this.#check);
    this.#view.destroy();
  }

  /** Closes what is open in the editor, and lets the next Tab leave it. The dialog around it takes the key before CodeMirror sees it. */
  #escape(): void {
    closeCompletion(this.#view);
    closeSearchPanel(this.#view);
    this.#view.setTabFocusMode(TAB_LEAVES_MS);
  }

  #checkSoon(): void {
    clearTimeout(this.#check);
    this.#check = setTimeout(() => this.#mark(), CHECK_AFTER_MS);
  }

  #mark(): void {
    const { state } = this.#view;
    const known = this.#problems.map(({ line, text }) => toDiagnostic(state.doc, line, text));
    this.#view.dispatch(setDiagnostics(state, known.length > 0 ? known : syntaxErrors(state.doc)));
  }

  #complete({ state, pos, explicit }: CompletionContext): CompletionResult | null {
    if (this.#schema === undefined) return null;
    const { number, from, text } = state.doc.lineAt(pos);
    const before = text.slice(0, pos - from);
    const place = placeOf([...linesBefore(state.doc, number), before]);
    if (place === undefined || (!explicit && place.key === "" && place.valueColumn === undefined)) return null;
    const options = optionsAt(this.#schema, place).map(({ label, schema }) => ({
      label,
      ...(place.valueColumn === undefined && { apply: isNested(schema) ? `${label}:` : `${label}: ` }),
      ...(schema.type !== undefined && { detail: schema.type }),
      ...(schema.description !== undefined && { info: schema.description }),
    }));
    const start = from + (place.valueColumn ?? place.column);
    return options.length === 0 || start > pos ? null : { from: start, options, validFor: /^[\w./-]*$/ };
  }

  #describe(doc: Text, at: number): Tooltip | null {
    const { number, from, text } = doc.lineAt(at);
    const place = placeOf([...linesBefore(doc, number), text]);
    if (this.#schema === undefined || place === undefined || place.key === "") return null;
    const [start, end] = [from + place.column, from + place.column + place.key.length];
    const description = schemaAt(this.#schema, [...place.path, place.key])?.description;
    if (description === undefined || at < start || at > end) return null;
    return {
      pos: start,
      end,
      above: true,
      create: () => {
        const dom = document.createElement("div");
        dom.className = "cm-field-description";
        dom.textContent = description;
        return { dom };
      },
    };
  }
}

function linesBefore(doc: Text, number: number): string[] {
  return [...doc.iterLines(1, number)];
}

function isNested({ type, properties, items }: FieldSchema): boolean {
  return type === "object" || type === "array" || properties !== undefined || items !== undefined;
}

function toDiagnostic(doc: Text, line: number, message: string): Diagnostic {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return { from, to, severity: "error", message };
}

function syntaxErrors(doc: Text): Diagnostic[] {
  if (doc.length > MAX_CHECKED_CHARS) return [];
  return parseAllDocuments(doc.toString(), { uniqueKeys: false, logLevel: "silent" })
    .flatMap(({ errors }) => errors)
    .slice(0, 20)
    .map(({ pos, message }) => {
      const { from, to } = doc.lineAt(Math.min(pos[0], doc.length));
      return { from, to, severity: "error", message: message.split(" at line ")[0] ?? message };
    });
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.content, tags.attributeValue], color: "var(--ink)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--ink-3)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: "var(--ink-2)" },
]);

const PANEL = { backgroundColor: "var(--surface)", color: "var(--ink)", border: "1px solid var(--line-strong)", borderRadius: "var(--r2)" };

const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--surface)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "20px", overscrollBehavior: "contain" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--surface-2)", color: "var(--ink-3)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--accent-soft)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 24%, transparent)",
  },
  ".cm-tooltip": { ...PANEL, boxShadow: "var(--shadow-2)", maxWidth: "min(480px, 90vw)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-ink)" },
  ".cm-completionDetail": { color: "inherit", opacity: "0.8" },
  ".cm-field-description, .cm-completionInfo": { padding: "6px 10px", whiteSpace: "pre-wrap", font: "var(--t-12)" },
  ".cm-panels": { backgroundColor: "var(--surface-2)", color: "var(--ink)", borderBottom: "1px solid var(--line)" },
  ".cm-textfield": { ...PANEL, borderColor: "var(--control)" },
  ".cm-button": { ...PANEL, backgroundImage: "none", borderColor: "var(--control)" },
  ".cm-foldPlaceholder": { ...PANEL, padding: "0 4px" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--st-degraded)" },
});
