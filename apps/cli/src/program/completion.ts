import type { CommandSpec, OptionSpec } from "./command.ts";

/** Shells that complete the commands. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** A script that completes commands, options and their values, for `source`. */
export function completionScript(shell: (typeof SHELLS)[number], commands: readonly CommandSpec[]): string {
  if (shell === "fish") return fishScript(commands);
  const bash = bashScript(commands);
  return shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${bash}` : bash;
}

function bashScript(commands: readonly CommandSpec[]): string {
  const firsts = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""))];
  const seconds = secondsOf(commands);
  return `_binnacle() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${[...firsts, "help", "--help", "--version"].join(" ")}"
  else
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${commands
  .filter(({ name }) => name.includes(" "))
  .map((command) => bashCase(`"${command.name}"`, command))
  .join("\n")}
      *) case "\${COMP_WORDS[1]}" in
${commands
  .filter(({ name }) => !name.includes(" "))
  .map((command) => bashCase(command.name, command))
  .join("\n")}
${[...seconds].map(([first, names]) => `      ${first}) words="${names.join(" ")}" ;;`).join("\n")}
      help) words="${firsts.join(" ")}" ;;
      esac ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _binnacle binnacle
`;
}

function secondsOf(commands: readonly CommandSpec[]): ReadonlyMap<string, readonly string[]> {
  const seconds = new Map<string, string[]>();
  for (const { name } of commands) {
    const [first = "", second] = name.split(" ");
    if (second !== undefined) seconds.set(first, [...(seconds.get(first) ?? []), second]);
  }
  return seconds;
}

function bashCase(pattern: string, { options, arguments: given }: CommandSpec): string {
  const withChoices = options.filter(({ choices }) => choices !== undefined);
  const values = withChoices.map((option) => `${flagsOf(option).join("|")}) words="${option.choices?.join(" ") ?? ""}" ;;`);
  const all = [...options.flatMap(flagsOf), "--help", ...given.flatMap(({ name }) => (name === "SHELL" ? SHELLS : []))];
  return `      ${pattern}) case "$before" in ${[...values, `*) words="${all.join(" ")}" ;;`].join(" ")} esac ;;`;
}

function flagsOf({ name, short }: OptionSpec): readonly string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}

function fishScript(commands: readonly CommandSpec[]): string {
  const lines = ["complete -c binnacle -f"];
  for (const { name, summary, options } of commands) {
    const words = name.split(" ");
    const [first = "", second] = words;
    const inside = words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
    lines.push(
      second === undefined
        ? `complete -c binnacle -n __fish_use_subcommand -a ${first} -d ${quoted(summary)}`
        : `complete -c binnacle -n '__fish_seen_subcommand_from ${first}' -a ${second} -d ${quoted(summary)}`,
      ...options.map(({ name: long, short, value, choices, help }) =>
        [
          `complete -c binnacle -n '${inside}' -l ${long}`,
          ...(short === undefined ? [] : [`-s ${short}`]),
          ...(value === undefined ? [] : ["-r"]),
          ...(choices === undefined ? [] : [`-a ${quoted(choices.join(" "))}`]),
          `-d ${quoted(help)}`,
        ].join(" "),
      ),
    );
  }
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
