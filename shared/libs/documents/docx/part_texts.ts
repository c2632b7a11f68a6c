import { readXml } from "./read_xml.ts";

/** The titles, and the values of each series with their names, one series in a line, unless they stand in cells. */
export function readChart(xml: string, { isOfCells = false } = {}): string {
  const lines: string[] = [];
  let texts: string[] = [];
  /** The names of the values of a series, and the values. */
  let names: string[] = [];
  let values: string[] = [];
  let series: string[] = [];
  let isTitle = false;
  let isText = false;
  readXml(xml, {
    open(name) {
      if (["title", "tx", "cat", "val", "xVal", "yVal"].includes(name)) texts = [];
      if (name === "title") isTitle = true;
      if (name === "ser") [series, names, values] = [[], [], []];
      isText = name === "t" || name === "v";
    },
    text(text) {
      if (isText) texts.push(text);
    },
    close(name) {
      isText = false;
      if (name === "title") {
        lines.push(texts.join(""));
        isTitle = false;
      }
      if (name === "tx" && !isTitle) series = texts;
      if (name === "cat" || name === "xVal") names = texts;
      if (name === "val" || name === "yVal") values = texts;
      if (name !== "ser" || isOfCells) return;
      const pairs = values.map((value, i) => [names[i], value].filter(Boolean).join(" "));
      lines.push([series.join(" "), pairs.join(", ")].filter(Boolean).join(": "));
    },
  });
  return lines.filter((line) => line.trim() !== "").join("\n");
}

/** The texts of a diagram, one in a line. */
export function readDiagram(xml: string): string {
  const lines: string[] = [];
  let texts: string[] = [];
  let isText = false;
  readXml(xml, {
    open: (name) => void (isText = name === "t"),
    text: (text) => void (isText && texts.push(text)),
    close(name) {
      isText = false;
      if (name !== "p") return;
      if (texts.length > 0) lines.push(texts.join(""));
      texts = [];
    },
  });
  return lines.join("\n");
}
