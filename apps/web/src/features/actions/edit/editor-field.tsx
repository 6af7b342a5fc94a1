"use client";
import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from "react";
import { tLater } from "../../../ui/messages.ts";
import styles from "./edit-dialog.module.css";
import type { KindSchema } from "./schema-path.ts";
import type { OpenDocument } from "./use-document.ts";
import { YamlEditor, type EditorProblem } from "./yaml-editor.ts";

/** The text of a document, its problems at their lines, and how it is left by keyboard. */
export function EditorField(props: {
  readonly document: OpenDocument;
  readonly label: string;
  readonly schema: KindSchema | null | undefined;
  readonly problems: readonly EditorProblem[];
  /** Called with the editor, and without one when it is gone. */
  readonly onEditor: (editor: YamlEditor | undefined) => void;
  readonly onText: (text: string) => void;
  readonly onReview: () => void;
}): ReactNode {
  const { document: shown, schema, problems } = props;
  const [editor, setEditor] = useState<YamlEditor>();
  const place = useRef<HTMLDivElement>(null);
  const hint = useId();
  const onText = useEffectEvent(props.onText);
  const onReview = useEffectEvent(props.onReview);
  const onEditor = useEffectEvent((made: YamlEditor | undefined) => {
    setEditor(made);
    props.onEditor(made);
  });
  const begin = useEffectEvent((parent: HTMLElement) => {
    const options = { text: shown.text, label: props.label, describedBy: hint };
    return new YamlEditor(parent, { ...options, onChange: (text) => onText(text), onReview: () => onReview() });
  });
  useEffect(() => {
    if (place.current === null) return undefined;
    const made = begin(place.current);
    onEditor(made);
    made.focus();
    return () => {
      onEditor(undefined);
      made.close();
    };
  }, []);
  useEffect(() => editor?.setSchema(schema ?? undefined), [editor, schema]);
  useEffect(() => editor?.setProblems(problems), [editor, problems]);
  return (
    <>
      {/* Escape in the editor is for the editor. */}
      <div ref={place} className={styles["editor"]} data-takes-escape="" data-yaml-editor="" />
      <p id={hint} className={styles["hint"]}>
        {tLater("edit-page/keys")} {schema === null && tLater("edit-page/no-schema")}
      </p>
    </>
  );
}
