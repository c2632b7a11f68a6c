import { readXml } from "./docx/read_xml.ts";
import type { Look } from "./docx/styles.ts";

/** The mark of a list's level before its items. */
export type OdtLevel = { format: string; prefix: string; suffix: string; start: number; shown: number };

export type OdtStyles = {
  /** The look of a text, with what its style inherits. */
  lookOf(style: string | undefined): Look;
  /** The level of a heading that a style gives; 0 for the title. */
  levelOf(style: string | undefined): number | undefined;
  /** Undefined for bullets, and without a style. */
  numberingOf(list: string | undefined, level: number): OdtLevel | undefined;
};

type Style = Look & { parent?: string; level?: number };

const deepest = 20;

/** Reads the styles of some parts of a document. */
export function readOdtStyles(parts: string[]): OdtStyles {
  const styles = new Map<string, Style>();
  const lists = new Map<string, Map<number, OdtLevel>>();
  let style: Style = {};
  let list = new Map<number, OdtLevel>();
  for (const xml of parts) {
    readXml(xml, {
      open(name, attributes) {
        if (name === "style") {
          style = { parent: attributes["parent-style-name"] };
          const level = Number(attributes["default-outline-level"]);
          if (level > 0) style.level = level;
          styles.set(attributes.name ?? "", style);
        } else if (name === "default-style") style = {};
        else if (name === "text-properties") Object.assign(style, readLook(attributes));
        else if (name === "list-style" || name === "outline-style") lists.set(attributes.name ?? "", list = new Map());
        else if (name === "list-level-style-number" || name === "outline-level-style") {
          list.set(Number(attributes.level), {
            format: attributes["num-format"] ?? "",
            prefix: attributes["num-prefix"] ?? "",
            suffix: attributes["num-suffix"] ?? "",
            start: Number(attributes["start-value"] ?? 1) || 1,
            shown: Number(attributes["display-levels"] ?? 1) || 1,
          });
        }
      },
    });
  }

  function inherited(id: string | undefined): Style[] {
    const chain: Style[] = [];
    for (let next = id; next !== undefined && chain.length < deepest;) {
      const its: Style | undefined = styles.get(next);
      if (its === undefined) break;
      chain.push(next === "Title" ? { ...its, level: 0 } : its);
      next = its.parent;
    }
    return chain;
  }
  return {
    lookOf: (id) => Object.assign({}, ...inherited(id).reverse().map(({ parent: _, level: __, ...look }) => look)),
    levelOf: (id) => inherited(id).find(({ level }) => level !== undefined)?.level,
    numberingOf: (id, level) => lists.get(id ?? "")?.get(level),
  };
}

function readLook(attributes: Record<string, string>): Look {
  const { display, "text-position": position, "text-line-through-style": line } = attributes;
  return {
    ...(display === undefined ? {} : { isHidden: display === "none" }),
    ...(line === undefined ? {} : { isStruck: line !== "none" }),
    ...(position === undefined ? {} : { position: positionOf(position) }),
  };
}

function positionOf(position: string): Look["position"] {
  if (/^(?:super|[1-9])/.test(position)) return "raised";
  return /^(?:sub|-)/.test(position) ? "lowered" : undefined;
}
