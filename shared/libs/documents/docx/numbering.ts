import { isOn, readXml } from "./read_xml.ts";

type Level = { start: number; format: string; text: string; isLegal: boolean };
type List = { abstractId: string; starts: Map<number, number>; levels: Map<number, Level> };

/** The last number of each level, by kind of list, and the levels begun anew. They go from one slice to the next. */
export type Counters = Record<string, (number | null)[]>;

/** The automatic number or bullet of the next paragraph of a list, with a space behind it. */
export type NextNumber = (list: { id: string; level: number }, counters: Counters) => string;

const deepest = 9;

/** Reads `word/numbering.xml`. */
export function readNumbering(xml: string): NextNumber {
  const abstracts = new Map<string, Map<number, Level>>();
  const lists = new Map<string, List>();
  let levels = new Map<number, Level>();
  let list: List | undefined;
  let level: Level = { start: 1, format: "decimal", text: "", isLegal: false };
  let index = 0;
  readXml(xml, {
    open(name, attributes) {
      const { val = "" } = attributes;
      if (name === "abstractNum") {
        list = undefined;
        abstracts.set(attributes.abstractNumId ?? "", levels = new Map());
      } else if (name === "num") {
        list = { abstractId: "", starts: new Map(), levels: new Map() };
        lists.set(attributes.numId ?? "", list);
        levels = list.levels;
      } else if (name === "lvl") {
        index = Number(attributes.ilvl);
        levels.set(index, level = { start: 1, format: "decimal", text: "", isLegal: false });
      } else if (name === "lvlOverride") index = Number(attributes.ilvl);
      else if (name === "abstractNumId" && list !== undefined) list.abstractId = val;
      else if (name === "startOverride") list?.starts.set(index, Number(val));
      else if (name === "start") level.start = Number(val);
      else if (name === "numFmt") level.format = val;
      else if (name === "lvlText") level.text = val;
      else if (name === "isLgl") level.isLegal = isOn(attributes);
    },
  });

  return ({ id, level: index }, counters) => {
    const list = lists.get(id);
    if (list === undefined || !(index >= 0 && index < deepest)) return "";
    const levelOf = (index: number) => list.levels.get(index) ?? abstracts.get(list.abstractId)?.get(index);
    const level = levelOf(index);
    if (level === undefined) return "";
    if (level.format === "bullet") return /^[☐☑☒✓✔✗]$/.test(level.text) ? `${level.text} ` : "- ";
    if (level.format === "none" || level.text === "") return "";
    // Lists of one kind count on, unless one says where it begins.
    const counts = counters[list.abstractId] ??= [];
    const begun = counters[`begun ${id}`] ??= [];
    const isBeginning = list.starts.has(index) && !begun.includes(index);
    const startOf = (index: number) => list.starts.get(index) ?? levelOf(index)?.start ?? 1;
    for (let above = 0; above < index; above++) counts[above] ??= startOf(above);
    if (isBeginning) begun.push(index);
    counts[index] = isBeginning || counts[index] === undefined || counts[index] === null
      ? startOf(index)
      : counts[index]! + 1;
    counts.length = index + 1;
    const number = level.text.replace(/%([1-9])/g, (_, place) => {
      const above = Number(place) - 1;
      const format = level.isLegal ? "decimal" : levelOf(above)?.format ?? "decimal";
      return formatNumber(counts[above] ?? startOf(above), format);
    }).trim();
    return number === "" ? "" : `${number} `;
  };
}

/** A number as lists write it, by the names of formats that Word has. */
export function formatNumber(number: number, format: string): string {
  switch (format) {
    case "lowerLetter":
      return writeLetters(number);
    case "upperLetter":
      return writeLetters(number).toUpperCase();
    case "lowerRoman":
      return writeRoman(number).toLowerCase();
    case "upperRoman":
      return writeRoman(number);
    case "decimalZero":
      return String(number).padStart(2, "0");
    default:
      return String(number);
  }
}

/** a to z, then aa to zz. */
function writeLetters(number: number): string {
  if (number < 1) return String(number);
  return String.fromCharCode(97 + (number - 1) % 26).repeat(Math.min(Math.ceil(number / 26), 10));
}

const numerals: [number, string][] = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

function writeRoman(number: number): string {
  if (number < 1 || number > 9999) return String(number);
  let rest = number;
  return numerals.map(([value, numeral]) => {
    const count = Math.floor(rest / value);
    rest -= count * value;
    return numeral.repeat(count);
  }).join("");
}
