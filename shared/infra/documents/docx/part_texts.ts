import { readXml } from "./read_xml.ts";

/** The title, and the values of each series with their names, one series in a line. */
export function readChart(xml: string): string {
  const lines: string[] = [];
  let texts: string[] = [];
  /** The names of the values of a series, and the values. */
  let names: string[] = [];
  let values: string[] = [];
  let title: string[] = [];
  let inside = "";
  let isText = false;
  readXml(xml, {
    open(name) {
      if (["title", "tx", "cat", "val", "xVal", "yVal"].includes(name)) [inside, texts] = [name, []];
      if (name === "ser") [title, names, values] = [[], [], []];
      isText = name === "t" || name === "v";
    },
    text(text) {
      if (isText) texts.push(text);
    },
    close(name) {
      isText = false;
      if (name !== inside && name !== "ser") return;
      if (name === "title") lines.push(texts.join(""));
      if (name === "tx") title = texts;
      if (name === "cat" || name === "xVal") names = texts;
      if (name === "val" || name === "yVal") values = texts;
      if (name !== "ser") return void (inside = "");
      const pairs = values.map((value, i) => [names[i], value].filter(Boolean).join(" "));
      lines.push([title.join(" "), pairs.join(", ")].filter(Boolean).join(": "));
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
