const maxLength = 60;

/** The file name of a note: its first words, without marks of Markdown and what file systems dislike, and `.md`. */
export function nameNote(text: string): string {
  // Far more than the words that are kept; a longer text without words would take seconds to clean.
  const lines = text.trimStart().slice(0, 1_000).toWellFormed().split("\n");
  const [line = ""] = lines.map(clean).filter((line) => line !== "");
  const characters = [...line];
  if (characters.length <= maxLength) return `${line || "Note"}.md`;
  const cut = characters.slice(0, maxLength + 1).join("");
  const words = cut.slice(0, Math.max(cut.lastIndexOf(" "), 0)) || characters.slice(0, maxLength).join("");
  return `${words}.md`;
}

function clean(line: string): string {
  // deno-lint-ignore no-control-regex
  return line.replace(/[\x00-\x1f\x7f\\/:*?"<>|#`_~[\]]+/g, " ").replace(/\s+/g, " ").replace(
    /^[-+.\s]+|[.,;\s]+$/g,
    "",
  );
}
