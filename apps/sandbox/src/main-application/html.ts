const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text that is already HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** HTML from a template: everything put in is escaped, unless it is `Html` itself. */
export function html(strings: TemplateStringsArray, ...values: readonly (string | number | Html | readonly Html[])[]): Html {
  return new Html(strings.map((text, index) => text + render(values[index])).join(""));
}

function render(value: string | number | Html | readonly Html[] | undefined): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "object") return value.map((part) => part.text).join("\n");
  return String(value).replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);
}
