import { raiseText } from "../write_marks.ts";

/** The parts of an equation that have a text of their own. */
const partNames = ["num", "den", "sup", "sub", "e", "deg", "fName", "lim"];
const structureNames = new Set(
  ("f sSup sSub sSubSup sPre rad nary d func mr m limLow limUpp eqArr acc bar box borderBox groupChr phant").split(" "),
);

type Structure = { name: string; parts: Record<string, string[]>; signs: Record<string, string> };

/** Writes an equation in one line: a/b, x², √(x). */
export type EquationWriter = {
  open(name: string, val: string | undefined): void;
  close(name: string): void;
  text(text: string): void;
  /** Returns the text so far, and begins again. */
  take(): string;
};

export function createEquationWriter(): EquationWriter {
  const structures: Structure[] = [];
  let texts: string[][] = [[]];

  return {
    open(name, val) {
      if (structureNames.has(name)) structures.push({ name, parts: {}, signs: {} });
      if (partNames.includes(name)) texts.push([]);
      const structure = structures.at(-1);
      if (structure !== undefined && ["chr", "begChr", "endChr", "sepChr"].includes(name)) {
        structure.signs[name] = val ?? "";
      }
    },
    close(name) {
      if (partNames.includes(name) && texts.length > 1) {
        const text = texts.pop()!.join("");
        const structure = structures.at(-1);
        if (structure === undefined) texts.at(-1)!.push(text);
        else (structure.parts[name] ??= []).push(text);
      }
      if (structures.at(-1)?.name === name) {
        const text = writeStructure(structures.pop()!);
        const matrix = structures.at(-1);
        // The rows of a matrix are its parts.
        if (name === "mr" && matrix !== undefined) (matrix.parts.mr ??= []).push(text);
        else texts.at(-1)!.push(text);
      }
    },
    text: (text) => void texts.at(-1)!.push(text),
    take() {
      const text = texts.flat().join("");
      texts = [[]];
      structures.length = 0;
      return text;
    },
  };
}

function writeStructure({ name, parts, signs }: Structure): string {
  const part = (name: string) => parts[name]?.join("") ?? "";
  switch (name) {
    case "f":
      return `${grouped(part("num"))}/${grouped(part("den"))}`;
    case "rad":
      return `${raised(part("deg"), "").replace(/^\^/, "")}√${grouped(part("e"), true)}`;
    case "nary":
      return `${signs.chr ?? "∫"}${lowered(part("sub"))}${raised(part("sup"))} ${part("e")}`;
    case "d":
      return `${signs.begChr ?? "("}${(parts.e ?? []).join(signs.sepChr ?? "|")}${signs.endChr ?? ")"}`;
    case "func":
      return `${part("fName")} ${part("e")}`;
    case "mr":
      return (parts.e ?? []).join(", ");
    case "eqArr":
      return (parts.e ?? []).join("; ");
    case "acc":
      return `${part("e")}${signs.chr ?? "\u0302"}`.normalize("NFC");
    case "m":
      return `[${(parts.mr ?? []).join("; ")}]`;
    case "sPre":
      return `${lowered(part("sub"))}${raised(part("sup"))}${part("e")}`;
    default:
      return `${part("e")}${lowered(part("sub") + part("lim"))}${raised(part("sup"))}`;
  }
}

function grouped(text: string, isNeeded = /[^\p{L}\p{N}\p{M}.,]/u.test(text)): string {
  return isNeeded ? `(${text})` : text;
}

function raised(text: string, mark = "^"): string {
  return /^[-−+\d]*$/.test(text) ? raiseText(text, "raised") : `${mark}${grouped(text)}`;
}

function lowered(text: string): string {
  return /^[-−+\d]*$/.test(text) ? raiseText(text, "lowered") : `_${grouped(text)}`;
}
