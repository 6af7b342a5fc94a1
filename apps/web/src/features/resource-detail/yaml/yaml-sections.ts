/** Lines of a YAML text that belong together: one field of the object with what is below it, or several fields of one line each. */
export interface YamlSection {
  /** Where it begins: characters from the start of the whole, and the number of its first line, from 1. */
  readonly start: number;
  readonly line: number;
  /** The line of a field that has more below it; empty where nothing can be folded. */
  readonly head: string;
  /** What follows the head, without its last line break. */
  readonly body: string;
  readonly bodyLines: number;
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
