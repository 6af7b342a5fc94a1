"use client";
import { visibleText } from "@binnacle/words";
import { useEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode, type RefObject, Fragment, type MouseEvent } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { tLater } from "../../../ui/messages.ts";
import type { Hits } from "./find-in-text.ts";
import { type LineRange, partsAround } from "./line-range.ts";
import type { YamlSearch } from "./yaml-find.tsx";
import styles from "./yaml.module.css";

/** Lines of a YAML text that belong together: one field of the object with what is below it, or several fields of one line each. */
interface YamlSection {
  /** Where it begins: characters from the start of the whole, and the number of its first line, from 1. */
  readonly start: number;
  readonly line: number;
  /** The line of a field that has more below it; empty where nothing can be folded. */
  readonly head: string;
  /** What follows the head, without its last line break. */
  readonly body: string;
  readonly bodyLines: number;
}

/** An object's YAML in a region that scrolls by itself, with numbers of lines beside it while none wraps, and fields that fold. */
export function YamlText(props: {
  readonly yaml: string;
  readonly label: string;
  readonly search: Pick<YamlSearch, "query" | "hits" | "at">;
  readonly wraps: boolean;
  /** What a link is about. */
  readonly lines?: LineRange | undefined;
  /** Called after a click on a line number. */
  readonly onLine?: (line: number, how: { readonly extends: boolean }) => void;
}): ReactNode {
  const { yaml, label, search, wraps, lines, onLine } = props;
  const { query, hits, at } = search;
  const sections = useMemo(() => yamlSections(yaml), [yaml]);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const region = useRef<HTMLElement>(null);
  const goal = `${at} ${query}`;
  const [reached, setReached] = useState(goal);
  // The user has gone to another hit: the fold that contains it opens.
  if (reached !== goal) {
    setReached(goal);
    const from = hits.spans[at]?.from ?? -1;
    setFolded(without(folded, sections.findLast(({ start }) => start <= from)?.head));
  }
  const shown = useRef(goal);
  // Not when the object changes, so that the reading position stays.
  useEffect(() => {
    if (shown.current === goal) return;
    shown.current = goal;
    region.current?.querySelector("mark[data-at]")?.scrollIntoView({ block: "center", inline: "nearest" });
  }, [goal]);
  const from = lines?.from;
  const [linked, setLinked] = useState<number>();
  // A link leads into what is folded: it opens.
  if (linked !== from) {
    setLinked(from);
    if (from !== undefined)
      setFolded(without(folded, sections.find(({ line, bodyLines }) => from > line && from <= line + bodyLines)?.head));
  }
  useMarkedInSight(region, from);
  const last = sections.at(-1);
  const digits = String((last?.line ?? 1) + (last?.bodyLines ?? 0)).length;
  const style: CSSProperties & Record<"--digits", number> = { "--digits": digits };
  return (
    <section
      ref={region}
      className={`${styles["text"]} ${wraps ? styles["wraps"] : ""}`}
      style={style}
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <div className={styles["all"]}>
        {sections.map((section) => (
          <Section
            key={section.line}
            section={section}
            hits={hits}
            at={at}
            lines={lines}
            onLine={onLine}
            isFolded={section.head !== "" && folded.has(section.head)}
            onToggle={() => setFolded(folded.has(section.head) ? without(folded, section.head) : new Set([...folded, section.head]))}
          />
        ))}
      </div>
    </section>
  );
}

interface Shown {
  readonly hits: Hits;
  readonly at: number;
  readonly lines: LineRange | undefined;
  readonly onLine: ((line: number, how: { readonly extends: boolean }) => void) | undefined;
}

function Section(props: Shown & { readonly section: YamlSection; readonly isFolded: boolean; readonly onToggle: () => void }): ReactNode {
  const { section, isFolded, onToggle, ...shown } = props;
  const { head, body, start, line, bodyLines } = section;
  if (head === "") return <YamlLines text={body} start={start} line={line} count={bodyLines} {...shown} />;
  const { hits, at, lines, onLine } = shown;
  const isMarked = lines !== undefined && line >= lines.from && line <= lines.to;
  return (
    <>
      <div className={`${styles["lines"]} ${isMarked ? styles["marked"] : ""}`} data-marked={isMarked ? "" : undefined}>
        <LineNumbers line={line} count={1} lines={lines} onLine={onLine} />
        <button type="button" className={styles["head"]} translate="no" aria-expanded={!isFolded} onClick={onToggle}>
          <Icon name={isFolded ? "right" : "down"} size={12} />
          <HitText text={head} start={start} hits={hits} at={at} />
        </button>
        {isFolded && <span className={styles["folded"]}>{tLater("yaml/folded", { lines: bodyLines })}</span>}
      </div>
      {!isFolded && <YamlLines text={body} start={start + head.length + 1} line={line + 1} count={bodyLines} {...shown} />}
    </>
  );
}

function without(set: ReadonlySet<string>, each: string | undefined): ReadonlySet<string> {
  return new Set([...set].filter((other) => other !== each));
}

/** Brings the lines that a link is about into sight, when it names others; not when the object changes, so that the reading position stays. */
function useMarkedInSight(region: RefObject<HTMLElement | null>, from: number | undefined): void {
  useEffect(() => {
    const marked = from === undefined ? null : region.current?.querySelector("[data-marked]");
    if (!marked) return;
    const [inner, outer] = [marked.getBoundingClientRect(), region.current?.getBoundingClientRect()];
    // After a click the line is visible already.
    if (outer && inner.top >= outer.top && inner.top < outer.bottom - inner.height / 2) return;
    marked.scrollIntoView({ block: "center", inline: "nearest" });
  }, [region, from]);
}

/** Lines with their numbers beside them; those that a link is about are marked. */
function YamlLines(props: {
  readonly text: string;
  /** Where it begins in the whole. */
  readonly start: number;
  readonly line: number;
  readonly count: number;
  readonly hits: Hits;
  readonly at: number;
  readonly lines: LineRange | undefined;
  readonly onLine: ((line: number, how: { readonly extends: boolean }) => void) | undefined;
}): ReactNode {
  const { text, start, line, count, hits, at, lines, onLine } = props;
  const parts = partsAround(text, line, lines);
  return (
    <div className={styles["lines"]}>
      <LineNumbers line={line} count={count} lines={lines} onLine={onLine} />
      <pre className={styles["code"]} translate="no">
        {parts.map((part) =>
          parts.length === 1 && !part.isMarked ? (
            <HitText key={part.line} text={part.text} start={start} hits={hits} at={at} />
          ) : (
            <span
              key={part.line}
              className={part.isMarked ? styles["marked"] : styles["block"]}
              data-marked={part.isMarked ? "" : undefined}
            >
              <HitText text={part.text} start={start + part.offset} hits={hits} at={at} />
            </span>
          ),
        )}
      </pre>
    </div>
  );
}

/** The sections of an object's YAML, in their order. Joined by line breaks, heads and bodies are the text again. */
export function yamlSections(yaml: string): readonly YamlSection[] {
  const lines = yaml.replace(/\n$/, "").split("\n");
  const sections: YamlSection[] = [];
  let [index, start] = [0, 0];
  while (index < lines.length) {
    const folds = isBelow(lines[index + 1]);
    let end = index + 1;
    while (end < lines.length && (folds ? isBelow(lines[end]) : !isBelow(lines[end]) && !isBelow(lines[end + 1]))) end += 1;
    const body = lines.slice(folds ? index + 1 : index, end);
    const section = { start, line: index + 1, head: folds ? (lines[index] ?? "") : "", body: body.join("\n"), bodyLines: body.length };
    sections.push(section);
    start += (folds ? section.head.length + 1 : 0) + section.body.length + 1;
    index = end;
  }
  return sections;
}

/** Part of the field above it. What is written for people begins no field with a space or a line of nothing. */
function isBelow(line: string | undefined): boolean {
  return line !== undefined && (line === "" || line.startsWith(" "));
}

/** A part of a text with the hits in it marked, and its invisible characters. @param props.start where it begins in the text that was looked through */
function HitText(props: { readonly text: string; readonly start: number; readonly hits: Hits; readonly at: number }): ReactNode {
  const { text, start, hits, at } = props;
  const inside = hits.spans
    .map((span, index) => ({ from: span.from - start, to: span.to - start, isAt: index === at }))
    .filter(({ from, to }) => from >= 0 && to <= text.length);
  const ends = [0, ...inside.map(({ to }) => to)];
  return (
    <>
      {inside.map(({ from, to, isAt }, index) => (
        <Fragment key={from}>
          {visibleText(text.slice(ends[index], from))}
          <mark data-at={isAt ? "" : undefined}>{visibleText(text.slice(from, to))}</mark>
        </Fragment>
      ))}
      {visibleText(text.slice(ends.at(-1)))}
    </>
  );
}

/** Numbers of lines that stand below each other. A click at one names it in the address, with Shift all from the one that is named. */
function LineNumbers(props: {
  readonly line: number;
  readonly count: number;
  readonly lines: LineRange | undefined;
  readonly onLine: ((line: number, how: { readonly extends: boolean }) => void) | undefined;
}): ReactNode {
  const { line, count, lines, onLine } = props;
  const click = (event: MouseEvent<HTMLElement>): void => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    // One element for all: a large object has thousands of lines.
    const index = Math.floor(((event.clientY - top) / height) * count);
    onLine?.(line + Math.min(count - 1, Math.max(0, index)), { extends: event.shiftKey });
  };
  const numbers = Array.from({ length: count }, (_, index) => line + index);
  const isMarked = (number: number): boolean => lines !== undefined && number >= lines.from && number <= lines.to;
  const groups = [
    numbers.filter((each) => lines === undefined || each < lines.from),
    numbers.filter(isMarked),
    numbers.filter((each) => lines !== undefined && each > lines.to),
  ];
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- hidden from readers: the field of the tools is the keyboard's way
    <pre className={styles["numbers"]} aria-hidden="true" onClick={click}>
      {groups.every((group, index) => index === 0 || group.length === 0)
        ? numbers.join("\n")
        : groups.map((group, index) =>
            group.length === 0 ? null : (
              // oxlint-disable-next-line react/no-array-index-key -- before, in and after the lines: always these three
              <span key={index} className={index === 1 ? styles["marked"] : styles["block"]}>
                {group.join("\n")}
              </span>
            ),
          )}
    </pre>
  );
}
