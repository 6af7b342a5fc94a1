/** At most two capital letters for the avatar: "Mara Lindqvist" is "ML". */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => word !== "");
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase())
    .join("");
}
